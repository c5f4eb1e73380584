"""Morale: glory tests, rallying, and medics."""
