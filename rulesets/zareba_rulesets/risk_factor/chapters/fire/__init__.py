"""Shooting: targets, the figures able to fire, and the figures they can hit."""
