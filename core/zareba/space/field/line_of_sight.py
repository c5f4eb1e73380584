"""Lines of sight, and the visibility of units to each other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from functools import partial
from math import sqrt
from typing import Any, Generic, NamedTuple, TypeVar

from zareba.base.exact import dist
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import EPSILON, Bounds, Point, Points, box_between, boxes_meet, hull, joint_box, orientation
from zareba.space.lazy import Lazy
from zareba.space.outlines import TerrainArea, TerrainLine, lies_across

# --- Line of sight on the open table: find the terrain that blocks it, for whole units at once where possible ---------


G = TypeVar("G")
T = TypeVar("T")
_MARGIN = 1e-6
"""Safety margin against rounding, in units of length."""
MOST_CACHED = 50_000
_MOST_OBSERVER_GROUPS = 500


class SightBlocker(Generic[G]):
    """A piece of terrain that blocks line of sight.

    A solid piece, or the crest of a hill, hides what is behind it from observers outside it. Growth hides targets that
    have more than `through` of it in front of them, in units of length. A figure within `loophole` of a line sees
    across it and is seen.
    """

    __slots__ = ("_convex", "_cores", "_loophole", "_shape", "_through", "box", "is_growth", "piece")

    def __init__(self, piece: TerrainPiece[G], *, through: float | None = None, loophole: float = 0.0) -> None:
        self.piece = piece
        self._shape = shape = piece.hiding
        self.box = shape.box
        """The box around what hides."""
        self._through = through
        self.is_growth = through is not None
        self._loophole = loophole
        self._convex = shape if isinstance(shape, TerrainArea) and shape.is_convex else None
        self._cores: tuple[TerrainArea | TerrainLine, ...] = ()
        """Convex parts that block every line through them between figures outside; for growth, its deep inner part."""
        if isinstance(shape, TerrainLine):
            self._cores = () if loophole else tuple(TerrainLine(leg) for leg in shape.legs)
        elif self._convex is not None:
            core = _without_rim(hull(self._convex.points), (through or 0.0) / 2 + _MARGIN)
            self._cores = (TerrainArea(core),) if len(core) > 2 else ()

    def is_near(self, box: Bounds) -> bool:
        """Return True if it may hide something inside a box."""
        bounds = self._shape.box
        return box[0] <= bounds[2] and bounds[0] <= box[2] and box[1] <= bounds[3] and bounds[1] <= box[3]

    def blocks(self, a: Point, b: Point) -> bool:
        """Return True if it blocks the straight line from a to b."""
        shape, through = self._shape, self._through
        if self._convex is not None:
            chord = self._convex.chord(a, b)
            if chord is None:
                return False
            start, end = chord
            return start > 0 and end < 1 if through is None else (end - start) * dist(a, b) > through
        if isinstance(shape, TerrainLine):
            return shape.meets(a, b) and min(shape.distance(a), shape.distance(b)) > self._loophole
        if through is not None:
            return shape.length_inside(a, b) > through
        spans = shape.spans(a, b)
        return bool(spans) and spans[0][0] > 0 and spans[-1][1] < 1 and any(leave > enter for enter, leave in spans)

    def cannot_hide(self, point: Point, box: Bounds) -> bool:
        """Return True if a point and a box are both beyond one of its sides, so that it hides neither from the other.

        False if a line between them passes it at a corner, and for a piece that is not convex.
        """
        return self._convex is not None and self._convex.is_beyond_one_side((point, *corners_of(box)), _MARGIN)

    def hides(self, a_corners: Iterable[Point], b_corners: Collection[Point]) -> bool:
        """Return True if it certainly blocks every line between two convex shapes outside it, given by their
        corners.
        """
        for core in self._cores:  # noqa: SIM110  # usually there is only one core, and it does not hide
            if lies_across(core, a_corners, b_corners):
                return True
        return False

    def hides_from(self, point: Point, box: Bounds) -> bool:
        """Return True if it certainly blocks every line from a point to a box."""
        hides = self.hides((point,), corners_of(box))
        return hides and not self._holds_part_of((*point, *point)) and not self._holds_part_of(box)

    def blocks_all(self, a: Bounds, b: Bounds) -> bool | None:
        """Return True if it blocks all lines between two boxes, False if it blocks none, None if it may block some."""
        corners = (*corners_of(a), *corners_of(b))
        if self._is_off_line(a, b, corners) or (
            self._convex is not None and self._convex.is_beyond_one_side(corners, _MARGIN)
        ):
            return False
        if self._holds_part_of(a) or self._holds_part_of(b):
            return None
        return self.hides(dict.fromkeys(corners_of(a)), dict.fromkeys(corners_of(b))) or None

    def _is_off_line(self, a: Bounds, b: Bounds, corners: Points) -> bool:
        """Return True if a straight line in the direction from one box to the other separates the piece from both."""
        nx, ny = a[1] + a[3] - b[1] - b[3], b[0] + b[2] - a[0] - a[2]
        own_offsets = [x * nx + y * ny for x, y in self._shape.points]
        box_offsets = [x * nx + y * ny for x, y in corners]
        return min(own_offsets) > max(box_offsets) + _MARGIN or max(own_offsets) < min(box_offsets) - _MARGIN

    def _holds_part_of(self, box: Bounds) -> bool:
        """Return True if a box may be partly inside the piece."""
        if self._convex is not None:
            return not self._convex.is_beyond_one_side(corners_of(box), _MARGIN)
        return boxes_meet(box, self._shape.box)


class SightBlockers(Generic[G]):
    """All sight blockers of a table, and those between two boxes.

    Boxes are extended to whole squares of side `square`, and results are cached for these.
    """

    __slots__ = ("_between", "_square", "all", "visibility_cache")

    def __init__(self, blockers: Iterable[SightBlocker[G]], square: float) -> None:
        self.all = tuple(blockers)
        self._square = square
        self.visibility_cache: Lazy[Hashable, dict[tuple[Point, float], bool]] = Lazy(
            lambda _: {}, _MOST_OBSERVER_GROUPS
        )
        """For each group of observers at the same points: (point, height) of a target -> True if any of them sees it.
        """
        self._between: Lazy[tuple[float, ...], tuple[SightBlocker[G], ...] | None] = Lazy(
            self._find_between, MOST_CACHED
        )

    def near(self, box: Bounds) -> list[SightBlocker[G]]:
        """Return the blockers that may hide something inside a box."""
        return [blocker for blocker in self.all if blocker.is_near(box)]

    def between(self, a: Bounds, b: Bounds) -> tuple[SightBlocker[G], ...] | None:
        """Return the blockers that may hide something between two boxes; None if all lines between are blocked."""
        if not self.all:
            return ()
        (a_west, a_south, a_east, a_north), (b_west, b_south, b_east, b_north), side = a, b, self._square
        return self._between[
            a_west // side,
            a_south // side,
            a_east // side + 1,
            a_north // side + 1,
            b_west // side,
            b_south // side,
            b_east // side + 1,
            b_north // side + 1,
        ]

    def _find_between(self, squares: tuple[float, ...]) -> tuple[SightBlocker[G], ...] | None:
        """Return the result of `between` for two boxes, given as the numbers of their first and last squares."""
        west, south, east, north, left, low, right, high = [number * self._square for number in squares]
        a, b = (west, south, east, north), (left, low, right, high)
        possible = []
        for blocker in self.near(joint_box(a, b)):
            blocks_all = blocker.blocks_all(a, b)
            if blocks_all:
                return None
            if blocks_all is None:
                possible.append(blocker)
        return tuple(possible)


def line_is_clear(a: Point, b: Point, blockers: Iterable[SightBlocker[Any]]) -> bool:
    """Return True if none of the blockers blocks the straight line from a to b."""
    (ax, ay), (bx, by) = a, b
    west, east = (ax - EPSILON, bx + EPSILON) if ax < bx else (bx - EPSILON, ax + EPSILON)
    south, north = (ay - EPSILON, by + EPSILON) if ay < by else (by - EPSILON, ay + EPSILON)
    for blocker in blockers:
        left, low, right, high = blocker.box
        if left <= east and right >= west and low <= north and high >= south and blocker.blocks(a, b):
            return False
    return True


def is_clear_through_growth(
    a: Point,
    b: Point,
    blockers: Iterable[SightBlocker[Any]],
    max_growth: float,
    hides_end: Callable[[TerrainArea, Point, Point], bool],
) -> bool:
    """Return True if nothing blocks the straight line from a to b, under rules that add up the depths of growth.

    The line may pass through a total of `max_growth` of growth. A figure inside a solid piece sees out of it and is
    seen. For growth that contains only one end, `hides_end` decides whether that end is hidden: its arguments are the
    area, the end inside and the end outside. Growth that contains both ends hides neither.
    """
    west, south, east, north = box_between(a, b)
    west, south, east, north = west - EPSILON, south - EPSILON, east + EPSILON, north + EPSILON
    growth_passed = 0.0
    for blocker in blockers:
        shape = blocker.piece.hiding
        box = shape.box
        if box[0] > east or box[2] < west or box[1] > north or box[3] < south:
            continue
        if isinstance(shape, TerrainLine):
            if shape.meets(a, b):
                return False
            continue
        if blocker.is_growth and (inside := shape.holds(a)) != shape.holds(b):
            if hides_end(shape, *((a, b) if inside else (b, a))):
                return False
            continue
        length = shape.length_inside(a, b)
        if length <= EPSILON or shape.holds(a) or shape.holds(b):
            continue
        if not blocker.is_growth:
            return False
        growth_passed += length
        if growth_passed > max_growth:
            return False
    return True


def sight_blockers(obstacles: Sequence[T], is_clear: Callable[[tuple[T, ...]], bool]) -> list[T]:
    """Return the obstacles that block a line: each that blocks it alone.

    If only several together block it, such as woods whose depths add up, return those without which the line would be
    clear, or all. `is_clear` returns True if the line is clear with only the given obstacles.
    """
    alone = [obstacle for obstacle in obstacles if not is_clear((obstacle,))]
    if alone or is_clear(tuple(obstacles)):
        return alone
    needed = [
        obstacle for obstacle in obstacles if is_clear(tuple(other for other in obstacles if other is not obstacle))
    ]
    return needed or list(obstacles)


def corners_of(box: Bounds) -> tuple[Point, Point, Point, Point]:
    """Return the corners of a box."""
    west, south, east, north = box
    return (west, south), (east, south), (west, north), (east, north)


def _without_rim(corners: tuple[Point, ...], rim: float) -> tuple[Point, ...]:
    """Return a convex shape without a strip of width `rim` along its sides; empty if nothing remains.

    Its corners must be in anticlockwise order.
    """
    remaining = list(corners)
    for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
        length = dist(a, b)
        depths = [orientation(a, b, point) / length - rim for point in remaining]
        clipped: list[Point] = []
        for k, (point, depth) in enumerate(zip(remaining, depths, strict=True)):
            previous, previous_depth = remaining[k - 1], depths[k - 1]
            if (depth > 0) != (previous_depth > 0):
                share = previous_depth / (previous_depth - depth)
                clipped.append(
                    (previous[0] + (point[0] - previous[0]) * share, previous[1] + (point[1] - previous[1]) * share)
                )
            if depth > 0:
                clipped.append(point)
        remaining = clipped
    return tuple(remaining)


# --- Volley targets ---------------------------------------------------------------------------------------------------
# Find the targets that any of some observers can reach and see, in one pass for a whole volley. Any unit of length.


class Observer(NamedTuple):
    """An observer: a point, a range, and the height that is added to every distance."""

    at: Point
    range: float
    height: float = 0.0


def find_visible(
    observers: Sequence[Observer],
    targets: Sequence[tuple[Point, float]],
    box: Bounds,
    blockers: Sequence[SightBlocker[Any]],
    hides: Callable[[Point, Point], bool] | None = None,
    cache: dict[tuple[Point, float], bool] | None = None,
) -> list[int]:
    """Return the indices of the targets that any observer has in range and in sight, in order.

    Each target is a point with the height added to every distance. `box` contains all targets; the blockers `blockers`
    may hide some of them. `hides` returns True if anything else between two points hides the target. `cache` holds
    earlier results of the same observers (`SightBlockers.visibility_cache`) and is extended.
    """
    likely_first = list(observers)
    blockers_by_point: Lazy[Point, list[SightBlocker[Any]] | None] = Lazy(partial(_blockers_in_front, blockers, box))
    if hides is None:
        for observer in (likely_first[0], likely_first[-1]):
            if blockers_by_point[observer.at] == [] and _reaches_all(observer, box):
                return [
                    k for k, (at, height) in enumerate(targets) if not height or _is_in_reach(likely_first, at, height)
                ]
    cache, visible = {} if cache is None else cache, []
    for k, target in enumerate(targets):
        is_visible = cache.get(target)
        if is_visible is None:
            is_visible = cache[target] = _is_seen_by_any(likely_first, blockers_by_point, hides, *target)
        if is_visible:
            visible.append(k)
    return visible


def _blockers_in_front(
    blockers: Iterable[SightBlocker[Any]], box: Bounds, spot: Point
) -> list[SightBlocker[Any]] | None:
    """Return the blockers that may hide part of a box from a point; None if one of them hides all of it."""
    possible = []
    for blocker in blockers:
        if not blocker.cannot_hide(spot, box):
            if blocker.hides_from(spot, box):
                return None
            possible.append(blocker)
    return possible


def _is_seen_by_any(
    observers: list[Observer],
    blockers_by_point: Lazy[Point, list[SightBlocker[Any]] | None],
    hides: Callable[[Point, Point], bool] | None,
    at: Point,
    target_height: float,
) -> bool:
    """Return True if a point is in range and in sight of any observer.

    `blockers_by_point` holds the possible blockers by observer point. The observer that sees the target moves to the
    front of the list, because it is likely to see the next one too.
    """
    x, y = at
    for index, (spot, reach, height) in enumerate(observers):
        across, along = spot[0] - x, spot[1] - y
        if sqrt(across * across + along * along) + height + target_height > reach:
            continue
        blockers = blockers_by_point[spot]
        if blockers is None or not line_is_clear(spot, at, blockers):
            continue
        if hides is None or not hides(spot, at):
            if index:
                observers.insert(0, observers.pop(index))
            return True
    return False


def _is_in_reach(observers: Iterable[Observer], at: Point, target_height: float) -> bool:
    return any(dist(observer.at, at) + observer.height + target_height <= observer.range for observer in observers)


def _reaches_all(observer: Observer, box: Bounds) -> bool:
    """Return True if every point of a box is in range of an observer, without the heights of the targets."""
    x, y = observer.at
    across = max(x - box[0], box[2] - x)
    along = max(y - box[1], box[3] - y)
    reach = observer.range - observer.height - _MARGIN
    return reach > 0 and across * across + along * along <= reach * reach
