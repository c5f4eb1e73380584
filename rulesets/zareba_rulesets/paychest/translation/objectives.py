"""Objectives, ground, overrides and the plan of a scenario."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field as PydanticField

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.yamlfile import Id, YamlModel
from zareba.rules import RefersTo
from zareba.scenario import Arrival, Scenario
from zareba.scenario.model import CaptureLeader, CarryOff, Destroy, Escort, Hold, Survive
from zareba.scenario.overrides import overrides_of
from zareba.scenario.vocabulary import CREWED
from zareba.space import Point
from zareba.space.geometry import Points, distance_to_path, middle_of
from zareba.space.outlines import gap_at, part_of, parts_outside, strips
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.forces.battle import Engine, Goal
from zareba_rulesets.paychest.forces.units import FigureSpec, Thing, UnitSpec
from zareba_rulesets.paychest.ground import Field

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


def goals_of(book: PaychestBook, scenario: Scenario, plan: Plan) -> tuple[Goal, ...]:
    """Return the objectives of a scenario that name a place, thing, leader, exit, or units to destroy or protect.

    A defender's units also get a goal to stay at their posts when they have no other.
    """
    goals = []
    for key, goal in scenario.objectives.items():
        sides = goal.by or tuple(scenario.sides)
        if isinstance(goal, Hold):
            at, radius = _place_of(book, scenario, goal)
            goals.append(Goal(key, "hold", sides, goal.points, at, radius, due=scenario.turns))
        elif isinstance(goal, CarryOff):
            goals.append(
                Goal(key, "carry_off", sides, goal.points, thing=goal.object, edge=goal.edge, due=scenario.turns)
            )
        elif isinstance(goal, Escort):
            units = tuple(part for unit in goal.units for part in plan.parts.get(unit, ()))
            own_side = (scenario.units[goal.units[0]].side,)
            edge, radius = goal.edge or "", 0.0 if goal.edge else goal.radius
            due = scenario.turns
            goals.append(Goal(key, "escort", own_side, goal.points, goal.at, radius, edge=edge, units=units, due=due))
        elif isinstance(goal, CaptureLeader):
            enemy_sides = tuple(side for side in sides if side != scenario.leaders[goal.leader].side)
            goals.append(
                Goal(key, "capture_leader", enemy_sides, goal.points, leader=plan.leaders.get(goal.leader, ""))
            )
        elif isinstance(goal, (Destroy, Survive)) and goal.units:
            units = tuple(part for unit in goal.units for part in plan.parts.get(unit, ()))
            enemy_sides = tuple(side for side in scenario.sides if side != scenario.units[goal.units[0]].side)
            goals.append(Goal(key, "destroy", enemy_sides, goal.points, units=units))
    posted = tuple(key for key, side in scenario.sides.items() if side.role == "defender")
    return (*goals, Goal("posts", "post", posted, 0))


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
