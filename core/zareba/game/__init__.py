"""The game that plays a scenario under a ruleset, its policies of activation, and a commander with sense."""

from zareba.game.game import DECLINING, HOLDING, Change, Game, OrderOfPlay, State

__all__ = ["DECLINING", "HOLDING", "Change", "Game", "OrderOfPlay", "State"]
