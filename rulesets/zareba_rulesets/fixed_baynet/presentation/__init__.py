"""Presentation: texts, the board, odds hints and the umpire editor."""
