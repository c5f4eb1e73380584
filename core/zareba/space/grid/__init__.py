"""Grids of cells: square boxes and hexes, their edges, routes over them, and terrain laid over them."""
