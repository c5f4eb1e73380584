"""The notes on what a scenario says and rules have no words for."""

from __future__ import annotations

from zareba.scenario import load_scenario, parse_scenario
from zareba.scenario.unspoken import WORDS, unspoken

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


def test_nothing_is_noted_where_nothing_was_said() -> None:
    plain = parse_scenario(PLAIN, "plain.yaml")
    assert unspoken(plain, ()) == []


def test_what_was_said_is_noted_in_words_unless_the_rules_know_it() -> None:
    dark = load_scenario("patrol_clash").model_copy(update={"night": True, "fog": True, "events": {"rain": None}})
    unit = next(iter(dark.units.values()))
    units = [
        unit.model_copy(update={"hidden": True, "traits": ("no_quarter", "volley")}),
        unit.model_copy(update={"hidden": True, "traits": ("fanatic",)}),
    ]
    known = WORDS.keys() - {"night", "fog", "events", "hidden"}
    assert unspoken(dark, known, units, ("volley",)) == [
        "hidden deployment: 2 hidden units openly on the table",
        "night: no effect on sight or fire",
        "fog: no effect on sight or fire",
        "1 event of weather or light",
        "traits: fanatic, no quarter",
    ]
    assert unspoken(dark, WORDS, units, ("volley", "fanatic", "no_quarter")) == []
