"""Base contact of single figures (RSK-005)."""

from __future__ import annotations

from collections.abc import Sequence

from zareba_rulesets.risk_factor.forces.battle import Battle, Unit
from zareba_rulesets.risk_factor.ground.body import Body

__all__ = ["engaged_figures"]


def engaged_figures(battle: Battle, unit: Unit) -> frozenset[int]:
    """The figures of a unit in base contact with an enemy (RSK-094, RSK-097)."""
    enemies = battle.standing(battle.enemy(unit.spec.side))
    found = enemies.engaged.get(unit.body)
    if found is None:
        contact = battle.book.lengths["contact"]
        touching = [enemies.bodies[k] for k in enemies.within(unit.body, contact)]
        found = enemies.engaged[unit.body] = _in_contact(unit.body, touching, contact) if touching else frozenset()
    return found


def _in_contact(own: Body, others: Sequence[Body], contact: float) -> frozenset[int]:
    """The figures of a body whose bases are within a contact's length of any of some others."""
    found = set()
    for other in others:
        limit = own.radius + other.radius + contact
        west, south, east, north = other.box
        west, south, east, north = west - limit, south - limit, east + limit, north + limit
        for index, (x, y) in enumerate(own.at):
            if index in found or not (west < x < east and south < y < north):
                continue
            for ex, ey in other.at:
                if (x - ex) ** 2 + (y - ey) ** 2 <= limit**2:
                    found.add(index)
                    break
    return frozenset(found)
