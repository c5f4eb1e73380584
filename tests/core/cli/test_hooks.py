"""`zareba hooks` lists everything a house rule can use: values of facts, options of questions and fields of the state."""

from __future__ import annotations

import json
from functools import cache

import pytest
from typer.testing import CliRunner

from zareba.cli import app

SYSTEMS = ("afriboria", "fixed_baynet", "paychest", "risk_factor", "vcc")


@cache
def listed(name: str) -> dict[str, dict[str, str]]:
    """Return what the command lists for a ruleset."""
    found: dict[str, dict[str, str]] = json.loads(CliRunner().invoke(app, ["hooks", name, "--json"]).stdout)
    return found


def test_facts_have_their_values() -> None:
    shot = listed("vcc")["tallies"]["fire_dice"]
    assert "band: Band ('close', 'medium', 'long')" in shot
    assert "leader: bool (True, False)" in shot


@pytest.mark.parametrize(
    ("ruleset", "question", "options"),
    [
        ("vcc", "fire at", ["hold fire"]),
        ("vcc", "support", ["nobody"]),
        ("risk_factor", "shoot at", ["hold fire"]),
        ("risk_factor", "will load or fire", ["done"]),
        ("paychest", "melee", ["fight all", "man by man", "no melee"]),
        ("paychest", "posture", ["down", "up"]),
        ("afriboria", "card to exchange", ["no more"]),
    ],
)
def test_questions_have_their_options(ruleset: str, question: str, options: list[str]) -> None:
    said = listed(ruleset)["questions"][question]
    words = said.partition("options: ")[2].partition(";")[0].split(", ")
    assert set(options) <= set(words)
    assert "hold" not in words


@pytest.mark.parametrize("ruleset", SYSTEMS)
def test_the_fields_of_the_battle_and_of_units_are_listed(ruleset: str) -> None:
    found = listed(ruleset)
    assert {"units", "turn"} & set(found["fields_of_the_battle"])
    assert {"spec.id", "spec.side", "spec.name"} <= set(found["fields_of_a_unit"])
    assert "marks" in found["fields_of_a_unit"]
    assert ("fields_of_a_figure" in found) == (ruleset in ("fixed_baynet", "paychest"))


def test_words_of_options_are_listed() -> None:
    assert "pass" in listed("fixed_baynet")["option_words"]


def test_actions_are_listed_with_their_fields_and_texts() -> None:
    found = listed("fixed_baynet")
    assert found["actions"]["act: check glory"].startswith("check glory: ")
    assert "{target:squad}" in found["actions"]["act: rally, officer, target"]
    assert found["questions"]["rally whom"] == "choose; options: rally"
    assert "rally" in found["questions"]["act"] and "wheel" not in found["questions"]["act"]
