"""Things that can be carried or led, with an index of those on the ground."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from math import inf
from operator import attrgetter
from typing import NamedTuple

from zareba.base.state import Record, record
from zareba.space.geometry import Point
from zareba_rulesets.paychest.forces.units import Box

_MOST_MOVED = 12
"""The number of changed things from which it is cheaper to rebuild an index."""


@record
class Thing(Record):
    """A thing to carry or lead: paychest, box, light load, mount or weapon.

    `heavy` things halve movement (PAY-072). `carrier` is a figure, `taken_by` the side that took it over the table
    `edge`.
    """

    kind: str
    name: str
    side: str
    at: Point | None
    heavy: bool = False
    carrier: str = ""
    taken_by: str = ""
    edge: str = ""
    goal: str = ""


class LyingThing(NamedTuple):
    """A thing on the ground: its position, its place in the list of all things, and its id."""

    x: float
    y: float
    place: int
    id: str


class ThingIndex(NamedTuple):
    """An index of the things on the ground: weapons and other things, each sorted from west to east. `order` holds the
    place of every thing in the list of all things.

    The battle reports every thing it changes with `after`. Those in `moved` are checked one by one, because their
    entries here are out of date.
    """

    weapons: list[LyingThing]
    others: list[LyingThing]
    order: dict[str, int]
    moved: tuple[str, ...] = ()

    def after(self, thing_id: str) -> ThingIndex | None:
        """Return the index after a thing was changed or added, or None if it is cheaper to rebuild it."""
        if len(self.moved) >= _MOST_MOVED:
            return None
        if thing_id in self.moved:
            return self
        return ThingIndex(self.weapons, self.others, self.order, (*self.moved, thing_id))

    def near(self, things: Mapping[str, Thing], box: Box, *, weapons: bool) -> list[LyingThing]:
        """Return the things on the ground in a rectangle, in the order of the list of all things."""
        west, south, east, north = box
        lying_things = _in_rectangle(self.others, box)
        if weapons:
            lying_things += _in_rectangle(self.weapons, box)
        moved = self.moved
        if moved:
            lying_things = [thing for thing in lying_things if thing.id not in moved]
            last = len(self.order)
            for number, thing_id in enumerate(moved):
                thing = things[thing_id]
                at = thing.at
                if at is None or thing.carrier or (thing.kind == "weapon" and not weapons):
                    continue
                if west <= at[0] <= east and south <= at[1] <= north:
                    lying_things.append(LyingThing(*at, self.order.get(thing_id, last + number), thing_id))
        lying_things.sort(key=attrgetter("place"))
        return lying_things


def _in_rectangle(things_on_ground: list[LyingThing], box: Box) -> list[LyingThing]:
    """Return the entries in a rectangle, from a list sorted from west to east."""
    west, south, east, north = box
    first, last = bisect_left(things_on_ground, (west,)), bisect_right(things_on_ground, (east, inf))
    return [thing for thing in things_on_ground[first:last] if south <= thing.y <= north]


def index_things(things: Mapping[str, Thing]) -> ThingIndex:
    """Return an index of all things that lie on the ground."""
    index_of_things = ThingIndex([], [], {})
    for index, (thing_id, thing) in enumerate(things.items()):
        index_of_things.order[thing_id] = index
        at = thing.at
        if at is not None and not thing.carrier:
            lying = LyingThing(*at, index, thing_id)
            (index_of_things.weapons if thing.kind == "weapon" else index_of_things.others).append(lying)
    index_of_things.weapons.sort()
    index_of_things.others.sort()
    return index_of_things
