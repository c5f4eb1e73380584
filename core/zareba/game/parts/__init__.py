"""The parts of a game: its advisor, and how far its odds look ahead."""

from zareba.game.parts.advisor import Advisor
from zareba.game.parts.odds_horizon import OddsHorizon

__all__ = ["Advisor", "OddsHorizon"]
