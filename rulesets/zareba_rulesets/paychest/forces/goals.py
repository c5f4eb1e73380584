"""Where units are and may make for, when nothing but their own men and the edge counts (not a rule)."""

from __future__ import annotations

from zareba.space import Point
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit

__all__ = ["centre_of", "to_edge"]


def centre_of(unit: Unit) -> Point:
    """The middle of those of a unit who can walk."""
    return unit.standing.middle


def to_edge(battle: Battle, at: Point, edge: str) -> Point:
    """The nearest point of an edge of the table."""
    width, depth = battle.field.table.extent
    return {"north": (at[0], depth), "south": (at[0], 0.0), "east": (width, at[1]), "west": (0.0, at[1])}[edge]
