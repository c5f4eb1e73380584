"""The game: a scenario played under a ruleset, with activation policies and the AI player `Doctrine`."""

from zareba.game.game import Game
from zareba.game.parts import Advisor, Display, Narrator, OddsHorizon, Play, Search, Sight, State, UnitChange
from zareba.game.parts.odds_horizon import DECLINING, HOLDING
from zareba.game.parts.part import OrderOfPlay

__all__ = [
    "DECLINING",
    "HOLDING",
    "Advisor",
    "Display",
    "Game",
    "Narrator",
    "OddsHorizon",
    "OrderOfPlay",
    "Play",
    "Search",
    "Sight",
    "State",
    "UnitChange",
]
