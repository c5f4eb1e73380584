"""Who sees whom: lines of sight, openings of buildings, contact, and the bands of range."""
