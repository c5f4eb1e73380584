"""Texts, board, roster, odds hints and umpire editing for players."""
