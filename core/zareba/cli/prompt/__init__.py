"""The interactive terminal: display of the game, and parsing of typed input."""
