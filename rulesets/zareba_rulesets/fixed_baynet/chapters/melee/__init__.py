"""Charges on foot and close combat."""
