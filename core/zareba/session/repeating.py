"""The same as last time: what was answered when a choice of this kind was asked before, and what followed from it."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.errors import ZarebaError
from zareba.session.history import Answered, History
from zareba.table import Choose, Confirm, Place, Question, seat_of

__all__ = ["last_time"]


def last_time(history: History, question: Choose | Place | Confirm) -> list[Answered]:
    """What this seat answered to the last choice of the kind, of the same actor if there was one, and to what was asked next
    about him, up to dice.

    Raises ZarebaError where nothing of the kind has been answered yet.
    """
    given = [one for one in history.answers if isinstance(one, Answered)]
    same_kind = [place for place, one in enumerate(given) if _is_alike(one.question, question)]
    if not same_kind:
        raise ZarebaError("nothing of this kind has been answered yet, so there is nothing to do the same")
    own = [place for place in same_kind if given[place].question.actor == question.actor]
    return _run(given, (own or same_kind)[-1])


def _is_alike(asked: Question, question: Question) -> bool:
    return (asked.why, seat_of(asked)) == (question.why, seat_of(question))


def _run(given: Sequence[Answered], start: int) -> list[Answered]:
    """The answers from one on that are about its actor or his men, up to dice, another actor, or the same question again."""
    first = given[start]
    found = [first]
    for one in given[start + 1 :]:
        asked = one.question
        about = asked.actor == first.question.actor or asked.actor.startswith(f"{first.question.actor}.")
        if seat_of(asked) is None or not about or asked.why == first.question.why:
            break
        found.append(one)
    return found
