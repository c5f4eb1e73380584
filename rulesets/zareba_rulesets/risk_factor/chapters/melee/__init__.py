"""Charges and melees: matching the fighters, the dice, and pushing back the losers."""
