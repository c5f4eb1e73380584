"""Setting up: the first state of a battle, hidden groups, arrivals."""
