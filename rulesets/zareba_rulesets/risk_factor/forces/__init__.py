"""Units and groups, their weapons, who stands where and who is known to whom, and the battle that holds them all."""
