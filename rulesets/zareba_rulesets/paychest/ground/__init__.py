"""Terrain on the table: movement costs, line of sight and cover."""
