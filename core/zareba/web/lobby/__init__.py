"""What belongs to the house: its games and their links, how a game begins, comparisons, battles that are made."""
