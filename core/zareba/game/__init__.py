"""The game that plays a scenario under a ruleset, its policies of activation, and a commander with sense."""

from zareba.game.game import DECLINING, HOLDING, Game, OrderOfPlay, State, UnitChange

__all__ = ["DECLINING", "HOLDING", "Game", "OrderOfPlay", "State", "UnitChange"]
