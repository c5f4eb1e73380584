"""The plain on which the book of Victorian Colonial Combat stands at a real table."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from zareba.space.grid.boxes import BoxGrid, N, S
from zareba.space.lazy import Lazy
from zareba_rulesets.vcc.forces import Battle
from zareba_rulesets.vcc.game import VccGame
from zareba_rulesets.vcc.ground import BoxStep, Field

_APART = 3
"""Columns from box to box in the middle row, so that no unit stands next to another."""


class RealTable(Field):
    """The field of a battle on a real table: everything is in sight and in reach, and every box is one step away.

    People see and measure; they say what is not possible. `with_changes` returns a copy on which their answers
    hold. No unit can step into the row `barred`.
    """

    barred: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.sight_lines = Lazy(lambda _: ())
        self.range_bands = Lazy(lambda _: "close")
        self.front_arcs = Lazy(lambda _: True)
        steps = tuple(BoxStep(box, False, True) for box in self.rest_boxes)
        self.open_steps = Lazy(lambda _: steps)

    @property
    def middle(self) -> int:
        """The middle row."""
        return self.grid.rows // 2

    @property
    def rest_boxes(self) -> range:
        """The boxes in the middle row in which units stand."""
        start = self.middle * self.grid.columns
        return range(start + 1, start + self.grid.columns, _APART)

    def step(self, troop: str, box: int, direction: int) -> BoxStep | None:
        """Return the step in one direction; None at the edge of the plain and before the barred row."""
        found = super().step(troop, box, direction)
        return None if found is not None and found.box // self.grid.columns == self.barred else found

    def with_changes(self, **changes: Any) -> RealTable:
        """Return a copy of the field with other ground or levels."""
        return RealTable(**{field.name: getattr(self, field.name) for field in fields(Field) if field.init} | changes)

    def behind(self, side: str, box: int, boxes: int) -> int | None:
        """Return the box that lies so many boxes behind another one, as a side sees it; None beyond the field."""
        found: int | None = box
        for _ in range(boxes):
            found = self.grid.neighbour(found, self.home_edge[side]) if found is not None else None
        return found


def real_table(game: VccGame) -> RealTable:
    """Return the plain for the units of a game, with room for every retreat and every drift of a rocket."""
    book, field = game.book, game.plan.field
    drift = book.file.rocket.drift_distance.die
    room = max(book.farthest_retreat, 2 * drift + 1) + 1
    boxes = 2 * len(game.plan.specs) + len(game.plan.commanders) + len(game.plan.carried_objects) + 2
    grid = BoxGrid(max(_APART * boxes, 2 * drift + 1), 2 * room + 1)
    british, native = field.by_role
    return RealTable(
        book,
        grid,
        (book.file.terrain["open"],) * grid.size,
        (0,) * grid.size,
        frozenset(),
        {},
        frozenset(),
        field.by_role,
        {british: S, native: N},
        field.starting_bases,
        field.units_of,
        field.roles_are_rolled,
        field.names,
    )


def plain_of(battle: Battle) -> RealTable:
    """Return the field of a battle of the companion, which is the plain of `real_table`."""
    assert isinstance(battle.field, RealTable), "the companion's battles stand on the plain"
    return battle.field


def free_box(battle: Battle) -> int:
    """Return a box of the middle row in which nothing stands."""
    taken = {commander.box for commander in battle.commanders.values()}
    taken |= {carried_object.box for carried_object in battle.carried_objects.values()} | {
        unit.gun_box for unit in battle.units.values()
    }
    return next(box for box in plain_of(battle).rest_boxes if box not in battle.here and box not in taken)
