"""What a seat at a game is shown and may do: nothing that it may not know, nothing that it may not touch."""
