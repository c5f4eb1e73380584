"""Estimates of an AI player for fire, melee, places and objectives. They are not rules."""
