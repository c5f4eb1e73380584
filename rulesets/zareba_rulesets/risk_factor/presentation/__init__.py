"""Text and pictures for people: sentences, the board, odds hints and the umpire editor."""
