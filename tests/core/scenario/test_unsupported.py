"""Notes about scenario words that a ruleset does not support."""

from __future__ import annotations

from typing import Any

import pytest

from zareba.scenario import load_scenario, parse_scenario
from zareba.scenario.unsupported import WORDS, SupportedWords, unsupported_words

PLAIN = """\
id: plain
title: Plain
year: 1880
place: anywhere
note: Made up for a test.
turns: 3
table: {width: 60, depth: 48}
terrain:
  hut: {kind: building, area: [[40, 20], [50, 20], [50, 30], [40, 30]]}
sides:
  red: {name: Red, victory: {quota: 1}}
  blue: {name: Blue, victory: {quota: 1}}
units:
  foot: {name: Foot, side: red, arm: infantry, kind: tribal, figures: 9, position: [10, 5]}
  guns: {name: Guns, side: blue, arm: artillery, kind: tribal, figures: 9, gun: {kind: field}, position: [30, 35]}
leaders:
  khan: {name: Khan, side: blue, rank: commander, position: [30, 44]}
"""


def test_no_note_is_made_for_a_scenario_without_special_words() -> None:
    plain = parse_scenario(PLAIN, "plain.yaml")
    assert unsupported_words(plain, SupportedWords()) == []


def test_unsupported_words_are_noted_in_words() -> None:
    dark = load_scenario("patrol_clash").model_copy(update={"night": True, "fog": True, "events": {"rain": None}})
    unit = next(iter(dark.units.values()))
    units = [
        unit.model_copy(update={"hidden": True, "traits": ("no_quarter", "volley")}),
        unit.model_copy(update={"hidden": True, "traits": ("fanatic",)}),
    ]
    known = {word: word not in ("night", "fog", "events", "hidden") for word in WORDS}
    assert unsupported_words(dark, SupportedWords(words=known, traits={"volley": True}), units) == [
        "hidden deployment: 2 hidden units openly on the table",
        "night: no effect on sight or fire",
        "fog: no effect on sight or fire",
        "1 event of weather or light",
        "special troops: fanatics, troops who give no quarter",
    ]
    every = SupportedWords(words=dict.fromkeys(WORDS, True), traits={"volley": True, "fanatic": True})
    assert unsupported_words(dark, every, units, used=["no_quarter"]) == []


def test_rulesets_note_their_own_substitutions() -> None:
    plain = parse_scenario(PLAIN, "plain.yaml")
    spoken = SupportedWords.model_validate(
        {
            "notes": {
                "siege": {"words": ["siege"], "note": "siege works: walls are cover"},
                "huts": {"words": ["building", "lake"], "note": "buildings and lakes: open ground"},
                "guns": {"words": ["artillery", "rocket"], "note": "guns are not in these rules: {units}"},
            }
        }
    )
    assert unsupported_words(plain, spoken) == ["buildings and lakes: open ground", "guns are not in these rules: Guns"]
    besieged = plain.model_copy(update={"siege": True})
    assert unsupported_words(besieged, spoken, ())[0] == "siege works: walls are cover"


@pytest.mark.parametrize(
    "said",
    [
        {"words": {"nigth": True}},
        {"notes": {"moon": {"words": ["night_"], "note": "no moon"}}},
    ],
)
def test_words_outside_the_vocabulary_are_refused(said: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="there is no word of a scenario called"):
        SupportedWords.model_validate(said)
