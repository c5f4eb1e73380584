"""Guns and machine guns: their crews and their fire."""
