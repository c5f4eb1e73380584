"""Figures, things, units, their formations and intentions, and the battle that contains them."""
