"""Translates a neutral scenario into these rules: boxes, terrain, units, leaders (VCC-167)."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as data_field
from math import ceil

from zareba.battle.unit_mapping import unsupported_words_of
from zareba.scenario import Scenario, starting_positions
from zareba.scenario.overrides import overrides_of
from zareba.space.grid.boxes import BoxGrid
from zareba.space.grid.terrain import Raster
from zareba_rulesets.vcc.book.numbers import VccBook
from zareba_rulesets.vcc.forces.battle import UnitSpec
from zareba_rulesets.vcc.ground.field import Field
from zareba_rulesets.vcc.translation.forces import army_commanders, unit_leaders, unit_specs, with_leader_names
from zareba_rulesets.vcc.translation.ground import ground_of_boxes, obstacles_between
from zareba_rulesets.vcc.translation.overrides import Overrides
from zareba_rulesets.vcc.translation.places import (
    deployment_zones,
    entry_boxes,
    objective_boxes,
    prize_boxes,
    starting_boxes,
)
from zareba_rulesets.vcc.translation.sides import facing_of, home_edges, roles_of

__all__ = ["Plan", "translate"]


@dataclass
class Plan:
    """A scenario in boxes. `placed`: unit -> box at the start; `zones`: unit -> boxes for units that players deploy.

    `entries`: unit -> edge boxes on arrival (VCC-169). `commanders`: side -> (name, box, unit). `leaders`: every other
    leader -> the unit that he leads. `notes`: features of the scenario that these rules cannot express.
    """

    field: Field
    specs: dict[str, UnitSpec]
    placed: dict[str, int]
    zones: dict[str, list[int]]
    facing: dict[str, int]
    squares: frozenset[str]
    entries: dict[str, list[int]]
    commanders: dict[str, tuple[str, int, str]]
    leaders: dict[str, str]
    places: dict[str, frozenset[int]]
    prizes: dict[str, tuple[int, str]]
    notes: list[str] = data_field(default_factory=list)


def translate(book: VccBook, scenario: Scenario) -> Plan:
    """Translate a scenario (VCC-167)."""
    inches = book.settings.box_inches
    grid = BoxGrid(ceil(scenario.table.width / inches), ceil(scenario.table.depth / inches))
    raster = Raster(grid, inches)
    notes: list[str] = []
    overrides = overrides_of(scenario, "vcc", Overrides, book.file)
    by_role, is_open = roles_of(scenario, overrides.british)
    specs = unit_specs(book, scenario, overrides, notes)
    spots = starting_positions(scenario)
    positions = {unit: at for unit, at in spots.items() if unit in specs}
    homes = home_edges(scenario, by_role, positions)
    ground, level, roads = ground_of_boxes(book, scenario, raster)
    obstacles, gates = obstacles_between(book, scenario, raster)
    starting_bases = {
        side: sum(spec.bases + spec.leader for spec in specs.values() if spec.side == side) for side in scenario.sides
    }
    battlefield = Field(
        book,
        grid,
        tuple(book.file.terrain[kind] for kind in ground),
        level,
        roads,
        obstacles,
        gates,
        by_role,
        homes,
        starting_bases,
        {side: tuple(unit for unit, spec in specs.items() if spec.side == side) for side in scenario.sides},
        is_open=is_open and book.settings.equal_sides == "dice",
        names={key: one.name for named in (scenario.sides, scenario.objects) for key, one in named.items()},
    )
    starts = starting_boxes(book, battlefield, raster, specs, positions)
    leaders = unit_leaders(scenario, spots, specs)
    specs = with_leader_names(scenario, leaders, specs)
    zones = deployment_zones(scenario, raster, specs)
    notes += unsupported_words_of(book.file, scenario, specs)
    notes += [
        f"{scenario_object.name}: not on the table, because these rules leave out its carrier"
        for scenario_object in scenario.objects.values()
        if scenario_object.carrier is not None and scenario_object.carrier not in specs
    ]
    return Plan(
        field=battlefield,
        specs=specs,
        placed=starts,
        zones=zones,
        facing={unit: facing_of(scenario, unit, specs, homes) for unit in specs},
        squares=frozenset(
            u for u, spec in specs.items() if spec.can_square and scenario.units[u].formation == "square"
        ),
        entries=entry_boxes(scenario, raster, specs),
        commanders=army_commanders(scenario, spots, starts, specs),
        leaders=leaders,
        places=objective_boxes(scenario, raster),
        prizes=prize_boxes(scenario, raster, specs, starts),
        notes=notes,
    )
