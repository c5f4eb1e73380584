"""Safe positions for units that cannot fight: out of the enemy's reach or behind friends.

An aid for AI players, not a rule.
"""

from __future__ import annotations

from zareba.base.exact import dist
from zareba.space import Point
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit

_REACH = 24.0
"""The distance in inches from which an enemy may reach a cart in a turn or two."""
BEHIND = 6.0
"""The distance in inches behind the middle of a friendly unit at which there is room."""


def can_fight(unit: Unit) -> bool:
    """Return True if at least half of a unit have a weapon of any kind."""
    able = unit.able
    return 2 * sum([bool(figure.weapons) for figure in able]) >= len(able)


def _fighters(battle: Battle, unit: Unit, *, own: bool) -> list[Point]:
    """Return the centres of the units that would fight for or against a unit, without routers and single figures."""
    side = unit.spec.side
    others = battle.side_units(side) if own else battle.enemies(side)
    return [o.positions.middle for o in others if o is not unit and not o.rout and not o.spec.single and can_fight(o)]


def threat_at(battle: Battle, unit: Unit, at: Point) -> Point | None:
    """Return the position of the nearest enemy if it threatens a unit at this place, else None.

    It does if it is within reach and no friend is nearer to it.
    """
    foe = min(_fighters(battle, unit, own=False), key=lambda middle: dist(middle, at), default=None)
    if foe is None or dist(foe, at) > _REACH:
        return None
    screened = any(dist(friend, foe) < dist(at, foe) for friend in _fighters(battle, unit, own=True))
    return None if screened else foe


def refuge_of(battle: Battle, unit: Unit, here: Point) -> Point | None:
    """Return where a threatened unit should go: behind the nearest friends, or straight away from the enemy.

    None if it is safe.
    """
    foe = threat_at(battle, unit, here)
    if foe is None:
        return None
    friend = min(_fighters(battle, unit, own=True), key=lambda middle: dist(middle, here), default=None)
    x, y = friend or here
    gap = dist((x, y), foe) or 1.0
    share = (BEHIND if friend else _REACH) / gap
    return battle.field.table.nearest_point_inside((x + (x - foe[0]) * share, y + (y - foe[1]) * share))
