"""`zareba hooks` lists everything a house rule can use: values of facts, options of questions and fields of the
state.
"""

from __future__ import annotations

import json
from functools import cache

import pytest
from typer.testing import CliRunner

from zareba.base.errors import ZarebaError
from zareba.cli import app
from zareba.cli.author.hooks import core_hooks, published_names


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
def test_all_names_of_a_ruleset_are_listed_with_options_and_fields(
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
    figures = {"fields_of_a_figure"} if ruleset in ("fixed_baynet", "paychest") else set()
    assert set(found) == figures | {
        "hooks", "steps", "procedures", "tallies", "questions", "actions", "option_words", "events", "marks",
        "fields_of_the_battle", "fields_of_a_unit",
    }  # fmt: skip
    assert {what for what, words in found.items() if not words} <= {"actions"}
    assert "decides movement" in found["tallies"]["movement"]


def test_the_command_lists_hooks_and_what_a_ruleset_has() -> None:
    found = listed("vcc")
    assert found["hooks"] == core_hooks()
    assert found["questions"]["fire at"] == "choose; options: hold fire, and others"
    assert found["questions"]["fire"] == found["questions"]["melee"] == "roll"  # asked by a helper
    assert {"prone", "charged", "broken"} <= set(found["marks"])
    assert "unit" in found["events"]["fire"]
    with pytest.raises(ZarebaError, match="did you mean 'vcc'"):
        published_names("vc")


def test_words_of_options_are_listed() -> None:
    assert "pass" in listed("fixed_baynet")["option_words"]


def test_actions_are_listed_with_their_fields_and_texts() -> None:
    found = listed("fixed_baynet")
    assert found["actions"]["act: check glory"].startswith("check glory: ")
    assert "{target:squad}" in found["actions"]["act: rally, officer, target"]
    assert found["questions"]["rally whom"] == "choose; options: rally"
    assert "rally" in found["questions"]["act"] and "wheel" not in found["questions"]["act"]
