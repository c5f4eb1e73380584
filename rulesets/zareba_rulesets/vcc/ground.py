"""The battlefield, a grid of boxes: terrain, obstacles, line of sight and ranges (VCC-005, VCC-006, VCC-055 to
VCC-072).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as data_field
from fractions import Fraction
from heapq import heappop, heappush
from math import inf
from typing import Any, NamedTuple, TypeAlias

from zareba.space.grid.boxes import BoxGrid, is_corner
from zareba.space.lazy import Lazy, LazyBetween
from zareba_rulesets.vcc.book import Band, Cover, Difficulty, Ground, Obstacle, VccBook

RangeKey: TypeAlias = str | tuple[tuple[Band, Any], ...]
"""The key to the range bands of a shot: a weapon of the book or, with house rules, its bands with their limits."""


class BoxStep(NamedTuple):
    """A step into a neighbouring box: `ends` if it ends the move, and `open_to_charge` if a charge may use it
    (VCC-055).
    """

    box: int
    ends: bool
    open_to_charge: bool


@dataclass(eq=False)
class Field:
    """A battlefield. It does not change during a battle, so its answers are computed once and cached.

    `sight_lines[a, b]` are the boxes in which a unit would block the view, or None if ground blocks it. `cover[a, b]`
    is the cover of box b against a shot or charge from a. `range_bands[range key, a, b]` is the band of a shot from a
    to b, or None. `front_arcs[facing, a, b]` is True if b is in the front arc of a unit in a.

    Boxes are numbers of `grid`. `ground` is the terrain of each box, `level` its height, `roads` the boxes with a road,
    `obstacles` what lies on the sides between boxes, `gates` the sides that have a gate. `open_steps[troop, box]` are
    the steps that the terrain leaves open to a class of troops; enemies and lack of room may still close them.
    `path_lengths[troop, goals]` is the number of boxes to move from each box to the nearest goal, used by AI players.
    `edge_boxes[direction]` are the boxes along an edge of the table. `by_role` are the sides, British first. If
    `roles_are_rolled`, a roll decides the roles, and only the battle stores the result (VCC-016). `home_edge` is a
    direction for each side (VCC-156). `names` are those of sides and objects.
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
    roles_are_rolled: bool = False
    names: Mapping[str, str] = data_field(default_factory=dict)

    def __post_init__(self) -> None:
        self._diagonal = Fraction(str(self.book.settings.diagonal_range))
        self.sight_lines: Lazy[tuple[int, int], tuple[int, ...] | None] = Lazy(self._line_between)
        self.cover: Lazy[tuple[int, int], Cover] = Lazy(self._best_cover)
        self.range_bands: Lazy[tuple[RangeKey, int, int], Band | None] = Lazy(self._range_band)
        self.front_arcs: Lazy[tuple[int, int, int], bool] = LazyBetween(self.grid.in_arc)
        self._steps: Lazy[tuple[str, int], tuple[BoxStep | None, ...]] = Lazy(self._steps_from)
        self.open_steps: Lazy[tuple[str, int], tuple[BoxStep, ...]] = Lazy(
            lambda key: tuple(step for step in self._steps[key] if step is not None)
        )
        self.path_lengths: Lazy[tuple[str, tuple[int, ...]], tuple[float, ...]] = Lazy(self._path_lengths_to)
        self.edge_boxes: Lazy[int, tuple[int, ...]] = Lazy(
            lambda edge: tuple([box for box in range(self.grid.size) if self.grid.neighbour(box, edge) is None])
        )

    def enemy(self, side: str) -> str:
        """Return the other side."""
        british, native = self.by_role
        return native if side == british else british

    def difficulty(self, troop: str, box: int) -> Difficulty:
        """Return the difficulty of a box for a class of troops; free everywhere with `terrain_movement` off
        (VCC-055).
        """
        if self.book.settings.terrain_movement == "off":
            return "free"
        return self.ground[box].difficulty(self.book.classes[troop].ground)

    def step(self, troop: str, box: int, direction: int) -> BoxStep | None:
        """Return the step in one direction; None where the ground or the edge of the table closes it."""
        return self._steps[troop, box][direction]

    def _line_between(self, key: tuple[int, int]) -> tuple[int, ...] | None:
        """Return None if ground blocks line of sight, otherwise the boxes between in which a unit would block it
        (VCC-072).
        """
        a, b = key
        top = max(self.level[a], self.level[b])
        boxes = []
        for box in self.grid.crossed(a, b):
            if self._blocks_view(box, top):
                return None
            if self.level[box] >= top:
                boxes.append(box)
        return tuple(boxes)

    def _blocks_view(self, box: int, top: int) -> bool:
        """Return True if the ground of a box blocks the view of observers no higher than `top`."""
        return self.ground[box].blocks_sight or self.level[box] > top

    def blocking_boxes(self, a: int, b: int) -> list[int]:
        """Return the boxes whose ground blocks line of sight between two boxes (VCC-072)."""
        top = max(self.level[a], self.level[b])
        return [box for box in self.grid.crossed(a, b) if self._blocks_view(box, top)]

    def _best_cover(self, key: tuple[int, int]) -> Cover:
        """Return the best cover among the ground of box b and the obstacles on the sides by which the line enters it
        (VCC-068, VCC-069).
        """
        a, b = key
        if a == b:
            return "none"
        covers = {self.ground[b].cover}
        covers |= {self.obstacles[side].cover for side in self.grid.sides_entered(a, b) if side in self.obstacles}
        return "hard" if "hard" in covers else "soft" if "soft" in covers else "none"

    def _range_band(self, key: tuple[RangeKey, int, int]) -> Band | None:
        """Return the range band from one box to another, or None if the weapon does not reach (VCC-081, VCC-082)."""
        weapon, a, b = key
        if weapon == "rocket":
            return "close"
        bands = self.book.bands[weapon] if isinstance(weapon, str) else weapon
        distance = self.grid.distance(a, b, self._diagonal)
        return next((band for band, limit in bands if distance <= limit), None)

    def _steps_from(self, key: tuple[str, int]) -> tuple[BoxStep | None, ...]:
        """Return the steps of a class of troops out of a box, by direction; None where the way is closed."""
        troop, box = key
        orthogonal = self.book.settings.diagonal_move == "orthogonal"  # VCC-006
        steps: list[BoxStep | None] = []
        for direction, to in enumerate(self.grid.around(box)):
            is_closed = to is None or (orthogonal and is_corner(direction))
            steps.append(None if is_closed or to is None else self._step_into(troop, box, to))
        return tuple(steps)

    def _path_lengths_to(self, key: tuple[str, tuple[int, ...]]) -> tuple[float, ...]:
        """Return, for each box, how many boxes a class of troops has to move to the nearest goal; infinite if none can
        be reached.

        A step that ends the move counts as a whole move, because the rest of the move is lost (VCC-055).
        """
        troop, goals = key
        whole_move = float(max(1, self.book.classes[troop].allowance))
        steps_into: dict[int, list[tuple[int, float]]] = {}
        for box in range(self.grid.size):
            for step in self.open_steps[troop, box]:
                steps_into.setdefault(step.box, []).append((box, whole_move if step.ends else 1.0))
        lengths = [inf] * self.grid.size
        queue = [(0.0, goal) for goal in goals]
        for goal in goals:
            lengths[goal] = 0.0
        while queue:
            length, box = heappop(queue)
            if length > lengths[box]:
                continue
            for other, more in steps_into.get(box, ()):
                if length + more < lengths[other]:
                    lengths[other] = length + more
                    heappush(queue, (length + more, other))
        return tuple(lengths)

    def _step_into(self, troop: str, box: int, to: int) -> BoxStep | None:
        """Return the step of a class of troops into a neighbouring box, or None if the ground between is closed."""
        if self.book.settings.terrain_movement == "off":
            return BoxStep(to, False, True)
        mobility = self.book.classes[troop].ground
        ends, open_to_charge = False, True
        has_road = to in self.roads
        features: list[tuple[Obstacle, bool]] = [(self.ground[to], False)]
        features += [
            (self.obstacles[side], side in self.gates)
            for side in self.grid.sides_crossed(box, to)
            if side in self.obstacles
        ]
        for feature, has_gate in features:
            is_paved = has_road and feature.foot == "free" and feature.difficulty(mobility) != "no"
            difficulty = "free" if has_gate or is_paved else feature.difficulty(mobility)
            if difficulty == "no" or (difficulty == "road" and not has_road):
                return None
            ends = ends or difficulty == "ends"
            open_to_charge = open_to_charge and (mobility != "mounted" or feature.mounted_charge)
        return BoxStep(to, ends, open_to_charge)
