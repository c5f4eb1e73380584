"""Moving on foot: allowances, ways that all go together, rooms of buildings, night, and what a move leads to."""
