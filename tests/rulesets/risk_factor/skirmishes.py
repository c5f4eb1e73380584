"""Small test scenarios, written as scenario files are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.rulesets.risk_factor.battlefields import rules_with

from zareba.scenario import Scenario, parse_scenario
from zareba.table import Option
from zareba_rulesets.risk_factor.actions import legal_orders
from zareba_rulesets.risk_factor.forces import Battle, Unit
from zareba_rulesets.risk_factor.game import RskGame

__all__ = ["game", "order_options", "skirmish"]

TEXT = """
id: skirmish
title: Skirmish
year: 1880
place: Somewhere
note: A small fight for tests.
turns: {turns}
first: {first}
table: {{width: 60, depth: 48}}
terrain: {{{terrain}}}
sides:
  red: {{name: Red, role: attacker, home_edge: south, deployment: {{zone: [[2, 1], [58, 1], [58, 16], [2, 16]]}}}}
  blue: {{name: Blue, role: {role}, home_edge: north, deployment: {{zone: [[2, 32], [58, 32], [58, 47], [2, 47]]}}}}
units: {{{units}}}
leaders: {{{leaders}}}
objectives: {{beaten: {{kind: destroy, name: Beaten, share: 1}}{objectives}}}
objects: {{{objects}}}
hidden: {{{hidden}}}
overrides: {{{overrides}}}
"""
UNITS = """
  rifles: {name: Rifles, side: red, arm: infantry, kind: european_regular, figures: 20, weapon: breech_rifle, close_weapon: bayonet, traits: [formed, volley]},
  spears: {name: Spears, side: blue, arm: infantry, kind: tribal, figures: 32, weapon: throwing_spear, close_weapon: spear, formation: mass}
"""
LEADERS = "captain: {name: Captain, side: red, rank: officer, unit: rifles}, chief: {name: Chief, side: blue, rank: chief, unit: spears}"


def skirmish(**parts: Any) -> Scenario:
    """A small scenario; any part of its text can be replaced by name."""
    values = {
        "turns": 6, "first": "red", "role": "defender", "terrain": "", "units": UNITS, "leaders": LEADERS,
        "objectives": "", "objects": "", "hidden": "", "overrides": "",
    }  # fmt: skip
    return parse_scenario(TEXT.format(**(values | parts)), "skirmish.yaml")


def game(settings: dict[str, Any] | None = None, solo: Iterable[str] = (), **parts: Any) -> RskGame:
    """A game of the small scenario. Names of settings use `_` for the dot."""
    return RskGame(rules_with(**(settings or {})), skirmish(**parts), frozenset(solo))


def order_options(battle: Battle, unit: Unit) -> list[Option]:
    """The orders that a unit may be given, as options."""
    return [order.option for order in legal_orders(battle, unit, game().plan)]
