"""Free space: spots on the table where a base can stand (FBN-005, FBN-050)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from zareba.space.field.bodies import Base, Crowd, overlaps_any
from zareba.space.geometry import EPSILON, Point
from zareba.space.moves import first_free, rings
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Box, Figure
from zareba_rulesets.fixed_baynet.ground import NO_RUINS

BESIDE = (0, 30, -30, 60, -60, 90, -90, 15, -15, 45, -45, 75, -75)
"""Bearings, in degrees off the near side of a man, at which to look for room beside him.

Coarse steps come first, because they usually succeed.
"""


def ruins(battle: Battle) -> frozenset[str]:
    """Return the buildings that have been destroyed (FBN-250)."""
    return (
        frozenset([name for name, house in battle.houses.items() if house.points <= 0]) if battle.houses else NO_RUINS
    )


def open_ground(battle: Battle, x: float, y: float) -> bool:
    """Return True if a point is on the table and on open ground (FBN-065, FBN-072, FBN-075)."""
    field = battle.field
    if not (-EPSILON <= x <= field.width + EPSILON and -EPSILON <= y <= field.depth + EPSILON):
        return False
    if field.impassable.is_open(x, y, x, y):
        return True
    is_closed, has_cover_over = False, False
    for piece in field.pieces:
        box = piece.box
        if piece.is_area and box[0] <= x <= box[2] and box[1] <= y <= box[3]:
            if piece.over:
                has_cover_over = has_cover_over or piece.holds((x, y))
            elif piece.ground.move == "closed" and piece.holds((x, y)):
                if piece.building:
                    if battle.houses[piece.building].points > 0:
                        return False
                else:
                    is_closed = True
    return has_cover_over or not is_closed


def bases_of(battle: Battle, men: Iterable[Figure]) -> list[Base]:
    """Return the bases of some men."""
    foot, mounted = battle.book.radii
    new = tuple.__new__  # twice as fast as Base(...), which matters for millions of bases
    return [new(Base, (man.x, man.y, mounted if man.mounted else foot, "", "")) for man in men]


def bases_near(battle: Battle, box: Box, reach: float, without: Collection[str], seat: str = "") -> list[Base]:
    """Return the outdoor bases within `reach` of a box, except those of the figures named in `without`.

    If `seat` is given, hidden units of other sides are left out, so that a player cannot find them by measuring.
    """
    w, s, e, n = box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach
    radius = battle.book.radius
    mounted, foot = radius["mounted"], radius["foot"]
    new = tuple.__new__  # as in `bases_of`
    bases: list[Base] = []
    for unit in battle.units.values():
        unit_box = unit.box
        if unit_box[0] > e or unit_box[2] < w or unit_box[1] > n or unit_box[3] < s:
            continue
        side = unit.spec.side
        if seat and side != seat and "hidden" in unit.marks:
            continue
        bases += [
            new(Base, (figure.x, figure.y, mounted if figure.mounted else foot, side, key))
            for key, figure in unit.figures.items()
            if w <= figure.x <= e and s <= figure.y <= n and key not in without and not figure.place
        ]
        for gun in unit.guns:
            if gun.wounds > 0 and w <= gun.x <= e and s <= gun.y <= n:
                bases.append(Base(gun.x, gun.y, radius["gun"], side, ""))
    return bases


def is_free(battle: Battle, at: Point, radius: float, bases: Iterable[Base]) -> bool:
    """Return True if a base can stand at a point among the given bases."""
    return open_ground(battle, *at) and not overlaps_any(at, radius, bases)


def spot_near(battle: Battle, x: float, y: float, radius: float, without: Collection[str] = ()) -> Point:
    """Return the free spot nearest to a point, or the point itself if there is none within 12"."""
    crowd = Crowd(bases_near(battle, (x, y, x, y), 14.0, without))
    around = rings(0.25, 12.0, least=8, per=4.0, from_east=True)
    return first_free((x, y), radius, crowd, around, lambda at: open_ground(battle, *at)) or (x, y)
