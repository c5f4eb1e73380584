"""Random games under random settings end, and the state is valid after every step."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from tests.rulesets.random_games import play, random_settings
from tests.systems import each_battle

from zareba.registry import load_rules
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.table import Event
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle
from zareba_rulesets.vcc.game import VccGame

ENDINGS = ("objectives", "collapse", "withdrawal", "turn_limit")


def points(battle: Battle) -> dict[tuple[int, str], int]:
    """Return the stacking points by box and side."""
    sides = battle.field.by_role
    return {(box, side): battle.stacking_points(box, side) for box in battle.here for side in sides}


def check_order(battle: Battle, before: dict[tuple[int, str], int], step: str) -> None:
    """Check the invariants of a state after a step."""
    per_base, limit = battle.book.settings.hits_per_base, battle.book.settings.stack_points
    to_come = set(battle.arrivals) | (set(battle.waiting) if battle.phase == "deployment" else set())
    for unit_id, unit in battle.units.items():
        assert unit.bases >= 0
        assert 0 <= unit.hits < per_base
        assert unit.wounds >= 0
        assert unit.strength > 0 or not unit.on_table, f"{unit_id} is destroyed and still there"
        assert sum((unit.on_table, unit_id in battle.gone, unit_id in to_come)) == 1, f"{unit_id} is nowhere, or twice"
        assert not ("broken" in unit.marks and "prone" not in unit.marks)
        assert not ("square" in unit.marks and "prone" in unit.marks)
    standing = sorted((unit.box, unit_id) for unit_id, unit in battle.units.items() if unit.on_table)
    assert sorted((box, unit_id) for box, there in battle.here.items() for unit_id in there) == standing
    for contact in battle.contacts:
        one, other = battle.unit(contact.charger), battle.unit(contact.charged)
        assert one.on_table and one.box == other.box and one.side != other.side
    for commander in battle.commanders.values():
        if commander.unit and battle.phase != "deployment":
            assert commander.box == battle.unit(commander.unit).box != OFF_TABLE
    if step.startswith("move."):  # only a retreat may exceed the box limit (VCC-156)
        for place, load in points(battle).items():
            assert load <= limit or load <= before.get(place, 0), f"box {place} is over the limit after {step}"


def referee(scenario: str, settings: dict[str, Any], seed: int) -> None:
    """Play one game to its end, checking every step."""
    game = VccGame(load_rules("vcc", settings), load_scenario(scenario))
    before: dict[tuple[int, str], int] = {}

    def check(state: Battle, step: str, _: Sequence[Event]) -> None:
        nonlocal before
        check_order(state, before, step)
        before = points(state)

    play(game, seed, check, endings=ENDINGS)


@pytest.mark.rule("VCC-156", "VCC-166", "VCC-039")
@pytest.mark.parametrize("scenario", each_battle("patrol_clash", "hill_fort"))
def test_random_games_end_in_order(scenario: str) -> None:
    referee(scenario, {}, 1)
    referee(scenario, random_settings("vcc", Random(f"{scenario}/2")), 2)


@pytest.mark.deep
@pytest.mark.parametrize("block", range(20))
def test_two_thousand_random_games_end_in_order(block: int) -> None:
    names = shipped_scenarios()
    for number in range(100):
        seed = 1000 + 100 * block + number
        referee(names[seed % len(names)], random_settings("vcc", Random(f"deep/{seed}")), seed)
