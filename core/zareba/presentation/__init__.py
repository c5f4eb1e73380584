"""Presentation for people: the board, rosters, event sentences, results, and the umpire's editing of pieces."""
