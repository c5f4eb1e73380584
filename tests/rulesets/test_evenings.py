"""Effort of a game for a person, measured by a scripted player: few lines to type, no screen too tall."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.scripted_player import Measured, evening, row
from tests.systems import RULESETS, each_ruleset

from zareba.game import HOLDING
from zareba.game.parts.play import sets_up
from zareba.scenario import load_scenario
from zareba.session import Answered, new_session

MOST_ANSWERS = {"vcc": 30, "afriboria": 30}
"""Most answers in a busy turn of the middle-sized scenario; 60 where figures or acts are many."""
FEW = 60
DOCS = Path(__file__).parents[2] / "docs" / "reference" / "test_results.md"
TERMINAL = 24


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def check(found: Measured, ruleset: str) -> None:
    assert found.set_up <= 5
    assert max(found.asked.values()) <= MOST_ANSWERS.get(ruleset, FEW), found.asked
    assert all(lines <= found.asked[turn] for turn, lines in found.typed.items()), "a line has an answer at least"
    assert max(found.heights) <= TERMINAL, sorted(found.heights)[-3:]


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_two_turns_of_the_middle_sized_scenario_ask_little(ruleset: str) -> None:
    found = evening(ruleset, "river_ford", 2)
    check(found, ruleset)
    assert sum(found.typed.values()) > 10


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_the_largest_scenario_is_set_up_with_few_answers(ruleset: str) -> None:
    found = evening(ruleset, "battle_of_the_wells", 0)
    assert found.set_up <= 5
    assert max(found.heights) <= TERMINAL, sorted(found.heights)[-3:]


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_the_table_of_a_first_game_is_true(ruleset: str) -> None:
    assert row(ruleset, evening(ruleset, "patrol_clash", 99)) in DOCS.read_text(encoding="utf-8")


@pytest.mark.deep
@pytest.mark.parametrize("scenario", ["patrol_clash", "river_ford"])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_whole_evenings_ask_little_and_the_tables_are_true(ruleset: str, scenario: str) -> None:
    found = evening(ruleset, scenario, 99)
    check(found, ruleset)
    assert row(ruleset, found) in DOCS.read_text(encoding="utf-8")


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_hold_orders_are_followed_and_games_end(ruleset: str) -> None:
    scenario = load_scenario("patrol_clash")
    first, *others = scenario.sides
    session = new_session(ruleset, scenario, {first: "human", **dict.fromkeys(others, "doctrine")}, seed=8)
    session.drive()
    while (now := session.history.now) is not None and sets_up(now.step):
        session.answer(session.suggestion()[0])
        session.drive()
    session.delegate("turn", "hold", turns=2)
    held: list[Answered] = []

    def shown(answer: Answered) -> None:
        held.append(answer)
        assert len(held) < 1000, "it goes on for ever"

    session.drive(shown)
    assert not session.deputies, "two turns are over"
    might = [
        answer for answer in held if answer.by == "hold" and HOLDING & set(getattr(answer.question, "options", ()))
    ]
    assert might or ruleset == "risk_factor", "there the tables may decide for everybody"
    strikes = {"fight"} if ruleset == "fixed_baynet" else set()  # men in contact strike back
    assert {answer.answer for answer in might} <= HOLDING | strikes
