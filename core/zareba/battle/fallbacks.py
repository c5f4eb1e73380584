"""Fallbacks for questions and events of house rules that the ruleset does not know: plain texts and simple answers.

A ruleset's own methods raise an error for anything they do not know, such as a failed look-up. If house rules are in
force, a fallback answers instead. Without house rules such an error is a fault of the ruleset, and is shown. A
question that the ruleset has no words for belongs to a house rule, and so do its options.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from zareba.base.state import facts
from zareba.battle.evaluation import Evaluation
from zareba.presentation.narration import plain_sentence
from zareba.table.questions import Choose, Confirm, Draw, Event, Place, Question, Roll

FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""Errors that looking up an unknown or missing thing may raise."""


class PieceNames(Protocol):
    """Names for pieces and sides, as the narrator of a game has them."""

    def name_of(self, word: str, /) -> str:
        """Return the name of a unit, leader or side; any other word in readable form."""
        ...


@facts
class Fallback(Evaluation):
    """An evaluation for an option that the ruleset cannot evaluate."""


def default_name(names: PieceNames, word: Any) -> str:
    """Return a word, number or list of them in readable form, with the game's names for units, leaders and sides."""
    if isinstance(word, (tuple, list)):
        return " ".join(default_name(names, part) for part in word)
    return names.name_of(str(word))


def default_question(names: PieceNames, question: Question) -> str:
    """Return a plain sentence: `The wells guard: drink now?`, `Thirst for the wells guard: throw 2d6 and add them`."""
    actor = default_name(names, question.actor)
    if isinstance(question, Roll):
        thrown = f"throw {question.dice}d{question.sides}{question.how_to_read}"
        return f"{question.why.capitalize()}{actor and f' for {actor}'}: {thrown}"
    if isinstance(question, Draw):
        return f"{question.why.capitalize()}{actor and f' for {actor}'}: draw a card"
    return f"{actor or default_name(names, question.seat)}: {default_name(names, question.why).rstrip('?')}?"


def default_event(names: PieceNames, event: Event) -> str:
    """Return the `text` of an event, or its kind with the unit or side affected."""
    return plain_sentence(event, lambda name: default_name(names, name))


def first_of_all(question: Choose | Place | Confirm) -> Sequence[Evaluation]:
    """Return evaluations that favour the first option, the first legal place, or no."""
    if isinstance(question, Place):
        count, first = len(question.suggestions), _first_legal(question)
    else:
        count, first = len(question.options) if isinstance(question, Choose) else 2, 0
    return [
        Fallback(steadies=0.1 if number == first else 0.0, reason=f"{number + 1} of {count}") for number in range(count)
    ]


def _first_legal(question: Place) -> int:
    return next((number for number, at in enumerate(question.suggestions) if question.legal(at) is None), 0)
