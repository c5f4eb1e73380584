"""Estimates for AI players: expected losses, objectives, the worth of positions, and the view of one unit."""
