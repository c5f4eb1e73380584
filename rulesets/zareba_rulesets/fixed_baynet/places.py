"""Room to stand: which spots of the table are free (FBN-005, FBN-050)."""

from __future__ import annotations

from bisect import bisect, bisect_left
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from zareba.exact import cosd, hypot, sind
from zareba.space.bearings import offset
from zareba.space.geometry import EPSILON, Point
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.units import Box, Figure
from zareba_rulesets.fixed_baynet.ways import NO_RUINS

__all__ = [
    "TOUCH",
    "Crowd",
    "Disc",
    "discs_near",
    "first_free",
    "free_spot",
    "in_rings",
    "open_ground",
    "overlaps",
    "ruins",
    "touching_spots",
]

TOUCH = 1e-6
FAR = 2.5  # inches: more than two bases of any kind
Rings = tuple[tuple[float, tuple[Point, ...]], ...]


class Disc(NamedTuple):
    """A base on the table: its centre, radius, whose it is; `id` is empty for a gun."""

    x: float
    y: float
    radius: float
    side: str
    id: str


def ruins(battle: Battle) -> frozenset[str]:
    """The buildings that have been destroyed (FBN-250)."""
    return (
        frozenset([name for name, house in battle.houses.items() if house.points <= 0]) if battle.houses else NO_RUINS
    )


def open_ground(battle: Battle, x: float, y: float) -> bool:
    """Whether a point is on the table and neither in a standing building nor on closed ground (FBN-065, FBN-072, FBN-075)."""
    field = battle.field
    if not (-EPSILON <= x <= field.width + EPSILON and -EPSILON <= y <= field.depth + EPSILON):
        return False
    if field.impassable.is_open(x, y, x, y):
        return True
    closed, over = False, False
    for piece in field.pieces:
        box = piece.box
        if piece.is_area and box[0] <= x <= box[2] and box[1] <= y <= box[3]:
            if piece.over:
                over = over or piece.holds((x, y))
            elif piece.ground.move == "closed" and piece.holds((x, y)):
                if piece.building:
                    if battle.houses[piece.building].points > 0:
                        return False
                else:
                    closed = True
    return over or not closed


def discs_near(battle: Battle, box: Box, reach: float, without: Collection[str], seat: str = "") -> list[Disc]:
    """The bases out of doors within `reach` of a box, but those of the figures named in `without`.

    Hidden units of others than `seat` are left out: nobody may learn of them by measuring.
    """
    w, s, e, n = box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach
    radius = battle.book.radius
    mounted, foot = radius["mounted"], radius["foot"]
    new = tuple.__new__  # half the time of Disc(...), for millions of them
    found: list[Disc] = []
    for unit in battle.units.values():
        own = unit.box
        if own[0] > e or own[2] < w or own[1] > n or own[3] < s:
            continue
        side = unit.spec.side
        if seat and side != seat and "hidden" in unit.marks:
            continue
        found += [
            new(Disc, (figure.x, figure.y, mounted if figure.mounted else foot, side, key))
            for key, figure in unit.figures.items()
            if w <= figure.x <= e and s <= figure.y <= n and key not in without and not figure.place
        ]
        for gun in unit.guns:
            if gun.wounds > 0 and w <= gun.x <= e and s <= gun.y <= n:
                found.append(Disc(gun.x, gun.y, radius["gun"], side, ""))
    return found


class Crowd:
    """Bases about a place, in order from west to east, for questions about many small boxes there."""

    __slots__ = ("_discs", "_wests")

    def __init__(self, discs: Iterable[Disc]) -> None:
        self._discs = sorted(discs)
        self._wests = [disc[0] for disc in self._discs]

    def within(self, box: Box, reach: float) -> list[Disc]:
        """Those whose centres lie within `reach` of a box along each axis."""
        w, s, e, n = box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach
        between = self._discs[bisect_left(self._wests, w) : bisect(self._wests, e)]
        return [disc for disc in between if s <= disc[1] <= n]


def overlaps(x: float, y: float, radius: float, discs: Iterable[Disc]) -> bool:
    """Whether a base would stand on another."""
    for at_x, at_y, own, _, _ in discs:
        reach = radius + own - TOUCH
        dx, dy = x - at_x, y - at_y
        if -reach < dx < reach and -reach < dy < reach and dx * dx + dy * dy < reach * reach:
            return True
    return False


def free_spot(battle: Battle, x: float, y: float, radius: float, discs: Sequence[Disc]) -> bool:
    return open_ground(battle, x, y) and not overlaps(x, y, radius, discs)


def first_free(battle: Battle, x: float, y: float, radius: float, without: Collection[str] = ()) -> Point:
    """The free spot nearest to a point, looked for in widening rings; the point itself when there is none within 12"."""
    discs = discs_near(battle, (x, y, x, y), 14.0, without)
    if free_spot(battle, x, y, radius, discs):
        return x, y
    return in_rings(battle, x, y, radius, discs, _rings_from_east())


@lru_cache(maxsize=1)
def _rings_from_east() -> Rings:
    """Up to 12" away, a quarter of an inch apart, with the steps of each ring about the origin."""
    found = []
    for ring in range(1, 49):
        away = ring / 4
        steps = max(8, int(away * 4))
        angles = [360 * step / steps for step in range(steps)]
        found.append((away, tuple([(away * cosd(angle), away * sind(angle)) for angle in angles])))
    return tuple(found)


def in_rings(battle: Battle, x: float, y: float, radius: float, discs: Sequence[Disc], rings: Rings) -> Point:
    """The first free spot of rings about a point, each given by its radius and its steps; the point itself if there is none."""
    if rings[0][0] == 0:
        about = [disc for disc in discs if -FAR < disc[0] - x < FAR and -FAR < disc[1] - y < FAR]
        if not overlaps(x, y, radius, about) and open_ground(battle, x, y):
            return x, y
    spaced = sorted([(hypot(disc.x - x, disc.y - y), disc) for disc in discs])
    inches = [away for away, _ in spaced]
    reach = radius + max([disc.radius for disc in discs], default=0.0)
    for away, steps in rings:
        near = [disc for _, disc in spaced[bisect(inches, away - reach) : bisect(inches, away + reach)]]
        for dx, dy in steps:
            if not overlaps(x + dx, y + dy, radius, near) and open_ground(battle, x + dx, y + dy):
                return x + dx, y + dy
    return x, y


def touching_spots(target: Figure, reach: float, towards: float) -> list[Point]:
    """Spots in contact with a figure on the side of a bearing from it."""
    turns = (0, 30, -30, 60, -60, 90, -90, 15, -15, 45, -45, 75, -75)  # coarse first: most find room soon
    return [offset(target.at, towards + turn, reach) for turn in turns]
