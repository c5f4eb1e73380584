"""Who touches whom (PAY-007, PAY-137, PAY-146)."""

from __future__ import annotations

from collections.abc import Sequence, Set

from zareba.exact import dist
from zareba.space import Point
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Box, Figure, Unit

__all__ = [
    "are_near",
    "base_of",
    "distance_between",
    "foes_near",
    "held",
    "in_contact",
    "is_held",
    "reaches",
    "touched",
    "touches",
]

WIDEST = 1.6
WIDEST_ABOARD = 3.1
"""Inches from centre to centre within which figures may touch; aboard a conveyance they do with its base."""


def are_near(a: Box, b: Box, reach: float) -> bool:
    """Whether two units' boxes come within a reach of each other along both axes; never for an empty one."""
    return (
        a[2] >= a[0]
        and b[2] >= b[0]
        and a[0] - reach <= b[2]
        and b[0] - reach <= a[2]
        and a[1] - reach <= b[3]
        and b[1] - reach <= a[3]
    )


def base_of(battle: Battle, figure: Figure) -> float | None:
    """Half the width of the base on which a figure is touched: aboard, that of the conveyance; None aloft (PAY-082)."""
    if not figure.aboard:
        return battle.radius(figure)
    engine = battle.engines[figure.aboard]
    return None if engine.altitude else battle.engine_radius(engine)


def foes_near(battle: Battle, unit: Unit, reach: float | None = None, side: str = "") -> list[Unit]:
    """The enemy units that come within reach of a unit's box; by default, those it may touch. `side`: of that side only."""
    if unit.box[2] < 0:
        return []
    if reach is None:
        reach = WIDEST
        for engine in battle.engines.values():
            if engine.aboard:
                reach = WIDEST_ABOARD
                break
    units = battle.units
    near = battle.nearness.of([other.box for other in units.values()])
    key = unit.spec.id, reach, side
    names = near.get(key)
    if names is None:
        names = near[key] = _names_near(battle, unit, reach, side)
    return [units[name] for name in names] if names else []


def _names_near(battle: Battle, unit: Unit, reach: float, side: str) -> list[str]:
    west, south, east, north = unit.box
    west, south, east, north = west - reach, south - reach, east + reach, north + reach
    own = unit.spec.side
    found = []
    for name, other in battle.units.items():
        box = other.box
        if (
            west <= box[2]
            and box[0] <= east
            and south <= box[3]
            and box[1] <= north
            and box[2] >= 0
            and (other.spec.side == side if side else other.spec.side != own)
        ):
            found.append(name)
    return found


def touches(battle: Battle, a: Figure, b: Figure) -> bool:
    """Whether two figures' bases touch: a gap of 0.05 inches or less (PAY-007)."""
    if a.at is None or b.at is None:
        return False
    own, other = base_of(battle, a), base_of(battle, b)
    return own is not None and other is not None and dist(a.at, b.at) <= own + other + battle.book.contact


def touched(battle: Battle, figure: Figure, foes: list[Unit]) -> list[Figure]:
    """The able figures of these units that a figure touches; helpless men do not count (PAY-146)."""
    at = figure.at
    if at is None:
        return []
    own = base_of(battle, figure)
    if own is None:
        return []
    found = []
    x, y = at
    bases = battle.book.bases
    reach = own + battle.book.contact
    on_foot, mounted = reach + bases["foot"], reach + bases["mounted"]
    widest = reach + bases["conveyance"]
    for foe in foes:
        west, south, east, north = foe.box
        if x < west - widest or x > east + widest or y < south - widest or y > north + widest:
            continue
        for other in foe.standing.able:
            there = other.at
            assert there is not None, "able figures are on the table"
            apart = mounted if other.mount else on_foot
            if other.aboard:
                base = base_of(battle, other)
                if base is None:
                    continue
                apart = reach + base
            across = there[0] - x
            if -apart <= across <= apart:
                along = there[1] - y
                if across * across + along * along <= apart * apart:
                    found.append(other)
    return found


def in_contact(battle: Battle, figure: Figure, foes: list[Unit]) -> bool:
    """Whether a figure touches an able figure of these units."""
    at = figure.at
    if not foes or at is None:
        return False
    own = base_of(battle, figure)
    if own is None:
        return False
    x, y = at
    bases = battle.book.bases
    reach = own + battle.book.contact
    on_foot, mounted = reach + bases["foot"], reach + bases["mounted"]
    widest = reach + bases["conveyance"]
    for foe in foes:
        west, south, east, north = foe.box
        if west - widest <= x <= east + widest and south - widest <= y <= north + widest:
            for other in foe.standing.able:
                there = other.at
                assert there is not None, "able figures are on the table"
                across, apart = there[0] - x, mounted if other.mount else on_foot
                if other.aboard:
                    base = base_of(battle, other)
                    if base is None:
                        continue
                    apart = reach + base
                if -apart <= across <= apart:
                    along = there[1] - y
                    if across * across + along * along <= apart * apart:
                        return True
    return False


def is_held(battle: Battle, figure: Figure) -> bool:
    """With `melee_lock` on, whether a figure touches an enemy and so stays where it is (PAY-076)."""
    if battle.book.settings.melee_lock == "off":
        return False
    return in_contact(battle, figure, foes_near(battle, battle.unit_of(figure)))


def held(battle: Battle, unit: Unit, foes: Sequence[Unit]) -> Set[str]:
    """The able figures of a unit who touch an able figure of these units."""
    if len(foes) == 1:
        return _touching(battle, unit, foes[0])
    return {name for foe in foes for name in _touching(battle, unit, foe)}


def _touching(battle: Battle, unit: Unit, foe: Unit) -> frozenset[str]:
    """Those of one unit who touch one of another; kept while neither moves nor loses anybody."""
    known, pair = battle.nearness.touching, (unit.spec.id, foe.spec.id)
    mine, theirs, found = known.get(pair, (None, None, frozenset()))
    if mine is not unit.standing or theirs is not foe.standing:
        found = frozenset([figure.spec.id for figure in unit.able if in_contact(battle, figure, [foe])])
        known[pair] = unit.standing, foe.standing, found
    return found


def distance_between(a: Figure, b: Figure) -> float:
    """Centre to centre (PAY-008)."""
    assert a.at is not None and b.at is not None, "both stand on the table"
    return dist(a.at, b.at)


def reaches(battle: Battle, figure: Figure, at: Point | None, radius: float) -> bool:
    """Whether a figure's base touches a base of this radius at a point."""
    if figure.at is None or at is None:
        return False
    return dist(figure.at, at) <= battle.radius(figure) + radius + battle.book.contact
