"""Horsemen: gaits, how a line rides and wheels, and charges on horseback."""
