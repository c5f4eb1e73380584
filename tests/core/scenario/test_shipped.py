"""The shipped scenarios: valid, together covering the vocabulary, and unchanged by a round trip."""

from __future__ import annotations

import io
import json
from importlib import resources
from itertools import combinations
from math import dist
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from zareba.base.errors import ZarebaError
from zareba.scenario import (
    Scenario,
    load_scenario,
    parse_scenario,
    scenario_schema,
    shipped_scenarios,
    starting_positions,
)
from zareba.scenario.placement import lies_in
from zareba.space.geometry import is_inside

SHIPPED = shipped_scenarios()
FOLDER = resources.files("zareba.scenario") / "shipped"
SCHEMA = Path(__file__).parents[3] / "schema" / "scenario.schema.json"


@pytest.fixture(params=SHIPPED)
def scenario(request: pytest.FixtureRequest) -> Scenario:
    name: str = request.param
    return load_scenario(name)


def test_the_documented_scenarios_exist() -> None:
    assert set(SHIPPED) >= {
        "battle_of_the_wells",
        "column_ambushed",
        "hill_fort",
        "mission_station",
        "patrol_clash",
        "paychest_raid",
        "river_ford",
        "square_attacked",
    }


@pytest.mark.parametrize("name", SHIPPED)
def test_each_scenario_is_named_after_its_file_and_unchanged_by_a_round_trip(name: str) -> None:
    text = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    yaml = YAML()
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.preserve_quotes = True
    yaml.width = 4096
    again = io.StringIO()
    yaml.dump(yaml.load(text), again)
    assert again.getvalue() == text
    assert load_scenario(name).id == name


def test_a_scenario_is_unchanged_by_a_json_round_trip(scenario: Scenario) -> None:
    again = Scenario.model_validate_json(scenario.model_dump_json())
    assert again == scenario
    assert again.digest == scenario.digest


def test_each_shipped_scenario_is_complete(scenario: Scenario) -> None:
    assert 48 <= scenario.table.width <= 72
    assert 36 <= scenario.table.depth <= 48
    assert len(scenario.note) > 100
    assert scenario.sources
    for key, side in scenario.sides.items():
        assert side.briefing
        assert any(leader.rank == "commander" for leader in scenario.leaders_of(key).values())
        assert scenario.objectives_of(key)
    assert all(unit.figures >= 4 for unit in scenario.units.values())
    assert all(unit.figures <= 40 for unit in scenario.units.values())
    assert not scenario.overrides


def test_units_start_in_their_zones_and_always_at_the_same_place(scenario: Scenario) -> None:
    positions = starting_positions(scenario)
    assert positions == starting_positions(scenario), "always the same"
    arriving = {key for key, unit in scenario.units.items() if unit.arrival}
    assert set(scenario.units) - set(positions) == arriving
    for key, at in positions.items():
        assert 0 <= at[0] <= scenario.table.width
        assert 0 <= at[1] <= scenario.table.depth
        if key in scenario.units:
            unit = scenario.units[key]
            assert unit.position in (None, at)
            if unit.zone is not None:
                assert is_inside(at, scenario.sides[unit.side].deployment[unit.zone])
            if unit.inside is not None:
                assert is_inside(at, scenario.terrain[unit.inside].area or ())
            water = [piece for piece in scenario.terrain.values() if piece.is_deep]
            assert not any(lies_in(at, piece) for piece in water)
    for first, second in combinations((key for key in positions if key in scenario.units), 2):
        room = scenario.units[first].room + scenario.units[second].room
        assert dist(positions[first], positions[second]) >= room - 1e-9, (first, second)


def test_leaders_stand_with_their_units(scenario: Scenario) -> None:
    positions = starting_positions(scenario)
    for key, leader in scenario.leaders.items():
        if leader.unit is not None:
            assert positions.get(key) == positions.get(leader.unit)


def test_the_vocabulary_is_listed() -> None:
    """Everything a translation must be tested with occurs in some shipped scenario."""
    scenarios = [load_scenario(name) for name in SHIPPED]
    units = [unit for scenario in scenarios for unit in scenario.units.values()]
    assert {unit.kind for unit in units} == {
        "european_regular",
        "native_regular",
        "own_led_regular",
        "european_irregular",
        "tribal",
        "civilian",
    }
    assert {unit.arm for unit in units} >= {
        "infantry",
        "cavalry",
        "camelry",
        "mounted_infantry",
        "artillery",
        "machine_gun",
        "rocket",
        "wagon",
        "pack_animals",
        "civilians",
    }
    assert {trait for unit in units for trait in unit.traits} >= {
        "lancers",
        "fanatic",
        "ladders",
        "engineers",
    }
    assert {unit.gun.kind for unit in units if unit.gun} >= {"light", "mountain", "field", "siege"}
    assert any(unit.hidden for unit in units)
    assert any(unit.arrival and unit.arrival.die for unit in units)
    assert any(scenario.night for scenario in scenarios)
    assert any(scenario.siege for scenario in scenarios)
    assert any(scenario.hidden for scenario in scenarios)
    assert any(scenario.events for scenario in scenarios)
    goals = {goal.kind for scenario in scenarios for goal in scenario.objectives.values()}
    assert goals == {"hold", "destroy", "carry_off", "escort", "capture_leader", "survive"}
    sizes = sorted(max(len(s.units_of(side)) for side in s.sides) for s in scenarios)
    assert sizes[0] == 4
    assert sizes[-1] == 16


def test_digest_depends_on_content_only() -> None:
    text = (FOLDER / "patrol_clash.yaml").read_text(encoding="utf-8")
    digest = load_scenario("patrol_clash").digest
    assert parse_scenario("# a remark\n" + text.replace("turns: 12", "turns:   12"), "f").digest == digest
    assert parse_scenario(text.replace("turns: 12", "turns: 13"), "f").digest != digest
    first, second = text.index("  fusiliers:"), text.index("  sikhs:")
    third = text.index("  lancers:")
    swapped = text[:first] + text[second:third] + text[first:second] + text[third:]
    assert parse_scenario(swapped, "f").digest != digest, "the order of units matters"


def test_a_scenario_is_found_by_name_or_path(tmp_path: Path) -> None:
    copy = tmp_path / "mine.yaml"
    copy.write_text((FOLDER / "river_ford.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    assert load_scenario(copy) == load_scenario(str(copy)) == load_scenario("river_ford")
    with pytest.raises(ZarebaError, match="there is no scenario 'river_frod'; did you mean 'river_ford'"):
        load_scenario("river_frod")
    with pytest.raises(ZarebaError, match="there is no such file"):
        load_scenario("nowhere.yaml")


def test_the_published_schema_is_up_to_date() -> None:
    fresh = json.dumps(scenario_schema(), indent=2) + "\n"
    assert SCHEMA.read_text(encoding="utf-8") == fresh, "write json.dumps(scenario_schema(), indent=2) to the file"
