"""What lies on the table, what it costs to cross, and what it hides."""
