"""A game at a terminal: what is shown, what a person types, and how it is understood."""
