"""Orders: what a unit or a man may do in his turn, and how each order is carried out by its chapter."""
