"""Whole games: simulate them in bulk, save their records, and measure one value per game."""
