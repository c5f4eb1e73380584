"""Tables of cells: square boxes and hexes, their edges and ways, and terrain laid over them."""
