"""An empty scenario becomes valid once it has units and an objective."""

from __future__ import annotations

import pytest

from zareba.authoring.blank import blank_scenario
from zareba.authoring.scenario_yaml import set_value
from zareba.base.errors import ZarebaError
from zareba.base.yamlfile import parse_yaml
from zareba.scenario import parse_scenario

MEN = {"arm": "infantry", "kind": "tribal", "figures": 10}


@pytest.mark.parametrize(("width", "depth"), [(12, 12), (48, 36), (200, 200)])
def test_a_blank_scenario_becomes_valid_with_units_and_an_objective(width: int, depth: int) -> None:
    text = blank_scenario("mine", "Mine", width, depth, ["Ours: the few", "Theirs"])
    with pytest.raises(ZarebaError, match="units"):
        parse_scenario(text, "mine")
    for side in ("ours_the_few", "theirs"):
        text = set_value(text, ["units", f"men_{side}"], {"name": "Men", "side": side, **MEN})
    text = set_value(text, ["objectives", "break"], {"kind": "destroy", "name": "Break them", "share": 0.5})
    scenario = parse_scenario(text, "mine")
    assert (scenario.table.width, scenario.sides["ours_the_few"].name) == (width, "Ours: the few")
    assert text.startswith("# In inches") and "# In inches" in set_value(text, ["night"], True)


@pytest.mark.parametrize(("width", "depth"), [(11, 36), (48, 201)])
def test_impossible_table_sizes_are_refused(width: int, depth: int) -> None:
    with pytest.raises(ZarebaError, match=r"width|depth"):
        blank_scenario("mine", "Mine", width, depth, ["Ours", "Theirs"])


def test_names_with_special_characters_are_read_back_unchanged() -> None:
    for title in ("no", "12", "a: b # c", "\U0001f418", "'"):
        assert parse_yaml(blank_scenario("mine", title, 48, 36, [title, title]), "mine").data["title"] == title


@pytest.mark.parametrize(
    ("sides", "ids"),
    [
        (["The column", "Zulus"], ["column", "zulus"]),
        (["Us", "us!"], ["us_1", "us_2"]),
        (["Dice", "The 24th"], ["dice_1", "n_24th_2"]),
    ],
)
def test_side_ids_in_the_file_follow_their_names(sides: list[str], ids: list[str]) -> None:
    data = parse_yaml(blank_scenario("mine", "Mine", 48, 36, sides), "mine").data
    assert isinstance(data["sides"], dict) and list(data["sides"]) == ids
