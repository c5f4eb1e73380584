"""What can be told of the line between two pieces: sight."""

from __future__ import annotations

from zareba_rulesets.afriboria.battle import Battle
from zareba_rulesets.afriboria.pieces import OFF
from zareba_rulesets.afriboria.sight import sees

__all__ = ["line_between"]


def line_between(battle: Battle, a: str, b: str) -> list[str]:
    """Whether nothing between the hexes of two pieces blocks the line (AFR-155)."""
    here, there = _hex_of(battle, a), _hex_of(battle, b)
    if OFF in (here, there):
        return []
    return ["in sight" if sees(battle, here, there) else "out of sight"]


def _hex_of(battle: Battle, name: str) -> int:
    piece = battle.units.get(name) or battle.commanders.get(name) or battle.fliers.get(name)
    return OFF if piece is None else piece.hex
