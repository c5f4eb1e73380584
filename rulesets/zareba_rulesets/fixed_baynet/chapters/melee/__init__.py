"""Charges, and close combat."""
