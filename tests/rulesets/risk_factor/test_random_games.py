"""Random games under random settings, with sides run by people and by the tables: they end, and all stays in order."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import NAMES, rules_with

from zareba.agents import make_agent
from zareba.chance import KeyedDice
from zareba.rules.settings import Setting, flat_settings, text
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.session import new_session, replay
from zareba.state import digest
from zareba.table import SeededTable
from zareba_rulesets.risk_factor.battle import Battle
from zareba_rulesets.risk_factor.game import RskGame

MOST_STEPS = 8_000
SHORT = {full: short for short, full in NAMES.items()}


class WatchedDice(KeyedDice):
    """Dice that refuse to be thrown twice for the same purpose."""

    __slots__ = ("seen",)

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.seen: set[str] = set()

    def faces(self, key: str, count: int, sides: int) -> list[int]:
        assert key not in self.seen, f"the same dice are thrown twice: {key}"
        self.seen.add(key)
        return super().faces(key, count, sides)


def random_value(setting: Setting, random: Random) -> Any:
    """One of the values of a setting, lists as text; a word as likely as all numbers together."""
    values = list(setting.values)
    if setting.at_least is not None and setting.at_most is not None:
        whole = isinstance(setting.at_least, int)
        low, high = setting.at_least, setting.at_most
        values.append(random.randint(int(low), int(high)) if whole else round(random.uniform(low, high), 2))
    value = random.choice(values)
    return text(value) if isinstance(value, list) else value


def random_settings(random: Random) -> dict[str, Any]:
    """About a third of the settings away from their defaults; bases stay small enough for the set-up."""
    settings = rules_with().book.settings
    chosen = {name: random_value(entry, random) for name, entry in flat_settings(settings) if random.random() < 0.35}
    return {SHORT[name]: value for name, value in chosen.items() if not name.startswith(("bases.", "scenario.cm"))}


def check_order(game: RskGame, battle: Battle) -> None:
    """What must be true after every step: every figure is somewhere, once; states fit together."""
    held: dict[str, int] = {}
    for captives in battle.captives:
        assert captives.count == len(captives.body) > 0
        held[captives.unit] = held.get(captives.unit, 0) + captives.count
    hidden = {name for marker in battle.markers.values() for name in marker.units}
    for name, unit in battle.units.items():
        assert len(unit.body) == len(unit.hurt) == len(unit.armed)
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


def play(scenario: str, settings: dict[str, Any], seed: int, solo: frozenset[str] = frozenset()) -> Battle:
    """One game to its end, checked after every step."""
    game = RskGame(rules_with(**settings), load_scenario(scenario), solo)
    state = game.start()
    seats = [seat for seat in game.seats if seat not in solo]
    table = SeededTable(game.rules, state, seed, {seat: make_agent("random", game, seat, seed) for seat in seats})
    table.dice = WatchedDice(seed)
    random = Random(seed)
    for _ in range(MOST_STEPS):
        step = game.next_step(state)
        if step is None:
            break
        looks_at = random.random() < 0.02
        kept, as_it_was = (state.copy(), digest(state.to_data())) if looks_at else (None, "")
        table.begin(step)
        game.perform(table, state, step)
        check_order(game, state)
        if kept is not None:
            assert digest(kept.to_data()) == as_it_was, "a copy changes with its original"
            data = json.loads(json.dumps(state.to_data()))
            assert digest(game.from_data(data).to_data()) == digest(state.to_data())
            game.outcome(state), game.board(state), game.strength(state)
        for event in table.events:
            assert game.describe_event(event), f"nothing is said about {event.kind}"
    assert game.next_step(state) is None, f"{scenario} has no end after {MOST_STEPS} steps"
    assert state.turn <= game.scenario.turns
    assert game.outcome(state).ending in ("objectives", "collapse", "turn_limit")
    return state


def some_solo(scenario: str, random: Random) -> frozenset[str]:
    """Nobody, either side, or both."""
    return frozenset(side for side in load_scenario(scenario).sides if random.random() < 0.4)


@pytest.mark.rule("RSK-041", "RSK-184", "RSK-190")
@pytest.mark.parametrize("scenario", shipped_scenarios())
def test_random_games_end_in_order(scenario: str) -> None:
    play(scenario, {}, 1)
    for seed in range(2, 3 if scenario == "battle_of_the_wells" else 5):
        random = Random(f"{scenario}/{seed}")
        play(scenario, random_settings(random), seed, some_solo(scenario, random))


@pytest.mark.deep
@pytest.mark.parametrize("block", range(20))
def test_two_thousand_random_games_end_in_order(block: int) -> None:
    names = shipped_scenarios()
    for number in range(100):
        seed = 1000 + 100 * block + number
        random = Random(f"deep/{seed}")
        scenario = names[seed % len(names)]
        play(scenario, random_settings(random), seed, some_solo(scenario, random))


@pytest.mark.rule("RSK-044")
@pytest.mark.parametrize("scenario", ["patrol_clash", "column_ambushed", "mission_station"])
def test_with_both_sides_solo_nobody_is_asked_anything(scenario: str) -> None:
    """There are no agents at all: a question would find nobody to answer it."""
    assert play(scenario, {}, 11, frozenset(load_scenario(scenario).sides)).over


@pytest.mark.parametrize("seats", [("random", "random"), ("random", "solo"), ("solo", "solo")])
def test_a_journal_replays_to_the_same_state(seats: tuple[str, str], tmp_path: Path) -> None:
    given, path = load_scenario("patrol_clash"), tmp_path / "game.jsonl"
    session = new_session("risk_factor", given, dict(zip(given.sides, seats, strict=True)), seed=5, path=path)
    session.drive()
    session.close()
    assert session.pending is None
    again = replay(path, check=True)
    assert again.steps > 50
    assert digest(again.session.state.to_data()) == digest(session.state.to_data())
