"""Positions on a measured table: distances between units, the default line of sight, and points to move to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf, sqrt
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

from zareba.base.exact import hypot
from zareba.base.state import Record
from zareba.scenario import Scenario
from zareba.scenario.model import Terrain
from zareba.scenario.vocabulary.words import TERRAIN, word_with_ancestors
from zareba.space.bearings import direction
from zareba.space.field.bodies import Body, NearestPair, nearest_of
from zareba.space.field.line_of_sight import SightBlocker
from zareba.space.field.pieces import TerrainPiece
from zareba.space.field.unit_index import IndexedSide, UnitIndex
from zareba.space.geometry import Point
from zareba.space.lazy import Lazy
from zareba.space.moves import first_place_back
from zareba.table import LazyOptions, MoveCost

# --- The default line of sight: the same under every ruleset, in inches, for house rules that need one ----------------
#
# Rulesets have their own in `chapters/sight`. Here solid terrain and the crest of a hill hide everything behind them;
# vegetation hides everything behind more than a given depth of it.


SOLID: Final = frozenset(kind for kind, word in TERRAIN.items() if word.see_into == 0)
"""Kinds of terrain that hide everything behind them. A hill does so with its crest."""
GROWTH: Final[Mapping[str, float]] = {kind: word.see_into for kind, word in TERRAIN.items() if word.see_into}
"""Kinds of vegetation, with the depth in inches that a figure can see through."""


def screens_of(scenario: Scenario) -> tuple[SightBlocker[str], ...]:
    """Return everything in a scenario that blocks sight, in inches. A hill without a crest hides nothing."""
    found = []
    for name, terrain in scenario.terrain.items():
        hides = terrain.kind in SOLID and (
            "hill" not in word_with_ancestors(terrain.kind, TERRAIN) or terrain.crest is not None
        )
        if hides or terrain.kind in GROWTH:
            found.append(SightBlocker(_piece(name, terrain), through=GROWTH.get(terrain.kind)))
    return tuple(found)


def _piece(name: str, terrain: Terrain) -> TerrainPiece[str]:
    if terrain.area is not None:
        return TerrainPiece.area(name, terrain.kind, terrain.area, terrain.crest or ())
    assert terrain.line is not None, "a piece of terrain is an area or a line"
    return TerrainPiece.line(name, terrain.kind, terrain.line)


# --- Suggested points to move to, for players that do not measure. They are searched only on demand -------------------


_COS_45 = sqrt(0.5)  # an obstacle is passed at 45 degrees
_SAME_WAY = 0.97  # the cosine of 14 degrees
_ENOUGH_STEPS = 3  # after this number of steps, none to the side is suggested
MOST_GOALS = 4  # goals towards which a step is suggested


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

        def find(index: int) -> Point | None:
            point = first(index)
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

        def farthest(index: int) -> Point | None:
            return first_place_back(at, direction(bearings[index]), lengths(index), lambda point: legal(point) is None)

        return cls(len(bearings), farthest, legal, likely=likely)

    def __bool__(self) -> bool:
        return self.at(self._likely) is not None or super().__bool__()


class GroupMove(Protocol):
    """Figures that all move by the same offset."""

    @property
    def lengths(self) -> Sequence[float]:
        """The lengths of whole steps, on normal and on slower ground, longest first."""

    def reason_against(self, dx: float, dy: float, /) -> str | None:
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
        for goal in goals[:MOST_GOALS]:
            away = hypot(goal[0] - x, goal[1] - y)
            if away > 0.5:
                ex, ny = (goal[0] - x) / away, (goal[1] - y) / away
                if all(ex * wx + ny * wy < _SAME_WAY for wx, wy in ways):
                    ways.append((ex, ny))
                    ends.append(away)
        towards = len(ways)
        ux, uy = ways[0] if ways else (0.0, 1.0)
        ways += [(-ux, -uy), (uy, -ux), (-uy, ux)]

        def longest(index: int) -> Point | None:
            """Return the longest step in a direction. An obstacle on the way to a goal is passed on either side."""
            ex, ny = ways[index]
            found = _longest(march, start, ex, ny, ends[index] if index < towards else inf)
            if found is None and index < towards:
                found = _longest(march, start, _COS_45 * (ex + ny), _COS_45 * (ny - ex))
                found = found or _longest(march, start, _COS_45 * (ex - ny), _COS_45 * (ny + ex))
            return found

        steps: Lazy[int, Point | None] = Lazy(longest)

        def step(index: int) -> Point | None:
            """Return the step in a direction. Steps to the side are left out if there are enough steps before them."""
            if index > towards:
                found = 0
                for before in range(index):
                    found += steps[before] is not None
                    if found == _ENOUGH_STEPS:
                        return None
            return steps[index]

        def full(index: int) -> Point:
            """Return the end of the full step straight in a direction."""
            ex, ny = ways[index]
            length = min(march.lengths[0], ends[index] if index < towards else inf)
            return x + ex * length, y + ny * length

        def cost(point: Point) -> MoveCost:
            return march.cost(point[0] - x, point[1] - y)

        super().__init__(len(ways), step, legal, back, towards, full, cost)


def _longest(march: GroupMove, start: Point, east: float, north: float, most: float = inf) -> Point | None:
    """Return the end of the longest legal step in a direction, or None. Steps are no longer than `most`."""
    for length in dict.fromkeys([min(inches, most) for inches in march.lengths]):
        if march.reason_against(east * length, north * length) is None:
            return start[0] + east * length, start[1] + north * length
    return None


# --- Distances between the units of a two-sided battle: which units are near which ------------------------------------


_BODY = attrgetter("body")


class HasBody(Protocol):
    """A unit with a place for each of its figures. `hurt` has a flag for each figure; it is empty off the table."""

    body: Body
    hurt: tuple[bool, ...]
    spec: Any


class MeasuredField(Protocol):
    """The battlefield, which stores measured distances between bodies and the latest unit index."""

    gaps: Lazy[tuple[Body, Body], NearestPair]
    unit_index: UnitIndex | None


U = TypeVar("U", bound=HasBody)


class Proximity(Record, Generic[U]):
    """The questions about positions that a battle answers. Measurements are stored in the field for later use."""

    __slots__ = ()

    if TYPE_CHECKING:  # the fields of a battle
        names_by_side: Mapping[str, Sequence[str]] | None
        order: list[str]
        units: dict[str, U]

        @property
        def field(self) -> MeasuredField: ...

    def enemy(self, side: str) -> str:
        """Return the other side."""
        return self.order[1] if self.order[0] == side else self.order[0]

    def names_of(self, side: str) -> Sequence[str]:
        """Return the names of all units of a side. The list is made once for a battle and its copies."""
        if self.names_by_side is None:
            self.names_by_side = {  # type: ignore[misc]  # the slot is that of the record
                own: tuple(name for name, unit in self.units.items() if unit.spec.side == own) for own in self.order
            }
        return self.names_by_side[side]

    def of(self, side: str) -> list[U]:
        """Return the units of a side with figures on the table, in the order of the scenario."""
        units = self.units
        try:
            return [unit for name in self.names_of(side) if (unit := units[name]).hurt]
        except KeyError:  # a seat's view, without the enemy's hidden units
            return [unit for unit in units.values() if unit.hurt and unit.spec.side == side]

    def against(self, side: str) -> list[U]:
        """Return the enemies of a side with figures on the table."""
        return self.of(self.enemy(side))

    def standing(self, side: str) -> IndexedSide:
        """Return the index of a side in its present positions. It is reused until a unit moves or loses figures."""
        known = self.field.unit_index
        if known is None or not known.is_of(self.names_by_side, list(map(_BODY, self.units.values()))):
            known = self.unit_index()
        return known.sides[side]

    def unit_index(self) -> UnitIndex:
        """Return the index of all units in their present positions, reused until a unit moves or loses figures."""
        bodies, known = list(map(_BODY, self.units.values())), self.field.unit_index
        if known is None or not known.is_of(self.names_by_side, bodies):
            self.names_of(self.order[0])  # lists the units of both sides
            assert self.names_by_side is not None, "the names of the sides are listed"
            known = self.field.unit_index = UnitIndex(self.names_by_side, self.units, bodies, self.field.gaps, known)
        return known

    def bodies(self) -> list[Body]:
        """Return the bodies of all units with figures on the table, grouped by side."""
        return self.unit_index().present

    def gap(self, a: U, b: U) -> NearestPair:
        """Return the smallest gap between two units, and the figures it lies between."""
        return self.field.gaps[a.body, b.body]

    def nearest(self, unit: U, others: list[U]) -> tuple[U, NearestPair] | None:
        """Return the nearest of some units, the first of equals. Far units are ruled out by their circles alone."""
        found = nearest_of(unit.body, [other.body for other in others], self.field.gaps)
        return None if found is None else (others[found[0]], found[1])

    def within(self, unit: U, others: list[U], reach: float) -> list[U]:
        """Return the units whose nearest figures are at most `reach` away."""
        gaps, body = self.field.gaps, unit.body
        return [o for o in others if body.circle_gap(o.body) <= reach and gaps[body, o.body].gap <= reach]

    def enemies_within(self, unit: U, reach: float) -> list[U]:
        """Return the enemies whose nearest figures are at most `reach` away from a unit."""
        enemies = self.standing(self.enemy(unit.spec.side))
        near = enemies.within(unit.body, reach)
        return [self.units[enemies.names[k]] for k in near] if near else []

    def nearest_enemy(self, unit: U) -> tuple[U, NearestPair] | None:
        """Return the nearest enemy on the table, seen or not."""
        enemies = self.standing(self.enemy(unit.spec.side))
        found = enemies.nearest(unit.body)
        return (self.units[enemies.names[found[0]]], found[1]) if found is not None else None
