"""What an AI player expects of fire, melee and places. Rough means, used by actions and evaluations."""
