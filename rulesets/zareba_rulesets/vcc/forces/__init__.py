"""Units, and the battle that holds them all."""
