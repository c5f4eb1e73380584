"""A carried object lies within reach after its carrier is lost."""

from __future__ import annotations

import json
from typing import Any

import pytest

from zareba.registry import load_rules
from zareba.scenario import parse_scenario
from zareba.table import SeededTable

LAKE = (12.0, 20.0, 18.0, 26.0)


def game(ruleset: str) -> Any:
    """A battle for a chest beside a lake."""
    west, south, east, north = LAKE
    unit = {"name": "Unit", "arm": "infantry", "kind": "european_regular", "weapon": "breech_rifle"}
    doc = {
        "id": "chest",
        "title": "The chest",
        "year": 1880,
        "place": "nowhere",
        "note": "",
        "turns": 6,
        "table": {"width": 48, "depth": 48},
        "terrain": {"lake": {"kind": "lake", "area": [[west, south], [east, south], [east, north], [west, north]]}},
        "sides": {
            "red": {"name": "Red", "role": "attacker", "home_edge": "south"},
            "blue": {"name": "Blue", "role": "defender", "home_edge": "north"},
        },
        "units": {
            "foot": unit | {"side": "red", "figures": 10, "position": [15, 8]},
            "foes": unit | {"side": "blue", "figures": 10, "position": [15, 44]},
        },
        "objects": {"chest": {"name": "Chest", "kind": "paychest", "carrier": "foot"}},
        "objectives": {
            "off": {"kind": "carry_off", "name": "Off", "object": "chest", "edge": "south", "by": ["red"]},
            "last": {"kind": "destroy", "name": "Drive them off", "share": 0.5},
        },
    }
    return load_rules(ruleset).game(parse_scenario(json.dumps(doc), "chest.yaml"))


@pytest.mark.rule("RSK-185")
def test_a_group_round_a_lake_leaves_the_chest_on_its_shore() -> None:
    from zareba_rulesets.risk_factor.chapters.victory import take_carried_objects

    of = game("risk_factor")
    state = of.start()
    unit = state.units[state.carried_objects["chest"].carrier]
    west, south, east, north = (2.54 * side for side in LAKE)
    shore = [(west - 2, south - 2), (east + 2, south - 2), (east + 2, north + 2), (west - 2, north + 2)]
    unit.body = type(unit.body)(tuple(shore[place % 4] for place in range(len(unit.body))), unit.body.radius)
    assert state.field.is_closed(unit.body.centre)
    take_carried_objects(SeededTable(of.rules, state, 1, {}), state, of.scenario)
    assert state.carried_objects["chest"].at in shore


@pytest.mark.rule("FBN-265")
def test_a_unit_round_a_lake_leaves_the_chest_on_its_shore() -> None:
    from zareba_rulesets.fixed_baynet.chapters.victory import take_carried_objects
    from zareba_rulesets.fixed_baynet.forces.battle import open_ground

    of = game("fixed_baynet")
    state = of.start()
    unit = state.units.change(state.carried_objects["chest"].carrier)
    west, south, east, north = LAKE
    shore = [(west - 1, south - 1), (east + 1, south - 1), (east + 1, north + 1), (west - 1, north + 1)]
    for place, man in enumerate(unit.figures.values()):
        man.x, man.y = shore[place % 4]
    unit.measure()
    assert not open_ground(state, *unit.middle)
    take_carried_objects(SeededTable(of.rules, state, 1, {}), state)
    assert state.carried_objects["chest"].at in shore
