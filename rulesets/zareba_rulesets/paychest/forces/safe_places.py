"""Where those keep who cannot fight: out of the enemy's reach, or behind friends who can (not a rule)."""

from __future__ import annotations

from zareba.base.exact import dist
from zareba.space import Point
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit

__all__ = ["can_fight", "refuge_of", "threat_at"]

REACH = 24.0
"""Inches from which an enemy may be upon a cart in a turn or two."""
BEHIND = 6.0
"""Inches behind the middle of a friendly unit at which there is room."""


def can_fight(unit: Unit) -> bool:
    """Whether at least half of a unit have a weapon of any sort."""
    able = unit.able
    return 2 * sum([bool(figure.weapons) for figure in able]) >= len(able)


def _fighters(battle: Battle, unit: Unit, *, own: bool) -> list[Point]:
    """The middles of the units that would fight for a unit, or against it: not who runs, nor a man alone."""
    side = unit.spec.side
    others = battle.side_units(side) if own else battle.enemies(side)
    return [o.standing.middle for o in others if o is not unit and not o.rout and not o.spec.single and can_fight(o)]


def threat_at(battle: Battle, unit: Unit, at: Point) -> Point | None:
    """Where the nearest enemy is, if he may soon be upon a unit at this place and no friend is nearer to him."""
    foe = min(_fighters(battle, unit, own=False), key=lambda middle: dist(middle, at), default=None)
    if foe is None or dist(foe, at) > REACH:
        return None
    screened = any(dist(friend, foe) < dist(at, foe) for friend in _fighters(battle, unit, own=True))
    return None if screened else foe


def refuge_of(battle: Battle, unit: Unit, here: Point) -> Point | None:
    """Where a unit goes that is threatened: behind the nearest friends, or straight away from the enemy; None if it is safe."""
    foe = threat_at(battle, unit, here)
    if foe is None:
        return None
    friend = min(_fighters(battle, unit, own=True), key=lambda middle: dist(middle, here), default=None)
    x, y = friend or here
    gap = dist((x, y), foe) or 1.0
    back = (BEHIND if friend else REACH) / gap
    return battle.field.table.onto((x + (x - foe[0]) * back, y + (y - foe[1]) * back))
