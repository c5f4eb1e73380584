"""Evaluations for AI players: one for each option, and the obvious option is best."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import leader, rules_with, scene, troops
from tests.rulesets.risk_factor.skirmishes import game

from zareba.agents import make_agent
from zareba.scenario import load_scenario
from zareba.table import Choose, Confirm, Place, SeededTable
from zareba_rulesets.risk_factor.chapters.orders.orders import ADVANCE, HOLD, JOIN, MARCH, TURN
from zareba_rulesets.risk_factor.evaluation import Evaluator
from zareba_rulesets.risk_factor.evaluation.expected_losses import blow, exchange, fire_at, shaken
from zareba_rulesets.risk_factor.evaluation.forecast import Forecast
from zareba_rulesets.risk_factor.evaluation.objectives import Objectives
from zareba_rulesets.risk_factor.game import RskGame

NEEDLESS = re.compile(r"(?<![\d.,-])0 [a-z]|\(worth")
"""A count of nothing, such as "0 men", or the bare value of an option."""


@pytest.mark.parametrize("scenario", ["patrol_clash", "paychest_raid"])
def test_every_question_of_a_game_has_an_appraisal_for_each_option(scenario: str) -> None:
    of = RskGame(rules_with(hidden_use="on", groups_merge_strength="fresh"), load_scenario(scenario))
    asked: set[str] = set()

    def watched(seat: str) -> Any:
        doctrine: Any = make_agent("doctrine", of, seat, 1)

        def agent(question: Choose | Place | Confirm, state: Any) -> Any:
            asked.add(question.why)
            options = question.options if isinstance(question, Choose) else (False, True)
            expected = len(question.suggestions) if isinstance(question, Place) else len(options)
            found = of.advisor.evaluate(of.sight.view(state, seat), question)
            assert len(found) == expected
            for appraisal in found:
                reason = appraisal.reason() if callable(appraisal.reason) else appraisal.reason
                assert len(reason) <= 80
            answer = doctrine(question, state)
            assert not NEEDLESS.search(doctrine.reason), (question.why, doctrine.reason)
            return answer

        return agent

    state = of.start()
    table = SeededTable(of.rules, state, 1, {seat: watched(seat) for seat in of.seats})
    while (step := of.play.next_step(state)) is not None:
        table.begin(step)
        of.play.perform(table, state, step)
        if state.turn > 5:
            break
    assert {"command", "order", "shoot at"} <= asked


def test_a_better_score_and_helpless_enemies_promise_more() -> None:
    assert blow(1, False, 5, 6) > blow(0, False, 5, 6) > blow(-1, False, 5, 6) > 0
    assert blow(0, True, 5, 6) > blow(0, False, 5, 6)


def test_bayonets_against_bare_hands_are_worth_a_charge_and_the_reverse_is_not() -> None:
    field = scene(
        troops("a", "red", (50, 50), 10, weapon="rifle", bayonet=True),
        troops("b", "blue", (50, 70), 10),
    )
    deals, takes = exchange(field.battle, field["a"], field["b"], True)
    assert deals > takes > 0
    dealt, taken = exchange(field.battle, field["b"], field["a"], True)
    assert (dealt, taken) == pytest.approx((takes, deals))


def test_the_nearer_target_is_the_better_one() -> None:
    of = game()
    field = scene(
        troops("a", "red", (50, 50), 10, weapon="rifle", loading="breech", volley=True, marks=["commanded"]),
        troops("near", "blue", (50, 80), 10),
        troops("far", "blue", (150, 180), 10),
    )
    question = Choose("shoot at", "RSK-086", "a", "red", ("hold fire", "near", "far"), ())
    hold, near, far = Evaluator(of.scenario, of.plan).evaluate(field.battle, question)
    assert near.inflicts > far.inflicts > hold.inflicts


def appraised(field: Any, order: Any, unit: str = "a") -> float:
    """Return the value of one order to a unit of a scene."""
    of = game()
    question = Choose("order", "RSK-066", unit, "red", (order, order), ())
    return Evaluator(of.scenario, of.plan).evaluate(field.battle, question)[0].total


def test_a_firing_line_with_targets_stands_and_one_without_goes() -> None:
    rifles: dict[str, Any] = {"weapon": "rifle", "loading": "breech", "volley": True, "marks": ["free", "commanded"]}
    near = scene(troops("a", "red", (100, 80), 10, **rifles), troops("b", "blue", (100, 150), 10))
    near.battle.seen = frozenset({"a", "b"})
    assert appraised(near, HOLD) > max(appraised(near, (ADVANCE, "b")), appraised(near, MARCH))
    bare = scene(troops("a", "red", (100, 80), 10, marks=["free"]), troops("b", "blue", (100, 150), 10))
    bare.battle.seen = frozenset({"a", "b"})
    assert appraised(bare, (ADVANCE, "b")) > appraised(bare, HOLD)


@pytest.mark.rule("RSK-122")
def test_a_flanked_unit_would_rather_turn_and_one_that_faces_the_enemy_need_not() -> None:
    rifles: dict[str, Any] = {"weapon": "rifle", "loading": "breech", "volley": True, "hurt": 3}
    behind = scene(troops("a", "red", (100, 80), 10, **rifles), troops("b", "blue", (100, 20), 10))
    behind.battle.seen = frozenset({"a", "b"})
    assert appraised(behind, TURN) > appraised(behind, HOLD)
    ahead = scene(troops("a", "red", (100, 80), 10, **rifles), troops("b", "blue", (100, 140), 10))
    ahead.battle.seen = frozenset({"a", "b"})
    assert appraised(ahead, HOLD) > appraised(ahead, TURN)


@pytest.mark.rule("RSK-145")
def test_shaken_men_close_to_the_edge_are_worth_less_than_the_same_men_in_the_middle() -> None:
    of = game()

    def nerve(y: float) -> float:
        field = scene(troops("a", "red", (100, y), 10, dead=4), troops("b", "blue", (100, y + 60), 10))
        prospect = Forecast(Objectives(of.scenario, of.plan)).at(field.battle).of(field["a"])
        return prospect.nerve((100, y), 0.0, 0.0)

    assert nerve(15) > nerve(60) > 0


def test_a_leader_keeps_with_his_own_men() -> None:
    field = scene(
        troops("a", "red", (100, 80), 10, parent="guards"),
        troops("c", "red", (122, 80), 10, parent="others"),
        leader("nco", "red", (111, 80), "nco", parent="guards", marks=["free", "linked"]),
        troops("b", "blue", (100, 150), 10),
    )
    own, other = appraised(field, (JOIN, "a"), "nco"), appraised(field, (JOIN, "c"), "nco")
    assert own > other > appraised(field, HOLD, "nco")


def test_points_go_to_the_group_that_orders_change_most() -> None:
    of = game()
    rifles: dict[str, Any] = {"weapon": "rifle", "loading": "breech", "volley": True}
    field = scene(
        leader("pc", "red", (100, 60)),
        troops("near", "red", (100, 80), 10, **rifles),
        troops("idle", "red", (100, 40), 10),
        troops("b", "blue", (100, 150), 10),
        commanders=["pc"],
    )
    field.battle.seen = frozenset({"b"})
    options = ("stop", ("command", "near"), ("command", "idle"))
    question = Choose("command", "RSK-037", "pc", "red", options, (12,))
    stop, near, idle = [a.total for a in Evaluator(of.scenario, of.plan).evaluate(field.battle, question)]
    assert near > max(stop, idle)


@pytest.mark.rule("RSK-061")
def test_leaders_are_linked_only_while_points_are_wanting() -> None:
    of = game()
    field = scene(
        leader("pc", "red", (100, 60)),
        leader("nco", "red", (101, 76), "nco"),
        troops("a", "red", (100, 80), 10),
        troops("b", "blue", (100, 150), 10),
        commanders=["pc"],
    )

    def linking(points: int) -> float:
        question = Choose("command", "RSK-037", "pc", "red", ("stop", ("link", "nco")), (points,))
        stop, link = (a.total for a in Evaluator(of.scenario, of.plan).evaluate(field.battle, question))
        return link - stop

    assert linking(5) > 0 > linking(20)


def test_means_of_fire_and_of_nerve_are_those_of_the_tables() -> None:
    field = scene(
        troops("a", "red", (50, 50), 10, weapon="rifle", loading="breech"), troops("b", "blue", (50, 110), 10)
    )
    # Example 3: ten shots, 5/8 hit; a third of the hits wound (half a man) and a third kill.
    assert fire_at(field.battle, field["a"], 60.0, "open", rate=1.0) == pytest.approx(10 * 5 / 8 * 0.5 * 0.1)
    assert shaken(field.battle, "missile", 1) == 0
    assert shaken(field.battle, "missile", 9) == pytest.approx(5 / 6)
    assert shaken(field.battle, "melee", 7) == pytest.approx(3 / 6)


def test_what_is_remembered_goes_when_anybody_moves() -> None:
    of = game()
    field = scene(troops("a", "red", (100, 80), 10), troops("b", "blue", (100, 150), 10))
    aims = Objectives(of.scenario, of.plan)
    before = aims.of(field.battle, "red")
    assert aims.of(field.battle, "red") is before
    field["b"].body = field["b"].body.shifted(5, 0)
    assert aims.of(field.battle, "red") is not before
