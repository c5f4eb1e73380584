"""What an AI player expects of fire, melee, places and objectives. These estimates are not rules."""
