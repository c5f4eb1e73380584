"""Figures, guns, units, formations, and the battle state that holds them."""
