"""Movement of units, companies and commanders, and ladders."""
