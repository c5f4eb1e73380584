"""The terrain: what it hides, what it shelters, and where units stand on it."""
