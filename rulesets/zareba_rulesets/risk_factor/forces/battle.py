"""The state of a battle: its units, prisoners and markers, and what each side knows."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from zareba.base.state import Value, house_state, record, shared
from zareba.battle.carried_objects import CarriedObject
from zareba.space.field.bodies import Body
from zareba_rulesets.risk_factor.book.numbers import RskBook
from zareba_rulesets.risk_factor.forces.positions import Positions
from zareba_rulesets.risk_factor.forces.units import BACKWARD, Captives, Marker, Unit, UnitSpec
from zareba_rulesets.risk_factor.ground.field import Field

__all__ = ["BACKWARD", "Battle", "Captives", "Marker", "Unit", "UnitSpec"]


@record
class Battle(Positions):
    """The whole state of a game. `turn`, `order`, `active`, `phase` and `waiting` are the position in the sequence of
    play.

    `commanders` maps each Player Character to its side (RSK-018, RSK-070). `pools` holds command points by leader.
    `linked` maps each linked leader to the Player Character whose orders he passes on.

    `seen` holds the units and markers that the enemy has in sight. `sight_dice` holds the throws of this player turn
    (RSK-151). `known` holds the bodies of units as the enemy last saw them (RSK-193).

    `gone` maps units out of play to the reason; `gone_count` holds the figures of units that left to their side's
    credit. `risk` holds the Risk Factors of this player turn. `charging` lists units that attack after all other
    moves. `fights` lists the melees of this player turn. `muster` holds the names of each side's units.
    """

    turn: int
    order: list[str]
    active: int
    phase: str
    waiting: list[str]
    begun: bool
    over: bool
    ending: str
    beaten: list[str]
    units: dict[str, Unit]
    captives: list[Captives]
    markers: dict[str, Marker]
    commanders: dict[str, str]
    pools: dict[str, int]
    linked: dict[str, str]
    seen: frozenset[str]
    sight_dice: dict[str, int]
    known: dict[str, Body]
    arrivals: dict[str, int]
    gone: dict[str, str]
    gone_count: dict[str, int]
    prizes: dict[str, CarriedObject]
    achieved: dict[str, str]
    risk: dict[str, int]
    fights: list[tuple[str, ...]]
    charging: list[str]
    own: dict[str, Value] = house_state(default_factory=dict)
    book: RskBook = shared(default=None)
    field: Field = shared(default=None)
    solo: frozenset[str] = shared(default=frozenset())
    muster: Mapping[str, tuple[str, ...]] | None = shared(default=None)

    @property
    def side(self) -> str:
        """The active side, whose player turn it is."""
        return self.order[self.active]

    def is_solo(self, side: str) -> bool:
        """Return True if the tables run a side, so that no player answers for it (RSK-044, RSK-190)."""
        return side in self.solo

    def unit(self, unit_id: str) -> Unit:
        return self.units[unit_id]

    def is_commander(self, unit: Unit) -> bool:
        """Return True if a leader is a Player Character (RSK-018)."""
        return unit.spec.id in self.commanders

    def held_by(self, unit: Unit) -> int:
        """Return the number of prisoners that a unit holds."""
        return sum(body.count for body in self.captives if body.captor == unit.spec.id)

    def conceal(self, hidden: AbstractSet[str]) -> None:
        """Remove every reference to hidden units, with the prisoners whom they hold and what they carry."""
        self.waiting = [name for name in self.waiting if hidden.isdisjoint(name.split("+"))]
        self.charging = [name for name in self.charging if name not in hidden]
        self.fights = [fight for fight in self.fights if hidden.isdisjoint(fight)]
        self.captives = [
            captives for captives in self.captives if captives.captor not in hidden and captives.unit not in hidden
        ]
        self.seen -= hidden
        self.prizes = {name: prize for name, prize in self.prizes.items() if prize.carrier not in hidden}
        self.linked = {name: via for name, via in self.linked.items() if name not in hidden and via not in hidden}
        for known in (self.commanders, self.pools, self.sight_dice, self.known, self.arrivals, self.gone):
            for name in known.keys() & hidden:
                del known[name]
        for unit in self.units.values():
            unit.target = "" if unit.target in hidden else unit.target
            unit.joins = "" if unit.joins in hidden else unit.joins

    def remove(self, unit: Unit, why: str) -> None:
        """Take a unit out of play for good. `why` is the reason: killed, captured, left over an edge, fled or joined
        another unit.
        """
        unit.body, unit.hurt, unit.armed, unit.kits = Body((), unit.body.radius), (), (), ()
        self.gone[unit.spec.id] = why
        self.seen -= {unit.spec.id}
        self.known.pop(unit.spec.id, None)
