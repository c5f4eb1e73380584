"""Cavalry: gaits, rides and wheels of a whole unit, and mounted charges."""
