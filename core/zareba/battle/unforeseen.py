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
from zareba.battle.appraisal import Appraisal
from zareba.people.telling import plain_sentence
from zareba.table.event import Event
from zareba.table.questions import Choose, Confirm, Draw, Option, Place, Point, Question, Roll

__all__ = ["FAULTS", "STAND_INS", "StandIn", "plain", "plain_event", "plain_option", "plain_question", "with_stand_in"]

FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What looking up something unknown, or something that is not there, may raise."""


class Foreseeing(Protocol):
    """What a game knows of its own words."""

    rules: Any

    def foresees(self, state: Any, question: Question, /) -> bool:
        """Whether the rules have words for a question."""
        ...

    def name_of(self, word: str, /) -> str:
        """The name of a unit, leader or side; any other word as people write it."""
        ...


@facts
class StandIn(Appraisal):
    """Said of an option for want of an appraisal."""


def with_stand_in(known: Callable[..., Any], stand_in: Callable[..., Any]) -> Callable[..., Any]:
    """What a ruleset's game knows, and the stand-in where house rules are in play and it does not."""

    @wraps(known)
    def call(game: Foreseeing, *about: Any) -> Any:
        if not game.rules.house_rules:
            return known(game, *about)
        if len(about) > 1 and isinstance(about[1], (Choose, Place, Confirm)) and not game.foresees(*about[:2]):
            return stand_in(game, *about)
        try:
            return known(game, *about)
        except FAULTS:
            return stand_in(game, *about)

    return call


def plain(game: Foreseeing, word: Any) -> str:
    """Words or numbers as people write them, units, leaders and sides by the names that the game has for them."""
    if isinstance(word, (tuple, list)):
        return " ".join(plain(game, part) for part in word)
    return game.name_of(str(word))


def plain_question(game: Foreseeing, state: Any, question: Question) -> str:
    """`The wells guard: drink now?`, `Thirst for the wells guard: throw 2d6, read as sum`."""
    actor = plain(game, question.actor)
    if isinstance(question, Roll):
        thrown = f"throw {question.dice}d{question.sides}, read as {question.read.name}"
        return f"{question.why.capitalize()}{actor and f' for {actor}'}: {thrown}"
    if isinstance(question, Draw):
        return f"{question.why.capitalize()}{actor and f' for {actor}'}: draw a card"
    return f"{actor or plain(game, question.seat)}: {plain(game, question.why).rstrip('?')}?"


def plain_option(game: Foreseeing, state: Any, question: Question, option: Option) -> str:
    """An option in its own words, units and sides by name."""
    return plain(game, option)


def plain_card(game: Foreseeing, question: Draw, card: str) -> str:
    """A card by its own name."""
    return plain(game, card)


def plain_event(game: Foreseeing, event: Event) -> str:
    """The `text` of an event, or its kind with the unit or side that it befell."""
    return plain_sentence(event, lambda name: plain(game, name))


def no_odds(game: Foreseeing, state: Any, question: Question, option: Option) -> Sequence[Any]:
    """Nothing is known of what may come of it."""
    return ()


def no_odds_at_all(game: Foreseeing, state: Any, question: Question, option: Option) -> bool:
    """Return False: nothing is known of what may come of it."""
    return False


def first_of_all(game: Foreseeing, state: Any, question: Choose | Place | Confirm) -> Sequence[Appraisal]:
    """The first option is taken, of places the first legal one; yes is not said to what nobody knows."""
    if isinstance(question, Place):
        count, first = len(question.suggestions), _first_legal(question)
    else:
        count, first = len(question.options) if isinstance(question, Choose) else 2, 0
    return [
        StandIn(steadies=0.1 if number == first else 0.0, reason=f"{number + 1} of {count}") for number in range(count)
    ]


def first_places(game: Foreseeing, state: Any, question: Place) -> Mapping[Point, Appraisal]:
    """As `first_of_all`, of points."""
    return dict(zip(question.suggestions, first_of_all(game, state, question), strict=True))


def first_options(game: Foreseeing, state: Any, question: Choose) -> Mapping[Option, Appraisal]:
    """As `first_of_all`, of options."""
    return dict(zip(question.options, first_of_all(game, state, question), strict=True))


def _first_legal(question: Place) -> int:
    return next((number for number, at in enumerate(question.suggestions) if question.legal(at) is None), 0)


STAND_INS: Mapping[str, Callable[..., Any]] = {
    "describe": plain_question,
    "describe_option": plain_option,
    "describe_card": plain_card,
    "describe_event": plain_event,
    "odds_for": no_odds,
    "has_odds": no_odds_at_all,
    "appraise": first_of_all,
    "best_places": first_places,
    "best_options": first_options,
}
"""By the names of the functions of a game."""
