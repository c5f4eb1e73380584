"""Small neutral scenarios to test the translation into VCC."""

from __future__ import annotations

from typing import Any

from tests.rulesets.vcc.battlefields import rules_with

from zareba.base.state import canonical_json
from zareba.scenario import Scenario
from zareba_rulesets.vcc.book import VccBook
from zareba_rulesets.vcc.game import VccGame
from zareba_rulesets.vcc.translation import Plan, translate


def troops(side: str = "army", arm: str = "infantry", kind: str = "european_regular", **more: Any) -> dict[str, Any]:
    """A unit of 20 figures; by default it has a position, not a zone."""
    return {"name": "Unit", "side": side, "arm": arm, "kind": kind, "figures": 20, **more}


def scenario(units: dict[str, dict[str, Any]], **parts: Any) -> Scenario:
    """A scenario on a board of 48 x 48 inches with the sides `army` in the south and `band` in the north."""
    enemy = (
        {"enemy": troops("band", kind="tribal", position=[24, 45])}
        if not any(unit["side"] == "band" for unit in units.values())
        else {}
    )
    return Scenario.model_validate_json(
        canonical_json(
            {
                "id": "trial",
                "title": "A trial",
                "year": 1880,
                "place": "nowhere",
                "note": "",
                "turns": 10,
                "table": {"width": 48, "depth": 48},
                "sides": {
                    "army": {
                        "name": "Army",
                        "home_edge": "south",
                        "deployment": {"zone": [[0, 0], [48, 0], [48, 12], [0, 12]]},
                    },
                    "band": {
                        "name": "Band",
                        "home_edge": "north",
                        "deployment": {"zone": [[0, 36], [48, 36], [48, 48], [0, 48]]},
                    },
                },
                "units": {**units, **enemy},
                **parts,
            }
        ),
        strict=True,
    )


def translated(units: dict[str, dict[str, Any]], settings: dict[str, Any] | None = None, **parts: Any) -> Plan:
    """Return the scenario translated into boxes, with these settings."""
    return translate(VccBook(rules_with(**(settings or {}))), scenario(units, **parts))


def game_of(units: dict[str, dict[str, Any]], settings: dict[str, Any] | None = None, **parts: Any) -> VccGame:
    """Return a game of the scenario."""
    return VccGame(rules_with(**(settings or {})), scenario(units, **parts))
