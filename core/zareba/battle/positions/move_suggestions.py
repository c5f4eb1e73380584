"""Points to which men may move, for players that do not measure: looked for only as far as somebody asks."""

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
    """At most one point in each of `count` directions; `first` finds that of a direction, None where there is none.

    With `back` only those are suggested that `legal` allows: for units that fall back, and so may not go everywhere.
    `likely` is the direction in which a point is likeliest to be found. `legal` gives None for a point that is allowed,
    whether suggested or not, else the sentence why it is not. `ideal` gives the point that is looked for first in a
    direction, for those who want to know where it leads before it is judged; None where nobody is told. `cost` says what
    going to a point costs; None where nobody asks.
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
        """Straight from a point by some bearings: in each as far as the first of its `lengths` that `legal` allows."""

        def farthest(place: int) -> Point | None:
            return drawn_back(at, direction(bearings[place]), lengths(place), lambda point: legal(point) is None)

        return cls(len(bearings), farthest, legal, likely=likely)

    def __bool__(self) -> bool:
        return self.at(self._likely) is not None or super().__bool__()


class GroupMove(Protocol):
    """Men who all go by the same way; `lengths`: how far they come by whole steps, on plain ground and on slower ground."""

    @property
    def lengths(self) -> Sequence[float]:
        """Whole steps, the longest first."""

    def refused(self, dx: float, dy: float, /) -> str | None:
        """Why they may not go so far east and north, or None."""

    def cost(self, dx: float, dy: float, /) -> MoveCost:
        """What it costs the man who has least left after it."""


class StepSuggestions(MoveSuggestions):
    """Full and short steps of men from their middle towards goals or past what bars the way, and a step back.

    Steps aside are added where that gives fewer than three.
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
        ends: list[float] = []  # inches to the goals, beyond which nobody goes
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
            """The longest step that way; who stands in the way to a goal is passed on one side or the other."""
            ex, ny = ways[place]
            found = _longest(march, start, ex, ny, ends[place] if place < towards else inf)
            if found is None and place < towards:
                found = _longest(march, start, ASLANT * (ex + ny), ASLANT * (ny - ex))
                found = found or _longest(march, start, ASLANT * (ex - ny), ASLANT * (ny + ex))
            return found

        steps: Lazy[int, Point | None] = Lazy(longest)

        def step(place: int) -> Point | None:
            """Steps to goals and back always, steps aside where those before them are too few."""
            if place > towards:
                found = 0
                for before in range(place):
                    found += steps[before] is not None
                    if found == ENOUGH:
                        return None
            return steps[place]

        def full(place: int) -> Point:
            """The full step straight that way."""
            ex, ny = ways[place]
            length = min(march.lengths[0], ends[place] if place < towards else inf)
            return x + ex * length, y + ny * length

        def cost(point: Point) -> MoveCost:
            return march.cost(point[0] - x, point[1] - y)

        super().__init__(len(ways), step, legal, back, towards, full, cost)


def _longest(march: GroupMove, start: Point, east: float, north: float, most: float = inf) -> Point | None:
    """The end of the longest step by one way, a whole one or one over slower ground, or to where it leads."""
    for length in dict.fromkeys([min(inches, most) for inches in march.lengths]):
        if march.refused(east * length, north * length) is None:
            return start[0] + east * length, start[1] + north * length
    return None
