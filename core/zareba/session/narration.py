"""Questions and answers in words, so that people can read the log, and a journal without its rules."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any

from zareba.chance import Remark, Rows
from zareba.game import Game
from zareba.rules import load_catalogue
from zareba.session.history import Answered
from zareba.table import Choose, Confirm, Draw, Place, Question, Roll

SECRET_ANSWER = "secret until the battle is over"
"""Replaces an answer that a house rule keeps secret until the battle is over."""


def dice_text(answered: Answered) -> str:
    """Return the faces of a throw, their result, and its meaning in the rules."""
    assert isinstance(answered.question, Roll), "only dice have faces"
    faces = " ".join(map(str, answered.faces)) or answered.question.read.describe(answered.answer)
    result, meaning = _result(answered)
    if meaning.startswith(f"{faces}: "):
        return meaning  # the row of a chart that holds for this face alone names it
    return "; ".join(filter(None, [f"{faces}, so {result}" if result else faces, meaning]))


def result_text(answered: Answered) -> str:
    """Return the result of a throw and its meaning in the rules, without the faces."""
    return "; ".join(filter(None, _result(answered)))


def _result(answered: Answered) -> tuple[str, str]:
    """Return the result of a throw, "" if its faces say as much, and its meaning in the rules, "" without one."""
    assert isinstance(answered.question, Roll), "only dice have faces"
    read, means = answered.question.read, answered.question.means
    result = read.describe(answered.answer)
    meaning = "" if means is None else means.describe(read, answered.answer)
    plain = (
        len(answered.faces) < 2
        or result == ", ".join(map(str, answered.faces))
        or not isinstance(means, (Rows, NoneType))
    )
    return "" if plain else result, meaning


def card_text(game: Game[Any], answered: Answered) -> str:
    """Return the drawn card and its meaning in the rules."""
    assert isinstance(answered.question, Draw), "only cards are drawn"
    card, means = game.narrator.describe_card(answered.question, str(answered.answer)), answered.question.means
    meaning = "" if means is None else means.describe(None, answered.answer)
    adds_meaning = means is not None and meaning != means.describe_all(
        None
    )  # the meaning says more than the question already does
    return f"{card}; {meaning}" if adds_meaning else card


def outcome_text(game: Game[Any], answered: Answered) -> str:
    """Return the faces or card of a chance event, and their meaning in the rules if the question does not say it."""
    if isinstance(answered.question, Draw):
        return card_text(game, answered)
    means = answered.question.means if isinstance(answered.question, Roll) else None
    return dice_text(answered).removesuffix(f"; {means.text}" if isinstance(means, Remark) else "")


def answer_text(game: Game[Any], draft: Any, answered: Answered) -> dict[str, Any]:
    """Return an answer with its question, JSON-ready: `question`, `rule`, `seat`, `by`, `answer`, `faces`. A card of
    one seat stays hidden.
    """
    question = answered.question
    answer: Any = answered.answer
    if isinstance(question, Choose):
        answer = game.narrator.describe_option(draft, question, answer)
    elif isinstance(question, Draw):
        answer = game.narrator.describe_card(question, str(answer)) if question.seat is None else "a card"
    return {
        "question": game.narrator.describe(draft, question),
        "rule": question.rule,
        "seat": getattr(question, "seat", None),
        "by": answered.by,
        "answer": answer,
        "faces": list(answered.faces),
    }


def line_of(game: Game[Any], texts: Mapping[str, Any], answered: Answered) -> str:
    """Return an answer in one line; dice and cards come with their meaning in the rules."""
    answer = texts["answer"]
    if isinstance(answered.question, Roll) or (isinstance(answered.question, Draw) and answered.question.seat is None):
        answer = outcome_text(game, answered)
    elif isinstance(answer, bool):
        answer = "yes" if answer else "no"
    elif isinstance(answered.question, Place):
        answer = game.narrator.landmarks.spot(answer)
    return line_with(texts, answer)


def line_with(texts: Mapping[str, Any], answer: Any) -> str:
    """Return one line with a question, the player who answered it, and the answer."""
    question, by = texts["question"], texts["by"]
    if "?" in question or question.endswith("."):
        return f"{question} {by}: {answer}"
    return f"{question}{'' if by == 'chance' else f' ({by})'}: {answer}"


def is_secret(game: Game[Any], question: Question) -> bool:
    """Return True if the question comes from a house rule with secret values. Its rule id is then not in the ruleset's
    catalogue.
    """
    rules = game.rules
    if not any(state_variable.secret for state_variable in rules.state_variables.values()):
        return False
    return isinstance(question, (Choose, Confirm)) and question.rule not in load_catalogue(*rules.ruleset.folders).rules
