"""Suggested points to move to, for players that do not measure. They are searched only on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf, sqrt
from typing import Protocol

from zareba.base.exact import hypot
from zareba.space.bearings import direction
from zareba.space.geometry import Point
from zareba.space.lazy import Lazy
from zareba.space.moves.free_space import drawn_back
from zareba.table import LazyOptions, MoveCost

__all__ = ["GOALS", "GroupMove", "MoveSuggestions", "StepSuggestions"]

ASLANT = sqrt(0.5)
SAME_WAY = 0.97  # the cosine of 14 degrees
ENOUGH = 3
GOALS = 4


class MoveSuggestions(LazyOptions[Point]):
    """At most one suggested point in each of `count` directions; `first` returns that of a direction, or None.

    With `back`, only points that `legal` allows are suggested, for units that fall back and may not go everywhere.
    `likely` is the direction in which a point is most likely to be found. `legal` returns None for an allowed point,
    suggested or not, else the sentence that says why it is not allowed. `ideal` returns the point tried first in a
    direction, so that callers can see where it leads before it is judged; None if there is no such function. `cost`
    returns the cost of going to a point; None if costs are not needed.
    """

    __slots__ = ("_likely", "cost", "ideal", "legal")

    def __init__(
        self,
        count: int,
        first: Callable[[int], Point | None],
        legal: Callable[[Point], str | None],
        back: bool = False,
        likely: int = 0,
        ideal: Callable[[int], Point] | None = None,
        cost: Callable[[Point], MoveCost] | None = None,
    ) -> None:
        self.legal, self.ideal, self.cost = legal, ideal, cost
        self._likely = likely

        def find(place: int) -> Point | None:
            point = first(place)
            return None if point is None or (back and legal(point) is not None) else point

        super().__init__(count, find)

    @classmethod
    def by_bearings(
        cls,
        at: Point,
        bearings: Sequence[float],
        lengths: Callable[[int], Iterable[float]],
        legal: Callable[[Point], str | None],
        likely: int = 0,
    ) -> MoveSuggestions:
        """Return suggestions along bearings from a point, each to the first of its `lengths` that `legal` allows."""

        def farthest(place: int) -> Point | None:
            return drawn_back(at, direction(bearings[place]), lengths(place), lambda point: legal(point) is None)

        return cls(len(bearings), farthest, legal, likely=likely)

    def __bool__(self) -> bool:
        return self.at(self._likely) is not None or super().__bool__()


class GroupMove(Protocol):
    """Figures that all move by the same offset."""

    @property
    def lengths(self) -> Sequence[float]:
        """The lengths of whole steps, on normal and on slower ground, longest first."""

    def refused(self, dx: float, dy: float, /) -> str | None:
        """Return the reason why they may not move so far east and north, or None if they may."""

    def cost(self, dx: float, dy: float, /) -> MoveCost:
        """Return the cost of the move for the figure with the least movement left after it."""


class StepSuggestions(MoveSuggestions):
    """Suggested steps of figures from their middle: full or short, towards goals and past obstacles, and a step back.

    Steps to the sides are added if there are fewer than three.
    """

    __slots__ = ()

    def __init__(
        self,
        march: GroupMove,
        start: Point,
        goals: Sequence[Point],
        legal: Callable[[Point], str | None],
        back: bool = False,
    ) -> None:
        x, y = start
        ways: list[Point] = []
        ends: list[float] = []  # distances to the goals in inches; no step goes beyond its goal
        for goal in goals[:GOALS]:
            away = hypot(goal[0] - x, goal[1] - y)
            if away > 0.5:
                ex, ny = (goal[0] - x) / away, (goal[1] - y) / away
                if all(ex * wx + ny * wy < SAME_WAY for wx, wy in ways):
                    ways.append((ex, ny))
                    ends.append(away)
        towards = len(ways)
        ux, uy = ways[0] if ways else (0.0, 1.0)
        ways += [(-ux, -uy), (uy, -ux), (-uy, ux)]

        def longest(place: int) -> Point | None:
            """Return the longest step in a direction. An obstacle on the way to a goal is passed on either side."""
            ex, ny = ways[place]
            found = _longest(march, start, ex, ny, ends[place] if place < towards else inf)
            if found is None and place < towards:
                found = _longest(march, start, ASLANT * (ex + ny), ASLANT * (ny - ex))
                found = found or _longest(march, start, ASLANT * (ex - ny), ASLANT * (ny + ex))
            return found

        steps: Lazy[int, Point | None] = Lazy(longest)

        def step(place: int) -> Point | None:
            """Return the step in a direction. Steps to the side are left out if there are enough steps before them."""
            if place > towards:
                found = 0
                for before in range(place):
                    found += steps[before] is not None
                    if found == ENOUGH:
                        return None
            return steps[place]

        def full(place: int) -> Point:
            """Return the end of the full step straight in a direction."""
            ex, ny = ways[place]
            length = min(march.lengths[0], ends[place] if place < towards else inf)
            return x + ex * length, y + ny * length

        def cost(point: Point) -> MoveCost:
            return march.cost(point[0] - x, point[1] - y)

        super().__init__(len(ways), step, legal, back, towards, full, cost)


def _longest(march: GroupMove, start: Point, east: float, north: float, most: float = inf) -> Point | None:
    """Return the end of the longest legal step in a direction, or None. Steps are no longer than `most`."""
    for length in dict.fromkeys([min(inches, most) for inches in march.lengths]):
        if march.refused(east * length, north * length) is None:
            return start[0] + east * length, start[1] + north * length
    return None
