"""Figures, things, units, their formations and goals, and the battle that contains them."""
