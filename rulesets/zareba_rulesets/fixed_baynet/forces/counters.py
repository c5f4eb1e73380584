"""How many action counters a man has for an activation (FBN-033): his own, or as house rules have them here and now."""

from __future__ import annotations

from zareba.base.tally import Tally
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure

__all__ = ["counters_left"]


def counters_left(battle: Battle, figure: Figure, seen: list[Tally] | None = None) -> int:
    """A man's AC less those that he has spent on answers (FBN-098), never below none; `seen` keeps them for "why?"."""
    spec = figure.spec
    own: int = battle.book.rules.number("counters", spec.ac, battle, figure, seen=seen, of=spec.role)
    return max(0, own - figure.spent)
