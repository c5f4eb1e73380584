"""Points to which men may move, for players that do not measure (FBN-039, P4): looked for only as far as somebody asks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot

from zareba.space.geometry import Point
from zareba.space.lazy import Lazy
from zareba.table import Suggestions
from zareba_rulesets.fixed_baynet.book import BUMPY, JAGGED
from zareba_rulesets.fixed_baynet.manoeuvre import March

__all__ = ["Directions", "Steps"]

ASLANT = 0.5**0.5
SAME_WAY = 0.97  # the cosine of 14 degrees
ENOUGH = 3
GOALS = 4


class Directions(Suggestions):
    """At most one point in each of `count` directions; `first` finds that of a direction, None where there is none.

    With `back` only those are suggested that `legal` allows: for units that fall back, and so may not go everywhere.
    `likely` is the direction in which a point is likeliest to be found.
    """

    __slots__ = ("_back", "_firsts", "_likely")

    def __init__(
        self,
        count: int,
        first: Callable[[int], Point | None],
        legal: Callable[[Point], str | None],
        back: bool = False,
        likely: int = 0,
    ) -> None:
        super().__init__([(0.0, 0.0)] * count, legal)
        self._firsts: Lazy[int, Point | None] = Lazy(first)
        self._back, self._likely = back, likely

    def legal(self, point: Point) -> str | None:
        """None for a point that is allowed, whether suggested or not; else the sentence why it is not."""
        return self._legal(point)

    def __bool__(self) -> bool:
        return self._is_suggested(self._likely) or super().__bool__()

    def _is_suggested(self, place: int) -> bool:
        point = self._firsts[place]
        return point is not None and (not self._back or self._legal(point) is None)

    def _points(self) -> tuple[Point, ...]:
        if self._judged is None:
            firsts = self._firsts
            found = [firsts[place] for place in range(len(self.candidates)) if self._is_suggested(place)]
            self._judged = tuple([point for point in found if point is not None])
        return self._judged

    def any(self, chance: Callable[[], float]) -> Point | None:
        """One of the points, all equally likely; as in `Suggestions`."""
        left = list(range(len(self.candidates)))
        while left:
            place = left.pop(int(chance() * len(left)))
            if self._is_suggested(place):
                return self._firsts[place]
        return None


class Steps(Directions):
    """Full and short steps of a unit towards goals or past what bars the way, and a step back.

    Steps aside are added where that gives fewer than three.
    """

    __slots__ = ("_lengths", "_march", "_start", "_towards", "_ways")

    def __init__(self, march: March, goals: Sequence[Point], legal: Callable[[Point], str | None]) -> None:
        self._march = march
        x, y = self._start = march.unit.middle
        ways: list[tuple[float, float]] = []
        for goal in goals[:GOALS]:
            away = hypot(goal[0] - x, goal[1] - y)
            if away > 0.5:
                ex, ny = (goal[0] - x) / away, (goal[1] - y) / away
                if all(ex * wx + ny * wy < SAME_WAY for wx, wy in ways):
                    ways.append((ex, ny))
        self._towards = len(ways)
        ux, uy = ways[0] if ways else (0.0, 1.0)
        self._ways = [*ways, (-ux, -uy), (uy, -ux), (-uy, ux)]
        most, slowed = march.slowest, march.battle.book.slowed
        self._lengths = (most, slowed(most, BUMPY), slowed(most, JAGGED))
        super().__init__(len(self._ways), self._step, legal, march.unit.back, self._towards)

    def _step(self, place: int) -> Point | None:
        """The longest step that way; who stands in the way to a goal is passed on one side or the other."""
        (ex, ny), (x, y), refused = self._ways[place], self._start, self._march.refused
        ways = [(ex, ny)]
        if place < self._towards:
            ways += [(ASLANT * (ex + ny), ASLANT * (ny - ex)), (ASLANT * (ex - ny), ASLANT * (ny + ex))]
        for east, north in ways:
            for length in self._lengths:
                if refused(east * length, north * length) is None:
                    return x + east * length, y + north * length
        return None

    def _is_suggested(self, place: int) -> bool:
        """Steps to goals and back always, steps aside where those before them are too few."""
        if place > self._towards:
            found = 0
            for before in range(place):
                found += self._firsts[before] is not None
                if found == ENOUGH:
                    return False
        return super()._is_suggested(place)
