"""Buildings and cover."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from typing import Any, Generic, Protocol, TypeVar

from zareba.base.exact import dist
from zareba.space.field.bodies import Body
from zareba.space.field.pieces import TerrainPiece
from zareba.space.field.unit_index import GridIndex
from zareba.space.geometry import Bounds, Point, bounds, crossing, distance_to_segment, edges, is_inside, widen
from zareba.space.lazy import Lazy, LazyBetween
from zareba.space.outlines import TerrainLine

# --- Buildings with rooms, doors, windows and stairs: their layout, and the openings that a line passes through -------


G = TypeVar("G")
MOST_CACHED = 50_000
OFF_WALL = 0.02
"""Distance outside a wall at which figures at its openings are taken to be."""
BESIDE, _APART = 0.5, 0.01
"""Rooms are adjacent if they share more than this length of wall, and are no further apart than this (inches)."""


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
        """The middle of the section."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2


@dataclass(frozen=True, slots=True)
class BuildingOpening:
    """A door, window or rail to the open, or an inner door or stairs between two sections.

    `section` is on one side, `other` on the other side, "" for the open air. `heavy` marks a door that can be barred.
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
    """A building: its `kind` in the terms of the rules, and the rules' data about its ground, the `row`.

    `ground` is the height on which it is built, `floors` the number of floors above that.
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
        """The number of sections, at least one."""
        return max(1, len(self.sections))

    @property
    def middle(self) -> Point:
        """The middle of the rectangle around the building: the point that shooters aim at."""
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2

    def exits(self, level: int, opened: Callable[[str], bool]) -> list[BuildingOpening]:
        """Return the openings of one level to the open, without heavy doors that are not `opened`."""
        return [
            opening
            for opening in self.openings.values()
            if opening.level == level and not opening.other and (not opening.heavy or opened(opening.id))
        ]

    def exits_passed(
        self, level: int, p: Point, q: Point, reach: float, opened: Callable[[str], bool]
    ) -> Iterator[BuildingOpening]:
        """Yield the openings to the open that a line passes: those at most `reach` from where it meets a wall."""
        openings = self.exits(level, opened)
        return (
            opening for at in _meets_walls(self.points, p, q) for opening in openings if dist(at, opening.at) <= reach
        )

    def inner_opening_passed(self, start: str, end: str, p: Point, q: Point, reach: float) -> str:
        """Return the id of an opening between two sections that a line passes within `reach`, or ""."""
        for opening in self.openings.values():
            if {opening.section, opening.other} == {start, end} and distance_to_segment(opening.at, p, q) <= reach:
                return opening.id
        return ""

    def lets_through(self, level: int, p: Point, q: Point, reach: float, opened: Callable[[str], bool]) -> bool:
        """Return True if a line between a level and the open passes through openings only, inside too."""
        openings = self.exits(level, opened)
        if any(all(dist(at, opening.at) > reach for opening in openings) for at in _meets_walls(self.points, p, q)):
            return False
        return not self._meets_inner_wall(level, p, q, reach)

    def _meets_inner_wall(self, level: int, p: Point, q: Point, reach: float) -> bool:
        """Return True if a line meets a wall between two rooms of a level away from the door in it."""
        for opening in self.openings.values():
            if opening.kind == "inner" and opening.level == level:
                a, b = self.sections[opening.section].box, self.sections[opening.other].box
                wall = (max(a[0], b[0]), max(a[1], b[1])), (min(a[2], b[2]), min(a[3], b[3]))
                at = _meeting(p, q, wall)
                if at is not None and dist(at, opening.at) > reach:
                    return True
        return False


@lru_cache(maxsize=MOST_CACHED)
def _meets_walls(walls: tuple[Point, ...], p: Point, q: Point) -> tuple[Point, ...]:
    """Return where a line meets the outer walls of a building.

    Cached, because figures often look along the same lines.
    """
    meeting_points = (_meeting(p, q, wall) for wall in edges(walls))
    return tuple(at for at in meeting_points if at is not None)


def _meeting(p: Point, q: Point, wall: tuple[Point, Point]) -> Point | None:
    """Return the point where a line meets a wall, or None."""
    t = crossing(p, q, *wall)
    return None if t is None else (p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]))


# --- layout -----------------------------------------------------------------------------------------------------------


def tiles(points: tuple[Point, ...], side: float) -> list[Bounds]:
    """Return rectangles, about `side` wide and deep, that divide the ground of a building."""
    w, s, e, n = bounds(points)
    columns, rows = max(1, round((e - w) / side)), max(1, round((n - s) / side))
    dx, dy = (e - w) / columns, (n - s) / rows
    all_tiles = [
        (w + i * dx, s + j * dy, w + (i + 1) * dx, s + (j + 1) * dy) for j in range(rows) for i in range(columns)
    ]
    inner_tiles = [tile for tile in all_tiles if is_inside(((tile[0] + tile[2]) / 2, (tile[1] + tile[3]) / 2), points)]
    return inner_tiles or [(w, s, e, n)]


def openings_between(
    name: str, points: tuple[Point, ...], sections: Mapping[str, BuildingSection], apart: float, *, heavy: bool
) -> dict[str, BuildingOpening]:
    """Return the openings of a building by id.

    Each level has windows about `apart` from each other in its outer walls. The lowest has a door in each of the two
    longest walls; `heavy` makes these doors heavy. Doors and stairs connect the rooms.
    """
    openings: dict[str, BuildingOpening] = {}
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
                openings[key] = BuildingOpening(key, kind, room.id, "", at, level, heavy and is_door)
    return openings | _joints(list(sections.values()))


def _joints(sections: Sequence[BuildingSection]) -> dict[str, BuildingOpening]:
    """Return the doors and stairs between sections, half-way between their middles."""
    joints = {}
    for first in sections:
        for second in sections:
            if first.id < second.id and (kind := _joint(first, second)):
                middle = ((first.middle[0] + second.middle[0]) / 2, (first.middle[1] + second.middle[1]) / 2)
                key = f"{first.id}-{second.id}"
                joints[key] = BuildingOpening(key, kind, first.id, second.id, middle, first.level)
    return joints


def _joint(first: BuildingSection, second: BuildingSection) -> str:
    """Return how two sections connect: "inner" (a door), "stairs", or "" if they do not.

    Stairs connect the first sections of two levels.
    """
    if first.level != second.level:
        both_first = first.id.endswith(":0") and second.id.endswith(":0")
        return "stairs" if both_first and abs(first.level - second.level) == 1 else ""
    a, b = first.box, second.box
    across = min(a[2], b[2]) - max(a[0], b[0])
    along = min(a[3], b[3]) - max(a[1], b[1])
    return "inner" if max(across, along) > BESIDE and min(across, along) > -_APART else ""


def _outward(at: Point, a: Point, b: Point, points: tuple[Point, ...]) -> Point:
    """Return a point of a wall, moved slightly outside."""
    length = dist(b, a)
    x, y = -(b[1] - a[1]) / length * OFF_WALL, (b[0] - a[0]) / length * OFF_WALL
    out = (at[0] + x, at[1] + y)
    return (at[0] - x, at[1] - y) if is_inside(out, points) else out


# --- Terrain that gives cover to a base: the areas it is in and the lines it is close to ------------------------------


S = TypeVar("S")


class GivesCover(Protocol):
    """A source of cover."""

    @property
    def line(self) -> TerrainLine | None:
        """The line across which alone it gives cover; None if it gives cover from every side."""
        ...


L = TypeVar("L", bound=GivesCover)


def best_cover(shelters: Iterable[L], start: Point | None, at: Point, worth: Callable[[L], float]) -> L | None:
    """Return the most valuable source of cover at a point against an observer at `start`; of equals, the first.

    With `start` None, the direction does not matter. Returns None if no source is worth anything.
    """
    best, most = None, 0.0
    for shelter in shelters:
        value = worth(shelter)
        if value > most and (start is None or (line := shelter.line) is None or line.meets(start, at)):
            best, most = shelter, value
    return best


class CoverFinder(Generic[S]):
    """All sources of cover on a table.

    An area covers bases inside it; a line covers bases whose edge is within `near` of it.
    """

    __slots__ = ("_at", "_pieces", "_squares", "near")

    def __init__(
        self, extent: Point, near: float, pieces: Iterable[TerrainPiece[G]], shelter: Callable[[TerrainPiece[G]], S]
    ) -> None:
        """Index the pieces; `shelter` returns the rules' data about the cover that a piece gives."""
        self.near = near
        self._pieces: list[tuple[TerrainPiece[Any], S]] = [(piece, shelter(piece)) for piece in pieces]
        self._squares = GridIndex(*extent, [piece.shape for piece, _ in self._pieces])
        self._at: Lazy[tuple[Point, float], tuple[S, ...]] = LazyBetween(self._look, MOST_CACHED)

    def any_in(self, box: Bounds, within: float) -> bool:
        """Return True if there may be a source of cover at most `within` from a box."""
        return not self._squares.is_open(*widen(box, within))

    def of(self, at: Point, radius: float) -> tuple[S, ...]:
        """Return the sources of cover for a base of this radius at a point, in the order of the pieces."""
        return self._at[at, radius] if self.any_in((*at, *at), radius + self.near) else ()

    def of_body(self, body: Body) -> tuple[tuple[S, ...], ...]:
        """Return the sources of cover for each figure of a body; empty if no figure has any."""
        if not self.any_in(body.box, self.near):
            return ()
        cover_by_figure = tuple([self.of(point, body.radius) for point in body.at])
        return cover_by_figure if any(cover_by_figure) else ()

    def _look(self, at: Point, radius: float) -> tuple[S, ...]:
        reach = radius + self.near
        return tuple(
            [shelter for piece, shelter in self._pieces if piece.is_within(at, 0.0 if piece.is_area else reach)]
        )
