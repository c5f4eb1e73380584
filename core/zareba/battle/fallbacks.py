"""What a house rule asks and tells that a ruleset did not foresee: put into words, and answered with sense.

A ruleset says what it knows and fails at the rest, as a look-up in its own words does. Where house rules are in play, this
stands in: without them a ruleset that fails is at fault, and the failure is shown. A question that a ruleset cannot put
into words is a house rule's, and so are its options.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, Protocol

from zareba.base.state import facts
from zareba.battle.evaluation import Evaluation
from zareba.presentation.narration import plain_sentence
from zareba.table.event import Event
from zareba.table.questions import Choose, Confirm, Draw, Option, Place, Point, Question, Roll

__all__ = [
    "FALLBACKS",
    "FAULTS",
    "Fallback",
    "default_event",
    "default_name",
    "default_option",
    "default_question",
    "with_fallback",
]

FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What looking up something unknown, or something that is not there, may raise."""


class KnowsQuestions(Protocol):
    """What a game knows of its own words."""

    rules: Any

    def knows_question(self, state: Any, question: Question, /) -> bool:
        """Whether the rules have words for a question."""
        ...

    def name_of(self, word: str, /) -> str:
        """The name of a unit, leader or side; any other word as people write it."""
        ...


@facts
class Fallback(Evaluation):
    """Said of an option for want of an appraisal."""


def with_fallback(known: Callable[..., Any], stand_in: Callable[..., Any]) -> Callable[..., Any]:
    """What a ruleset's game knows, and the stand-in where house rules are in play and it does not."""

    @wraps(known)
    def call(game: KnowsQuestions, *about: Any) -> Any:
        if not game.rules.house_rules:
            return known(game, *about)
        if len(about) > 1 and isinstance(about[1], (Choose, Place, Confirm)) and not game.knows_question(*about[:2]):
            return stand_in(game, *about)
        try:
            return known(game, *about)
        except FAULTS:
            if len(about) == 2 and isinstance(about[1], Choose):
                return _one_by_one(known, stand_in, game, *about)
            return stand_in(game, *about)

    return call


def _one_by_one(
    known: Callable[..., Any], stand_in: Callable[..., Any], game: KnowsQuestions, state: Any, question: Choose
) -> Any:
    """Appraise each option alone where all of them together fail: an option may name a unit that the seat does not see.

    Those that fail alone too are worth less than the others; `best_options` leaves them out.
    """
    found: dict[Option, Any] = {}
    for option in question.options if len(question.options) > 1 else ():
        alone = question._replace(options=(option,))
        try:
            said = known(game, state, alone)
        except FAULTS:
            continue
        found[option] = said[option] if isinstance(said, Mapping) else next(iter(said))
    if not found:
        return stand_in(game, state, question)
    if stand_in is first_options:
        return found
    return [found.get(option) or Fallback(suffers=1.0, reason="nothing is known of it") for option in question.options]


def default_name(game: KnowsQuestions, word: Any) -> str:
    """Words or numbers as people write them, units, leaders and sides by the names that the game has for them."""
    if isinstance(word, (tuple, list)):
        return " ".join(default_name(game, part) for part in word)
    return game.name_of(str(word))


def default_question(game: KnowsQuestions, state: Any, question: Question) -> str:
    """`The wells guard: drink now?`, `Thirst for the wells guard: throw 2d6, read as sum`."""
    actor = default_name(game, question.actor)
    if isinstance(question, Roll):
        thrown = f"throw {question.dice}d{question.sides}, read as {question.read.name}"
        return f"{question.why.capitalize()}{actor and f' for {actor}'}: {thrown}"
    if isinstance(question, Draw):
        return f"{question.why.capitalize()}{actor and f' for {actor}'}: draw a card"
    return f"{actor or default_name(game, question.seat)}: {default_name(game, question.why).rstrip('?')}?"


def default_option(game: KnowsQuestions, state: Any, question: Question, option: Option) -> str:
    """An option in its own words, units and sides by name."""
    return default_name(game, option)


def default_card(game: KnowsQuestions, question: Draw, card: str) -> str:
    """A card by its own name."""
    return default_name(game, card)


def default_event(game: KnowsQuestions, event: Event) -> str:
    """The `text` of an event, or its kind with the unit or side that it befell."""
    return plain_sentence(event, lambda name: default_name(game, name))


def no_odds(game: KnowsQuestions, state: Any, question: Question, option: Option) -> Sequence[Any]:
    """Nothing is known of what may come of it."""
    return ()


def no_odds_at_all(game: KnowsQuestions, state: Any, question: Question, option: Option) -> bool:
    """Return False: nothing is known of what may come of it."""
    return False


def first_of_all(game: KnowsQuestions, state: Any, question: Choose | Place | Confirm) -> Sequence[Evaluation]:
    """The first option is taken, of places the first legal one; yes is not said to what nobody knows."""
    if isinstance(question, Place):
        count, first = len(question.suggestions), _first_legal(question)
    else:
        count, first = len(question.options) if isinstance(question, Choose) else 2, 0
    return [
        Fallback(steadies=0.1 if number == first else 0.0, reason=f"{number + 1} of {count}") for number in range(count)
    ]


def first_places(game: KnowsQuestions, state: Any, question: Place) -> Mapping[Point, Evaluation]:
    """As `first_of_all`, of points."""
    return dict(zip(question.suggestions, first_of_all(game, state, question), strict=True))


def first_options(game: KnowsQuestions, state: Any, question: Choose) -> Mapping[Option, Evaluation]:
    """As `first_of_all`, of options."""
    return dict(zip(question.options, first_of_all(game, state, question), strict=True))


def _first_legal(question: Place) -> int:
    return next((number for number, at in enumerate(question.suggestions) if question.legal(at) is None), 0)


FALLBACKS: Mapping[str, Callable[..., Any]] = {
    "describe": default_question,
    "describe_option": default_option,
    "describe_card": default_card,
    "describe_event": default_event,
    "odds_for": no_odds,
    "has_odds": no_odds_at_all,
    "evaluate": first_of_all,
    "best_places": first_places,
    "best_options": first_options,
}
"""By the names of the functions of a game."""
