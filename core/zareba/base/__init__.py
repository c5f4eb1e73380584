"""What everything stands on: exact sums, records and how they are taken back, YAML with places, numbers with reasons, errors."""
