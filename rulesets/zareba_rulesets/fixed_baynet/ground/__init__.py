"""The terrain on the table and its effect on movement."""
