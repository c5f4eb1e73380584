"""Positions on a measured table: distances between units, basic line of sight, and points to move to."""
