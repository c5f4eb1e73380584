"""Moves: paths and their cost, cover to fall back to, and guards of prisoners."""
