"""Shooting: at whom a man may aim, volleys, counter-attacks by fire, and what a hit does."""
