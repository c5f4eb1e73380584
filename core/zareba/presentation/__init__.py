"""For people: the board, who fights, what happened, what an umpire may set by hand, words for what nobody described."""
