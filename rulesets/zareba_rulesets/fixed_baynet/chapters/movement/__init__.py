"""Movement on foot: move allowances, group moves, rooms of buildings, night, and the effects of a move."""
