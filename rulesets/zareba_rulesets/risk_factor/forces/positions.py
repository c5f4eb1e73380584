"""Contact between units, and leaders with their groups (RSK-004, RSK-005, RSK-048)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zareba.battle.positions import proximity
from zareba.space.field.unit_index import IndexedSide
from zareba_rulesets.risk_factor.forces.units import Unit

if TYPE_CHECKING:
    from zareba_rulesets.risk_factor.book.numbers import RskBook

__all__ = ["Positions"]


class Positions(proximity.Proximity[Unit]):
    """The part of a battle that answers questions about positions."""

    __slots__ = ()

    if TYPE_CHECKING:  # fields that the battle defines
        book: RskBook

    def groups(self, side: str) -> list[Unit]:
        """Return the units of a side that are not leaders."""
        return [unit for unit in self.of(side) if not unit.spec.leader]

    def groups_of(self, side: str) -> IndexedSide:
        """Return an index of the groups of a side, without its leaders, at their current positions."""
        units = self.units
        return self.standing(side).part("groups", lambda name: not units[name].spec.leader)

    def enemies_in_contact(self, unit: Unit) -> list[Unit]:
        """Return the enemies in base contact with a unit (RSK-005)."""
        return self.enemies_within(unit, self.book.lengths["contact"])

    def figures_in_contact(self, unit: Unit) -> frozenset[int]:
        """Return the figures of a unit in base contact with an enemy (RSK-005, RSK-094, RSK-097)."""
        return self.standing(self.enemy(unit.spec.side)).touching(unit.body, self.book.lengths["contact"])

    def host(self, leader: Unit, groups: IndexedSide | None = None) -> Unit | None:
        """Return the group that a leader belongs to: the nearest of the side within 5 cm, or None (RSK-048). `groups`
        is the index of the side's groups, if known.
        """
        groups = groups or self.groups_of(leader.spec.side)
        near = groups.ranked(leader.body, self.book.lengths["with_group"])
        if not near:
            return None
        tied = [groups.names[k] for k, gap in near if gap == near[0][1]]
        return self.units[leader.joins if leader.joins in tied else tied[0]]

    def is_a_unit(self, unit: Unit) -> bool:
        """Return True if a unit counts separately: a group, or a leader with no group within 5 cm (RSK-007,
        RSK-048).
        """
        if not unit.spec.leader:
            return True
        return not self.groups_of(unit.spec.side).ranked(unit.body, self.book.lengths["with_group"])

    def leaders_with(self, unit: Unit) -> list[Unit]:
        """Return the leaders who belong to a group now (RSK-048)."""
        units, groups = self.units, self.groups_of(unit.spec.side)
        leaders = self.standing(unit.spec.side).part("leaders", lambda name: bool(units[name].spec.leader))
        close = [units[leaders.names[k]] for k in leaders.within(unit.body, self.book.lengths["with_group"])]
        return [leader for leader in close if self.host(leader, groups) is unit]
