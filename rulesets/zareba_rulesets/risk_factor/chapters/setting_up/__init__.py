"""Setting up: the starting position, reinforcements and hidden units."""
