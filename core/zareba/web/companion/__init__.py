"""The page of the companion: the book of an evening at a real table, on a phone."""
