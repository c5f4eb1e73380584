"""Moving: pieces and companies, commanders, and ladders."""
