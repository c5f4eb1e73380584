"""Buildings: who is in which room, doors, and what fire and shell do to walls."""
