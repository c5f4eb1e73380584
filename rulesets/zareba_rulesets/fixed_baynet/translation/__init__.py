"""Translate a neutral scenario into these rules: table, forces and starting positions (catalogue section 27)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from zareba.battle.unit_mapping import unsupported_words_of
from zareba.scenario import Scenario, arrival_point, starting_positions
from zareba.scenario.overrides import overrides_of
from zareba.scenario.placement import zone_of
from zareba.space.geometry import Point
from zareba.space.table_edges import OPPOSITE, bearing_of
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.ground.field import Field
from zareba_rulesets.fixed_baynet.translation.forces import Squad, build_forces
from zareba_rulesets.fixed_baynet.translation.ground import lay_out
from zareba_rulesets.fixed_baynet.translation.overrides import Overrides

__all__ = ["WHEN_CALLED", "Plan", "translate"]

WHEN_CALLED = -1  # the turn of a reserve


@dataclass
class Plan:
    """A scenario in the terms of these rules.

    `spots` maps units to their starting points, `zones` to the polygon in which players set them up, `inside` to a
    building, and `entries` to turn, point and edge of arrival. `notes` lists what these rules cannot express. `night`,
    `fog` and `entrenched` are flags of the game (FBN-114, FBN-234).
    """

    field: Field
    squads: dict[str, Squad]
    spots: dict[str, Point]
    zones: dict[str, tuple[Point, ...]]
    inside: dict[str, str]
    facing: dict[str, float]
    entries: dict[str, tuple[int, Point, str]]
    night: bool
    fog: bool
    entrenched: bool
    reserves: frozenset[str]
    notes: list[str] = dataclasses.field(default_factory=list)


def translate(book: FbnBook, scenario: Scenario) -> Plan:
    """Return a scenario in the terms of these rules.

    One inch is one inch; there may be any number of sides from two up.
    """
    notes: list[str] = []
    overrides = overrides_of(scenario, "fixed_baynet", Overrides)
    battlefield = lay_out(book, scenario, overrides.buildings, notes)
    squads = build_forces(book, scenario, notes)
    positions = starting_positions(scenario, [name for name, unit in scenario.units.items() if unit.hidden])
    plan = Plan(
        field=battlefield,
        squads=squads,
        spots={},
        zones={},
        inside={},
        facing={},
        entries={},
        night=scenario.night or book.settings.night,
        fog=scenario.fog or book.settings.fog,
        entrenched=scenario.entrenched,
        reserves=frozenset(name for name, wish in overrides.forces.items() if wish.reserve),
        notes=notes,
    )
    for unit_id, squad in squads.items():
        _settle(plan, scenario, unit_id, squad, positions)
    notes += unsupported_words_of(book.file, scenario)
    return plan


def _settle(plan: Plan, scenario: Scenario, unit_id: str, squad: Squad, positions: dict[str, Point]) -> None:
    """Record where a unit starts: a point, a zone, a building, or its edge of arrival."""
    source = squad.spec.source
    force = scenario.units.get(source) or scenario.leaders[source]
    named = scenario.facing_of(source) if source in scenario.units else None
    plan.facing[unit_id] = bearing_of(named or OPPOSITE[plan.field.home_edge[squad.spec.side]])
    if force.arrival is not None:
        plan.entries[unit_id] = (
            WHEN_CALLED if source in plan.reserves else force.arrival.turn,
            arrival_point(scenario, force.arrival),
            force.arrival.edge,
        )
        return
    plan.spots[unit_id] = positions.get(source, (plan.field.width / 2, plan.field.depth / 2))
    inside: str | None = getattr(force, "inside", None)
    if inside is not None and inside in plan.field.buildings:
        plan.inside[unit_id] = inside
    elif (zone := zone_of(scenario, force)) is not None:
        plan.zones[unit_id] = tuple(zone)
