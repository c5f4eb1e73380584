"""What numbers come to in words: verdicts, advice, and a comparison as plain data."""
