"""Where the units of a battle of two sides stand to each other, each of them a body: who is near whom, whoever is asked."""

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
    """A unit with a place for each of its figures; `hurt`: which of them are, none where it is not on the table."""

    body: Body
    hurt: tuple[bool, ...]
    spec: Any


class MeasuredField(Protocol):
    """The ground, which keeps what was measured between bodies, and the last throng."""

    gaps: Lazy[tuple[Body, Body], Near]
    throng: UnitIndex | None


U = TypeVar("U", bound=HasBody)


class Proximity(Record, Generic[U]):
    """What a battle answers about places. What was measured is kept in the field, for as long as the bodies are the same."""

    __slots__ = ()

    if TYPE_CHECKING:  # the fields of a battle
        muster: Mapping[str, Sequence[str]] | None
        order: list[str]
        units: dict[str, U]

        @property
        def field(self) -> MeasuredField: ...

    def enemy(self, side: str) -> str:
        """The other side."""
        return self.order[1] if self.order[0] == side else self.order[0]

    def names_of(self, side: str) -> Sequence[str]:
        """The names of all units of a side; listed once for a battle and its copies."""
        if self.muster is None:
            self.muster = {  # type: ignore[misc]  # the slot is that of the record
                own: tuple(name for name, unit in self.units.items() if unit.spec.side == own) for own in self.order
            }
        return self.muster[side]

    def of(self, side: str) -> list[U]:
        """The units of a side with figures on the table, in the order of the scenario."""
        units = self.units
        try:
            return [unit for name in self.names_of(side) if (unit := units[name]).hurt]
        except KeyError:  # a seat's view, without the enemy's hidden units
            return [unit for unit in units.values() if unit.hurt and unit.spec.side == side]

    def against(self, side: str) -> list[U]:
        """The enemies of a side with figures on the table."""
        return self.of(self.enemy(side))

    def standing(self, side: str) -> IndexedSide:
        """A side as it stands now; the same as before while none of its units has moved or lost figures."""
        known = self.field.throng
        if known is None or not known.is_of(self.muster, list(map(BODY, self.units.values()))):
            known = self.everybody()
        return known.sides[side]

    def everybody(self) -> UnitIndex:
        """All units as they stand now; the same as before while none of them has moved or lost figures."""
        bodies, known = list(map(BODY, self.units.values())), self.field.throng
        if known is None or not known.is_of(self.muster, bodies):
            self.names_of(self.order[0])  # lists the sides
            assert self.muster is not None, "the names of the sides are listed"
            known = self.field.throng = UnitIndex(self.muster, self.units, bodies, self.field.gaps, known)
        return known

    def bodies(self) -> list[Body]:
        """The bodies of all units that have figures on the table, side by side in their order."""
        return self.everybody().present

    def gap(self, a: U, b: U) -> Near:
        """The least gap between two units, and the figures that have it."""
        return self.field.gaps[a.body, b.body]

    def nearest(self, unit: U, others: list[U]) -> tuple[U, Near] | None:
        """The nearest of some units, the first of equals; far ones are ruled out by their circles alone."""
        found = nearest_of(unit.body, [other.body for other in others], self.field.gaps)
        return None if found is None else (others[found[0]], found[1])

    def within(self, unit: U, others: list[U], reach: float) -> list[U]:
        """Those of some units whose nearest figures are no farther away than so much."""
        gaps, body = self.field.gaps, unit.body
        return [o for o in others if body.circle_gap(o.body) <= reach and gaps[body, o.body].gap <= reach]

    def enemies_within(self, unit: U, reach: float) -> list[U]:
        """The enemies whose nearest figures are no farther from those of a unit."""
        enemies = self.standing(self.enemy(unit.spec.side))
        near = enemies.within(unit.body, reach)
        return [self.units[enemies.names[k]] for k in near] if near else []

    def nearest_enemy(self, unit: U) -> tuple[U, Near] | None:
        """The nearest enemy on the table, seen or not."""
        enemies = self.standing(self.enemy(unit.spec.side))
        found = enemies.nearest(unit.body)
        return (self.units[enemies.names[found[0]]], found[1]) if found is not None else None
