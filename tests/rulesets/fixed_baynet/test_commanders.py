"""Commanders with sense: a reason with a number for every choice, and better than chance (solo play, FBN-266)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import battle, rules_with, squad
from tests.rulesets.random_games import play_watched

from zareba.analysis.records import GameTask, Variant
from zareba.analysis.simulate import run_games
from zareba.errors import ZarebaError
from zareba.registry import ruleset
from zareba.scenario import load_scenario
from zareba.table import Confirm, Place
from zareba_rulesets.fixed_baynet.appraisal.acts import act_worth
from zareba_rulesets.fixed_baynet.appraisal.prospects import aims, blow_chances, hit_chance, is_threatened, volley_worth
from zareba_rulesets.fixed_baynet.battle import Battle, Prize
from zareba_rulesets.fixed_baynet.game import FbnGame


def play(
    name: str, kinds: tuple[str, str], seed: int, look: Callable[..., None] | None = None
) -> tuple[FbnGame, Battle]:
    """One game between two kinds of player; `look` sees every question with the game and the state."""
    game = FbnGame(rules_with(), load_scenario(name))
    return game, play_watched(game, kinds, seed, look)


def check(game: FbnGame, state: Battle, question: Any) -> None:
    seen = game.view(state, question.seat)
    before = seen.to_data() if question.why in ("act", "activate") and state.acts % 25 == 0 else None
    found = game.appraise(seen, question)
    count = (
        2
        if isinstance(question, Confirm)
        else len(question.suggestions if isinstance(question, Place) else question.options)
    )
    assert len(found) == count
    for one in found:
        reason = one.reason() if callable(one.reason) else one.reason
        assert len(reason) <= 80 and any(sign.isdigit() for sign in reason), (question.why, reason)
    assert before is None or before == seen.to_data(), "looking changes nothing"


@pytest.mark.parametrize("name", ["patrol_clash", "hill_fort", "paychest_raid"])
def test_every_choice_has_a_reason_with_a_number(name: str) -> None:
    play(name, ("doctrine", "doctrine"), 4, check)
    play(name, ("doctrine", "random"), 5, check)


@pytest.mark.rule("FBN-266")
def test_any_side_may_be_played_by_a_program_and_sense_beats_chance() -> None:
    assert not ruleset("fixed_baynet").solo, "these rules have no table that plays a side"
    wins = 0
    for seed in range(8):
        kinds = ("doctrine", "random") if seed % 2 else ("random", "doctrine")
        game, state = play("patrol_clash", kinds, seed)
        assert state.over and state.turn <= game.scenario.turns
        wins += game.outcome(state).winner == game.seats[kinds.index("doctrine")]
    assert wins >= 7
    task = GameTask(
        Variant("fixed_baynet", "fixed_baynet"),
        "patrol_clash",
        0,
        1,
        1,
        (("patrol", "solo"), ("tribesmen", "random")),
        False,
    )
    with pytest.raises(ZarebaError, match="no rules for a side that plays itself"):
        run_games(task)


def test_the_means_behind_the_reasons() -> None:
    assert [hit_chance(need) for need in (-3, 2, 7, 12, 15)] == [11 / 12, 11 / 12, 6 / 12, 1 / 12, 1 / 12]
    won, lost = blow_chances(0, False, False)
    assert (round(won * 36), round(lost * 36)) == (15, 15)
    won, lost = blow_chances(0, True, False)
    assert round(won * 216) == 125 and round(lost * 216) == 55
    red, blue = squad("red", "red", 6, (20, 10)), squad("blue", "blue", 20, (20, 20), "mass", ds=4)
    state = battle(red, blue)
    volley = volley_worth(state, red, blue)
    assert volley.need == 3 and volley.taken == pytest.approx(6 * 10 / 12)
    assert "3+ to hit" in str(act_worth(state, load_scenario("patrol_clash"), red, ("fire", "blue"), True).reason())  # type: ignore[operator]  # made when asked


def test_bearers_lie_down_under_fire_and_run_when_it_is_over() -> None:
    scenario = load_scenario("column_ambushed")
    bearers = squad("mules", "column", 3, (20, 20), role="civilian", weapon="none")
    for away, danger in ((30.0, True), (60.0, False)):
        state = battle(bearers, squad("foe", "tribes", 5, (20, 20 + away)))
        assert is_threatened(state, bearers) is danger
        down, up = (act_worth(state, scenario, bearers, word, False) for word in ("lie down", "get up"))
        assert (down.steadies > 0) is danger and (up.ground > 0) is not danger


def test_what_a_side_wants_changes_with_the_prize() -> None:
    game = FbnGame(rules_with(), load_scenario("paychest_raid"))
    state = game.start()
    wanted = [aim for aim in aims(state, game.scenario, "raiders") if aim.points == 5]
    chest = state.prizes["paychest"]
    assert [aim.at for aim in wanted] == [(chest.x, chest.y)] and not wanted[0].units
    taker = next(unit for unit in state.units.values() if unit.spec.side == "raiders")
    state.prizes["paychest"] = Prize(chest.x, chest.y, carrier=taker.spec.id)
    (home,) = [aim for aim in aims(state, game.scenario, "raiders") if aim.points == 5]
    assert home.units == (taker.spec.source,) and home.at[1] == game.plan.field.depth
