"""The parts of a game: play, advisor, display, narrator, sight, and how far its odds look ahead."""

from zareba.game.parts.advisor import Advisor, Search
from zareba.game.parts.display import Display, State, UnitChange
from zareba.game.parts.narrator import Narrator
from zareba.game.parts.odds_horizon import OddsHorizon
from zareba.game.parts.play import Play
from zareba.game.parts.sight import Sight

__all__ = ["Advisor", "Display", "Narrator", "OddsHorizon", "Play", "Search", "Sight", "State", "UnitChange"]
