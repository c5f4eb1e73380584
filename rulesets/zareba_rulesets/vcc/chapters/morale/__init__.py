"""Morale: tests, retreats, and how units rally."""
