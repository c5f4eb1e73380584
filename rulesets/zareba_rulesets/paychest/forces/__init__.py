"""Men, things and units, how they form up, what they are after, and the battle that holds them all."""
