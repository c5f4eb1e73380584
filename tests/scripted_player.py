"""A scripted player for the terminal. Measures how much a person has to type and read in a game.

    python tests/scripted_player.py river_ford [RULESET ...]

The script chooses as the doctrine AI does and types the numbers of options. It continues on the same line while it can
predict the next question. Units with the same orders are answered together (`1,3-4 joubert`), which counts as two
answers: the units and the order. `same` repeats the last orders and counts as one answer.

The output is a table. Per ruleset it shows the turns, the lines typed in total and in the busiest turn, the answers in
them, the lines of the tallest screen between two inputs, and the longest wait in seconds.
"""

from __future__ import annotations

import io
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from zareba.agents import make_agent
from zareba.base.errors import ZarebaError
from zareba.cli.output import SafeConsole
from zareba.cli.prompt.option_odds import option_phrases
from zareba.cli.prompt.parsing import head
from zareba.cli.prompt.prompt import Prompt
from zareba.game import HOLDING
from zareba.game.advance import AtQuestion, Done, advance
from zareba.game.parts.play import sets_up
from zareba.registry import ruleset_names
from zareba.scenario import load_scenario
from zareba.session import Session, new_session
from zareba.session.delegation import only_selects_figure, unit_of
from zareba.table import Answer, Choose, Confirm, Place, Question, seat_of

WIDTH = 80


class Screen(SafeConsole):
    """A console of 80 columns that records its output."""

    def __init__(self) -> None:
        super().__init__()
        self.file = io.StringIO()

    def lines_printed(self) -> int:
        """Return the number of lines printed since the last call."""
        assert isinstance(self.file, io.StringIO), "as it was made"
        text = self.file.getvalue()
        self.file.seek(0)
        self.file.truncate()
        return sum(max(1, -(-len(line) // WIDTH)) for line in text.splitlines())


@dataclass
class Measured:
    """The measurements of a game: lines typed and questions answered by turn, screen heights, longest wait in
    seconds.
    """

    set_up: int = 0
    typed: Counter[int] = field(default_factory=Counter)
    asked: Counter[int] = field(default_factory=Counter)
    heights: list[int] = field(default_factory=list)
    longest: float = 0.0


class Player:
    """Types for one seat until the game is over or the given number of turns has passed."""

    def __init__(self, session: Session, turns: int) -> None:
        self.session = session
        self.turns = turns
        self.measured = Measured()
        self.screen = Screen()
        self.seat = session.people[0]
        self._sense = make_agent("doctrine", session.game, self.seat, session.seed)
        self._since = time.perf_counter()

    def play(self) -> Measured:
        """Play the whole game and return its measurements."""
        Prompt(self.session, self.screen, self._ask).run()
        self.screen.lines_printed()
        return self.measured

    def _ask(self, prompt: str) -> str:
        measured, session = self.measured, self.session
        measured.longest = max(measured.longest, time.perf_counter() - self._since)
        measured.heights.append(self.screen.lines_printed() + max(1, -(-len(prompt) // WIDTH)))
        now = session.history.now
        assert now is not None, "a question is asked"
        turn = session.game.game_turn(session.state)
        if turn > self.turns:
            raise EOFError
        if sets_up(now.step):
            measured.set_up += 1
            line = "do phase"
        elif self._is_as_before(now.question):
            measured.typed[turn] += 1
            measured.asked[turn] += 1
            line = "same"
        elif together := self._together(now.question):
            measured.typed[turn] += 1
            measured.asked[turn] += len(together)
            line = " ".join(together)
        else:
            answers = self._line()
            measured.typed[turn] += 1
            measured.asked[turn] += len(answers)
            line = "; ".join(answers)
        self._since = time.perf_counter()
        return line

    def _is_as_before(self, question: Question) -> bool:
        """Return True if several choices in a row get the same answers as when they were last asked."""
        assert isinstance(question, (Choose, Place, Confirm)), "dice have no seat"
        game, played = self.session.game, self.session.history.steps[-1]
        given, own = [answer.answer for answer in played.answers], 0
        try:
            before = self.session.history.last_similar_answers(question)
        except ZarebaError:
            return False
        for earlier in before:
            reached = advance(game, played.start, given)
            if not isinstance(reached, AtQuestion) or reached.question.why != earlier.question.why:
                return False
            assert isinstance(reached.question, (Choose, Place, Confirm)), "before dice"
            answer = self._sense(reached.question, game.sight.view(reached.draft, self.seat))
            if not only_selects_figure(game, reached.draft, reached.question):
                own += 1
                if answer != earlier.answer:
                    return False
            given.append(answer)
        return own > 1

    def _together(self, question: Question) -> list[str]:
        """Return the numbers of several units with the same orders, and those orders; empty if their orders differ."""
        game, played = self.session.game, self.session.history.steps[-1]
        if not isinstance(question, Choose) or not HOLDING & set(question.options):
            return []
        given = [answer.answer for answer in played.answers]
        first = self._sense(question, game.sight.view(self.session.state, self.seat))
        named = game.umpire_editor().piece_holders(self.session.state)
        told = {
            option: self._told_to(played.start, [*given, option], str(option))
            for option in question.options
            if option in named
        }
        same = [
            str(list(question.options).index(choice) + 1)
            for choice, what in told.items()
            if what and what == told.get(first)
        ]
        return [",".join(same), *told[first]] if len(same) > 1 else []

    def _told_to(self, start: Any, answers: Sequence[Answer], unit: str) -> tuple[str, ...]:
        """Return the orders for a chosen unit in the words of its options, up to the next dice or another unit's
        turn.
        """
        game, given = self.session.game, list(answers)
        words: list[str] = []
        while isinstance(reached := advance(game, start, given), AtQuestion):
            question = reached.question
            if not isinstance(question, Choose) or unit_of(game, reached.draft, question) != unit:
                break
            answer = self._sense(question, game.sight.view(reached.draft, self.seat))
            given.append(answer)
            phrases = option_phrases(game, reached.draft, question)
            words.append(answer if isinstance(answer, str) else head(phrases[list(question.options).index(answer)]))
        return tuple(words)

    def _line(self) -> list[str]:
        """Return the answers to this question and to the questions that follow about the same unit, up to the next
        dice.

        If nothing is left to do, the answer that ends the activation goes on the same line.
        """
        game, played = self.session.game, self.session.history.steps[-1]
        start, answers = played.start, [answer.answer for answer in played.answers]
        typed: list[str] = []
        unit = why = ""
        while True:
            reached = advance(game, start, answers)
            while isinstance(reached, Done):
                start, answers = reached.checkpoint, []
                reached = advance(game, start, answers)
            if not isinstance(reached, AtQuestion) or seat_of(reached.question) != self.seat:
                return typed
            question = reached.question
            assert isinstance(question, (Choose, Place, Confirm)), "dice have no seat"
            about = unit_of(game, reached.draft, question)
            answer = self._sense(question, game.sight.view(reached.draft, self.seat))
            if self.session.by_units and only_selects_figure(game, reached.draft, question):
                answers.append(answer)
                continue
            if typed and about != unit and question.why != why and answer not in HOLDING:
                return typed
            unit = about or (str(answer) if answer in game.umpire_editor().piece_holders(reached.draft) else "")
            why = "" if about else question.why
            answers.append(answer)
            typed.append(_in_numbers(question, answer))


def _in_numbers(question: Question, answer: Answer) -> str:
    if isinstance(question, Choose):
        return str(list(question.options).index(answer) + 1)
    if isinstance(question, Confirm):
        return "y" if answer else "n"
    assert isinstance(question, Place), "dice are thrown by the program"
    listed = list(question.suggestions)
    return str(listed.index(answer) + 1) if answer in listed else f"{answer[0]} {answer[1]}"


def evening(ruleset: str, scenario: str, turns: int) -> Measured:
    """Play the side that is set up first against the doctrine AI."""
    given = load_scenario(scenario)
    first, *others = given.sides
    session = new_session(ruleset, given, {first: "human", **dict.fromkeys(others, "doctrine")}, seed=1)
    session.by_units = True
    return Player(session, turns).play()


def row(ruleset: str, found: Measured) -> str:
    """Return the row of a ruleset in the table of the docs, without the seconds, which depend on the machine."""
    lines, asked = found.typed, found.asked
    return (
        f"| {ruleset} | {max(lines)} | {found.set_up} | {sum(lines.values())} | {max(lines.values())} | "
        f"{sum(asked.values())} | {max(asked.values())} | {max(found.heights)} |"
    )


def main() -> None:
    """Run the command line."""
    scenario, *rulesets = sys.argv[1:]
    print(
        "| ruleset | turns | set-up | lines typed | in the busiest turn | answers | in the busiest turn | tallest screen | "
        "longest wait |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for ruleset in rulesets or ruleset_names():
        found = evening(ruleset, scenario, 99)
        print(f"{row(ruleset, found)} {found.longest:.1f} s |", flush=True)


if __name__ == "__main__":
    main()
