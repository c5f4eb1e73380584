"""Moves by Action results and by orders."""
