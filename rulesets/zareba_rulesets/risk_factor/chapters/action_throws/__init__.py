"""The Risk Factor of units, and the Action throws that it leads to."""
