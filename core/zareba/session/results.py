"""What a throw could have come to, in words, so that an umpire may say the result instead of the dice."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, islice
from math import comb
from typing import Any

from zareba.base.amounts import amount
from zareba.base.characters import fold
from zareba.base.errors import RuleBroken, ZarebaError
from zareba.game import Game
from zareba.game.advance import Done, advance
from zareba.session.delegation import piece_of
from zareba.session.history import History
from zareba.table import Answer, Roll

__all__ = ["Result", "result_named", "results"]

MOST_FALLS = 5000
"""Dice that can fall in more ways than that are typed as they lie."""
MOST_READINGS = 200
"""So many readings at most are followed to see what comes of them."""
SAID = 76
"""So many characters of what is told of a result name it."""


@dataclass(frozen=True)
class Result:
    """One reading of the dice: faces that show it, and what then comes of the throw up to the next question.

    `told` are the sentences of what happens, "" where nothing is told; `is_so`: the dice fell so.
    """

    faces: tuple[int, ...]
    answer: Answer
    told: str
    is_so: bool


def results(history: History, piece: str = "") -> tuple[Result, ...]:
    """What the last throw could have come to, or the last for a piece; raises ZarebaError when that cannot be said."""
    place, at = history.where_thrown(piece)
    game, played = history.game, history.steps[place]
    start, thrown = played.start, played.answers[at]
    assert isinstance(thrown.question, Roll), "dice were thrown"
    before = [one.answer for one in played.answers[:at]]
    found = []
    for answer, faces in islice(_readings(thrown.question).items(), MOST_READINGS):
        try:
            reached = advance(game, start, [*before, answer])
        except RuleBroken:
            continue
        assert reached is not None, "a step goes on or is done"
        events = reached.events[reached.marks[at][0] :]
        sentences = [sentence for event in events if (sentence := game.describe_event(event))]
        after = reached.checkpoint if isinstance(reached, Done) else reached.draft
        sentences += _states(game, start, after, thrown.question.actor)
        found.append(Result(faces, answer, "; ".join(dict.fromkeys(sentences)), answer == thrown.answer))
    return tuple(found)


def _states(game: Game[Any], before: Any, after: Any, actor: str) -> list[str]:
    """How the piece for which was thrown is off by it, in words, as it is told nowhere else."""
    piece = piece_of(game, before, actor)
    return [
        change.what if change.now is True else f"{change.what} {change.now}"
        for change in game.changes(before, after)
        if change.unit == piece and change.now is not False and change.now != ""
    ]


def _readings(question: Roll) -> Mapping[Any, tuple[int, ...]]:
    """Every reading of the dice, whichever of them shows what, with faces that show it."""
    if comb(question.dice + question.sides - 1, question.dice) > MOST_FALLS:
        raise ZarebaError(
            f"{amount(question.dice, 'die', 'dice')} can fall in too many ways to name a result; say how they lie: again FACES"
        )
    found: dict[Any, tuple[int, ...]] = {}
    for faces in combinations_with_replacement(range(1, question.sides + 1), question.dice):
        found.setdefault(question.read.of(faces), faces)
    return found


def result_named(history: History, wanted: str, piece: str = "") -> Result | None:
    """The result whose words are wanted, of several the one nearest to what fell.

    None where it is a mark that may be put on the piece instead. Raises ZarebaError with what the throw could have come to.
    """
    found = results(history, piece)
    actor = history.last_throw(piece).question.actor
    words = fold(wanted).split()
    if not words:
        raise ZarebaError("say which result: result WORD, or result UNIT WORD")
    meant = [one for one in found if _says(one, [fold(wanted)])] or [one for one in found if _says(one, words)]
    if any(one.is_so for one in meant):
        raise ZarebaError(f"it came to that already: {next(one.told for one in meant if one.is_so)}")
    if meant:
        fell = next((place for place, one in enumerate(found) if one.is_so), 0)
        return min(meant, key=lambda one: abs(found.index(one) - fell))
    hand, marked = history.game.by_hand(), piece_of(history.game, history.state, actor)
    if marked and wanted.casefold().replace(" ", "_") in hand.marks:
        return None
    told = list(dict.fromkeys(one.told for one in found if one.told))
    could = (
        f"it could have come to: {'; or '.join(said[:SAID] for said in told[:6])}" if told else "nothing is told of it"
    )
    raise ZarebaError(f"no fall of these dice comes to '{wanted}'; {could}")


def _says(one: Result, words: Sequence[str]) -> bool:
    return all(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", fold(one.told)) for word in words)
