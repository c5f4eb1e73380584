"""Captures, objectives and the end of the battle (VCC-057, VCC-157, VCC-164, VCC-166, VCC-171)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from zareba.base.grammar import join_with_or
from zareba.battle.carried_objects import exit_edges, leave_with_objects, pick_up, unit_fate
from zareba.scenario.model import CarryOff, Escort, Hold, Scenario
from zareba.scenario.objective_area import ObjectiveArea
from zareba.scenario.victory import CountedGroup, Fate, Numbers, Scoreboard
from zareba.table import Table
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle, Commander, ScenarioObject, Unit
from zareba_rulesets.vcc.translation import EDGES, Plan


def is_effective(unit: Unit) -> bool:
    """Return True if a unit is on the table and not broken (VCC-166)."""
    return unit.on_table and "broken" not in unit.marks


def _can_fight(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit is neither out of the battle nor broken; units not yet deployed or arrived count
    (VCC-166).
    """
    return unit.spec.id not in battle.gone and "broken" not in unit.marks


def capture_commanders(table: Table, battle: Battle) -> None:
    """Capture each commander with an enemy unit but no friendly unit in his box, unless the setting forbids it
    (VCC-171).
    """
    if battle.book.settings.commander_captured == "never":
        return
    units, units_by_box = battle.units, battle.here
    for commander in battle.commanders.values():
        box, side = commander.box, commander.side
        if box not in units_by_box:  # nor is he in a box then if he is off the table
            continue
        for unit_id in units_by_box[box]:
            if units[unit_id].spec.side == side:
                break
        else:
            table.emit("commander captured", "VCC-171", side=commander.side, name=commander.name)
            commander.box, commander.unit = OFF_TABLE, ""


def capture_wagons_and_guns(table: Table, battle: Battle) -> None:
    """End of the turn: wagons left to the enemy (VCC-164, by setting none), guns that he overruns (VCC-157)."""
    takes_wagons = battle.book.settings.wagons_captured != "never"
    for unit in list(battle.units.values()):
        if not unit.on_table:
            continue
        if unit.spec.troop == "wagon":
            if not takes_wagons:
                continue
            units_in_box = battle.units_in(unit.box)
            is_alone = all(other is unit or other.spec.side != unit.spec.side for other in units_in_box)
            if is_alone and any(other.spec.side != unit.spec.side and is_effective(other) for other in units_in_box):
                table.emit("captured", "VCC-164", unit=unit.spec.id)
                side = unit.spec.side
                table.emit("loss", "VCC-164", unit=unit.spec.id, side=side, lost=unit.strength, left=0, cause="other")
                battle.remove(unit, "captured")
        elif "abandoned" in unit.marks and unit.gun_box != OFF_TABLE:
            units_in_box = battle.units_in(unit.gun_box)
            enemies = [other for other in units_in_box if other.spec.side != unit.spec.side and other.is_line]
            if enemies and len({other.spec.side for other in units_in_box}) == 1:
                unit.mark("wrecked")
                unit.gun_box = OFF_TABLE
                table.emit("gun taken", "VCC-157", unit=unit.spec.id)


def exit_edge(battle: Battle, unit: Unit) -> str | None:
    """Return the edge over which the scenario lets this unit leave the table from its present box, if any (VCC-057).

    Scenarios allow this to units under escort and to carriers of an object that is to be carried off.
    """
    possible_exits = battle.exits.get(unit.spec.side)
    if not possible_exits:
        return None
    grid = battle.field.grid
    exits = exit_edges(possible_exits, unit.spec.id, battle.carried_objects, unit.spec.id)
    return next((edge for edge, _ in exits if grid.neighbour(unit.box, EDGES[edge]) is None), None)


def leave_table(table: Table, battle: Battle, unit: Unit) -> None:
    """Leave the table over the edge named by the scenario, with any objects the unit carries (VCC-057)."""
    edge = exit_edge(battle, unit)
    assert edge is not None, "leaving is offered only where it is allowed"
    battle.remove(
        unit, leave_with_objects(table, battle.carried_objects, unit.spec.id, unit.spec.side, edge, "VCC-057")
    )


def take_carried_objects(table: Table, battle: Battle) -> None:
    """Update the scenario's objects: broken or lost carriers drop them, and a side alone in the box picks them up.

    An object is carried off when its carrier leaves the table over the edge that the scenario names.
    """

    def move_with_carrier(carried_object: ScenarioObject) -> bool:
        carrier = battle.unit(carried_object.carrier)
        carried_object.box = carrier.box
        return _can_fight(battle, carrier)

    def find_taker(_: str, carried_object: ScenarioObject) -> str:
        units_in_box = battle.units_in(carried_object.box)
        is_one_side = len({unit.spec.side for unit in units_in_box}) == 1
        return next((unit.spec.id for unit in units_in_box if is_one_side and is_effective(unit) and unit.is_line), "")

    pick_up(table, battle.carried_objects, move_with_carrier, find_taker, "VCC-166")


def withdrawal_share(battle: Battle, side: str) -> float | None:
    """Return the share of its starting bases whose loss makes a side withdraw; None if it never does (VCC-166)."""
    role = "british" if side == battle.by_role[0] else "native"
    share = getattr(battle.book.settings, f"withdrawal_share_{role}")
    return None if share == "off" else float(share)


def has_withdrawn(battle: Battle, side: str) -> bool:
    """Return True if a side's losses have reached its `withdrawal_share` (VCC-166)."""
    share = withdrawal_share(battle, side)
    return share is not None and effective_loss(battle, side) >= share


def _has_left(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit has left the table by choice, where the scenario allows it (VCC-057)."""
    return unit_fate(battle.gone.get(unit.spec.id, ""))[0] == "off"


def effective_loss(battle: Battle, side: str) -> float:
    """Return the share of its starting bases that a side has lost for good (VCC-166)."""
    start, units = battle.field.starting_bases[side], battle.units
    strength_left = 0
    for name in battle.field.units_of[side]:
        unit = units.get(name)  # a seat's view may hide it
        if unit is not None and (name not in battle.gone or _has_left(battle, unit)):
            strength_left += unit.bases + unit.leader
    # not 1 - strength_left / start: rounding may leave it below an exact share
    return (start - strength_left) / start if start else 0.0


class VccScoreboard(Scoreboard[Battle]):
    """The score of a battle in a scenario's terms. Bases, gunners and leader bases count as figures."""

    is_listed_fast = True

    def __init__(self, battle: Battle, scenario: Scenario, plan: Plan) -> None:
        withdrawn = [side for side in scenario.sides if has_withdrawn(battle, side)]
        super().__init__(battle, scenario, beaten=withdrawn)
        self.plan = plan

    def counted_groups(self) -> Iterable[CountedGroup]:
        """Yield the bases of each unit by their fate. Army Commanders are not counted."""
        return self.groups_of_units(self.plan.specs)

    def groups_of_units(self, units: Collection[str]) -> Iterable[CountedGroup]:
        """Yield the bases of some units by their fate."""
        for key in units:
            spec, unit = self.plan.specs.get(key), self.battle.units.get(key)
            if spec is None:
                continue
            start, strength_left = spec.bases + spec.leader, 0
            fate, edge = _fate(self.battle, unit)
            if unit is not None and fate != "lost":
                strength_left = unit.bases + unit.leader
                yield CountedGroup(spec.side, strength_left, fate, key, "", unit.box, edge)
            if strength_left < start:
                yield CountedGroup(spec.side, start - strength_left, "lost", key)

    def groups_of_side(self, side: str) -> Iterable[CountedGroup]:
        """Yield the bases of a side's units by their fate."""
        return self.groups_of_units(self.battle.field.units_of[side])

    def numbers(self, units: Sequence[str]) -> Numbers:
        """Return the strength of some units together, without listing their bases."""
        specs, present, gone = self.plan.specs, self.battle.units, self.battle.gone
        start = left = off = 0
        for key in units:
            spec, unit = specs.get(key), present.get(key)
            if spec is None:
                continue
            start += spec.bases + spec.leader
            if unit is None:
                continue
            if key not in gone:
                if "broken" not in unit.marks:
                    left += unit.bases + unit.leader
            elif _has_left(self.battle, unit):
                off += unit.bases + unit.leader
        return Numbers(start, left + off, off)

    def numbers_of_side(self, side: str) -> Numbers:
        """Return the strength of a side, whose Army Commander does not count."""
        return self.numbers(self.battle.field.units_of[side])

    def sides_at(self, key: str, goal: Hold) -> Iterable[str]:
        """Yield the side of each ready unit in the boxes of a place."""
        battle = self.battle
        for box in self.plan.places.get(key, ()):
            for unit in battle.units_in(box) if box in battle.here else ():
                if "broken" not in unit.marks and unit.spec.id not in battle.gone:
                    yield unit.spec.side

    def is_at(self, men: CountedGroup, key: str, goal: Hold | Escort) -> bool:
        """Return True if the group is in one of the boxes of the place."""
        return men.position in self.plan.places.get(key, ())

    def turns_to_reach(self, men: CountedGroup, key: str, goal: Hold | Escort | CarryOff) -> float | None:
        """Return the moves along the shortest open way to the boxes where a unit counts; None if there is none."""
        unit = self.battle.units.get(men.unit)
        if unit is None or not unit.on_table:
            return None
        boxes = self.boxes_of(unit, key, goal)
        if not boxes:
            return None
        boxes_to_go = self.battle.field.path_lengths[unit.troop, boxes][unit.box]
        return boxes_to_go / max(1, self.battle.book.classes[unit.troop].allowance)

    def boxes_of(self, unit: Unit, key: str, goal: Hold | Escort | CarryOff) -> tuple[int, ...]:
        """Return the boxes where a unit counts for an objective: the place, the edge to leave by, or the object's
        box.
        """
        if isinstance(goal, CarryOff):
            carried = self.battle.carried_objects.get(goal.object)
            if carried is None or carried.taken_by:
                return ()
            if carried.carrier != unit.spec.id:
                return (carried.box,) if carried.box != OFF_TABLE else ()
        elif key in self.plan.places:
            return tuple(sorted(self.plan.places[key]))
        edge = None if isinstance(goal, Hold) else goal.edge
        return () if edge is None else self.battle.field.edge_boxes[EDGES[edge]]

    def objective_area(self, key: str, goal: Hold | Escort) -> ObjectiveArea | None:
        """Return the boxes of the place."""
        boxes = sorted(self.plan.places.get(key, ()))
        if not boxes:
            return None
        return ObjectiveArea(f"in {join_with_or(map(self.battle.field.grid.label, boxes))}", boxes)

    def leader_lost(self, leader: str) -> bool:
        """Return True if an Army Commander is off the table or a unit's leader base is gone (VCC-116, VCC-163).

        A leader who left the table with his unit by choice is not lost.
        """
        piece = self._piece_of(leader)
        if isinstance(piece, Unit):
            return not piece.leader or (piece.spec.id in self.battle.gone and not _has_left(self.battle, piece))
        return piece is not None and piece.box == OFF_TABLE and piece.unit not in self.battle.arrivals

    def is_on_table(self, leader: str) -> bool:
        """Return True if the Army Commander, or the unit with this leader's base, is on the table."""
        piece = self._piece_of(leader)
        return piece is not None and piece.box != OFF_TABLE and (isinstance(piece, Commander) or piece.leader)

    def _piece_of(self, leader: str) -> Commander | Unit | None:
        """Return the Army Commander who is this leader, else the unit that has his leader base."""
        entry = self.scenario.leaders[leader]
        commander = self.battle.commanders.get(entry.side)
        if commander is not None and commander.name == entry.name:
            return commander
        return self.battle.units.get(self.plan.leaders.get(leader, ""))


def _fate(battle: Battle, unit: Unit | None) -> tuple[Fate, str]:
    """Return the fate of a unit, and the edge over which it left, if it did."""
    if unit is None:
        return "lost", ""
    reason = battle.gone.get(unit.spec.id)
    if reason is not None:
        return unit_fate(reason)
    if "broken" in unit.marks:
        return "broken", ""
    return ("ready" if unit.on_table else "coming"), ""
