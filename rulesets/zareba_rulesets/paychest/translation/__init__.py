"""Translation of a neutral scenario into these rules: figures, units, guns and things."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from zareba.battle.unit_mapping import unsupported_words_of
from zareba.scenario import Leader, Scenario, Unit, arrival_point, starting_positions
from zareba.scenario.model import Object
from zareba.scenario.placement import zone_of
from zareba.scenario.vocabulary import CREWED, OPPOSITE
from zareba.space import Point
from zareba.space.bearings import direction
from zareba.space.outlines import WINDS
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.organisation import split_sizes
from zareba_rulesets.paychest.forces.battle import Engine
from zareba_rulesets.paychest.forces.units import FigureSpec, Thing, UnitSpec
from zareba_rulesets.paychest.ground import Field
from zareba_rulesets.paychest.translation.objectives import Plan, check_figures, lay_ground, read_overrides
from zareba_rulesets.paychest.translation.unit_mapping import figure_spec, is_alone, lone_leader

__all__ = ["Plan", "translate"]

AHEAD: Mapping[str, Point] = {
    wind: (float(round(x)), float(round(y)))
    for wind, (x, y) in zip(WINDS, map(direction, range(0, 360, 45)), strict=True)
}
"""The step to the neighbour on a grid in each of the eight compass directions."""


def translate(book: PaychestBook, scenario: Scenario) -> Plan:
    """Translate a scenario into these rules."""
    areas, lines = lay_ground(book, scenario)
    home = {side: entry.home_edge for side, entry in scenario.sides.items() if entry.home_edge}
    ground = Field(book, scenario.table.width, scenario.table.depth, areas, lines, home)
    plan = Plan(ground, read_overrides(book, scenario))
    for unit_id, unit in scenario.units.items():
        _add_unit(book, scenario, plan, unit_id, unit)
    for leader_id, leader in scenario.leaders.items():
        _add_lone_leader(book, scenario, plan, leader_id, leader)
    absent = [name for name in (*scenario.units, *scenario.leaders) if name not in plan.parts]
    check_figures(scenario, plan.overrides, plan.figures, absent)
    _place_forces(scenario, plan)
    for key, thing in scenario.objects.items():
        _add_object(book, plan, key, thing)
    plan.notes += unsupported_words_of(book.file, scenario, plan.parts)
    return plan


# --- units ----------------------------------------------------------------------------------------------------------


def _add_unit(book: PaychestBook, scenario: Scenario, plan: Plan, unit_id: str, unit: Unit) -> None:
    """Add a unit of the scenario with its men, leaders and engines; a large one becomes several units."""
    if unit.arm in ("aircraft", "airship") and book.settings.flyers == "off":
        plan.notes.append(f"{unit.name}: takes no part; play with the setting flyers=on to include it (PAY-081)")
        return
    kind = book.file.mapping.kind[unit.kind]
    leaders = [
        (key, leader)
        for key, leader in scenario.leaders_of(unit.side).items()
        if leader.unit == unit_id and leader.rank != "commander" and not is_alone(book, leader)
    ]
    sizes = split_sizes(book, unit.figures, unit.arm)
    names = [unit_id if number == 0 else f"{unit_id}_{number + 1}" for number in range(len(sizes))]
    legion = unit_id in plan.overrides.legion
    for number, (name, size) in enumerate(zip(names, sizes, strict=True)):
        own_leaders = leaders[number :: len(sizes)]
        figures = [
            figure_spec(book, scenario, unit_id, kind, f"{name}.{index}", index, size, leader, legion, plan.overrides)
            for index, leader in enumerate(
                [*(leader for _, leader in own_leaders), *[None] * (size - len(own_leaders))], start=1
            )
        ]
        for (leader_id, _), spec in zip(own_leaders, figures, strict=False):
            plan.leaders[leader_id] = spec.id
        if number == 0:
            figures += _commanders_with(book, scenario, plan, unit_id, size)
        title = unit.name if len(sizes) == 1 else f"{unit.name} ({number + 1})"
        plan.units[name] = UnitSpec(name, title, unit.side, kind, tuple(spec.id for spec in figures), legion)
        plan.figures |= {spec.id: spec for spec in figures}
        if number == 0:
            _add_engines(book, plan, name, unit)
    plan.parts[unit_id] = tuple(names)


def _commanders_with(book: PaychestBook, scenario: Scenario, plan: Plan, unit_id: str, size: int) -> list[FigureSpec]:
    """Return the commanders attached to a unit, who come last on its roster (PAY-032).

    They are mounted if their unit is.
    """
    unit = scenario.units[unit_id]
    commanders: list[FigureSpec] = []
    for leader_id, leader in scenario.leaders_of(unit.side).items():
        if leader.unit == unit_id and leader.rank == "commander" and not is_alone(book, leader):
            man = lone_leader(book, scenario, plan.overrides, leader_id, leader)
            mount = man.mount or (unit.mounted_on if unit.mounted_on != "none" else "")
            plan.leaders[leader_id] = figure_id = f"{unit_id}.{size + len(commanders) + 1}"
            commanders.append(dataclasses.replace(man, id=figure_id, unit=unit_id, mount=mount))
    return commanders


def _add_lone_leader(book: PaychestBook, scenario: Scenario, plan: Plan, leader_id: str, leader: Leader) -> None:
    """Add a leader who has no unit as a unit of one figure."""
    if not is_alone(book, leader):
        return
    spec = lone_leader(book, scenario, plan.overrides, leader_id, leader)
    figure_id, kind = spec.id, spec.kind
    plan.figures[figure_id] = spec
    plan.units[leader_id] = UnitSpec(leader_id, leader.name, leader.side, kind, (figure_id,))
    plan.leaders[leader_id] = figure_id


# --- guns, conveyances, things --------------------------------------------------------------------------------------


def _add_engines(book: PaychestBook, plan: Plan, name: str, unit: Unit) -> None:
    """Add the guns of a unit, or its conveyance with as many figures and guns as it holds (PAY-080, PAY-082).

    The scenario's overrides may list units whose guns are in an emplacement, wagons that are carriages, and the guns
    on wagons and carriages (PAY-079, PAY-080, PAY-083).
    """
    if unit.arm in CREWED:
        kind = "machine_gun" if unit.arm == "machine_gun" else "gun"
        pieces = unit.gun.pieces if unit.gun else 1
        for piece in range(1, pieces + 1):
            title = f"{kind.replace('_', ' ')} {piece} of {unit.name}"
            if name in plan.overrides.emplaced:
                plan.engines[f"{name} {kind} {piece}"] = Engine(kind, title, unit.side, name, None, "emplacement")
                continue
            limbered = unit.formation == "limbered"
            plan.engines[f"{name} {kind} {piece}"] = Engine(
                kind, title, unit.side, name, None, limbered=limbered, team=unit.draught in ("pack", "horse")
            )
        if unit.arm == "rocket":
            plan.notes.append(f"{unit.name}: its rockets count as a gun")
        return
    machine = {"wagon": "wagon", "vehicle": "tractor", "aircraft": "flyer", "airship": "flyer"}.get(unit.arm)
    if machine is None:
        return
    if name in plan.overrides.carriages:
        machine = "carriage"
    key = f"{name} {machine}"
    room = book.file.conveyances[machine]
    riders = plan.units[name].figures[: room.figures]
    for rider in riders:  # passengers are not mounted
        plan.figures[rider] = dataclasses.replace(plan.figures[rider], mount="")
    plan.engines[key] = Engine(machine, unit.name, unit.side, name, None, mount="", aboard=riders)
    room_left = {"gun": room.guns, "machine_gun": room.machine_guns}
    armament = plan.overrides.armed.get(name, unit.armament)
    for piece, gun in enumerate(armament, start=1):
        if gun in room_left and not room_left[gun]:
            plan.notes.append(f"{unit.name}: has no room for another {gun.replace('_', ' ')} (PAY-080)")
        elif gun in room_left:
            room_left[gun] -= 1
            mount = "flyer" if machine == "flyer" else "conveyance"
            title = f"{gun.replace('_', ' ')} of {unit.name}"
            plan.engines[f"{name} {gun} {piece}"] = Engine(gun, title, unit.side, name, None, mount, key)


def _add_object(book: PaychestBook, plan: Plan, key: str, thing: Object) -> None:
    """Add a paychest or another heavy load, a light load, or loose mounts, each as a separate thing (PAY-049).

    A unit's things go to its last figures that lead no one, then to leaders: one heavy load or two mounts each. Mounts
    left without a figure on foot stand where the unit starts.
    """
    kind = {"paychest": "paychest", "livestock": "mount", "supplies": "ammunition_box"}.get(thing.kind, "light")
    heavy = thing.heavy or kind in ("paychest", "ammunition_box")
    men: list[str] = []
    at = thing.position
    if thing.carrier is not None and thing.carrier in plan.parts:
        unit, leaders = plan.parts[thing.carrier][0], plan.leaders.values()
        figures = plan.units[unit].figures[::-1]
        men = [*(name for name in figures if name not in leaders), *(name for name in figures if name in leaders)]
        at = at or (plan.placed[unit] if unit in plan.placed else plan.entries[unit])
    if kind != "mount":
        burdened = [thing.carrier for thing in plan.things.values() if thing.heavy and heavy]
        carrier = next((name for name in men if name not in burdened), "")
        plan.things[key] = Thing(kind, thing.name, thing.side or "", None if carrier else at, heavy, carrier, goal=key)
        return
    hands = [name for name in men if not plan.figures[name].mount for _ in range(book.file.mounts_led.most)]
    for number in range(thing.count):
        carrier = hands[number] if number < len(hands) else ""
        spot = (at[0] + 1.6 * (number % 3), at[1] + 1.6 * (number // 3)) if at and not carrier else None
        plan.things[f"{key} {number + 1}"] = Thing(
            kind, f"{thing.name} {number + 1}", thing.side or "", spot, carrier=carrier, goal=key
        )


# --- positions ------------------------------------------------------------------------------------------------------


def _place_forces(scenario: Scenario, plan: Plan) -> None:
    """Note where each unit starts or arrives and which way it faces, and the commander of each side."""
    positions = starting_positions(scenario)
    for source, parts in _sources(scenario, plan).items():
        force = scenario.units.get(source) or scenario.leaders[source]
        host = force if isinstance(force, Unit) or force.unit is None else scenario.units[force.unit]
        edge = scenario.sides[force.side].home_edge
        facing = host.facing if isinstance(host, Unit) and host.facing else OPPOSITE[edge] if edge else "north"
        for part in parts:
            plan.ahead[part] = AHEAD[facing]
            if host.arrival is not None:
                plan.entries[part] = arrival_point(scenario, host.arrival)
                plan.arrivals[part] = host.arrival
                continue
            plan.placed[part] = positions.get(source, (scenario.table.width / 2, scenario.table.depth / 2))
            zone = zone_of(scenario, host)
            if zone is not None:
                plan.zones[part] = zone
    for side in scenario.sides:
        leaders = [key for key in scenario.leaders_of(side) if key in plan.leaders]
        fighting = [key for key in leaders if not scenario.leaders[key].non_combatant]
        if fighting:
            plan.commanders[side] = plan.leaders[fighting[0]]


def _sources(scenario: Scenario, plan: Plan) -> dict[str, tuple[str, ...]]:
    """Return for each scenario unit or lone leader the units it became."""
    lone = {key: (key,) for key in scenario.leaders if key in plan.units}
    return plan.parts | lone
