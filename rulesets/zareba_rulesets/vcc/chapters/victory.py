"""Captures, objectives and the end of the battle (VCC-057, VCC-157, VCC-164, VCC-166, VCC-171)."""

from __future__ import annotations

from collections.abc import Iterable

from zareba.battle.prizes import exits_of, fate_of, leave, taken_up
from zareba.scenario.model import Escort, Hold, Scenario
from zareba.scenario.standing import Fate, Men, Standing
from zareba.table import Table
from zareba_rulesets.vcc.forces.battle import OFF_TABLE, Battle, Commander, Prize, Unit
from zareba_rulesets.vcc.translation import Plan
from zareba_rulesets.vcc.translation.sides import EDGES

__all__ = [
    "VccStanding",
    "capture_commanders",
    "captures",
    "exit_edge",
    "has_withdrawn",
    "is_effective",
    "leave_table",
    "take_prizes",
]


def is_effective(unit: Unit) -> bool:
    """On the table and not broken (VCC-166)."""
    return unit.on_table and "broken" not in unit.marks


def can_fight(battle: Battle, unit: Unit) -> bool:
    """Not out of the battle and not broken; who is still to be set out or to come can (VCC-166)."""
    return unit.spec.id not in battle.gone and "broken" not in unit.marks


def capture_commanders(table: Table, battle: Battle) -> None:
    """VCC-171: a commander with an enemy unit and no unit of his own in his box is taken, unless the setting forbids it."""
    if battle.book.settings.commander_captured == "never":
        return
    for commander in battle.commanders.values():
        box = commander.box
        if box == OFF_TABLE or box not in battle.here:
            continue
        units = battle.in_box(box)
        if all(unit.spec.side != commander.side for unit in units):
            table.tell("commander captured", "VCC-171", side=commander.side, name=commander.name)
            commander.box, commander.unit = OFF_TABLE, ""


def captures(table: Table, battle: Battle) -> None:
    """End of the turn: wagons left to the enemy (VCC-164, by setting none), guns that he overruns (VCC-157)."""
    takes_wagons = battle.book.settings.wagons_captured != "never"
    for unit in list(battle.units.values()):
        if not unit.on_table:
            continue
        if unit.spec.troop == "wagon":
            if not takes_wagons:
                continue
            there = battle.in_box(unit.box)
            alone = all(other is unit or other.spec.side != unit.spec.side for other in there)
            if alone and any(other.spec.side != unit.spec.side and is_effective(other) for other in there):
                table.tell("captured", "VCC-164", unit=unit.spec.id)
                side = unit.spec.side
                table.tell("loss", "VCC-164", unit=unit.spec.id, side=side, lost=unit.strength, left=0, cause="other")
                battle.remove(unit, "captured")
        elif "abandoned" in unit.marks and unit.gun_box != OFF_TABLE:
            there = battle.in_box(unit.gun_box)
            enemies = [other for other in there if other.spec.side != unit.spec.side and other.is_line]
            if enemies and len({other.spec.side for other in there}) == 1:
                unit.mark("wrecked")
                unit.gun_box = OFF_TABLE
                table.tell("gun taken", "VCC-157", unit=unit.spec.id)


def exit_edge(battle: Battle, unit: Unit) -> str | None:
    """The edge over which the scenario lets this unit leave the table from where it stands, if any (VCC-057).

    It does so for units under escort, and for whoever has an object that is to be carried off.
    """
    grid = battle.field.grid
    found = exits_of(battle.exits.get(unit.spec.side, ()), unit.spec.id, battle.prizes, unit.spec.id)
    return next((edge for edge, _ in found if grid.neighbour(unit.box, EDGES[edge]) is None), None)


def leave_table(table: Table, battle: Battle, unit: Unit) -> None:
    """Leave the table over the edge named by the scenario, with what the unit carries (VCC-057)."""
    edge = exit_edge(battle, unit)
    assert edge is not None, "leaving is offered only where it is allowed"
    battle.remove(unit, leave(table, battle.prizes, unit.spec.id, unit.spec.side, edge, "VCC-057"))


def take_prizes(table: Table, battle: Battle) -> None:
    """Objects of the scenario: dropped by units out of order, taken up by the side that alone has troops there.

    Carried off with the unit that leaves the table over the edge that the scenario names.
    """

    def goes_along(prize: Prize) -> bool:
        carrier = battle.unit(prize.carrier)
        prize.box = carrier.box
        return can_fight(battle, carrier)

    def taker(_: str, prize: Prize) -> str:
        there = battle.in_box(prize.box)
        alone = len({unit.spec.side for unit in there}) == 1
        return next((unit.spec.id for unit in there if alone and is_effective(unit) and unit.is_line), "")

    taken_up(table, battle.prizes, goes_along, taker, "VCC-166")


def has_withdrawn(battle: Battle, side: str) -> bool:
    """Whether a side's losses have reached its `withdrawal_share` (VCC-166)."""
    role = "british" if side == battle.by_role[0] else "native"
    share = getattr(battle.book.settings, f"withdrawal_share_{role}")
    return share != "off" and effective_loss(battle, side) >= float(share)


def _has_left(battle: Battle, unit: Unit) -> bool:
    """Whether a unit has left the table of its own will, where the scenario lets it (VCC-057)."""
    return fate_of(battle.gone.get(unit.spec.id, ""))[0] == "off"


def effective_loss(battle: Battle, side: str) -> float:
    """The share of its starting bases that a side has lost for good (VCC-166)."""
    start = battle.field.starting_bases[side]
    left = sum(
        unit.strength
        for unit in battle.units.values()
        if unit.spec.side == side and (unit.spec.id not in battle.gone or _has_left(battle, unit))
    )
    return (start - left) / start if start else 0.0  # not 1 - left / start, which may fall short of an exact share


class VccStanding(Standing[Battle]):
    """How a battle stands in a scenario's terms. Counts bases, gunners and leader bases for figures."""

    def __init__(self, battle: Battle, scenario: Scenario, plan: Plan) -> None:
        withdrawn = [side for side in scenario.sides if has_withdrawn(battle, side)]
        super().__init__(battle, scenario, beaten=withdrawn)
        self.plan = plan

    def counted(self) -> Iterable[Men]:
        """Army Commanders are counted nowhere in these rules."""
        for key, spec in self.plan.specs.items():
            unit, start = self.battle.units.get(key), spec.bases + spec.leader
            left = unit.strength if unit is not None else 0
            fate, edge = _fate(self.battle, unit)
            if fate != "lost":
                yield Men(spec.side, left, fate, key, place=unit.box if unit is not None else OFF_TABLE, edge=edge)
            else:
                left = 0
            if left < start:
                yield Men(spec.side, start - left, "lost", key)

    def is_at(self, men: Men, key: str, goal: Hold | Escort) -> bool:
        """In the boxes of the place ("Scenario mapping", Objectives)."""
        return men.place in self.plan.places.get(key, ())

    def leader_lost(self, leader: str) -> bool:
        """As everywhere, of those who are no men of their own: an Army Commander off the table, or a unit's leader whose
        leader base is gone (VCC-116, VCC-163)."""
        borne = self._borne_by(leader)
        if isinstance(borne, Unit):
            return not borne.leader or (borne.spec.id in self.battle.gone and not _has_left(self.battle, borne))
        return borne is not None and borne.box == OFF_TABLE and borne.unit not in self.battle.arrivals

    def is_on_table(self, leader: str) -> bool:
        """The Army Commander in his box, or the unit that a leader base belongs to."""
        borne = self._borne_by(leader)
        return borne is not None and borne.box != OFF_TABLE and (isinstance(borne, Commander) or borne.leader)

    def _borne_by(self, leader: str) -> Commander | Unit | None:
        """The Army Commander who is that leader, else the unit whose leader base he is."""
        entry = self.scenario.leaders[leader]
        commander = self.battle.commanders.get(entry.side)
        if commander is not None and commander.name == entry.name:
            return commander
        return self.battle.units.get(self.plan.leaders.get(leader, ""))


def _fate(battle: Battle, unit: Unit | None) -> tuple[Fate, str]:
    """What has become of a unit, and the edge by which it left, if it did."""
    if unit is None:
        return "lost", ""
    gone = battle.gone.get(unit.spec.id)
    if gone is not None:
        return fate_of(gone)
    if "broken" in unit.marks:
        return "broken", ""
    return ("ready" if unit.on_table else "coming"), ""
