"""Where the units of a battle stand to each other: who is near whom, contact, leaders with their groups (RSK-004, RSK-005,
RSK-048). What was measured is kept in the field, for as long as the bodies are the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING

from zareba.base.state import Record
from zareba.space.field.bodies import Body, Near, nearest_of
from zareba_rulesets.risk_factor.forces.units import Unit
from zareba_rulesets.risk_factor.ground.throng import Side, Throng

if TYPE_CHECKING:
    from zareba_rulesets.risk_factor.book.numbers import RskBook
    from zareba_rulesets.risk_factor.ground.field import Field

__all__ = ["Whereabouts"]

BODY = attrgetter("body")


class Whereabouts(Record):
    """What a battle answers about places."""

    __slots__ = ()

    if TYPE_CHECKING:  # the fields of a battle
        book: RskBook
        field: Field
        muster: Mapping[str, tuple[str, ...]] | None
        order: list[str]
        units: dict[str, Unit]

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

    def of(self, side: str) -> list[Unit]:
        """The units of a side with figures on the table, in the order of the scenario."""
        units = self.units
        try:
            return [unit for name in self.names_of(side) if (unit := units[name]).hurt]
        except KeyError:  # a seat's view, without the enemy's hidden units
            return [unit for unit in units.values() if unit.hurt and unit.spec.side == side]

    def against(self, side: str) -> list[Unit]:
        """The enemies of a side with figures on the table."""
        return self.of(self.enemy(side))

    def standing(self, side: str) -> Side:
        """A side as it stands now; the same as before while none of its units has moved or lost figures."""
        known = self.field.throng
        if known is None or not known.is_of(self.muster, list(map(BODY, self.units.values()))):
            known = self.everybody()
        return known.sides[side]

    def everybody(self) -> Throng:
        """All units as they stand now; the same as before while none of them has moved or lost figures."""
        bodies, known = list(map(BODY, self.units.values())), self.field.throng
        if known is None or not known.is_of(self.muster, bodies):
            self.names_of(self.order[0])  # lists the sides
            assert self.muster is not None, "the names of the sides are listed"
            known = self.field.throng = Throng(self.muster, self.units, bodies, self.field.gaps, known)
        return known

    def bodies(self) -> list[Body]:
        """The bodies of all units that have figures on the table, side by side in their order."""
        return self.everybody().present

    def gap(self, a: Unit, b: Unit) -> Near:
        """The least gap between two units, and the figures that have it (RSK-004)."""
        return self.field.gaps[a.body, b.body]

    def nearest(self, unit: Unit, others: list[Unit]) -> tuple[Unit, Near] | None:
        """The nearest of some units, the first of equals; far ones are ruled out by their circles alone."""
        found = nearest_of(unit.body, [other.body for other in others], self.field.gaps)
        return None if found is None else (others[found[0]], found[1])

    def within(self, unit: Unit, others: list[Unit], reach: float) -> list[Unit]:
        """Those of some units whose nearest figures are no farther away than so much."""
        gaps, body = self.field.gaps, unit.body
        return [o for o in others if body.circle_gap(o.body) <= reach and gaps[body, o.body].gap <= reach]

    def enemies_within(self, unit: Unit, reach: float) -> list[Unit]:
        """The enemies whose nearest figures are no farther from those of a unit."""
        enemies = self.standing(self.enemy(unit.spec.side))
        near = enemies.within(unit.body, reach)
        return [self.units[enemies.names[k]] for k in near] if near else []

    def nearest_enemy(self, unit: Unit) -> tuple[Unit, Near] | None:
        """The nearest enemy on the table, seen or not."""
        enemies = self.standing(self.enemy(unit.spec.side))
        found = enemies.nearest(unit.body)
        return (self.units[enemies.names[found[0]]], found[1]) if found is not None else None

    def groups(self, side: str) -> list[Unit]:
        """The units of a side that are no lone leaders."""
        return [unit for unit in self.of(side) if not unit.spec.leader]

    def groups_of(self, side: str) -> Side:
        """The groups of a side, without its lone leaders, as they stand now."""
        units = self.units
        return self.standing(side).part("groups", lambda name: not units[name].spec.leader)

    def touching(self, unit: Unit) -> list[Unit]:
        """The enemies in base contact with a unit (RSK-005)."""
        return self.enemies_within(unit, self.book.lengths["contact"])

    def engaged(self, unit: Unit) -> frozenset[int]:
        """The figures of a unit in base contact with an enemy (RSK-005, RSK-094, RSK-097)."""
        return self.standing(self.enemy(unit.spec.side)).touching(unit.body, self.book.lengths["contact"])

    def host(self, leader: Unit, groups: Side | None = None) -> Unit | None:
        """The group to which a leader belongs: the nearest of his side within 5 cm (RSK-048); `groups` are those of his side."""
        groups = groups or self.groups_of(leader.spec.side)
        near = groups.ranked(leader.body, self.book.lengths["with_group"])
        if not near:
            return None
        tied = [groups.names[k] for k, gap in near if gap == near[0][1]]
        return self.units[leader.joins if leader.joins in tied else tied[0]]

    def is_a_unit(self, unit: Unit) -> bool:
        """Whether a unit is one by itself: a group, or a leader with no group within 5 cm (RSK-007, RSK-048)."""
        if not unit.spec.leader:
            return True
        return not self.groups_of(unit.spec.side).ranked(unit.body, self.book.lengths["with_group"])

    def leaders_with(self, unit: Unit) -> list[Unit]:
        """The leaders who belong to a group now (RSK-048)."""
        units, groups = self.units, self.groups_of(unit.spec.side)
        leaders = self.standing(unit.spec.side).part("leaders", lambda name: bool(units[name].spec.leader))
        close = [units[leaders.names[k]] for k in leaders.within(unit.body, self.book.lengths["with_group"])]
        return [leader for leader in close if self.host(leader, groups) is unit]
