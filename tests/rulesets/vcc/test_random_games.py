"""Random games under random settings: they end, and after every step the table is in order."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.rulesets.vcc.battlefields import rules_with

from zareba.agents import make_agent
from zareba.chance import KeyedDice
from zareba.rules.settings import Setting, flat_settings
from zareba.scenario import load_scenario, shipped_scenarios
from zareba.session import Session, new_session, replay
from zareba.state import digest
from zareba.table import Choose, SeededTable
from zareba_rulesets.vcc.battle import OFF_TABLE, Battle
from zareba_rulesets.vcc.game import VccGame

MOST_STEPS = 5_000


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
    """One of the values of a setting; a word as likely as all numbers together."""
    values = list(setting.values)
    if setting.at_least is not None and setting.at_most is not None:
        whole = isinstance(setting.at_least, int)
        low, high = setting.at_least, setting.at_most
        values.append(random.randint(int(low), int(high)) if whole else round(random.uniform(low, high), 2))
    return random.choice(values)


def random_settings(random: Random) -> dict[str, Any]:
    """About a third of the settings away from their defaults."""
    settings = rules_with().book.settings
    return {name: random_value(setting, random) for name, setting in flat_settings(settings) if random.random() < 0.35}


def points(battle: Battle) -> dict[tuple[int, str], int]:
    """Stacking points by box and side."""
    sides = battle.field.by_role
    return {(box, side): battle.stack(box, side) for box in battle.here for side in sides}


def check_order(battle: Battle, before: dict[tuple[int, str], int], step: str) -> None:
    """What must be true after every step."""
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
    if step.startswith("move."):  # only a retreat may end over the box limit (VCC-156)
        for place, load in points(battle).items():
            assert load <= limit or load <= before.get(place, 0), f"box {place} is over the limit after {step}"


def play(scenario: str, settings: dict[str, Any], seed: int) -> Battle:
    """One game to its end, checked after every step."""
    game = VccGame(rules_with(**settings), load_scenario(scenario))
    state = game.start()
    table = SeededTable(game.rules, state, seed, {seat: make_agent("random", game, seat, seed) for seat in game.seats})
    table.dice = WatchedDice(seed)
    random = Random(seed)
    for _ in range(MOST_STEPS):
        step = game.next_step(state)
        if step is None:
            break
        load = points(state)
        looks_at = random.random() < 0.03
        kept, as_it_was = (state.copy(), digest(state.to_data())) if looks_at else (None, "")
        table.begin(step)
        game.perform(table, state, step)
        check_order(state, load, step.name)
        if kept is not None:
            assert digest(kept.to_data()) == as_it_was, "a copy changes with its original"
            data = json.loads(json.dumps(state.to_data()))
            assert digest(game.from_data(data).to_data()) == digest(state.to_data())
            game.outcome(state), game.board(state), game.strength(state)
        for event in table.events:
            assert game.describe_event(event), f"nothing is said about {event.kind}"
    assert game.next_step(state) is None, f"{scenario} has no end after {MOST_STEPS} steps"
    assert state.turn <= game.scenario.turns
    assert game.outcome(state).ending in ("objectives", "collapse", "withdrawal", "turn_limit")
    return state


@pytest.mark.rule("VCC-156", "VCC-166", "VCC-039")
@pytest.mark.parametrize("scenario", shipped_scenarios())
def test_random_games_end_in_order(scenario: str) -> None:
    play(scenario, {}, 1)
    for seed in range(2, 6):
        play(scenario, random_settings(Random(f"{scenario}/{seed}")), seed)


@pytest.mark.deep
@pytest.mark.parametrize("block", range(20))
def test_two_thousand_random_games_end_in_order(block: int) -> None:
    names = shipped_scenarios()
    for number in range(100):
        seed = 1000 + 100 * block + number
        play(names[seed % len(names)], random_settings(Random(f"deep/{seed}")), seed)


# --- sessions -------------------------------------------------------------------------------------------------------------


def answer_at_random(session: Session, random: Random, most: int = 10_000) -> None:
    """Play the seats of people by chance."""
    for _ in range(most):
        session.drive()
        question = session.pending
        if question is None:
            return
        assert isinstance(question, Choose)
        session.answer(random.choice(question.options))


@pytest.mark.parametrize("scenario", ["patrol_clash", "column_ambushed"])
def test_a_journal_replays_to_the_same_state_at_every_step(scenario: str, tmp_path: Path) -> None:
    given, path = load_scenario(scenario), tmp_path / "game.jsonl"
    seats = dict.fromkeys(given.sides, "random")
    session = new_session("vcc", given, seats, seed=5, path=path)
    session.drive()
    session.close()
    assert session.pending is None
    again = replay(path, check=True)
    assert again.steps > 50
    assert digest(again.session.state.to_data()) == digest(session.state.to_data())


def test_undo_and_redo_come_back_to_the_same_state(tmp_path: Path) -> None:
    given, path, random = load_scenario("patrol_clash"), tmp_path / "game.jsonl", Random(7)
    seats = {"patrol": "human", "tribesmen": "random"}
    session = new_session("vcc", given, seats, seed=5, path=path)
    for _ in range(25):
        answer_at_random(session, random, most=4)
        if session.pending is None:
            break
        before = digest(session.state.to_data())
        session.undo()
        undone = digest(session.state.to_data())
        session.redo()
        assert digest(session.state.to_data()) == before
        session.undo()
        assert digest(session.state.to_data()) == undone
        session.redo()
    answer_at_random(session, random)
    session.close()
    assert digest(replay(path).session.state.to_data()) == digest(session.state.to_data())
