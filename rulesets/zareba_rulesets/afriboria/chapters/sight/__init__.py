"""Who sees whom, and who is exposed."""
