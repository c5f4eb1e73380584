"""Morale checks and the forced moves that follow from them."""
