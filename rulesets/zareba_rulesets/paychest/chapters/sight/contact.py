"""Contact between figures (PAY-007, PAY-137, PAY-146)."""

from __future__ import annotations

from collections.abc import Sequence, Set

from zareba.base.exact import dist
from zareba.space import Base, Point
from zareba.space.field.bodies import touching
from zareba.space.geometry import boxes_near
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.formation import bases_of
from zareba_rulesets.paychest.forces.units import Figure, Unit, UnitPositions

__all__ = [
    "base_of",
    "enemies_touched",
    "figures_in_contact",
    "foes_near",
    "in_contact",
    "is_held",
    "reaches",
    "touch_bases",
    "touches",
]

WIDEST = 1.6
WIDEST_ABOARD = 3.1
"""Distances between centres, in inches, within which figures may touch.

`WIDEST_ABOARD` applies when figures are in a conveyance, where they are touched at its base.
"""


def base_of(battle: Battle, figure: Figure) -> float | None:
    """Return the radius of the base where a figure is touched, aboard the conveyance's; None in the air (PAY-082)."""
    if not figure.aboard:
        return battle.radius(figure)
    engine = battle.engines[figure.aboard]
    return None if engine.altitude else battle.engine_radius(engine)


def foes_near(battle: Battle, unit: Unit, reach: float | None = None, side: str = "") -> list[Unit]:
    """Return the enemy units whose boxes are within `reach` of a unit's box, by default those it may touch.

    `side` limits the search to the units of that side.
    """
    if unit.box[2] < 0:
        return []
    if reach is None:
        aboard = [engine for engine in battle.engines.values() if engine.aboard]
        reach = WIDEST_ABOARD if aboard else WIDEST
    others = battle.side_units(side) if side else battle.enemies(unit.spec.side)
    return [other for other in others if boxes_near(other.box, unit.box, reach)]


def touch_bases(battle: Battle, unit: Unit) -> list[Base]:
    """Return the bases on which the able figures of a unit are touched, in roster order.

    Figures in the air have none.
    """
    positions, side = unit.standing, unit.spec.side
    if len(positions.bases) == len(positions.able):
        return bases_of(battle, unit)
    return [
        Base(*figure.at, base, side, figure.spec.id)
        for figure in positions.able
        if figure.at is not None and (base := base_of(battle, figure)) is not None
    ]


def touches(battle: Battle, a: Figure, b: Figure) -> bool:
    """Return True if the bases of two figures touch: a gap of 0.05 inches or less (PAY-007)."""
    if a.at is None or b.at is None:
        return False
    own, other = base_of(battle, a), base_of(battle, b)
    return own is not None and other is not None and dist(a.at, b.at) <= own + other + battle.book.contact


def enemies_touched(battle: Battle, figure: Figure, foes: Sequence[Unit]) -> list[Figure]:
    """Return the able figures of these units that a figure touches. Helpless figures do not count (PAY-146)."""
    own = None if figure.at is None else base_of(battle, figure)
    if figure.at is None or own is None:
        return []
    here, found = [Base(*figure.at, own)], []
    for foe in foes:
        bases = touch_bases(battle, foe)
        found += [foe.figures[bases[place].key] for place in touching(bases, here, battle.book.contact)]
    return found


def in_contact(battle: Battle, figure: Figure, foes: Sequence[Unit]) -> bool:
    """Return True if a figure touches an able figure of these units."""
    return bool(foes) and bool(enemies_touched(battle, figure, foes))


def is_held(battle: Battle, figure: Figure) -> bool:
    """Return True if `melee_lock` is on and the figure touches an enemy, so that it must stay in place (PAY-076)."""
    if battle.book.settings.melee_lock == "off":
        return False
    return in_contact(battle, figure, foes_near(battle, battle.unit_of(figure)))


def figures_in_contact(battle: Battle, unit: Unit, foes: Sequence[Unit]) -> Set[str]:
    """Return the able figures of a unit that touch an able figure of these units."""
    if len(foes) == 1:
        return _figures_touching(battle, unit, foes[0])
    return {name for foe in foes for name in _figures_touching(battle, unit, foe)}


def _figures_touching(battle: Battle, unit: Unit, foe: Unit) -> frozenset[str]:
    """Return the figures of one unit that touch a figure of another.

    The answer is cached until either unit moves or loses a figure.
    """
    cache, pair = battle.found, (unit.spec.id, foe.spec.id)
    cached: tuple[UnitPositions, UnitPositions, frozenset[str]] | None = cache.get(pair)
    if cached is not None and cached[0] is unit.standing and cached[1] is foe.standing:
        return cached[2]
    own = touch_bases(battle, unit)
    men = touching(own, touch_bases(battle, foe), battle.book.contact)
    found = frozenset([own[place].key for place in men])
    cache[pair] = unit.standing, foe.standing, found
    return found


def reaches(battle: Battle, figure: Figure, at: Point | None, radius: float) -> bool:
    """Return True if a figure's base touches a base of this radius at a point."""
    if figure.at is None or at is None:
        return False
    return dist(figure.at, at) <= battle.radius(figure) + radius + battle.book.contact
