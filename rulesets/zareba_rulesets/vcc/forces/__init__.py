"""Units, and the battle state that holds them."""
