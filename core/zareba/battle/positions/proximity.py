"""Distances between the units of a two-sided battle: which units are near which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from zareba.base.state import Record
from zareba.space.field.bodies import Body, Near, nearest_of
from zareba.space.field.unit_index import IndexedSide, UnitIndex

if TYPE_CHECKING:
    from zareba.space.lazy import Lazy

__all__ = ["HasBody", "MeasuredField", "Proximity"]

BODY = attrgetter("body")


class HasBody(Protocol):
    """A unit with a place for each of its figures. `hurt` has a flag for each figure; it is empty off the table."""

    body: Body
    hurt: tuple[bool, ...]
    spec: Any


class MeasuredField(Protocol):
    """The battlefield, which stores measured distances between bodies and the latest unit index."""

    gaps: Lazy[tuple[Body, Body], Near]
    throng: UnitIndex | None


U = TypeVar("U", bound=HasBody)


class Proximity(Record, Generic[U]):
    """The questions about positions that a battle answers. Measurements are stored in the field for later use."""

    __slots__ = ()

    if TYPE_CHECKING:  # the fields of a battle
        muster: Mapping[str, Sequence[str]] | None
        order: list[str]
        units: dict[str, U]

        @property
        def field(self) -> MeasuredField: ...

    def enemy(self, side: str) -> str:
        """Return the other side."""
        return self.order[1] if self.order[0] == side else self.order[0]

    def names_of(self, side: str) -> Sequence[str]:
        """Return the names of all units of a side. The list is made once for a battle and its copies."""
        if self.muster is None:
            self.muster = {  # type: ignore[misc]  # the slot is that of the record
                own: tuple(name for name, unit in self.units.items() if unit.spec.side == own) for own in self.order
            }
        return self.muster[side]

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
        known = self.field.throng
        if known is None or not known.is_of(self.muster, list(map(BODY, self.units.values()))):
            known = self.everybody()
        return known.sides[side]

    def everybody(self) -> UnitIndex:
        """Return the index of all units in their present positions, reused until a unit moves or loses figures."""
        bodies, known = list(map(BODY, self.units.values())), self.field.throng
        if known is None or not known.is_of(self.muster, bodies):
            self.names_of(self.order[0])  # lists the units of both sides
            assert self.muster is not None, "the names of the sides are listed"
            known = self.field.throng = UnitIndex(self.muster, self.units, bodies, self.field.gaps, known)
        return known

    def bodies(self) -> list[Body]:
        """Return the bodies of all units with figures on the table, grouped by side."""
        return self.everybody().present

    def gap(self, a: U, b: U) -> Near:
        """Return the smallest gap between two units, and the figures it lies between."""
        return self.field.gaps[a.body, b.body]

    def nearest(self, unit: U, others: list[U]) -> tuple[U, Near] | None:
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

    def nearest_enemy(self, unit: U) -> tuple[U, Near] | None:
        """Return the nearest enemy on the table, seen or not."""
        enemies = self.standing(self.enemy(unit.spec.side))
        found = enemies.nearest(unit.body)
        return (self.units[enemies.names[found[0]]], found[1]) if found is not None else None
