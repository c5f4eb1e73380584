"""For people: words, the board, what is worth seeing before a choice, and what an umpire may set by hand."""
