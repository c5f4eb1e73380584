"""Real dice of a whole volley, typed at once, count the same as dice typed roll by roll, in every ruleset."""

from __future__ import annotations

from random import Random

import pytest
from tests.scripted_player import Screen
from tests.systems import each_ruleset

from zareba.base.state import digest
from zareba.cli.prompt.prompt import Prompt
from zareba.cli.prompt.typed_answers import dice_ahead
from zareba.scenario import load_scenario
from zareba.session import Session, new_session
from zareba.table import Roll


class Thrower:
    """Types the dice of a whole volley at once, and otherwise accepts the suggestions."""

    def __init__(self, session: Session, at_once: bool) -> None:
        self.session = session
        self.at_once = at_once
        self.lines = self.most = 0
        self.random = Random(1885)

    def ask(self, _: str) -> str:
        session, question = self.session, self.session.pending
        now = session.history.now
        if session.game.game_turn(session.state) > 1 or now is None:
            raise EOFError
        if isinstance(question, Roll):
            self.lines += 1
            count = dice_ahead(session.history) if self.at_once else question.dice
            self.most = max(self.most, count)
            return " ".join(str(self.random.randint(1, question.sides)) for _ in range(count))
        return "do phase" if now.step.name.startswith(("deploy", "setup")) else ""


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_a_turn_with_real_dice(ruleset: str) -> None:
    given = load_scenario("patrol_clash")
    first, *others = given.sides
    session = new_session(ruleset, given, {first: "human", **dict.fromkeys(others, "doctrine")}, seed=1, physical=True)
    thrower = Thrower(session, at_once=True)
    Prompt(session, Screen(), thrower.ask).run()
    thrown = [answer for played in session.history.steps for answer in played.answers if answer.by == "dice"]
    assert len(thrown) >= thrower.lines > 0
    again = Session(session.game, session.seats, session.seed, physical=True)
    for played in session.history.steps:
        for answered in played.answers:
            again.answer(answered.answer, by=answered.by, faces=answered.faces)
    assert digest(again.state.to_data()) == digest(session.state.to_data())
    if ruleset == "fixed_baynet":
        assert thrower.lines < 0.6 * len(thrown) and thrower.most > 5


def test_counts_replace_faces_and_mistakes_change_nothing() -> None:
    given = load_scenario("patrol_clash")
    first, *others = given.sides
    session = new_session(
        "fixed_baynet", given, {first: "human", **dict.fromkeys(others, "doctrine")}, seed=1, physical=True
    )
    screen = Screen()
    typed = ["7", "1 2 3", "2x3", "1 x", "four", "99x1", "", "5", "3", "undo", "auto"]
    asked: list[Roll] = []

    def ask(_: str) -> str:
        if not typed:
            raise EOFError
        question = session.pending
        if isinstance(question, Roll):
            asked.append(question)
        return typed.pop(0)

    Prompt(session, screen, ask).run()
    told = screen.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    assert "a die of 6 faces cannot show 7" in told
    assert "1 die thrown, but 3 faces given" in told
    assert told.count("is not a list of dice; type 1 number from 1 to 6") == 2
    assert "type the faces of the dice, or auto" in told
    assert len(asked) >= 10
