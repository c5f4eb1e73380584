"""Output for players: sentences, the board, odds hints, and the umpire editor."""
