"""For people: words, the board, the roster, what is worth seeing before a choice, and what an umpire may set by hand."""
