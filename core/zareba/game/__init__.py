"""The game: a scenario played under a ruleset, with activation policies and the AI player `Doctrine`."""

from zareba.game.game import DECLINING, HOLDING, Game, OrderOfPlay, State, UnitChange

__all__ = ["DECLINING", "HOLDING", "Game", "OrderOfPlay", "State", "UnitChange"]
