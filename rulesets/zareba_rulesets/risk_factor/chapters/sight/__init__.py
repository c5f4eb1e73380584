"""Who sees whom, who may be aimed at, and who is in contact."""
