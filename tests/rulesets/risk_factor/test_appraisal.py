"""Appraisals for commanders with sense: one for each option, and the obvious comes out on top."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import rules_with, scene, troops
from tests.rulesets.risk_factor.skirmishes import game

from zareba.agents import make_agent
from zareba.scenario import load_scenario
from zareba.table import Choose, Confirm, Place, SeededTable
from zareba_rulesets.risk_factor.appraisal import Judgement, blow, exchange
from zareba_rulesets.risk_factor.game import RskGame


@pytest.mark.parametrize("scenario", ["patrol_clash", "paychest_raid"])
def test_every_question_of_a_game_has_an_appraisal_for_each_option(scenario: str) -> None:
    of = RskGame(rules_with(hidden_use="on", groups_merge_strength="fresh"), load_scenario(scenario))
    asked: set[str] = set()

    def watched(seat: str) -> Any:
        doctrine = make_agent("doctrine", of, seat, 1)

        def agent(question: Choose | Place | Confirm, state: Any) -> Any:
            asked.add(question.why)
            options = question.options if isinstance(question, Choose) else (False, True)
            expected = len(question.suggestions) if isinstance(question, Place) else len(options)
            found = of.appraise(of.view(state, seat), question)
            assert len(found) == expected
            for appraisal in found:
                reason = appraisal.reason() if callable(appraisal.reason) else appraisal.reason
                assert len(reason) <= 80
            return doctrine(question, state)

        return agent

    state = of.start()
    table = SeededTable(of.rules, state, 1, {seat: watched(seat) for seat in of.seats})
    while (step := of.next_step(state)) is not None:
        table.begin(step)
        of.perform(table, state, step)
        if state.turn > 5:
            break
    assert {"command", "order", "shoot at"} <= asked


def test_a_better_score_and_helpless_enemies_promise_more() -> None:
    assert blow(1, False) > blow(0, False) > blow(-1, False) > 0
    assert blow(0, True) > blow(0, False)


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
    hold, near, far = Judgement(of.scenario, of.plan).appraise(field.battle, question)
    assert near.inflicts > far.inflicts > hold.inflicts
