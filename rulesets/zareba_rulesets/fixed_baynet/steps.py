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


class Directions(Suggestions[Point]):
    """At most one point in each of `count` directions; `first` finds that of a direction, None where there is none.

    With `back` only those are suggested that `legal` allows: for units that fall back, and so may not go everywhere.
    `likely` is the direction in which a point is likeliest to be found. `legal` gives None for a point that is allowed,
    whether suggested or not, else the sentence why it is not.
    """

    __slots__ = ("_likely", "legal")

    def __init__(
        self,
        count: int,
        first: Callable[[int], Point | None],
        legal: Callable[[Point], str | None],
        back: bool = False,
        likely: int = 0,
    ) -> None:
        self.legal = legal
        self._likely = likely

        def find(place: int) -> Point | None:
            point = first(place)
            return None if point is None or (back and legal(point) is not None) else point

        super().__init__(count, find)

    def __bool__(self) -> bool:
        return self.at(self._likely) is not None or super().__bool__()


class Steps(Directions):
    """Full and short steps of a unit towards goals or past what bars the way, and a step back.

    Steps aside are added where that gives fewer than three.
    """

    __slots__ = ("_lengths", "_march", "_start", "_steps", "_towards", "_ways")

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
        self._steps: Lazy[int, Point | None] = Lazy(self._longest)
        super().__init__(len(self._ways), self._step, legal, march.unit.back, self._towards)

    def _step(self, place: int) -> Point | None:
        """Steps to goals and back always, steps aside where those before them are too few."""
        if place > self._towards:
            found = 0
            for before in range(place):
                found += self._steps[before] is not None
                if found == ENOUGH:
                    return None
        return self._steps[place]

    def _longest(self, place: int) -> Point | None:
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
