"""The ground of a scenario as a ruleset's rows say what it does: where nobody walks, what hides, what covers, what costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from zareba.scenario import Scenario
from zareba.simple_ruleset.model import SimpleRulesetFile, TerrainRow
from zareba.space import FreeTable, Length, Point, TerrainArea, TerrainLine, TerrainPiece
from zareba.space.field.line_of_sight import SightBlocker, line_is_clear
from zareba.space.geometry import Points
from zareba.space.ground.movement_cost import MovementCost
from zareba.space.paths import strips

__all__ = ["Field"]

WIDE = 1.0
"""Lines so wide, in inches, are strips that men stand in; others are only crossed."""
OVER = ("road", "ford", "bridge")
"""Ground that lies over what else is there."""
OPEN = TerrainRow(rule="", title="open ground")


class Field:
    """The table of a scenario, made once; it does not change in play."""

    def __init__(self, book: SimpleRulesetFile, scenario: Scenario) -> None:
        self.inch = book.reach.inch
        self.behind = book.reach.behind
        pieces: list[TerrainPiece[TerrainRow]] = []
        self._shapes: dict[str, list[TerrainArea | TerrainLine]] = {}
        for name, piece in scenario.terrain.items():
            kind = "ford" if piece.kind == "river" and not piece.is_deep else piece.kind
            row = book.ground.get(kind, OPEN)
            for part, outline, is_area in _parts(name, piece.area, piece.line, piece.across):
                points = self._scaled(outline)
                shape = TerrainArea(points) if is_area else TerrainLine(points)
                self._shapes.setdefault(name, []).append(shape)
                if row is not OPEN:
                    crest = TerrainArea(self._scaled(piece.crest)) if piece.crest else None
                    pieces.append(TerrainPiece(part, row, shape, crest, over=kind in OVER))
        self._pieces = {piece.name: piece for piece in pieces}
        self._screens = [SightBlocker(piece) for piece in pieces if piece.ground.hides]
        unit: Length = "cm" if book.length == "cm" else "in"
        width, depth = scenario.table.width * self.inch, scenario.table.depth * self.inch
        self.table = FreeTable.of(width, depth, unit, pieces)
        self.going = MovementCost((width, depth), unit, pieces, _price)

    def _scaled(self, shape: Points) -> Points:
        return tuple((x * self.inch, y * self.inch) for x, y in shape)

    def at(self, point: Point) -> TerrainRow:
        """The ground at a point: what lies over the rest, else the slowest."""
        rows = self._lying(self.table.areas_at(point))
        return min(rows, key=lambda row: row.pace, default=OPEN)

    def _lying(self, names: tuple[str, ...]) -> list[TerrainRow]:
        here = [self._pieces[name] for name in names]
        return [piece.ground for piece in here if piece.over] or [piece.ground for piece in here]

    def hides(self, a: Point, b: Point) -> bool:
        """Whether ground hides two points from each other: all that hides but what one of them stands in; of a hill its crest."""
        return not line_is_clear(a, b, self._screens)

    def cover(self, a: Point, b: Point) -> int:
        """The cover that who stands at `b` has from `a`: of his ground, or of a line close before him."""
        best = max((row.cover for row in self._lying(self.table.areas_at(b))), default=0)
        for met in self.table.crossed(a, b):
            row = self._pieces[met.piece].ground
            if row.cover > best and self.table.distance_to_piece(b, met.piece) <= self.behind:
                best = row.cover
        return best

    def way(self, start: Point, goal: Point) -> Points | None:
        """A way to a place: straight, or round what is closed; None without one."""
        if self.going.cost((start, goal)) is not None:
            return start, goal
        round_it = self.going.way_round(start, goal)
        return round_it if round_it is not None and self.going.cost(round_it) is not None else None

    def distance_to(self, point: Point, terrain: str) -> float:
        """How far a point is from a piece of terrain of the scenario, 0 in it."""
        return min(shape.distance(point) for shape in self._shapes[terrain])

    def cells(self) -> Iterator[tuple[Point, TerrainRow, bool]]:
        """The ground that does something, sampled an inch apart, and whether what hides stands there."""
        width, depth = self.table.extent
        for x in range(int(width / self.inch)):
            for y in range(int(depth / self.inch)):
                at = ((x + 0.5) * self.inch, (y + 0.5) * self.inch)
                if (row := self.at(at)) is not OPEN:
                    yield at, row, row.hides


def _price(piece: TerrainPiece[TerrainRow]) -> float | None:
    """What a piece costs a mover: its pace by length, a line its toll; nothing leads over what has no pace."""
    if not piece.ground.pace:
        return None
    return 1 / piece.ground.pace if piece.is_area else piece.ground.toll


def _parts(name: str, area: Points | None, line: Points | None, across: float) -> Iterator[tuple[str, Points, bool]]:
    """A piece of terrain as areas, or as a line that is only crossed."""
    if area is not None:
        yield name, area, True
    elif line is not None and across < WIDE:
        yield name, line, False
    elif line is not None:
        for number, strip in enumerate(strips(line, across / 2)):
            yield f"{name}/{number}", strip, True


def notes_on(book: SimpleRulesetFile, scenario: Scenario) -> Mapping[str, str]:
    """The kinds of terrain of a scenario of which a ruleset says nothing, each with the sentence for its players."""
    kinds = {piece.kind for piece in scenario.terrain.values() if piece.kind not in (*book.ground, "open", "road")}
    return {kind: f"{kind.replace('_', ' ')}: like open ground" for kind in sorted(kinds)}
