"""Buildings with rooms, and the doors, windows and stairs between them and the open: how they lie, and what lines go through."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Generic, TypeVar

from zareba.base.exact import dist
from zareba.space.geometry import Bounds, Point, bounds, crossing, distance_to_segment, edges, is_inside

__all__ = ["OFF_WALL", "Building", "BuildingOpening", "BuildingSection", "openings_between", "tiles"]

G = TypeVar("G")
MOST_KEPT = 50_000
OFF_WALL = 0.02
"""How far outside a wall who stands at its openings is taken to be."""
BESIDE, APART = 0.5, 0.01
"""How much of a wall two rooms share at least, and how far apart they may lie."""


@dataclass(frozen=True, slots=True)
class BuildingSection:
    """One room or corridor of a building."""

    id: str
    building: str
    level: int
    box: Bounds
    capacity: int

    @property
    def middle(self) -> Point:
        """Its middle."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2


@dataclass(frozen=True, slots=True)
class BuildingOpening:
    """A door, window or rail to the open, or an inner door or stairs between two sections.

    `section` lies on one side, `other` on the other, "" for the open air; `heavy`: a door that may be shut fast.
    """

    id: str
    kind: str
    section: str
    other: str
    at: Point
    level: int
    heavy: bool = False


@dataclass(frozen=True, slots=True)
class Building(Generic[G]):
    """A building: its `kind` in terms of the rules, and what they say of its ground, the `row`; `ground` is how high it stands,
    `floors` how many it has above that.
    """

    id: str
    kind: str
    row: G
    points: tuple[Point, ...]
    box: Bounds
    sections: Mapping[str, BuildingSection]
    openings: Mapping[str, BuildingOpening]
    ground: float
    floors: int = 1

    @property
    def size(self) -> int:
        """How many sections it has, one at least."""
        return max(1, len(self.sections))

    @property
    def middle(self) -> Point:
        """The middle of the rectangle round it, at which it is aimed."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2

    def ways_out(self, level: int, opened: Callable[[str], bool]) -> list[BuildingOpening]:
        """The openings of one level to the open, but heavy doors that are not `opened`."""
        return [
            way
            for way in self.openings.values()
            if way.level == level and not way.other and (not way.heavy or opened(way.id))
        ]

    def ways_through(
        self, level: int, p: Point, q: Point, reach: float, opened: Callable[[str], bool]
    ) -> Iterator[BuildingOpening]:
        """The openings to the open that a line goes through: where it meets a wall they are no farther than `reach`."""
        ways = self.ways_out(level, opened)
        return (way for at in _meets_walls(self.points, p, q) for way in ways if dist(at, way.at) <= reach)

    def inner_way(self, one: str, other: str, p: Point, q: Point, reach: float) -> str:
        """The opening between two sections to which a line comes as near, or ""."""
        for way in self.openings.values():
            if {way.section, way.other} == {one, other} and distance_to_segment(way.at, p, q) <= reach:
                return way.id
        return ""

    def lets_through(self, level: int, p: Point, q: Point, reach: float, opened: Callable[[str], bool]) -> bool:
        """Whether a line between a level and the open goes through openings only, inside too."""
        ways = self.ways_out(level, opened)
        if any(all(dist(at, way.at) > reach for way in ways) for at in _meets_walls(self.points, p, q)):
            return False
        return not self._meets_inner_wall(level, p, q, reach)

    def _meets_inner_wall(self, level: int, p: Point, q: Point, reach: float) -> bool:
        """Whether a line meets a wall between two rooms of a level where there is no door in it."""
        for way in self.openings.values():
            if way.kind == "inner" and way.level == level:
                a, b = self.sections[way.section].box, self.sections[way.other].box
                wall = (max(a[0], b[0]), max(a[1], b[1])), (min(a[2], b[2]), min(a[3], b[3]))
                at = _meeting(p, q, wall)
                if at is not None and dist(at, way.at) > reach:
                    return True
        return False


@lru_cache(maxsize=MOST_KEPT)
def _meets_walls(walls: tuple[Point, ...], p: Point, q: Point) -> tuple[Point, ...]:
    """Where a line meets the outer walls of a building; men look again from where they stood."""
    found = (_meeting(p, q, wall) for wall in edges(walls))
    return tuple(at for at in found if at is not None)


def _meeting(p: Point, q: Point, wall: tuple[Point, Point]) -> Point | None:
    """The point where a line meets a wall, or None."""
    t = crossing(p, q, *wall)
    return None if t is None else (p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]))


# --- laying out -------------------------------------------------------------------------------------------------------


def tiles(points: tuple[Point, ...], side: float) -> list[Bounds]:
    """The rectangles of about so much to a side into which the ground of a building falls."""
    w, s, e, n = bounds(points)
    columns, rows = max(1, round((e - w) / side)), max(1, round((n - s) / side))
    dx, dy = (e - w) / columns, (n - s) / rows
    found = [(w + i * dx, s + j * dy, w + (i + 1) * dx, s + (j + 1) * dy) for j in range(rows) for i in range(columns)]
    kept = [tile for tile in found if is_inside(((tile[0] + tile[2]) / 2, (tile[1] + tile[3]) / 2), points)]
    return kept or [(w, s, e, n)]


def openings_between(
    name: str, points: tuple[Point, ...], sections: Mapping[str, BuildingSection], apart: float, *, heavy: bool
) -> dict[str, BuildingOpening]:
    """Windows about so far `apart` in the outer walls of each level, a door in each of the two longest walls of the lowest, and
    doors and stairs between the rooms; `heavy`: the doors to the open are.
    """
    found: dict[str, BuildingOpening] = {}
    walls = list(edges(points))
    longest = sorted(range(len(walls)), key=lambda i: (-dist(*walls[i]), i))[:2]
    for level in sorted({room.level for room in sections.values()}):
        rooms = [room for room in sections.values() if room.level == level]
        for wall, (a, b) in enumerate(walls):
            count = max(1, ceil(dist(a, b) / apart))
            for number in range(count):
                share = (number + 0.5) / count
                at = _outward((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])), a, b, points)
                is_door = level == 0 and wall in longest and number == count // 2
                key = f"{name}:{level}{'d' if is_door else 'w'}{wall}.{number}"
                room = min(rooms, key=lambda room: (dist(room.middle, at), room.id))
                kind = "door" if is_door else "window"
                found[key] = BuildingOpening(key, kind, room.id, "", at, level, heavy and is_door)
    return found | _joints(list(sections.values()))


def _joints(sections: Sequence[BuildingSection]) -> dict[str, BuildingOpening]:
    """The doors and stairs between sections, halfway from middle to middle."""
    found = {}
    for one in sections:
        for other in sections:
            if one.id < other.id and (kind := _joint(one, other)):
                middle = ((one.middle[0] + other.middle[0]) / 2, (one.middle[1] + other.middle[1]) / 2)
                key = f"{one.id}-{other.id}"
                found[key] = BuildingOpening(key, kind, one.id, other.id, middle, one.level)
    return found


def _joint(one: BuildingSection, other: BuildingSection) -> str:
    """How two sections join: by a door, by stairs (the first sections of two levels), or not at all."""
    if one.level != other.level:
        first = one.id.endswith(":0") and other.id.endswith(":0")
        return "stairs" if first and abs(one.level - other.level) == 1 else ""
    a, b = one.box, other.box
    across = min(a[2], b[2]) - max(a[0], b[0])
    along = min(a[3], b[3]) - max(a[1], b[1])
    return "inner" if max(across, along) > BESIDE and min(across, along) > -APART else ""


def _outward(at: Point, a: Point, b: Point, points: tuple[Point, ...]) -> Point:
    """A point of a wall moved a hair outside."""
    reach = dist(b, a)
    x, y = -(b[1] - a[1]) / reach * OFF_WALL, (b[0] - a[0]) / reach * OFF_WALL
    out = (at[0] + x, at[1] + y)
    return (at[0] - x, at[1] - y) if is_inside(out, points) else out
