"""Turn numbers into words: verdicts, advice, and the summary of a comparison as plain data."""
