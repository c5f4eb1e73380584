"""Deployment and reinforcements (VCC-025, VCC-026, VCC-169)."""

from __future__ import annotations

from zareba.base.state import blank
from zareba.battle.arrivals import arrival_turns, arrives
from zareba.battle.initiative import roll_for_order
from zareba.chance import remark
from zareba.scenario import Scenario
from zareba.table import Table
from zareba_rulesets.vcc.book import VccBook
from zareba_rulesets.vcc.chapters.movement import SQUARE, facings
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle, Commander, ScenarioObject, Unit
from zareba_rulesets.vcc.translation import Plan

_ROLE = remark("the higher roll takes the British role (ties roll again)")


def first_state(book: VccBook, scenario: Scenario, plan: Plan, phase: str) -> Battle:
    """Return the battle before the first step: units where the scenario puts them, none prone, broken or in contact."""
    units: dict[str, Unit] = {}
    for unit_id, spec in plan.specs.items():
        marks = frozenset({"square"}) if unit_id in plan.squares else frozenset()
        units[unit_id] = Unit(OFF_TABLE, plan.facing[unit_id], spec.bases, spec.leader, marks, spec=spec)
    battle = blank(
        Battle,
        turn=1,
        phase=phase,
        units=units,
        commanders={side: Commander(side, *entry) for side, entry in plan.commanders.items()},
        waiting=[unit for side in plan.field.by_role for unit in plan.zones if plan.specs[unit].side == side],
        arrivals={unit: turn for unit, turn in arrival_turns(scenario).items() if unit in plan.specs},
        carried_objects={name: ScenarioObject(box, carrier) for name, (box, carrier) in plan.carried_objects.items()},
        book=book,
        field=plan.field,
        exits={side: scenario.exits_for(side) for side in scenario.sides},
    )
    for unit_id, box in plan.placed.items():
        if unit_id not in plan.zones:
            battle.move(units[unit_id], box)
    return battle


def draw_roles(table: Table, battle: Battle) -> None:
    """Roll for the British role if both sides have as many regular units (VCC-016).

    The side with the higher roll has the role and places first (VCC-025).
    """
    ranked = roll_for_order(table, battle.field.by_role, 6, why="British role", rule="VCC-016", means=_ROLE)
    battle.drawn = ranked[-1]
    battle.waiting.sort(key=lambda unit: battle.unit(unit).spec.side != battle.drawn)
    table.emit("role drawn", "VCC-016", side=battle.drawn)


def place_next(table: Table, battle: Battle, plan: Plan) -> None:
    """Deploy the next unit that has a zone: its box, its facing, and square for regular infantry if wanted (VCC-025).

    The British side places first. The box that the scenario suggests is offered first.
    """
    unit = battle.unit(battle.waiting.pop(0))
    side = unit.spec.side
    suggested_box = plan.placed[unit.spec.id]
    other_boxes = [box for box in plan.zones[unit.spec.id] if box != suggested_box]
    open_boxes = [box for box in (suggested_box, *other_boxes) if _may_start(battle, unit, box)]
    box = table.choose(side, open_boxes or [suggested_box], why="deploy in", rule="VCC-025", actor=unit.spec.id)
    battle.move(unit, box)
    _bring_along(battle, unit)
    facing_options: list[int | str] = [unit.facing, *(way for way in facings(unit) if way != unit.facing)]
    if unit.spec.can_square:
        facing_options.append(SQUARE)
    facing = table.choose(side, facing_options, why="face", rule="VCC-026", actor=unit.spec.id)
    if isinstance(facing, int):
        unit.facing = facing
        unit.unmark("square")
    else:
        unit.mark("square")
    table.emit("deployed", "VCC-025", unit=unit.spec.id, box=box)


def _bring_along(battle: Battle, unit: Unit) -> None:
    """Move the Army Commander and carried objects to the box of the unit they start with."""
    for commander in battle.commanders.values():
        if commander.unit == unit.spec.id:
            commander.box = unit.box
    for carried_object in battle.carried_objects.values():
        if carried_object.carrier == unit.spec.id:
            carried_object.box = unit.box


def _may_start(battle: Battle, unit: Unit, box: int) -> bool:
    """Return True if a unit may be placed in a box: open to it (VCC-055), with room (VCC-007) and without enemies."""
    difficulty = battle.field.difficulty(unit.spec.troop, box)
    is_closed = difficulty == "no" or (difficulty == "road" and box not in battle.field.roads)
    return not is_closed and battle.has_room(box, unit) and not battle.has_enemy_in(box, unit.spec.side)


def bring_on_arrivals(table: Table, battle: Battle, side: str, plan: Plan, scenario: Scenario) -> None:
    """Bring on the side's units that are due (VCC-169). A unit waits if no box is legal or it fails its arrival
    roll.
    """
    for unit_id, turn in list(battle.arrivals.items()):
        unit = battle.unit(unit_id)
        if unit.spec.side != side or turn > battle.turn:
            continue
        if arrives(table, scenario.units[unit_id].arrival, unit_id, "VCC-169"):
            place_arrival(table, battle, unit, plan.entries[unit_id])


def place_arrival(table: Table, battle: Battle, unit: Unit, boxes: list[int]) -> None:
    """Place a unit in an entry box. It counts as moved and spends one box of its allowance; a gun is placed without a
    mark.
    """
    side = unit.spec.side
    open_boxes = [box for box in boxes if _may_start(battle, unit, box)]
    if not open_boxes:
        return
    box = table.choose(side, open_boxes, why="arrive in", rule="VCC-169", actor=unit.spec.id)
    del battle.arrivals[unit.spec.id]
    battle.move(unit, box)
    unit.facing = table.choose(side, facings(unit), why="face", rule="VCC-169", actor=unit.spec.id)
    if unit.spec.troop != "artillery":
        unit.mark("moved", "arrived")
        if unit.spec.troop in ("machine_gun", "rocket") and battle.book.settings.gun_move_memory == "next_shot":
            unit.mark("gun_moved")
    table.emit("arrived", "VCC-169", unit=unit.spec.id, box=box)
