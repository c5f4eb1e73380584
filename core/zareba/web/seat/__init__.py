"""The page of a game for one player: view, actions, questions to the server, explanations, unit cards and umpire."""
