"""The battlefield in boxes: terrain, obstacles, sight and ranges (VCC-005, VCC-006, VCC-055 to VCC-072)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as data_field
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from zareba.space.grid.boxes import BoxGrid, is_corner
from zareba.space.lazy import Lazy, LazyBetween
from zareba_rulesets.vcc.book.numbers import VccBook
from zareba_rulesets.vcc.book.tables import Band, Cover, Going, Ground, Obstacle

__all__ = ["Field", "Reaches", "Way"]

Reaches: TypeAlias = str | tuple[tuple[Band, Any], ...]
"""The key by which ranges are measured: a weapon of the book, or the limits of its bands, nearest first."""


class Way(NamedTuple):
    """A step into a neighbouring box: `ends` if it ends the move, and `open_to_charge` if a charge may use it
    (VCC-055).
    """

    box: int
    ends: bool
    open_to_charge: bool


@dataclass(eq=False)
class Field:
    """A battlefield that does not change. Boxes are numbers of `grid`; answers are worked out once and kept.

    `ground` is the terrain of each box, `level` its height, `roads` the boxes with a road, `obstacles` what lies on the
    sides between boxes, `gates` the sides that have a gate. `ways[troop, box]` are the steps open to a class of troops,
    enemies and room apart. `by_role` are the sides, British first; `is_open` says that the dice decide it, so that the
    battle alone knows (VCC-016). `home_edge` is a direction for each side (VCC-156). `names` are those of sides and objects.
    """

    book: VccBook
    grid: BoxGrid
    ground: tuple[Ground, ...]
    level: tuple[int, ...]
    roads: frozenset[int]
    obstacles: Mapping[int, Obstacle]
    gates: frozenset[int]
    by_role: tuple[str, str]
    home_edge: Mapping[str, int]
    starting_bases: Mapping[str, int]
    units_of: Mapping[str, tuple[str, ...]]
    is_open: bool = False
    names: Mapping[str, str] = data_field(default_factory=dict)

    def __post_init__(self) -> None:
        self._diagonal = Fraction(str(self.book.settings.diagonal_range))
        self.sight: Lazy[tuple[int, int], tuple[int, ...] | None] = Lazy(self._line_of_sight)
        self.cover: Lazy[tuple[int, int], Cover] = Lazy(self._shelter)
        self.band: Lazy[tuple[Reaches, int, int], Band | None] = Lazy(self._measure)
        self.front: Lazy[tuple[int, int, int], bool] = LazyBetween(self.grid.in_arc)
        self._steps: Lazy[tuple[str, int], tuple[Way | None, ...]] = Lazy(self._explore)
        self.ways: Lazy[tuple[str, int], tuple[Way, ...]] = Lazy(
            lambda key: tuple(way for way in self._steps[key] if way is not None)
        )

    def enemy(self, side: str) -> str:
        """Return the other side."""
        british, native = self.by_role
        return native if side == british else british

    def going(self, troop: str, box: int) -> Going:
        """Return the difficulty of a box for a class of troops; free everywhere with `terrain_movement` off (VCC-055)."""
        if self.book.settings.terrain_movement == "off":
            return "free"
        return self.ground[box].going(self.book.classes[troop].ground)

    def step(self, troop: str, box: int, direction: int) -> Way | None:
        """Return the step in one direction; None where the ground or the edge of the table closes it."""
        return self._steps[troop, box][direction]

    def _line_of_sight(self, key: tuple[int, int]) -> tuple[int, ...] | None:
        """Return None if ground blocks line of sight, otherwise the boxes between in which a unit would block it
        (VCC-072).
        """
        a, b = key
        top = max(self.level[a], self.level[b])
        watched = []
        for box in self.grid.crossed(a, b):
            if self._hides(box, top):
                return None
            if self.level[box] >= top:
                watched.append(box)
        return tuple(watched)

    def _hides(self, box: int, top: int) -> bool:
        """Return True if the ground of a box blocks the view of observers no higher than `top`."""
        return self.ground[box].blocks_sight or self.level[box] > top

    def hiding(self, a: int, b: int) -> list[int]:
        """Return the boxes whose ground blocks line of sight between two boxes (VCC-072)."""
        top = max(self.level[a], self.level[b])
        return [box for box in self.grid.crossed(a, b) if self._hides(box, top)]

    def _shelter(self, key: tuple[int, int]) -> Cover:
        """Return the better cover of the ground of box b and the obstacles on the sides that the line enters by (VCC-068,
        VCC-069).
        """
        a, b = key
        if a == b:
            return "none"
        covers = {self.ground[b].cover}
        covers |= {self.obstacles[side].cover for side in self.grid.sides_entered(a, b) if side in self.obstacles}
        return "hard" if "hard" in covers else "soft" if "soft" in covers else "none"

    def _measure(self, key: tuple[Reaches, int, int]) -> Band | None:
        weapon, a, b = key
        if weapon == "rocket":
            return "close"
        bands = self.book.bands[weapon] if isinstance(weapon, str) else weapon
        away = self.grid.distance(a, b, self._diagonal)
        return next((band for band, limit in bands if away <= limit), None)

    def _explore(self, key: tuple[str, int]) -> tuple[Way | None, ...]:
        troop, box = key
        orthogonal = self.book.settings.diagonal_move == "orthogonal"  # VCC-006
        found: list[Way | None] = []
        for direction, to in enumerate(self.grid.around(box)):
            closed = to is None or (orthogonal and is_corner(direction))
            found.append(None if closed or to is None else self._way(troop, box, to))
        return tuple(found)

    def _way(self, troop: str, box: int, to: int) -> Way | None:
        if self.book.settings.terrain_movement == "off":
            return Way(to, False, True)
        column = self.book.classes[troop].ground
        ends, charge = False, True
        road = to in self.roads
        pieces: list[tuple[Obstacle, bool]] = [(self.ground[to], False)]
        pieces += [
            (self.obstacles[side], side in self.gates)
            for side in self.grid.sides_crossed(box, to)
            if side in self.obstacles
        ]
        for piece, gate in pieces:
            paved = road and piece.foot == "free" and piece.going(column) != "no"
            going = "free" if gate or paved else piece.going(column)
            if going == "no" or (going == "road" and not road):
                return None
            ends = ends or going == "ends"
            charge = charge and (column != "mounted" or piece.mounted_charge)
        return Way(to, ends, charge)
