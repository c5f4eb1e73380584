"""Guns: their crews, and their fire."""
