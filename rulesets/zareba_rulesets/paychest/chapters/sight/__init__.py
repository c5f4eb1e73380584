"""Who sees whom, who is in contact with whom, and what cover a man has."""
