"""Terrain and structures in hexes."""
