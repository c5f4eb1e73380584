"""Units, their weapons and positions, and the battle that holds them."""
