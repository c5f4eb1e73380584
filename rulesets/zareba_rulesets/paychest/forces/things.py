"""Things that can be carried or led, with an index of those on the ground."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from math import inf
from operator import itemgetter
from typing import NamedTuple

from zareba.base.state import Record, record
from zareba.space.geometry import Point
from zareba_rulesets.paychest.forces.units import Box

_MOST_MOVED = 12


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


Lying = tuple[float, float, int, str]
"""A thing on the ground: its position, its place in the list of all things, and its id."""


class Litter(NamedTuple):
    """An index of the things on the ground, weapons and others, each from west to east.

    It depends only on the things. The battle reports every thing it changes (`after`); those in `moved` are checked
    separately.
    """

    weapons: list[Lying]
    others: list[Lying]
    order: dict[str, int]
    moved: tuple[str, ...] = ()

    def after(self, thing_id: str) -> Litter | None:
        """Return the index after a thing was changed or added, or None if it is cheaper to rebuild it."""
        if len(self.moved) >= _MOST_MOVED:
            return None
        if thing_id in self.moved:
            return self
        return Litter(self.weapons, self.others, self.order, (*self.moved, thing_id))

    def near(self, things: Mapping[str, Thing], box: Box, *, weapons: bool) -> list[Lying]:
        """Return the things on the ground in a rectangle, in the order of the list of all things."""
        west, south, east, north = box
        found = _in_rectangle(self.others, box)
        if weapons:
            found += _in_rectangle(self.weapons, box)
        moved = self.moved
        if moved:
            found = [one for one in found if one[3] not in moved]
            last = len(self.order)
            for number, thing_id in enumerate(moved):
                thing = things[thing_id]
                at = thing.at
                if at is None or thing.carrier or (thing.kind == "weapon" and not weapons):
                    continue
                if west <= at[0] <= east and south <= at[1] <= north:
                    found.append((*at, self.order.get(thing_id, last + number), thing_id))
        found.sort(key=itemgetter(2))
        return found


def _in_rectangle(lying: list[Lying], box: Box) -> list[Lying]:
    """Return the entries in a rectangle, from a list sorted from west to east."""
    west, south, east, north = box
    first, last = bisect_left(lying, (west,)), bisect_right(lying, (east, inf))
    return [one for one in lying[first:last] if south <= one[1] <= north]


def find_litter(things: Mapping[str, Thing]) -> Litter:
    """Return an index of all things that lie on the ground."""
    found = Litter([], [], {})
    for place, (thing_id, thing) in enumerate(things.items()):
        found.order[thing_id] = place
        at = thing.at
        if at is not None and not thing.carrier:
            (found.weapons if thing.kind == "weapon" else found.others).append((*at, place, thing_id))
    found.weapons.sort()
    found.others.sort()
    return found
