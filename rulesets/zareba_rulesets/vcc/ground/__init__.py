"""Terrain in boxes and its effects."""
