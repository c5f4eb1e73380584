"""The questions a ruleset asks of a scenario."""

from __future__ import annotations

from pathlib import Path

import pytest

from zareba.scenario import Scenario, arrival_point, load_scenario, parse_scenario, starting_positions
from zareba.scenario.model import Arrival
from zareba.scenario.placement import lies_in
from zareba.space import Edge, Point

TRIAL = Path(__file__).with_name("trial.yaml").read_text(encoding="utf-8")


@pytest.fixture
def trial() -> Scenario:
    return parse_scenario(TRIAL, "trial.yaml")


def test_units_and_leaders_of_a_side(trial: Scenario) -> None:
    assert list(trial.units_of("red")) == ["foot", "horse", "guns"]
    assert list(trial.units_of("blue")) == ["swords", "late"]
    assert trial.enemies_of("red") == ("blue",)
    assert trial.leader_of("foot") == "colonel"
    assert trial.leader_of("horse") is None


def test_leaders_come_highest_first_and_as_listed_within_a_rank() -> None:
    ranks = ["nco", "officer", "commander", "officer", "headman", "chief"]
    more = "".join(f"  extra_{i}: {{name: X, side: red, rank: {rank}, unit: horse}}\n" for i, rank in enumerate(ranks))
    scenario = parse_scenario(TRIAL.replace("objectives:\n", f"{more}objectives:\n"), "f")
    found = list(scenario.leaders_of("red"))
    assert found == ["colonel", "extra_2", "extra_1", "extra_3", "extra_5", "extra_0", "extra_4"]
    assert scenario.leader_of("horse") == "extra_2"


def test_a_unit_faces_away_from_home_unless_told(trial: Scenario) -> None:
    assert trial.facing_of("foot") == "north"
    assert trial.facing_of("swords") is None
    turned = parse_scenario(TRIAL.replace("zone: front", "zone: front, facing: south_west"), "f")
    assert turned.facing_of("horse") == "south_west"


def test_objectives_without_a_side_are_for_all(trial: Scenario) -> None:
    assert list(trial.objectives_of("red")) == ["hill", "last"]
    assert list(trial.objectives_of("blue")) == ["hill", "chest_gone", "colonel_down"]
    assert trial.exits_for("red") == (), "an exit is for the side that scores by it"
    assert trial.exits_for("blue") == (("north", (), "chest"),)
    assert load_scenario("column_ambushed").exits_for("column") == (
        ("east", ("mules",), ""),
        ("east", ("bearers",), ""),
    )


def test_arrivals(trial: Scenario) -> None:
    assert trial.arrivals(3) == ("late",)
    assert trial.arrivals(4) == ()
    assert trial.units["foot"].arrival is None
    middles: dict[Edge, Point] = {"north": (30, 48), "south": (30, 0), "west": (0, 24), "east": (60, 24)}
    for edge, middle in middles.items():
        assert arrival_point(trial, Arrival(turn=3, edge=edge)) == middle
        assert arrival_point(trial, Arrival(turn=3, edge=edge, at=(7, 0))) == (7, 0)


def test_mounts_follow_the_arm(trial: Scenario) -> None:
    assert trial.units["horse"].mounted_on == "horse"
    assert not trial.units["foot"].mounted
    camels = parse_scenario(TRIAL.replace("arm: cavalry", "arm: camelry"), "f")
    assert camels.units["horse"].mounted_on == "camel"
    riding = parse_scenario(TRIAL.replace("weapon: breech_rifle", "weapon: breech_rifle, mount: camel"), "f")
    assert riding.units["foot"].mounted_on == "camel"


@pytest.mark.parametrize(("share", "armed"), [("1", 20), ("0.5", 10), ("0.42", 8), ("0.43", 9), ("0.001", 1)])
def test_a_share_of_the_figures_is_armed(share: str, armed: int) -> None:
    text = TRIAL.replace("weapon: breech_rifle", f"weapon: breech_rifle, share: {share}")
    assert parse_scenario(text, "f").units["foot"].armed == armed


def test_unit_without_a_weapon_has_no_armed_figures(trial: Scenario) -> None:
    assert trial.units["swords"].armed == 0


def test_forces_are_spread_over_their_zone_front_first() -> None:
    text = TRIAL.replace("position: [10, 5]", "zone: front").replace("position: [30, 5]", "zone: front")
    positions = starting_positions(parse_scenario(text, "f"))
    assert positions["foot"] == (30, 9), "the first unit is in the middle of the front"
    assert positions["horse"][1] == positions["guns"][1] == 9
    assert (positions["horse"][0] - 30) * (positions["guns"][0] - 30) < 0, "one on each side"
    assert positions["swords"] == (25, 40), "in front, next to the khan in the middle"
    assert positions["khan"] == (30, 44)
    assert positions["colonel"] == positions["foot"]
    assert "late" not in positions


def test_forces_keep_out_of_deep_water() -> None:
    lake = "  pond: {kind: lake, area: [[25, 40], [35, 40], [35, 46], [25, 46]]}\nsides:"
    scenario = parse_scenario(TRIAL.replace("sides:", lake, 1), "f")
    at = starting_positions(scenario)["swords"]
    assert not lies_in(at, scenario.terrain["pond"])


def test_a_line_of_terrain_has_a_width() -> None:
    river = "  river: {kind: river, line: [[0, 15], [60, 15]]}\nsides:"
    scenario = parse_scenario(TRIAL.replace("sides:", river, 1), "f")
    piece = scenario.terrain["river"]
    assert piece.is_deep
    assert piece.across == 4
    assert lies_in((30, 17), piece)
    assert not lies_in((30, 17.1), piece)
    narrow = TRIAL.replace("sides:", river.replace("]]", "]], width: 2, depth: shallow"), 1)
    assert parse_scenario(narrow, "f").terrain["river"].across == 2
    assert not parse_scenario(narrow, "f").terrain["river"].is_deep


def test_overrides_give_a_ruleset_what_it_cannot_guess() -> None:
    scenario = parse_scenario(TRIAL + "overrides:\n  some_rules: {legion: [foot]}\n", "f")
    assert scenario.overrides == {"some_rules": {"legion": ["foot"]}}
