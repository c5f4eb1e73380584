"""What lies on the table, what it hides and shelters, and where bodies of men stand on it."""
