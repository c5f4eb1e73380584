"""Charges and close combat: how men are matched, and who is pushed back."""
