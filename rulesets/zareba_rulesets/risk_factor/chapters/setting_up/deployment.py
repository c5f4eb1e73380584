"""The starting position, the first actions, the first side, and reinforcements."""

from __future__ import annotations

from zareba.base.state import blank
from zareba.battle.arrivals import arrives
from zareba.battle.carried_objects import CarriedObject
from zareba.battle.initiative import roll_for_order
from zareba.chance import counts
from zareba.rules import procedure
from zareba.scenario import Scenario
from zareba.space.field.bodies import EMPTY, Body
from zareba.space.geometry import Point
from zareba.space.table_edges import nearest_on_edge
from zareba.table import Table
from zareba_rulesets.risk_factor.book.numbers import RskBook
from zareba_rulesets.risk_factor.chapters.setting_up.hidden import hides, set_markers
from zareba_rulesets.risk_factor.forces.battle import Battle, Unit, UnitSpec
from zareba_rulesets.risk_factor.forces.places import drawn_up, find_room, place_close_behind, radius_of
from zareba_rulesets.risk_factor.translation import Plan, first_goal

__all__ = ["arrivals", "begin", "first_state"]

FIRST = counts("for the first turn (the highest begins; ties throw again)")

ORDERS = {"hold": "halt", "advance": "advance", "attack": "attack", "withdraw": "retreat"}


def first_state(book: RskBook, scenario: Scenario, plan: Plan, solo: frozenset[str], phase: str) -> Battle:
    """Return the state before the first step: units on the table are steady and in place (RSK-191). Markers are set
    later.
    """
    units = {}
    for name, spec in plan.specs.items():
        is_absent = name in plan.arrivals
        body = EMPTY if is_absent else plan.bodies[name]
        units[name] = _fresh(book, spec, body, plan.facing[name])
        _first_action(book, scenario, plan, units[name])
    order = list(scenario.sides)
    if scenario.first in scenario.sides:
        order.sort(key=lambda side: side != scenario.first)
    else:
        order.sort(key=lambda side: scenario.sides[side].role != "attacker")
    scale = book.settings.scenario_cm_per_inch
    prizes = {}
    for key, thing in scenario.objects.items():
        carrier = next((n for n, s in plan.specs.items() if s.parent == thing.carrier and not s.leader), "")
        if carrier or thing.position is not None:
            at = thing.position or (0.0, 0.0)
            prizes[key] = CarriedObject((at[0] * scale, at[1] * scale), carrier)
    return blank(
        Battle,
        turn=1,
        order=order,
        phase=phase,
        units=units,
        commanders={pc: side for side, pcs in plan.commanders.items() if side not in solo for pc in pcs},
        arrivals=dict(plan.arrivals),
        prizes=prizes,
        book=book,
        field=plan.field,
        solo=solo,
    )


def _fresh(book: RskBook, spec: UnitSpec, body: Body, facing: float) -> Unit:
    count = len(body)
    marks = frozenset({"loaded"}) if book.settings.shooting_start_loaded else frozenset()  # RSK-088
    return Unit(
        body=body,
        hurt=(False,) * count,
        armed=tuple(index < spec.armed for index in range(count)),
        facing=facing,
        original=spec.figures,
        marks=marks,
        spec=spec,
    )


def _first_action(book: RskBook, scenario: Scenario, plan: Plan, unit: Unit) -> None:
    """Set the action of a unit before its first throw (RSK-191).

    It is the order that the scenario gives. Without one, an escorted unit marches to its goal; units of every side
    that is not the defender march to the nearest objective; all others halt.
    """
    if book.settings.actions_start == "halt":
        return
    spec = unit.spec
    entry = scenario.units.get(spec.parent)
    if entry is not None and entry.orders is not None:
        unit.action = ORDERS[entry.orders]
        return
    start = plan.entries.get(spec.id) or unit.body.centre
    escorted = escort_goal(scenario, plan, spec, start)
    if escorted is not None:
        unit.action, unit.goal = "march", escorted
    elif scenario.sides[spec.side].role != "defender" and not spec.civilian:
        scale = book.settings.scenario_cm_per_inch
        unit.action, unit.goal = "march", first_goal(scenario, plan, spec.side, start, scale)


def escort_goal(scenario: Scenario, plan: Plan, spec: UnitSpec, start: Point) -> Point | None:
    """Return the destination of an escorted unit, a place or the nearest point of an edge, or None for other units."""
    for key, goal in scenario.objectives.items():
        if goal.kind == "escort" and spec.parent in goal.units:
            if key in plan.places:
                return plan.places[key][0]
            return nearest_on_edge(start, plan.field.table.extent, goal.edge or "north")
    return None


@procedure("setup.begin")
def begin(table: Table, battle: Battle, scenario: Scenario, plan: Plan) -> None:
    """Before the first turn: the throw for the first side where there is one (RSK-042), and the hidden markers
    (RSK-187).

    A scenario that names neither who goes first nor one attacker leaves it to the dice.
    """
    attackers = [side for side, entry in scenario.sides.items() if entry.role == "attacker"]
    is_open = scenario.first not in scenario.sides and len(attackers) != 1
    if battle.book.settings.turn_first_side == "dice" or scenario.first == "dice" or is_open:
        ranked = roll_for_order(table, list(scenario.sides), 6, why="first side", rule="RSK-042", means=FIRST)
        battle.order = ranked[::-1]
    for side in scenario.sides:
        if hides(battle, scenario, side):
            set_markers(table, battle, scenario, plan, side)
    battle.begun = True  # only now: no side sees the units behind the markers until all markers are placed


@procedure("setup.arrive")
def arrivals(table: Table, battle: Battle, scenario: Scenario, plan: Plan) -> None:
    """Bring on the units that are due at their edge, if the die that the scenario asks for allows it."""
    due: dict[str, list[str]] = {}
    for name, turn in battle.arrivals.items():
        spec = plan.specs[name]
        if turn <= battle.turn and spec.side == battle.side:
            leader = scenario.leaders.get(name)
            arrives_alone = leader is not None and leader.arrival is not None
            due.setdefault(name if arrives_alone else spec.parent, []).append(name)
    for parent, names in due.items():
        entry = scenario.units.get(parent) or scenario.leaders[parent]
        if not arrives(table, entry.arrival, parent, "RSK-185"):
            continue
        for name in sorted(names, key=lambda name: bool(plan.specs[name].leader)):
            _come_on(battle, plan, name, names)
            del battle.arrivals[name]
            table.emit("arrived", "RSK-185", unit=name, at=battle.units[name].body.centre)


def _come_on(battle: Battle, plan: Plan, name: str, names: list[str]) -> None:
    spec, unit = plan.specs[name], battle.units[name]
    occupied = [other.body for other in battle.units.values() if other.hurt]
    groups = [n for n in names if not plan.specs[n].leader and battle.units[n].hurt]
    if spec.leader and groups:
        body = place_close_behind(
            battle.field, occupied, battle.units[groups[0]].body, unit.facing, radius_of(battle.book, spec)
        )
    else:
        body = find_room(
            battle.field, occupied, drawn_up(battle.field, spec, "column", plan.entries[name], unit.facing)
        )
    unit.body = body
    unit.hurt = (False,) * len(body)
    unit.armed = tuple(index < spec.armed for index in range(len(body)))
