"""Buildings: men in rooms, doors, and the effects of fire and shells on walls."""
