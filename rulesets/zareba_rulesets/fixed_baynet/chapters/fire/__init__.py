"""Shooting: targets, volleys, counter-attacks by fire, and the effects of a hit."""
