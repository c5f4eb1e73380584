"""Whole games: how they are played in bulk, kept, and measured, one value a game."""
