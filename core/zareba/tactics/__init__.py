"""Tactical positions: small battles with a right and a wrong way to play them, to test AI players.

`zareba tactics` plays them. Each position is a YAML file: those in `positions` run under every ruleset, and a ruleset
has its own in its folder `tactics`.
"""

from zareba.tactics.load import Position, all_positions, load_positions, read_position
from zareba.tactics.model import Condition, PositionFile
from zareba.tactics.play import PositionResult, SeedResult, play_position

__all__ = [
    "Condition",
    "Position",
    "PositionFile",
    "PositionResult",
    "SeedResult",
    "all_positions",
    "load_positions",
    "play_position",
    "read_position",
]
