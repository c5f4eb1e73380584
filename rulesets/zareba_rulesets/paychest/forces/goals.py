"""Where units are and may make for, when nothing but their own men and the edge counts (not a rule)."""

from __future__ import annotations

from zareba.space import Point
from zareba.space.edges import nearest_on_edge
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit

__all__ = ["centre_of", "to_edge"]


def centre_of(unit: Unit) -> Point:
    """The middle of those of a unit who can walk."""
    return unit.standing.middle


def to_edge(battle: Battle, at: Point, edge: str) -> Point:
    """The nearest point of an edge of the table."""
    return nearest_on_edge(at, battle.field.table.extent, edge)
