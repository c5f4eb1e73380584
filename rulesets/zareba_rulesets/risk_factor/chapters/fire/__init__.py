"""Shooting: targets, who of a unit may fire, and what is hit."""
