"""Men, pieces and units, who may stand where and in which formation, and the battle that holds them all."""
