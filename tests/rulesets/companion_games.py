"""Games of play that the companion follows, fact by fact, with the dice of play."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import pytest

from zareba.agents import make_agent
from zareba.chance import EACH
from zareba.cli.output import SafeConsole
from zareba.cli.prompt.companion_prompt import CompanionPrompt
from zareba.companion import AskFact, Decide, Evening, Finished, Form, PickUnit, Scene, Throw, forms
from zareba.game import Game
from zareba.odds import procedures
from zareba.table import Answer, Event, GivenAnswer, Question, RememberingTable, Roll
from zareba.table.questions import Step

_LEFT = re.compile(r": \d+ of \d+ \w+ left$")


def limit_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count at most 50 paths for the odds before the dice, or else play them out 4 times.

    These odds take most of the time of an evening, and other tests check them.
    """
    monkeypatch.setattr(forms, "odds", lambda *args, **_: procedures.odds(*args, budget=50, samples=4))


def typed(evening: Evening[Any], *lines: str) -> list[str]:
    """Type lines at the prompt of the companion. Return the sentences of what happened, without those that say how much
    of a unit is left ("Red: 5 of 6 figures left").
    """
    entries = len(evening.entries)
    queue = iter(lines)

    def ask(_: str) -> str:
        try:
            return next(queue)
        except StopIteration:
            raise EOFError from None

    CompanionPrompt(evening, SafeConsole(), ask).run()
    told = [sentence for entry in evening.entries[entries:] for sentence in entry.sentences]
    return [sentence for sentence in told if not _LEFT.search(sentence)]


class StepPlayed(NamedTuple):
    """One step of play: the state before it, its questions with their answers, its events, and the state after it."""

    step: Step
    before: Any
    given: tuple[GivenAnswer, ...]
    events: tuple[Event, ...]
    after: Any

    def answers(self, why: str) -> list[Answer]:
        """Return the answers to all questions with a purpose."""
        return [answered.answer for answered in self.given if answered.question.why == why]

    def told(self, kind: str) -> list[Event]:
        """Return the events of a kind."""
        return [event for event in self.events if event.kind == kind]


class PlayTable(RememberingTable):
    """The table of a game that is followed. `is_asking` is true while an AI player thinks: what it plays out ahead is
    no part of the game.
    """

    is_asking: ClassVar[bool] = False

    def answer(self, question: Question) -> Answer:
        PlayTable.is_asking = True
        try:
            return super().answer(question)
        finally:
            PlayTable.is_asking = False


def steps_of(game: Game[Any], seed: int, player: str = "random") -> Iterator[StepPlayed]:
    """Play a game to its end and yield its steps."""
    state = game.start()
    table = PlayTable(game.rules, state, seed, {seat: make_agent(player, game, seat, seed) for seat in game.seats})
    while (step := game.play.next_step(state)) is not None:
        before = state.copy()
        table.begin(step)
        game.play.perform(table, state, step)
        yield StepPlayed(step, before, tuple(table.given), tuple(table.events), state)


class Follower:
    """An evening that does what a game of play does. `dice` are the rolls of the present step still to be used."""

    def __init__(self, evening: Evening[Any]) -> None:
        self.evening = evening
        self.dice: list[GivenAnswer] = []

    def do(self, act: str, actor: str = "", target: str = "", **facts: Any) -> None:
        """Do an act with facts of play. Its dice and decisions are the next ones of play."""
        form = self.evening.form(act, Scene(self.evening.game, actor, target))
        while not isinstance(pending := form.pending, Finished):
            self._answer(form, pending, facts)
        self.evening.finish(form)

    def _answer(self, form: Form[Any], pending: Any, facts: dict[str, Any]) -> None:
        assert not isinstance(pending, PickUnit), f"{form.act.name} needs its {pending}"
        if isinstance(pending, AskFact):
            name = pending.asked.fact
            assert name in facts or pending.default is not None, f"{form.act.name} asks for {name}"
            form.give(facts.get(name, pending.default))
        else:
            assert isinstance(pending, (Throw, Decide))
            at = next(
                place
                for place, answered in enumerate(self.dice)
                if type(answered.question) is type(pending.question)
                and (answered.question.why, answered.question.actor) == (pending.question.why, pending.question.actor)
            )
            known = self.dice.pop(at)
            if isinstance(known.question, Roll) and isinstance(pending.question, Roll):
                assert known.question._replace(means=None) == pending.question._replace(means=None)
            read = known.question.read if isinstance(known.question, Roll) else None
            form.give(known.answer, known.answer if read is EACH else ())  # else all results would be listed

    def used(self, why: Sequence[str] = ()) -> bool:
        """Return True if all rolls of the step have been used, except those with these purposes."""
        return not [
            answered
            for answered in self.dice
            if isinstance(answered.question, Roll) and answered.question.why not in why
        ]
