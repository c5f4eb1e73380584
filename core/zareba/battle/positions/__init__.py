"""Positions on a measured table: distances between units, the default line of sight, and points to move to."""
