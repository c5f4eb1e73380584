"""Battle: targets, dice, the exchange of hits, and combat on the ground."""
