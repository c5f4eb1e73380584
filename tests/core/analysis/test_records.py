"""Game records survive JSON and refuse contradictory fields; games that share their luck share a seed."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import pytest
from tests.core.analysis.hand_made import draw, reversal, walkover

from zareba.analysis.games.records import GameRecord, GameTask, Variant, game_seed
from zareba.base.errors import ZarebaError

AGENTS = (("red", "doctrine"), ("blue", "random"))
VARIANT = Variant("sharp", "vcc", (("fog", True), ("range", 2)), ("veterans.yaml",))


@pytest.mark.parametrize("record", [draw(), walkover(), reversal()])
def test_a_record_survives_json(record: GameRecord) -> None:
    assert GameRecord.from_dict(json.loads(json.dumps(record.to_dict()))) == record


def test_a_task_survives_json_and_pickle() -> None:
    task = GameTask(VARIANT, "river_ford", 4, 4, 7, AGENTS, swap=True)
    assert GameTask.from_dict(json.loads(json.dumps(task.to_dict()))) == task
    assert pickle.loads(pickle.dumps(task)) == task


def test_swapped_games_share_a_seed_and_exchange_agents() -> None:
    first, second, third = GameTask(VARIANT, "river_ford", 2, 3, 7, AGENTS, swap=True).plans()
    assert (first.game, first.pair, first.swapped, first.agents) == (2, 1, False, AGENTS)
    assert (second.game, second.pair, second.swapped) == (3, 1, True)
    assert second.agents == (("red", "random"), ("blue", "doctrine"))
    assert first.seed == second.seed != third.seed


def test_three_sides_share_a_seed_in_three_games_with_each_listed_first() -> None:
    players = (("red", "x"), ("blue", "y"), ("green", "z"))
    plans = list(GameTask(VARIANT, "s", 0, 9, 7, players, swap=True).plans())
    assert [plan.pair for plan in plans] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert [plan.rotation for plan in plans] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert len({plan.seed for plan in plans}) == 3 and [plan.swapped for plan in plans[:3]] == [False, True, True]
    assert [[agent for _, agent in plan.agents] for plan in plans[:3]] == [
        ["x", "y", "z"],
        ["y", "z", "x"],
        ["z", "x", "y"],
    ]
    assert [plan.rotation for plan in GameTask(VARIANT, "s", 0, 5, 7, players).plans()] == [0, 1, 2, 0, 1]


def test_seed_of_a_game_does_not_depend_on_its_task() -> None:
    whole = GameTask(VARIANT, "river_ford", 0, 8, 7, AGENTS)
    part = GameTask(VARIANT, "river_ford", 5, 3, 7, AGENTS)
    assert list(whole.plans())[5:] == list(part.plans())


def test_variants_of_one_ruleset_share_dice_and_rulesets_do_not() -> None:
    plain = Variant("plain", "vcc")
    seeds = {
        variant.name: [plan.seed for plan in GameTask(variant, "river_ford", 0, 50, 7, AGENTS).plans()]
        for variant in (VARIANT, plain, Variant("other", "fb"))
    }
    assert seeds["sharp"] == seeds["plain"]
    assert not set(seeds["plain"]) & set(seeds["other"])
    assert game_seed(7, "vcc", 0) != game_seed(8, "vcc", 0)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"winner": "green"}, "'green' is no side"),
        ({"turns": 3}, "'strength' needs 4 numbers a side"),
        ({"points": {"blue": 0, "red": 0}}, "'points' does not name the sides red, blue in this order"),
        ({"losses": {"red": {}, "blue": {}}}, "'losses' does not name the causes fire, melee, morale, other"),
    ],
)
def test_a_record_that_contradicts_itself_is_refused(change: dict[str, object], complaint: str) -> None:
    with pytest.raises(ZarebaError, match="record of game 1 of variant 'v'") as caught:
        replace(walkover(), **change)  # type: ignore[arg-type]  # wrong on purpose, field by field
    assert complaint in str(caught.value)
