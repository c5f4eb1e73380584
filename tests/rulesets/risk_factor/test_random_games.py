"""Random games under random settings, with human and solo sides: they end, and the state is valid after every step."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from tests.rulesets.random_games import play, random_settings
from tests.systems import each_battle

from zareba.base.exact import dist
from zareba.registry import load_rules
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.table import Event
from zareba_rulesets.risk_factor.forces import Battle
from zareba_rulesets.risk_factor.game import RskGame


def some_settings(random: Random) -> dict[str, Any]:
    """Return random settings with bases small enough for the set-up."""
    return random_settings("risk_factor", random, leave=("bases.foot_cm", "bases.mounted_cm", "scenario.cm_per_inch"))


def check_order(game: RskGame, battle: Battle) -> None:
    """Check after a step that every figure is in exactly one place and that statuses are consistent."""
    held: dict[str, int] = {}
    for captives in battle.captives:
        assert captives.count == len(captives.body) > 0
        held[captives.unit] = held.get(captives.unit, 0) + captives.count
    hidden = {name for marker in battle.markers.values() for name in marker.units}
    for name, unit in battle.units.items():
        assert len(unit.body) == len(unit.hurt) == len(unit.armed)
        assert len(unit.kits) in (0, len(unit.hurt))
        waits = name in battle.arrivals or name in hidden
        assert bool(unit.hurt) + (name in battle.gone) + waits == 1, f"{name} is nowhere, or twice"
        assert unit.dead >= 0 and unit.casualties <= unit.original
        assert all(battle.field.on_table(point) for point in unit.body.at)
        assert unit.status in ("steady", "retreating", "routing")
        assert unit.action in ("halt", "advance", "attack", "retreat", "rout", "march"), unit.action
    for name, pc_side in battle.commanders.items():
        assert battle.units[name].side == pc_side and pc_side not in battle.solo
    figures = sum(unit.count + unit.dead for unit in battle.units.values())
    assert figures + sum(held.values()) <= sum(spec.figures for spec in game.plan.specs.values())


def check_bases(battle: Battle) -> None:
    """Check that no base overlaps another and no figure is in deep water."""
    men = sorted((*at, u.body.radius, name) for name, u in battle.units.items() for at in u.body.at)
    for number, (x, y, radius, name) in enumerate(men, start=1):
        assert not battle.field.is_closed((x, y)), f"{name} stands in closed ground"
        for ox, oy, wide, other in men[number:]:
            if ox - x > 4:
                break
            assert dist((x, y), (ox, oy)) >= radius + wide - 0.02, f"{name} stands on {other}"


def referee(scenario: str, settings: dict[str, Any], seed: int, solo: frozenset[str] = frozenset()) -> Battle:
    """Play one game to its end, checking every step."""
    game = RskGame(load_rules("risk_factor", settings), load_scenario(scenario), solo)

    def check(state: Battle, step: str, _: Sequence[Event]) -> None:
        check_order(game, state)
        if step in ("settle", "finish"):
            check_bases(state)

    battle: Battle = play(game, seed, check, endings=("objectives", "collapse", "turn_limit"))
    return battle


def some_solo(scenario: str, random: Random) -> frozenset[str]:
    """Return the solo sides: none, either one, or both."""
    return frozenset(side for side in load_scenario(scenario).sides if random.random() < 0.4)


@pytest.mark.rule("RSK-041", "RSK-079", "RSK-184", "RSK-190")
@pytest.mark.parametrize("scenario", each_battle("patrol_clash"))
def test_random_games_end_in_order(scenario: str) -> None:
    referee(scenario, {}, 1)
    random = Random(f"{scenario}/2")
    referee(scenario, some_settings(random), 2, some_solo(scenario, random))


@pytest.mark.deep
@pytest.mark.parametrize("block", range(20))
def test_two_thousand_random_games_end_in_order(block: int) -> None:
    names = shipped_scenarios()
    for number in range(100):
        seed = 1000 + 100 * block + number
        random = Random(f"deep/{seed}")
        scenario = names[seed % len(names)]
        referee(scenario, some_settings(random), seed, some_solo(scenario, random))


@pytest.mark.rule("RSK-044")
@pytest.mark.parametrize("scenario", each_battle("patrol_clash"))
def test_game_with_both_sides_solo_asks_no_questions(scenario: str) -> None:
    """The game has no agents, so any question would raise an error."""
    assert referee(scenario, {}, 11, frozenset(load_scenario(scenario).sides)).over
