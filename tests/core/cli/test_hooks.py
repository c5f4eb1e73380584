"""`zareba hooks` lists everything a house rule can use: values of facts, options of questions and fields of the
state.
"""

from __future__ import annotations

import json
from functools import cache

import pytest
from typer.testing import CliRunner

from zareba.cli import app


@cache
def listed(name: str) -> dict[str, dict[str, str]]:
    """Return what the command lists for a ruleset."""
    found: dict[str, dict[str, str]] = json.loads(CliRunner().invoke(app, ["hooks", name, "--json"]).stdout)
    return found


def test_facts_are_listed_with_their_values() -> None:
    shot = listed("vcc")["tallies"]["fire_dice"]
    assert "band: Band ('close', 'medium', 'long')" in shot
    assert "leader: bool (True, False)" in shot


@pytest.mark.parametrize(
    ("ruleset", "questions"),
    [
        ("vcc", {"fire at": ["hold fire"], "support": ["nobody"]}),
        pytest.param("risk_factor", {"shoot at": ["hold fire"], "will load or fire": ["done"]}, marks=pytest.mark.deep),
        pytest.param(
            "paychest",
            {"melee": ["fight all", "man by man", "no melee"], "posture": ["down", "up"]},
            marks=pytest.mark.deep,
        ),
        pytest.param("afriboria", {"card to exchange": ["no more"]}, marks=pytest.mark.deep),
        ("fixed_baynet", {}),
    ],
)
def test_questions_are_listed_with_options_and_states_with_fields(
    ruleset: str, questions: dict[str, list[str]]
) -> None:
    found = listed(ruleset)
    for question, options in questions.items():
        words = found["questions"][question].partition("options: ")[2].partition(";")[0].split(", ")
        assert set(options) <= set(words)
        assert "hold" not in words
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
