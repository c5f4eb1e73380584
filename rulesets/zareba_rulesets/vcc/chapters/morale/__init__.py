"""Morale checks, retreats and rallies."""
