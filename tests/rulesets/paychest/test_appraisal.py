"""Every question is put in words and every option has a worth; a commander with sense beats chance."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.paychest.stage import game

from zareba.agents import make_agent
from zareba.table import Choose, Confirm, Place, SeededTable
from zareba_rulesets.paychest.game import PaychestGame


def played(name: str, kinds: tuple[str, str], seed: int) -> tuple[PaychestGame, Any, set[str]]:
    """A whole game of two agents; every question is described and appraised on the way."""
    match = game(name)
    state = match.start()
    asked: set[str] = set()

    def watched(seat: str, kind: str) -> Any:
        agent = make_agent(kind, match, seat, seed)

        def answer(question: Choose | Place | Confirm, battle: Any) -> Any:
            asked.add(question.why)
            assert match.describe(battle, question).endswith("?")
            worths = match.appraise(battle, question)
            if isinstance(question, Choose):
                assert len(worths) == len(question.options)
                assert all(match.describe_option(battle, question, option) for option in question.options)
            else:
                assert len(worths) == (2 if isinstance(question, Confirm) else len(question.suggestions))
            assert all(len(worth.reason) <= 80 for worth in worths if isinstance(worth.reason, str))
            return agent(question, battle)

        return answer

    table = SeededTable(match.rules, state, seed, {s: watched(s, k) for s, k in zip(match.seats, kinds, strict=True)})
    while (step := match.next_step(state)) is not None:
        table.begin(step)
        match.perform(table, state, step)
    return match, state, asked


@pytest.mark.parametrize("name", ["patrol_clash", "river_ford"])
def test_questions_are_put_in_words_and_appraised(name: str) -> None:
    _, _, asked = played(name, ("random", "random"), 5)
    assert {"move", "move to", "fire", "volley at", "melee", "handle"} <= asked


def test_sense_beats_chance() -> None:
    match, state, _ = played("mission_station", ("doctrine", "random"), 1)
    assert match.outcome(state).winner == "british"
    match, state, _ = played("mission_station", ("random", "doctrine"), 1)
    assert match.outcome(state).winner == "zulu"
