"""The pure step function: it never changes the checkpoint, and the same answers give the same result."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.toy import Raid, ToyGame, ToyPlay, bare_rules

from zareba.base.errors import RuleBroken
from zareba.chance import KeyedDice
from zareba.game.advance import AtQuestion, Done, advance
from zareba.table import ChanceKeys, Choose, Draw, Place, Question, Roll, Table
from zareba.table.questions import Step

ANSWERS = ["raid", (8, 6), "rifles", True, "camp", (3.0, 4.0), False]


def test_a_step_pauses_at_the_first_question_without_an_answer() -> None:
    game = ToyGame()
    whys = []
    for count in range(len(ANSWERS)):
        paused = advance(game, game.start(), ANSWERS[:count])
        assert isinstance(paused, AtQuestion)
        whys.append(paused.question.why)
    assert whys == ["act", "raid", "booty", "protest", "act", "camp", "protest"]


def test_a_finished_step_gives_the_next_checkpoint_and_its_events() -> None:
    game = ToyGame()
    done = advance(game, game.start(), ANSWERS)
    assert isinstance(done, Done)
    assert done.step == Step("turn", 1, "both")
    assert done.checkpoint == Raid(2, {"patrol": 8, "tribesmen": 1}, {"goats": 2}, {"tribesmen": (3.0, 4.0)})
    assert [event.kind for event in done.events] == ["raid", "booty"]


def test_a_pause_gives_the_present_state_of_the_step() -> None:
    game = ToyGame()
    start = game.start()
    paused = advance(game, start, ANSWERS[:3])
    assert isinstance(paused, AtQuestion)
    assert paused.draft.points["patrol"] == 8
    assert [event.kind for event in paused.events] == ["raid", "booty"]
    assert start.points["patrol"] == 0


def test_a_game_that_is_over_has_no_step() -> None:
    game = ToyGame()
    over = game.start()
    over.turn = 4
    assert advance(game, over, []) is None


def some_answer(question: Question, luck: int) -> Any:
    """Return a legal answer selected by a number."""
    if isinstance(question, (Roll, Draw)):
        return ChanceKeys(Step("t", luck, "t")).answer(KeyedDice(luck), question)[0]
    if isinstance(question, Choose):
        return question.options[luck % len(question.options)]
    return question.suggestions[luck % 2] if isinstance(question, Place) else bool(luck % 2)


@given(st.lists(st.integers(0, 10**6), min_size=30, max_size=30))
def test_whole_games_never_change_a_checkpoint_and_repeat_exactly(luck: list[int]) -> None:
    game, lucks = ToyGame(), iter(luck)
    checkpoint, answers = game.start(), list[Any]()
    while True:
        before = copy.deepcopy(checkpoint)
        reached = advance(game, checkpoint, answers)
        assert checkpoint == before
        assert advance(game, checkpoint, answers) == reached
        if reached is None:
            break
        if isinstance(reached, AtQuestion):
            answers.append(some_answer(reached.question, next(lucks)))
        else:
            checkpoint, answers = reached.checkpoint, []
    assert checkpoint.turn == 4


class BrokenPlay(ToyPlay):
    """Calls the fault of the game in every step."""

    game: Broken

    def perform(self, table: Table, state: Raid, step: Step) -> None:
        state.turn = 99
        self.game.fault(table)


class Broken(ToyGame):
    """A game in which every step calls `fault`."""

    play_class = BrokenPlay

    def __init__(self, fault: Any, house_rules: tuple[str, ...] = ()) -> None:
        super().__init__(bare_rules(house_rules=house_rules))
        self.fault = fault


def catch_pause(table: Table) -> None:
    try:
        table.roll(1, 6, why="luck", rule="T-1")
    except BaseException:  # noqa: BLE001  # the fault under test
        table.emit("luck", "T-1")


def test_a_caught_pause_is_reported() -> None:
    game = Broken(catch_pause)
    start = game.start()
    with pytest.raises(RuleBroken, match=r"the question 'luck' \(T-1\) was asked and its pause caught"):
        advance(game, start, [])
    assert start == game.start()


def test_unused_answers_are_reported() -> None:
    with pytest.raises(RuleBroken, match="1 recorded answer left over"):
        advance(Broken(lambda table: None), ToyGame().start(), [3])


def test_a_step_that_fails_names_the_house_rules_if_there_are_any() -> None:
    with pytest.raises(RuleBroken, match=r"step 1/both/turn failed: KeyError: .*house rules 'fog' or 'mud'"):
        advance(Broken(lambda table: {"y": 1}["x"], ("fog", "mud")), ToyGame().start(), [])
    with pytest.raises(KeyError):
        advance(Broken(lambda table: {"y": 1}["x"]), ToyGame().start(), [])


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (lambda table: table.roll(-997, 6, why="fire", rule="T-1"), "T-1: 'fire' asks for -997 dice of 6 faces"),
        (
            lambda table: table.confirm("nobody", why="fire", rule="T-1"),
            "T-1: 'fire' is put to 'nobody', which is not a side",
        ),
    ],
)
def test_a_question_that_cannot_be_answered_names_the_house_rules_if_there_are_any(
    fault: Callable[[Table], Any], sentence: str
) -> None:
    with pytest.raises(RuleBroken, match=f"step 1/both/turn failed: {sentence}.*house rules 'fog' or 'mud'"):
        advance(Broken(fault, ("fog", "mud")), ToyGame().start(), [])
    with pytest.raises(RuleBroken, match=f"^{sentence}"):
        advance(Broken(fault), ToyGame().start(), [])


def test_a_step_without_changes_is_reported_as_endless() -> None:
    class IdlePlay(BrokenPlay):
        def perform(self, table: Table, state: Raid, step: Step) -> None:
            table.emit("note", "T-1", text="nothing happened")

    class Idle(Broken):
        play_class = IdlePlay

    idle = Idle(lambda table: None, ("fog",))
    with pytest.raises(
        RuleBroken, match=r"turn failed: it changed nothing, so it would repeat forever.*house rule 'fog'"
    ):
        advance(idle, idle.start(), [])


def test_only_people_may_interrupt() -> None:
    def interrupted(table: Table) -> None:
        raise KeyboardInterrupt

    start = ToyGame().start()
    with pytest.raises(KeyboardInterrupt):
        advance(Broken(interrupted, ("fog",)), start, [])
    assert start == ToyGame().start()
