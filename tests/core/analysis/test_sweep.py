"""Sweeps of one number of the rules: available numbers, changing one, and the curve through its values."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.core.analysis.fabricated import SIDES, run_games

from zareba.analysis.compare import Comparison, compare
from zareba.analysis.findings.findings import summarise
from zareba.analysis.games.notable import command_of_record, most_different, play_command
from zareba.analysis.games.records import Variant
from zareba.analysis.studies.sweep import Sweep, curves, number_at, numbers_of, values_of, with_number
from zareba.base.errors import ZarebaError
from zareba.registry import load_rules
from zareba.report.view import view_of

AGENTS = tuple((side, "random") for side in SIDES)


def compare_bites(*bites: float, games: int = 60) -> Comparison:
    variants = [Variant(f"bite={bite}", "mild", (("bite", bite),)) for bite in bites]
    return compare("toy", variants, games, 3, 1, AGENTS, run_games)


def test_every_number_has_its_path_and_a_strange_one_is_reported() -> None:
    rules = load_rules("vcc")
    found = numbers_of(rules)
    assert found["hits_per_base"] == 6, "a setting, by its name"
    assert found["rocket.on_target"] == 5
    assert not any(path.startswith("settings.") for path in found)
    assert all(type(value) in (int, float) for value in found.values()), "booleans are not numbers"
    with pytest.raises(ZarebaError, match=r"rocket\.on_target"):
        number_at(rules, "rocket.on_targt")


@pytest.mark.parametrize(
    ("written", "values"), [("1..3", [1, 2, 3]), ("-1..1", [-1, 0, 1]), ("2,4,8", [2, 4, 8]), ("0.5,1.5", [0.5, 1.5])]
)
def test_values_are_a_range_or_a_list(written: str, values: list[float]) -> None:
    assert values_of(written) == values


@pytest.mark.parametrize(
    ("written", "gives"),
    [
        *((written, "no value") for written in ("", "5..1", "a..b", "1,x")),
        *((written, "one value") for written in ("3", "3..3", "3,3")),
        *((written, "more than 20 values") for written in ("1..100", f"1..{10**30}", ",".join(map(str, range(21))))),
    ],
)
def test_sweep_rejects_too_few_and_too_many_values(written: str, gives: str) -> None:
    with pytest.raises(ZarebaError, match=f"'{written}' gives {gives}"):
        values_of(written)


def test_a_changed_number_is_a_house_rule_that_can_be_played_with(tmp_path: Path) -> None:
    rules = load_rules("vcc")
    variant = with_number(rules, "rocket.on_target", 4, tmp_path)
    assert variant.rules().data["rocket"]["on_target"] == 4
    (file,) = tmp_path.iterdir()
    assert json.loads(file.read_text())["changes"] == [{"at": "rocket.on_target", "was": 5, "to": 4}]
    assert with_number(rules, "hits_per_base", 7, tmp_path).settings == (("hits_per_base", 7),)
    with pytest.raises(ZarebaError):
        with_number(rules, "hits_per_base", 99, tmp_path)
    with pytest.raises(ZarebaError):
        with_number(rules, "rocket.on_target", -1, tmp_path)
    assert list(tmp_path.iterdir()) == [file], "no file remains of a refused value"


def test_a_curve_has_every_value_and_a_slope_by_games() -> None:
    found = compare_bites(0.0, 0.02, 0.04)
    sweep = Sweep("bite", "mild", 0.0, tuple((float(v.name[5:]), v.name) for v in found.variants))
    data = curves(sweep, found.columns())
    losses = next(curve for curve in data["curves"] if curve["metric"] == "M10")
    assert [point["at"] for point in losses["points"]] == [0.0, 0.02, 0.04]
    values = [point["value"] for point in losses["points"]]
    slope = losses["slope"]
    # With three equally spaced values the slope depends only on the first and the last mean.
    assert slope["value"] == pytest.approx((values[2] - values[0]) / 0.04, abs=1e-4)
    assert slope["low"] <= slope["value"] <= slope["high"] and slope["n"] == 60
    assert {curve["name"] for curve in data["curves"] if curve["metric"] == "M1"} == {
        f"won by {side}" for side in SIDES
    }
    json.dumps(data)


def test_values_without_effect_are_never_shown_as_different() -> None:
    found = compare_bites(0.0, games=40)
    one = found.variants[0]
    twin = replace(one, name="twin")
    records = (*found.records, *(replace(record, variant="twin") for record in found.records))
    alike = replace(found, variants=(one, twin), records=records)
    data = curves(Sweep("bite", "mild", 0, ((0, one.name), (1, "twin"))), alike.columns())
    assert all(curve["slope"]["value"] == 0 and not curve["slope"]["shown"] for curve in data["curves"])
    assert [(pair["games"], pair["alike"], pair["of"]) for pair in most_different(alike.columns(), "toy")] == [
        ([], 40, 40)
    ]
    (sentence,) = view_of(summarise(alike)).identical_pairs
    assert sentence.startswith("bite=0.0 and twin share the luck of each game, and all 40 games went alike")


def test_games_that_differ_most_come_first_with_both_commands() -> None:
    found = compare_bites(0.0, 0.04)
    (pair,) = most_different(found.columns(), "toy")
    assert pair["of"] == 60
    parted = [game["winners"][0] != game["winners"][1] for game in pair["games"]]
    assert parted == sorted(parted, reverse=True)
    leads = [
        abs(game["leads"][0] - game["leads"][1]) for game in pair["games"] if game["winners"][0] != game["winners"][1]
    ]
    assert leads == sorted(leads, reverse=True)
    first, second = pair["games"][0]["again"]
    assert "--set=bite=0.0" in first and "--set=bite=0.04" in second
    assert summarise(found)["told_apart"] == [pair]
    assert (
        most_different(
            compare("toy", [Variant("a", "mild"), Variant("b", "fierce")], 4, 1, 1, AGENTS, run_games).columns(), "toy"
        )
        == []
    )


def test_command_of_a_game_contains_all_its_conditions() -> None:
    found = compare_bites(0.02, games=2)
    plain, turned_ = found.records
    variant = Variant("v", "vcc", (("mg_overheat", False),), ("./my rule.yaml",))
    command = command_of_record(turned_, variant, "toy")
    assert command.startswith(
        f"zareba play toy --ruleset=vcc --seed={turned_.seed} --seat=british=random --seat=zulu=random"
    )
    assert "--set=mg_overheat=false" in command and "'--house-rule=./my rule.yaml'" in command
    assert "--listed-first=zulu" in command
    assert "--listed-first" not in play_command(variant, "toy", 1, plain.agents, None)
