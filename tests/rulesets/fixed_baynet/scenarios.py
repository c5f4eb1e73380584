"""Small neutral scenarios to test the translation into Fixed Bay'net."""

from __future__ import annotations

from functools import cache
from typing import Any

from tests.rulesets.fixed_baynet.plain import rules_with, scripted

from zareba.base.state import canonical_json
from zareba.scenario import Scenario, load_scenario
from zareba.table.questions import Step
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.game import FbnGame


def troops(side: str = "army", arm: str = "infantry", kind: str = "european_regular", **more: Any) -> dict[str, Any]:
    """A unit of ten riflemen by default."""
    return {"name": "Unit", "side": side, "arm": arm, "kind": kind, "figures": 10, "weapon": "breech_rifle", **more}


def scenario(units: dict[str, dict[str, Any]], third: bool = False, **parts: Any) -> Scenario:
    """A board of 60 by 60 inches: `army` in the south, `band` in the north with one unit, perhaps `gang` in the
    west.
    """
    enemy = {"enemy": troops("band", kind="tribal", position=[30, 52])}
    sides = {
        "army": {"name": "Army", "home_edge": "south", "deployment": {"zone": [[0, 0], [60, 0], [60, 14], [0, 14]]}},
        "band": {"name": "Band", "home_edge": "north"},
    }
    if third:
        sides["gang"] = {"name": "Gang", "home_edge": "west"}
        enemy["gang"] = troops("gang", kind="tribal", position=[8, 30])
    data = {
        "id": "trial", "title": "A trial", "year": 1880, "place": "nowhere", "note": "", "turns": 10,
        "table": {"width": 60, "depth": 60}, "sides": sides, "units": {**units, **enemy}, **parts,
    }  # fmt: skip
    return Scenario.model_validate_json(canonical_json(data), strict=True)


def game(units: dict[str, dict[str, Any]], settings: dict[str, Any] | None = None, **parts: Any) -> FbnGame:
    """Return a game of the scenario with these settings."""
    made = rules_with(**(settings or {}))
    return FbnGame(made, scenario(units, **parts))


@cache
def shipped(name: str) -> FbnGame:
    """Return a game of a shipped scenario."""
    return FbnGame(rules_with(), load_scenario(name))


PLACED = {"foot": troops(position=[20, 8]), "other": troops(position=[40, 8])}


def started(
    units: dict[str, dict[str, Any]] | None = None, settings: dict[str, Any] | None = None, **parts: Any
) -> tuple[FbnGame, Battle]:
    """A game after initiative: the band goes first and its units are ready to activate."""
    made = game(units or PLACED, settings, **parts)
    state = made.start()
    for key in state.units:
        state.units.change(key)
    with scripted(state, ("initiative", [5]), ("initiative", [2]), **(settings or {})) as table:
        made.play.perform(table, state, Step("initiative.roll", 1, "0"))
    return made, state
