"""The terrain of a scenario as the ruleset's rows define it: impassable ground, movement cost, cover, and blocked
sight.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from zareba.scenario import Scenario
from zareba.scenario.model import BaseObjective
from zareba.scenario.placement import place_of
from zareba.scenario.vocabulary.words import TERRAIN, known_word, word_with_ancestors
from zareba.simple_ruleset.model import SimpleRulesetFile, TerrainRow
from zareba.space import FreeTable, Length, Point, TerrainArea, TerrainLine, TerrainPiece
from zareba.space.field.line_of_sight import SightBlocker, line_is_clear
from zareba.space.geometry import Points
from zareba.space.ground.movement_cost import MovementCost
from zareba.space.lazy import Lazy, LazyBetween
from zareba.space.outlines import strips

_MOST_CACHED = 20_000
"""The number of results of each kind that a field caches."""
LEAST_AREA_WIDTH = 1.0
"""Lines of at least this width, in inches, are areas that units can stand in; narrower lines are only crossed."""
_ON_TOP = ("road", "ford", "bridge")
"""Kinds of terrain whose values replace those of the terrain below them."""
OPEN = TerrainRow(rule="", title="open ground")


class Field:
    """The table of a scenario. It is built once and does not change in play, so it caches what it has found between
    points.

    `exits` lists the edges over which a side may leave.
    """

    def __init__(self, book: SimpleRulesetFile, scenario: Scenario) -> None:
        self.inch = book.reach.inch
        self.behind = book.reach.behind
        pieces: list[TerrainPiece[TerrainRow]] = []
        self._shapes: dict[str, list[TerrainArea | TerrainLine]] = {}
        for name, piece in scenario.terrain.items():
            kind = "ford" if piece.kind == "river" and not piece.is_deep else piece.kind
            row = book.ground.get(known_word(kind, TERRAIN, book.ground), OPEN)
            for part, outline, is_area in _shapes_of(name, piece.area, piece.line, piece.across):
                points = self._scaled(outline)
                shape = TerrainArea(points) if is_area else TerrainLine(points)
                self._shapes.setdefault(name, []).append(shape)
                if row is not OPEN:
                    crest = TerrainArea(self._scaled(piece.crest)) if piece.crest else None
                    pieces.append(TerrainPiece(part, row, shape, crest, over=kind in _ON_TOP))
        self._pieces = {piece.name: piece for piece in pieces}
        self._sight_blockers = [SightBlocker(piece) for piece in pieces if piece.ground.hides]
        self.unit: Length = "cm" if book.length == "cm" else "in"
        width, depth = scenario.table.width * self.inch, scenario.table.depth * self.inch
        self.table = FreeTable.of(width, depth, self.unit, pieces)
        self.movement_cost = MovementCost((width, depth), self.unit, pieces, _cost_of)
        self.exits = {side: scenario.exits_for(side) for side in scenario.sides}
        self._scenario = scenario
        self._paths: LazyBetween[tuple[Point, Point], Points | None] = LazyBetween(self._find_path, _MOST_CACHED)
        self._costs: Lazy[tuple[Point, Point], float | None] = Lazy(self._find_cost, _MOST_CACHED)
        self._hidden: LazyBetween[tuple[Point, Point], bool] = LazyBetween(self._find_hidden, _MOST_CACHED)
        self._covers: LazyBetween[tuple[Point, Point], int] = LazyBetween(self._find_cover, _MOST_CACHED)
        self._distances: LazyBetween[tuple[Point, str], float] = LazyBetween(self._find_distance, _MOST_CACHED)

    @cached_property
    def goals(self) -> Mapping[str, Sequence[tuple[BaseObjective, Point | None]]]:
        """The objectives of each side, each with its place if it has one."""
        return {
            side: [(goal, self._place_of(goal)) for goal in self._scenario.objectives_of(side).values()]
            for side in self._scenario.sides
        }

    def _place_of(self, goal: BaseObjective) -> Point | None:
        """Return the place of an objective in the ruleset's unit of length, or None."""
        at = place_of(self._scenario, goal)
        return None if at is None else (at[0] * self.inch, at[1] * self.inch)

    def _scaled(self, shape: Points) -> Points:
        return tuple((x * self.inch, y * self.inch) for x, y in shape)

    def at(self, point: Point) -> TerrainRow:
        """Return the ground at a point: the slowest of the terrain that counts there."""
        rows = self._top_ground(self.table.areas_at(point))
        return min(rows, key=lambda row: row.pace, default=OPEN)

    def _top_ground(self, names: tuple[str, ...]) -> list[TerrainRow]:
        """Return the ground of those of the named pieces that lie on top of others, or of all if none does."""
        pieces = [self._pieces[name] for name in names]
        return [piece.ground for piece in pieces if piece.over] or [piece.ground for piece in pieces]

    def hides(self, a: Point, b: Point) -> bool:
        """Return True if terrain blocks sight between two points.

        Terrain that one of the points is in does not block. A hill blocks with its crest.
        """
        return self._hidden[a, b]

    def _find_hidden(self, a: Point, b: Point) -> bool:
        return not line_is_clear(a, b, self._sight_blockers)

    def cover(self, a: Point, b: Point) -> int:
        """Return the cover of a unit at `b` against one at `a`.

        It is the best of the ground at `b` and of the terrain between the two that `b` is close behind (`behind` in the
        ruleset's `reach`).
        """
        return self._covers[a, b]

    def _find_cover(self, a: Point, b: Point) -> int:
        best = max((row.cover for row in self._top_ground(self.table.areas_at(b))), default=0)
        for crossing in self.table.crossed(a, b):
            row = self._pieces[crossing.piece].ground
            if row.cover > best and self.table.distance_to_piece(b, crossing.piece) <= self.behind:
                best = row.cover
        return best

    def path(self, start: Point, goal: Point) -> Points | None:
        """Return a path to a place: straight, or around impassable ground; None if there is none."""
        return self._paths[start, goal]

    def path_cost(self, start: Point, goal: Point) -> float | None:
        """Return the movement cost of the path to a place; None if there is no path."""
        return self._costs[start, goal]

    def _find_cost(self, ends: tuple[Point, Point]) -> float | None:
        path = self._paths[ends]
        return None if path is None else self.movement_cost.cost(path)

    def _find_path(self, start: Point, goal: Point) -> Points | None:
        if self.movement_cost.cost((start, goal)) is not None:
            return start, goal
        detour = self.movement_cost.path_around(start, goal)
        return detour if detour is not None and self.movement_cost.cost(detour) is not None else None

    def distance_to(self, point: Point, terrain: str) -> float:
        """Return the distance from a point to a piece of terrain; 0 inside it."""
        return self._distances[point, terrain]

    def _find_distance(self, point: Point, terrain: str) -> float:
        return min(shape.distance(point) for shape in self._shapes[terrain])

    def cells(self) -> Iterator[tuple[Point, TerrainRow, bool]]:
        """Yield each square inch that is not open ground: its centre, its ground, and True if the ground hides
        units.
        """
        width, depth = self.table.extent
        for x in range(int(width / self.inch)):
            for y in range(int(depth / self.inch)):
                at = ((x + 0.5) * self.inch, (y + 0.5) * self.inch)
                if (row := self.at(at)) is not OPEN:
                    yield at, row, row.hides


def _cost_of(piece: TerrainPiece[TerrainRow]) -> float | None:
    """Return the movement cost of a piece; None if it is impassable. An area costs by length, and a line has a toll."""
    if not piece.ground.pace:
        return None
    return 1 / piece.ground.pace if piece.is_area else piece.ground.toll


def _shapes_of(
    name: str, area: Points | None, line: Points | None, across: float
) -> Iterator[tuple[str, Points, bool]]:
    """Yield the shapes of a piece of terrain: a name, the outline, and True for an area or False for a crossed line."""
    if area is not None:
        yield name, area, True
    elif line is not None and across < LEAST_AREA_WIDTH:
        yield name, line, False
    elif line is not None:
        for number, strip in enumerate(strips(line, across / 2)):
            yield f"{name}/{number}", strip, True


def notes_on(book: SimpleRulesetFile, scenario: Scenario) -> Mapping[str, str]:
    """Return the kinds of terrain that the ruleset does not define, each with a sentence for the players."""
    known = {*book.ground, "open", "road"}
    kinds = {
        piece.kind for piece in scenario.terrain.values() if known.isdisjoint(word_with_ancestors(piece.kind, TERRAIN))
    }
    return {kind: f"{kind.replace('_', ' ')}: like open ground" for kind in sorted(kinds)}
