"""Where things lie, by squares of the table, so that whoever passes need not look at all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from zareba_rulesets.paychest.battle import Thing
    from zareba_rulesets.paychest.units import Box

__all__ = ["Litter", "find_litter"]

SQUARE = 4.0
MOST_MOVED = 12


Squares = dict[tuple[int, int], list[str]]


class Litter(NamedTuple):
    """Square -> the things on the ground there: weapons, and all others; their order; those changed since."""

    weapons: Squares
    others: Squares
    order: dict[str, int]
    moved: tuple[str, ...] = ()

    def after(self, thing_id: str) -> Litter | None:
        """The same after a thing was changed or added; None when it is better to look at all of them again."""
        if len(self.moved) >= MOST_MOVED:
            return None
        if thing_id in self.moved:
            return self
        return self._replace(moved=(*self.moved, thing_id))

    def near(self, box: Box, *, weapons: bool) -> list[str]:
        """The ids of all things that may lie within an upright rectangle, in the order of the list of all things."""
        west, south, east, north = box
        columns = range(int(west // SQUARE), int(east // SQUARE) + 1)
        rows = range(int(south // SQUARE), int(north // SQUARE) + 1)
        found = list(self.moved)
        for squares in (self.others, self.weapons) if weapons else (self.others,):
            if squares:
                for x in columns:
                    for y in rows:
                        if (x, y) in squares:
                            found += squares[x, y]
        if len(found) > 1:
            found = list(dict.fromkeys(found))
            order, last = self.order, len(self.order)
            moved = {thing_id: last + place for place, thing_id in enumerate(self.moved)}
            found.sort(key=lambda thing_id: order.get(thing_id, moved.get(thing_id, 0)))
        return found


def find_litter(things: Mapping[str, Thing]) -> Litter:
    """The squares of all things that nobody carries."""
    found = Litter({}, {}, {})
    for place, (thing_id, thing) in enumerate(things.items()):
        found.order[thing_id] = place
        at = thing.at
        if at is not None and not thing.carrier:
            squares = found.weapons if thing.kind == "weapon" else found.others
            squares.setdefault((int(at[0] // SQUARE), int(at[1] // SQUARE)), []).append(thing_id)
    return found
