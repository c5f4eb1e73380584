"""Translation of a neutral scenario into these rules: figures, units, guns, things, objectives and ground."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field as PydanticField

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.yamlfile import Id, YamlModel
from zareba.battle.unit_mapping import NOBODY, armed_like, map_unit, map_unit_as, unsupported_words_of
from zareba.plugins.ruleset import Force
from zareba.rules import RefersTo, Rules
from zareba.scenario import Arrival, Leader, Scenario, Unit, arrival_point, starting_positions
from zareba.scenario.model import CaptureLeader, CarryOff, Destroy, Escort, Hold, Object, Survive
from zareba.scenario.overrides import overrides_of
from zareba.scenario.placement import zone_of
from zareba.scenario.vocabulary import CREWED, OPPOSITE, Quality
from zareba.space import Point
from zareba.space.bearings import direction
from zareba.space.geometry import Points, distance_to_path, middle_of
from zareba.space.outlines import WINDS, gap_at, part_of, parts_outside, strips
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.organisation import GUNNERS, UnitTemplate, amalgamate, muster, split_sizes
from zareba_rulesets.paychest.forces.battle import Engine, Objective
from zareba_rulesets.paychest.forces.units import FigureSpec, Thing, UnitSpec
from zareba_rulesets.paychest.ground import Field

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


# --- Scenario settings that apply to these rules only -----------------------------------------------------------------


UnitId = Annotated[Id, RefersTo("units")]


class Overrides(YamlModel):
    """`legion`: units of the Legion (PAY-025); `emplaced`: units whose guns are in emplacements (PAY-083); `carriages`:
    wagons that are carriages; `armed`: wagons and carriages with the guns they carry, such as `machine_gun` (PAY-080).

    `skills`: for example `first_section.3 firearms` -> 0 to 6, for exceptional individuals (PAY-016, PAY-018).
    `ranks`: figure -> rank (PAY-035). `profiles`: figure -> profile, with its arms, for figures of another kind than
    their unit (PAY-210).
    """

    legion: list[UnitId] = PydanticField(default_factory=list)
    emplaced: list[UnitId] = PydanticField(default_factory=list)
    carriages: list[UnitId] = PydanticField(default_factory=list)
    armed: dict[UnitId, list[Literal["machine_gun", "gun"]]] = PydanticField(default_factory=dict)
    skills: dict[str, int] = PydanticField(default_factory=dict)
    ranks: dict[str, Annotated[str, RefersTo("ranks")]] = PydanticField(default_factory=dict)
    profiles: dict[str, Annotated[str, RefersTo("profiles")]] = PydanticField(default_factory=dict)


def read_overrides(book: PaychestBook, scenario: Scenario) -> Overrides:
    """Return the overrides of a scenario.

    Raises ZarebaError for unknown names and for arms and skills that are not allowed.
    """
    overrides = overrides_of(scenario, "paychest", Overrides, book.file)
    for entry, units, arms in (
        ("emplaced", overrides.emplaced, CREWED),
        ("carriages", overrides.carriages, ("wagon",)),
        ("armed", overrides.armed, ("wagon",)),
    ):
        for name in units:
            if scenario.units[name].arm not in arms:
                raise ZarebaError(
                    f"{scenario.id}: overrides.paychest.{entry} is for the arms {', '.join(arms)}, not for {name}"
                )
    bounds = book.file.skill_bounds
    for name, skill in overrides.skills.items():
        if not bounds.least <= skill <= bounds.most:
            raise ZarebaError(
                f"{scenario.id}: overrides.paychest.skills.{name} is a whole number from {bounds.least} to {bounds.most} "
                "(PAY-016)"
            )
    return overrides


def check_figures(scenario: Scenario, overrides: Overrides, figures: Collection[str], absent: Collection[str]) -> None:
    """Raise ZarebaError for overrides of figures that the scenario does not have.

    `absent` holds units that the settings leave out, and leaders, who may or may not be units of one (PAY-032).
    """
    mentioned = [*overrides.ranks, *overrides.profiles]
    for name in overrides.skills:
        figure, _, skill = name.partition(" ")
        if skill not in ("firearms", "melee"):
            raise ZarebaError(f"{scenario.id}: overrides.paychest.skills.{name} is a figure with firearms or melee")
        mentioned.append(figure)
    for figure in mentioned:
        if figure not in figures and figure.rpartition(".")[0] not in absent:
            raise unknown_name(f"figure for overrides.paychest of {scenario.id} called", figure, figures)


# --- The translated scenario: figures, units, positions, and notes on what these rules do not support -----------------


@dataclass
class Plan:
    """A scenario translated into figures.

    `overrides` are the settings of the scenario that apply to these rules only. `parts` maps scenario unit to the units
    made of it, `placed` unit to point, `zones` unit to the polygon in which a player sets it up, `entries` unit to its
    arrival point on the edge, `ahead` unit to the direction it faces, `leaders` scenario leader to figure, `commanders`
    side to figure. `notes` lists what these rules cannot express.
    """

    field: Field
    overrides: Overrides
    units: dict[str, UnitSpec] = dataclasses.field(default_factory=dict)
    figures: dict[str, FigureSpec] = dataclasses.field(default_factory=dict)
    parts: dict[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    placed: dict[str, Point] = dataclasses.field(default_factory=dict)
    zones: dict[str, Points] = dataclasses.field(default_factory=dict)
    ahead: dict[str, Point] = dataclasses.field(default_factory=dict)
    entries: dict[str, Point] = dataclasses.field(default_factory=dict)
    arrivals: dict[str, Arrival] = dataclasses.field(default_factory=dict)
    engines: dict[str, Engine] = dataclasses.field(default_factory=dict)
    things: dict[str, Thing] = dataclasses.field(default_factory=dict)
    leaders: dict[str, str] = dataclasses.field(default_factory=dict)
    commanders: dict[str, str] = dataclasses.field(default_factory=dict)
    notes: list[str] = dataclasses.field(default_factory=list)

    @cached_property
    def sources(self) -> dict[str, str]:
        """The scenario unit that each unit comes from."""
        return {part: source for source, parts in self.parts.items() for part in parts}

    @cached_property
    def leader_of_figure(self) -> dict[str, str]:
        """The scenario leader that each leader figure represents."""
        return {figure: leader for leader, figure in self.leaders.items()}


# --- The objectives of a scenario as destinations. An aid for AI players, not a rule ----------------------------------


def objectives_of(book: PaychestBook, scenario: Scenario, plan: Plan) -> tuple[Objective, ...]:
    """Return the objectives of a scenario that name a place, thing, leader, exit, or units to destroy or protect.

    The units with which a defender starts also get an objective to stay at their posts when they have no other.
    Reinforcements have no post.
    """
    objectives = []
    for key, goal in scenario.objectives.items():
        sides = goal.by or tuple(scenario.sides)
        if isinstance(goal, Hold):
            at, radius = _place_of(book, scenario, goal)
            objectives.append(Objective(key, "hold", sides, goal.points, at, radius, due=scenario.turns))
        elif isinstance(goal, CarryOff):
            objectives.append(
                Objective(key, "carry_off", sides, goal.points, thing=goal.object, edge=goal.edge, due=scenario.turns)
            )
        elif isinstance(goal, Escort):
            units = tuple(part for unit in goal.units for part in plan.parts.get(unit, ()))
            own_side = (scenario.units[goal.units[0]].side,)
            edge, radius = goal.edge or "", 0.0 if goal.edge else goal.radius
            due = scenario.turns
            objectives.append(
                Objective(key, "escort", own_side, goal.points, goal.at, radius, edge=edge, units=units, due=due)
            )
        elif isinstance(goal, CaptureLeader):
            enemy_sides = tuple(side for side in sides if side != scenario.leaders[goal.leader].side)
            objectives.append(
                Objective(key, "capture_leader", enemy_sides, goal.points, leader=plan.leaders.get(goal.leader, ""))
            )
        elif isinstance(goal, (Destroy, Survive)) and goal.units:
            units = tuple(part for unit in goal.units for part in plan.parts.get(unit, ()))
            enemy_sides = tuple(side for side in scenario.sides if side != scenario.units[goal.units[0]].side)
            objectives.append(Objective(key, "destroy", enemy_sides, goal.points, units=units))
    defenders = tuple(key for key, side in scenario.sides.items() if side.role == "defender")
    posted = tuple(name for name, unit in plan.units.items() if unit.side in defenders and name not in plan.arrivals)
    return (*objectives, Objective("posts", "post", defenders, 0, units=posted))


def _place_of(book: PaychestBook, scenario: Scenario, goal: Hold) -> tuple[Point | None, float]:
    """Return the centre of the place to hold, and the distance from it within which a figure certainly holds it."""
    if goal.terrain is None:
        return goal.at, goal.radius
    piece = scenario.terrain[goal.terrain]
    points = piece.area or piece.line or ()
    at = middle_of(points)
    if piece.area is None:
        return at, book.held_within
    return at, distance_to_path(at, (*points, points[0])) + book.held_within


# --- Translation of a scenario's terrain into the terrain of these rules ----------------------------------------------


_SHUT_GATE = "shut_gate"
_Areas = dict[str, tuple[str, Points, Points]]
"""Areas by name: the line of the terrain chart, the outline, and the crest of a hill."""
Lines = dict[str, tuple[str, Points]]
"""Linear pieces by name: the line of the terrain chart, and the points of the line."""


def lay_ground(book: PaychestBook, scenario: Scenario) -> tuple[_Areas, Lines]:
    """Return the areas and linear pieces of a scenario in the terms of the terrain chart (PAY-085).

    Roads, rivers and gullies become areas, as strips of their width. Walls and hedges become lines, interrupted by
    their gates.
    """
    areas: _Areas = {}
    lines: Lines = {}
    for name, piece in scenario.terrain.items():
        kind = book.file.mapping.word_of(piece)
        if piece.area is not None:
            areas[name] = (kind, piece.area, piece.crest or ())
            continue
        assert piece.line is not None, "a piece of terrain is an area or a line"
        if kind in book.file.terrain:
            for number, strip in enumerate(strips(piece.line, piece.across / 2)):
                areas[f"{name}/{number}" if number else name] = (kind, strip, ())
        else:
            gaps = {key: gap_at(piece.line, gate.at, gate.width) for key, gate in piece.gates.items()}
            for number, part in enumerate(parts_outside(piece.line, gaps.values())):
                lines[f"{name}/{number}" if number else name] = (kind, part)
            for key, gap in gaps.items():
                if not piece.gates[key].open:
                    lines[f"{name} {key}"] = (_SHUT_GATE, part_of(piece.line, *gap))
    return areas, lines


# --- Unit mapping: the roster line that a man of a neutral scenario becomes (PAY-014 to PAY-026) ----------------------


_DOUBLE_FIRE_SHOTS = 2
"""Shots of a figure with double fire (PAY-024)."""
FIREARMS = ("rifle", "carbine", "musket", "bow", "pistol")


def figure_spec(
    book: PaychestBook,
    scenario: Scenario,
    unit_id: str,
    kind: str,
    figure_id: str,
    number: int,
    size: int,
    leader: Leader | None,
    legion: bool,
    overrides: Overrides,
) -> FigureSpec:
    """Return the roster line of figure `number` of a unit: profile by the unit mapping, skills by quality, weapons by
    unit (PAY-017).

    Overrides of single figures take precedence (PAY-018, PAY-035). A figure with its own profile has the weapons of
    that profile (PAY-210).
    """
    unit = scenario.units[unit_id]
    rank = overrides.ranks.get(figure_id) or (_rank_of(book, kind, leader) if leader is not None else "")
    own_profile = overrides.profiles.get(figure_id)
    profile = own_profile or _profile(book, scenario, unit_id, kind, number, size, leader, rank)
    line = book.file.profiles[profile]
    rank, kind = rank or line.rank, line.kind if own_profile else kind
    quality = unit.quality if leader is None else _leader_quality(leader, unit.quality)
    weapons = tuple(line.weapons) if own_profile else _weapons(book, unit, profile, number, size, leader)
    mount = "pack" if unit.arm == "pack_animals" else unit.mounted_on if unit.mounted_on != "none" else ""
    if leader is not None and leader.mounted and not mount and unit.arm == "infantry":
        mount = "horse"
    firearms, melee = skills(book, profile, quality)
    firearms = overrides.skills.get(f"{figure_id} firearms", firearms)
    melee = overrides.skills.get(f"{figure_id} melee", melee)
    return FigureSpec(
        figure_id,
        figure_id.rpartition(".")[0],
        leader.name if leader is not None else f"{rank.replace('_', '-')} {number}",
        profile,
        kind,
        rank,
        firearms,
        melee,
        shots_of(book, profile, kind, legion),
        weapons,
        mount,
    )


def _leader_quality(leader: Leader, of_unit: Quality) -> Quality:
    """Return a leader's quality: heroes are elite and raw leaders raw, whatever their unit (PAY-018, PAY-020)."""
    return "elite" if leader.hero else "raw" if leader.quality == "raw" else of_unit


def skills(book: PaychestBook, profile: str, quality: str) -> tuple[int, int]:
    """Return the Firearms and Melee Skill of a profile for a quality, within bounds; 0 stays 0 (PAY-020)."""
    line, changes, bounds = book.file.profiles[profile], book.file.quality[quality], book.file.quality_bounds

    def adjust(skill: int, change: int) -> int:
        return 0 if skill == 0 else min(bounds.most, max(bounds.least, skill + change))

    return adjust(line.firearms, changes.firearms), adjust(line.melee, changes.melee)


def shots_of(book: PaychestBook, profile: str, kind: str, legion: bool) -> int:
    """Return the shots of a figure per turn (PAY-024, PAY-025), whatever its weapon.

    If the unit and the profile are of the same kind, regular or irregular, it has the shots of its profile, if the
    setting `double_fire` includes it. Otherwise it fires as the unit's kind does.
    """
    scope, line = book.settings.double_fire, book.file.profiles[profile]
    if kind == "irregular":
        return line.shots if line.kind == kind and scope != "none" else 1
    twice = scope == "regulars" or (scope == "legion_only" and legion and profile in book.file.legion_profiles.profiles)
    if not twice:
        return 1
    return line.shots if line.kind == kind else _DOUBLE_FIRE_SHOTS


def _rank_of(book: PaychestBook, kind: str, leader: Leader) -> str:
    """Return the rank of a scenario's leader in the terms of these rules."""
    mapping = book.file.mapping
    return (mapping.rank_regular if kind == "regular" else mapping.rank_irregular)[leader.rank]


def is_officer(book: PaychestBook, rank: str) -> bool:
    """Return True if a rank is an officer's: general to lieutenant."""
    ranks = book.file.ranks
    return ranks[rank].line <= ranks["lieutenant"].line


def _profile(
    book: PaychestBook,
    scenario: Scenario,
    unit_id: str,
    kind: str,
    number: int,
    size: int,
    leader: Leader | None,
    rank: str,
) -> str:
    """Return the profile of figure `number` of a unit of `size` figures.

    In a unit without a leader the first figure leads; in a large unit it is an officer (PAY-041).
    """
    facts = {
        "leads": book.file.ranks[rank].leader if rank else number == 1,
        "officer": is_officer(book, rank) if rank else size > book.file.mapping.officer_above_figures.figures,
        "firearm": book.file.mapping.weapon[scenario.units[unit_id].weapon] in FIREARMS,
        "non_combatant": leader is not None and leader.non_combatant,
        "place": number,
    }
    return str(map_unit(book.file.unit_mapping, scenario, unit_id, **_facts_for_mapping(kind, rank, facts))["profile"])


def _facts_for_mapping(kind: str, rank: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts about a figure that the unit mapping may use, apart from those of its unit."""
    defaults = {
        "regular": kind == "regular",
        "rank": rank or "none",
        "place": 1,
        "firearm": True,
        "non_combatant": False,
    }
    return {**defaults, **facts}


def profile_of(book: PaychestBook, kind: str, arm: str, rank: str) -> str:
    """Return the profile of a figure of this rank in a formation of the organisation chart."""
    mapped_unit = replace(NOBODY, arm=arm, kind=book.file.mapping.muster[kind][arm]["kind"])
    facts = {"leads": book.file.ranks[rank].leader, "officer": is_officer(book, rank)}
    return str(map_unit_as(book.file.unit_mapping, mapped_unit, **_facts_for_mapping(kind, rank, facts))["profile"])


def _weapons(
    book: PaychestBook, unit: Unit, profile: str, number: int, size: int, leader: Leader | None
) -> tuple[str, ...]:
    """Return the weapons of figure `number` of a unit (PAY-021).

    Every figure has the unit's close weapon, the first ones also its missile weapon, in the scenario's proportion.
    Officers have pistol and sword.
    """
    if leader is not None and leader.non_combatant:
        return ()
    line = book.file.profiles[profile]
    if line.kind == "regular" and is_officer(book, line.rank):
        return tuple(line.weapons)
    if unit.arm in CREWED and unit.weapon == "none":
        return tuple(line.weapons)
    mapping = book.file.mapping
    armed = number <= max(1, round(unit.armed * size / unit.figures)) if unit.armed else False
    weapons = [mapping.weapon[unit.weapon] if armed else "none", mapping.close_weapon[unit.close_weapon]]
    return tuple(weapon for weapon in weapons if weapon != "none")


def is_alone(book: PaychestBook, leader: Leader) -> bool:
    """Return True if a leader is a unit of one: without a unit, or a commander with a card (PAY-032)."""
    return leader.unit is None or (leader.rank == "commander" and book.settings.commander_card == "own")


def lone_leader(
    book: PaychestBook, scenario: Scenario, overrides: Overrides, leader_id: str, leader: Leader
) -> FigureSpec:
    """Return the roster line of a leader who is a unit of one. Its kind is that of most of the side's units.

    Quality, mount and weapons are as in the unit that the scenario assigns to the leader (PAY-020, PAY-021), else the
    weapons are those of the side's largest unit. Overrides of the figure take precedence (PAY-210).
    """
    host = scenario.units.get(leader.unit or "")
    kinds = [book.file.mapping.kind[unit.kind] for unit in scenario.units_of(leader.side).values()]
    kind = "regular" if kinds.count("regular") * 2 >= len(kinds) else "irregular"
    figure_id = f"{leader_id}.1"
    rank = overrides.ranks.get(figure_id) or _rank_of(book, kind, leader)
    own_profile = overrides.profiles.get(figure_id)
    if own_profile:
        profile, kind = own_profile, book.file.profiles[own_profile].kind
    elif leader.unit is not None and host is not None and kind == "regular" and not is_officer(book, rank):
        profile = _profile(book, scenario, leader.unit, kind, 1, host.figures, leader, rank)
    else:
        facts = {"leads": True, "officer": is_officer(book, rank), "non_combatant": leader.non_combatant}
        profile = str(map_unit_as(book.file.unit_mapping, **_facts_for_mapping(kind, rank, facts))["profile"])
    firearms, melee = skills(book, profile, _leader_quality(leader, host.quality if host is not None else "regular"))
    weapons, armed_unit = tuple(book.file.profiles[profile].weapons), armed_like(scenario, leader)
    if leader.non_combatant:
        weapons = ()
    elif armed_unit is not None and not own_profile:
        weapons = _weapons(book, armed_unit, profile, 1, armed_unit.figures, leader)
    shots = shots_of(book, profile, kind, leader.unit in overrides.legion)
    mount = (host.mounted_on if host is not None and host.mounted else "horse") if leader.mounted else ""
    return FigureSpec(figure_id, leader_id, leader.name, profile, kind, rank, firearms, melee, shots, weapons, mount)


# --- Formations of the organisation chart as units of a new scenario (PAY-198 to PAY-213) -----------------------------


_FORMATION_PATTERN = re.compile(r"([a-z_]+)(?::([0-9]{1,2}))?")
_PRIVATES = ("private", "warrior")
_LONGEST_ID = 45
"""Maximum length of a unit's id. The id of its commander's figure is 12 longer, of 64 allowed."""


def make_force(rules: Rules, formation: str, side: str, *, commands: bool) -> Force:
    """Return the units of a `formation` for a side, such as "battalion" or "native_regiment:3" (three warbands).

    Names joined by '+' form one weak unit, each part with its own arms and skills (PAY-210). With `commands` the
    highest figure becomes the side's commander, as a separate unit of one (PAY-031, PAY-032). Raises ZarebaError for
    an unknown formation, a number of parts that is not allowed (99 at most), or guns joined to other arms.
    """
    book = PaychestBook(rules)
    templates = [template for name in formation.split("+") for template in _templates_of(book, name.strip())]
    if "+" in formation:
        amalgamated = amalgamate(*templates)
        if amalgamated.guns and amalgamated.arm not in GUNNERS:
            raise ZarebaError(f"'{formation}' would leave its guns behind; put the guns in a separate force")
        templates = [amalgamated]
    units: dict[str, Any] = {}
    leaders: dict[str, Any] = {}
    ranks: dict[str, str] = {}
    profiles: dict[str, str] = {}
    for template in templates:
        unit_id = _new_unit_id(f"{side} {template.name}", units)
        men = [
            (rank, part)
            for part in template.parts or (template,)
            for rank in part.ranks
            for _ in range(part.ranks[rank])
        ]
        men.sort(key=lambda man: book.rank_order[man[0]])
        figures, parts = [rank for rank, _ in men], [part for _, part in men]
        if commands and len(figures) > 1:
            leaders[f"{unit_id}_commander"] = {
                "name": f"The {_words(figures[0])}",
                "side": side,
                "rank": "commander",
                "unit": unit_id,
            } | ({"mounted": True} if template.arm == "cavalry" else {})
            ranks[f"{unit_id}_commander.1"] = figures.pop(0)
            parts.pop(0)
            commands = False
        units[unit_id] = _unit_data(book, template, side, len(figures))
        for index, (rank, part) in enumerate(zip(figures, parts, strict=True), start=1):
            if (part.kind, part.arm) != (template.kind, template.arm):
                profiles[f"{unit_id}.{index}"] = profile_of(book, part.kind, part.arm, rank)
            if rank in _PRIVATES or not book.file.ranks[rank].leader:
                if index == 1:
                    ranks[f"{unit_id}.1"] = rank  # otherwise the first figure would lead
                continue
            leaders[f"{unit_id}_{index}"] = {
                "name": f"{_words(rank).capitalize()} of the {part.name}",
                "side": side,
                "rank": book.file.mapping.rank_words[rank],
                "unit": unit_id,
            }
            ranks[f"{unit_id}.{index}"] = rank
    return Force(units, leaders, {"ranks": ranks} | ({"profiles": profiles} if profiles else {}))


def _templates_of(book: PaychestBook, formation: str) -> Sequence[UnitTemplate]:
    """Return the units of a formation given as text, such as `native_regiment:3`."""
    match = _FORMATION_PATTERN.fullmatch(formation)
    if match is None:
        raise ZarebaError(f"'{formation}' is no formation; write battalion or, for three warbands, native_regiment:3")
    return muster(book, match[1], int(match[2]) if match[2] else None)


def _unit_data(book: PaychestBook, template: UnitTemplate, side: str, figures: int) -> dict[str, Any]:
    """Return the unit in the scenario's words, with the usual arms of its kind and arm (PAY-021)."""
    words = book.file.mapping.muster[template.kind][template.arm]
    unit: dict[str, Any] = {"name": template.name[0].upper() + template.name[1:], "side": side, "arm": template.arm}
    unit |= {"figures": figures, **words}
    if template.arm == "artillery":
        unit["gun"] = {"kind": "light", "pieces": max(1, template.guns)}
    return unit


def _new_unit_id(title: str, used_names: Collection[str]) -> str:
    """Return a unique unit id, short enough for the longer ids of its leaders and figures."""
    unit_id = stem = re.sub(r"[^a-z0-9]+", "_", title.lower())[:_LONGEST_ID].strip("_")
    number = 1
    while unit_id in used_names:
        number += 1
        unit_id = f"{stem}_{number}"
    return unit_id


def _words(rank: str) -> str:
    """Return a rank in words."""
    return rank.replace("_", " ")
