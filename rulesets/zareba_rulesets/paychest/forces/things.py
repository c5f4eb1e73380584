"""Things to be carried or led, and where they lie, so that whoever passes need not look at all of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from math import inf
from operator import itemgetter
from typing import NamedTuple

from zareba.base.state import Record, record
from zareba.space.geometry import Point
from zareba_rulesets.paychest.forces.units import Box

__all__ = ["Litter", "Lying", "Thing", "find_litter"]

MOST_MOVED = 12


@record
class Thing(Record):
    """Something to be carried or led: paychest, box, light load, mount, weapon. `carrier` a figure; `taken_by` a side.

    `heavy` halves movement (PAY-072); `edge` is the one it went over.
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
"""A thing on the ground: where it lies, its place in the list of all things, its id."""


class Litter(NamedTuple):
    """What lay on the ground when somebody last looked at all things: weapons, and all others, each from west to east.

    It depends on the things alone; a battle says which of them it takes in hand (`after`): those in `moved` are looked at
    anew.
    """

    weapons: list[Lying]
    others: list[Lying]
    order: dict[str, int]
    moved: tuple[str, ...] = ()

    def after(self, thing_id: str) -> Litter | None:
        """The same after a thing was changed or added; None when it is better to look at all of them again."""
        if len(self.moved) >= MOST_MOVED:
            return None
        if thing_id in self.moved:
            return self
        return Litter(self.weapons, self.others, self.order, (*self.moved, thing_id))

    def near(self, things: Mapping[str, Thing], box: Box, *, weapons: bool) -> list[Lying]:
        """The things on the ground within an upright rectangle, in the order of the list of all things."""
        west, south, east, north = box
        found = _between(self.others, box)
        if weapons:
            found += _between(self.weapons, box)
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


def _between(lying: list[Lying], box: Box) -> list[Lying]:
    """Those within an upright rectangle, of things in order from west to east."""
    west, south, east, north = box
    first, last = bisect_left(lying, (west,)), bisect_right(lying, (east, inf))
    return [one for one in lying[first:last] if south <= one[1] <= north]


def find_litter(things: Mapping[str, Thing]) -> Litter:
    """All things that nobody carries."""
    found = Litter([], [], {})
    for place, (thing_id, thing) in enumerate(things.items()):
        found.order[thing_id] = place
        at = thing.at
        if at is not None and not thing.carrier:
            (found.weapons if thing.kind == "weapon" else found.others).append((*at, place, thing_id))
    found.weapons.sort()
    found.others.sort()
    return found
