"""Setting up: the first state of a battle, formations in their deployment zones, and arrivals."""
