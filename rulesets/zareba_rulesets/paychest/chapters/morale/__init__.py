"""Morale: when a unit tests, and the moves that it is forced to make."""
