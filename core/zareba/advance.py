"""The heart of play that can stop and go on: a step run on a draft of its checkpoint, with the answers so far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from zareba.activation import Step
from zareba.errors import Impossible
from zareba.game import Game
from zareba.table import Answer, Draw, Event, Pause, Question, RecordedTable, Roll
from zareba.tally import Tally

__all__ = ["Done", "Paused", "advance"]


@dataclass(frozen=True)
class Paused:
    """The step needs an answer. `events` and `tallies` are what happened in it so far; `draft` how the table looks.

    `marks` says for each of its answers how many events and tallies came before it.
    """

    step: Step
    question: Question
    events: tuple[Event, ...]
    tallies: tuple[Tally, ...]
    marks: tuple[tuple[int, int], ...]
    draft: Any


@dataclass(frozen=True)
class Done:
    """The step is finished: the new checkpoint, what happened (as in `Paused`), and what its answers answered."""

    step: Step
    checkpoint: Any
    events: tuple[Event, ...]
    tallies: tuple[Tally, ...]
    marks: tuple[tuple[int, int], ...]
    questions: tuple[Question, ...]


def advance(game: Game[Any], checkpoint: Any, answers: Sequence[Answer]) -> Paused | Done | None:
    """Run the next step of `checkpoint` with `answers`; the checkpoint itself is never changed.

    Gives Paused at the first question beyond the answers, Done when the step ends, None when the game is over. Raises
    RuleBroken when a rule swallows a pause or leaves answers over, or a step fails under house rules; nothing has changed
    then.
    """
    step = game.next_step(checkpoint)
    if step is None:
        return None
    draft = checkpoint.copy()
    table = RecordedTable(game.rules, draft, answers)
    with game.rules.blamed(f"the step {step.key}"):
        try:
            game.perform(table, draft, step)
        except Pause as pause:
            _check_seat(game, pause.question)
            told = tuple(table.events), tuple(table.tallies), tuple(table.marks)
            return Paused(step, pause.question, *told, draft)
        table.finish()
        if draft == checkpoint:
            raise Impossible("it left everything as it was, so it would come again for ever")
    told = tuple(table.events), tuple(table.tallies), tuple(table.marks)
    return Done(step, draft, *told, tuple(table.questions))


def _check_seat(game: Game[Any], question: Question) -> None:
    """Dice and cards are nobody's to answer; everything else is asked of a side of the game."""
    if not isinstance(question, (Roll, Draw)) and question.seat not in game.seats:
        raise Impossible(
            f"{question.rule}: '{question.why}' is asked of '{question.seat}', who is no side of this game; "
            f"the sides are {', '.join(game.seats)}"
        )
