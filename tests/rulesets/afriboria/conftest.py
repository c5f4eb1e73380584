"""Shared fixtures of the Afriboria tests: rules data by settings, hexes, scripts, and whole games."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from zareba.base.yamlfile import read_yaml
from zareba.registry import find_house_rule, load_rules, ruleset
from zareba.rules import Rules
from zareba.scenario import Scenario, parse_scenario
from zareba.table import ScriptedTable
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.chapters.exchange import ExchangeFacts
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.game import AfrGame


@cache
def _book(settings: tuple[tuple[str, Any], ...]) -> AfrBook:
    return AfrBook(load_rules("afriboria", dict(settings)))


@pytest.fixture
def book() -> Callable[..., AfrBook]:
    """`book(stacking="one_unit")`: the rules data with these settings."""
    return lambda **settings: _book(tuple(sorted(settings.items())))


@pytest.fixture
def rules() -> AfrBook:
    """The rules data with the default settings."""
    return _book(())


@cache
def _written() -> Any:
    return read_yaml(ruleset("afriboria").folder / "ruleset.yaml").data


@pytest.fixture
def ruled(tmp_path: Path) -> Callable[..., AfrBook]:
    """`ruled({"jam.above": 1}, stacking="one_unit")`: the rules data with a house rule that changes these entries."""

    def make(changes: dict[str, Any], **settings: Any) -> AfrBook:
        lines = []
        for path, to in changes.items():
            was = _written()
            for key in path.split("."):
                was = was[key]
            lines.append(f"  - {{at: {path}, was: {json.dumps(was)}, to: {json.dumps(to)}, why: to see}}\n")
        file = tmp_path / "changed.yaml"
        file.write_text("house_rule: changed\ntitle: Changed\nruleset: afriboria\nchanges:\n" + "".join(lines), "utf-8")
        return AfrBook(load_rules("afriboria", settings, [find_house_rule(str(file))]))

    return make


@pytest.fixture
def at() -> Callable[[int, int], int]:
    """`at(column, row)` on the bare map, 9 columns wide."""
    return lambda column, row: row * 9 + column


@pytest.fixture
def scripted() -> Callable[[Battle, Sequence[tuple[str, Any]]], ScriptedTable]:
    """A strict script for a battle: `with scripted(battle, [...]) as table:`."""
    return lambda battle, script: ScriptedTable(battle.book.rules, battle, script)


@pytest.fixture
def defence() -> Callable[[Battle, ExchangeFacts], int]:
    """`defence(battle, facts)`: the defence dice of the defender in an exchange."""

    def dice(battle: Battle, facts: ExchangeFacts) -> int:
        return 0 if facts.answer is None else battle.book.rules.tally("defence_dice", facts.answer).total

    return dice


SKIRMISH = """
id: skirmish
title: Skirmish
year: 1885
place: Somewhere
note: A small fight for tests.
turns: {turns}
first: {first}
siege: {siege}
table: {{width: {width}, depth: {depth}}}
terrain: {{{terrain}}}
sides:
  red: {{name: Red, role: attacker, home_edge: south, deployment: {{south: [[0, 0], [{width}, 0], [{width}, 10], [0, 10]]}}}}
  blue: {{name: Blue, role: defender, home_edge: north, deployment: {{north: [[0, 26], [{width}, 26], [{width}, {depth}], [0, {depth}]]}}}}
units: {{{units}}}
leaders: {{{leaders}}}
objectives: {{{beaten}{objectives}}}
objects: {{{objects}}}
overrides: {{{overrides}}}
"""
UNITS = """
  rifles: {name: Rifles, side: red, arm: infantry, kind: european_regular, figures: 12, weapon: breech_rifle},
  spears: {name: Spears, side: blue, arm: infantry, kind: tribal, figures: 16, close_weapon: spear}
"""
BEATEN = "beaten: {kind: destroy, name: Beaten, share: 1}, "


@pytest.fixture
def scenario() -> Callable[..., Scenario]:
    """A small scenario; every part of its text can be replaced by name."""

    def make(**parts: Any) -> Scenario:
        values = {
            "turns": 6, "first": "red", "siege": "false", "width": 48, "depth": 36, "terrain": "", "units": UNITS,
            "leaders": "", "objectives": "", "objects": "", "overrides": "",
        }  # fmt: skip
        return parse_scenario(SKIRMISH.format(beaten=BEATEN, **(values | parts)), "skirmish.yaml")

    return make


@pytest.fixture
def game(scenario: Callable[..., Scenario]) -> Callable[..., AfrGame]:
    """`game(settings, turns=3, ...)`: a game of the small scenario."""

    def make(settings: dict[str, Any] | None = None, **parts: Any) -> AfrGame:
        rules: Rules = load_rules("afriboria", settings or {})
        return AfrGame(rules, scenario(**parts))

    return make
