"""The results of real dice as players type them: the faces, or a result of the throw in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, islice
from math import comb
from typing import Any

from zareba.base.errors import RuleBroken, ZarebaError
from zareba.base.grammar import amount, join_sentences
from zareba.base.hidden_characters import fold
from zareba.chance import MOST_DICE
from zareba.game import Game
from zareba.game.advance import Done, advance
from zareba.session.delegation import piece_of
from zareba.session.history import History
from zareba.table import Answer, Roll

# --- Faces of real dice as players type them --------------------------------------------------------------------------


def read_dice(count: int, sides: int, typed: str) -> list[int]:
    """Return the faces of real dice: separate numbers, counts such as `2x5`, or one row of single digits."""
    if typed.isdecimal() and sides <= 9 and len(typed) == count:
        return [int(face) for face in typed]
    faces: list[int] = []
    for part in typed.replace(",", " ").split():
        first, times_sign, second = part.partition("x")
        is_valid = first.isdecimal() and (second.isdecimal() or not times_sign)
        if not is_valid or int(first) > MOST_DICE:
            wanted = (
                f"type {amount(count, 'number')} from 1 to {sides}{', one by one or as 2x5 1x6' if count > 1 else ''}"
            )
            raise ZarebaError(f"'{typed}' is not a list of dice; {wanted}, or auto")
        faces += [int(second)] * int(first) if times_sign else [int(first)]
    return faces


# --- Results in words, so that an umpire can name the result instead of the dice --------------------------------------


_MOST_COMBINATIONS = 5000
"""With more combinations of faces than this, an umpire must enter the faces."""
_MOST_READINGS = 200
"""Largest number of readings whose consequences are simulated."""
LONGEST_NAME = 76
"""Number of characters that name a result in an error message."""


@dataclass(frozen=True)
class DiceResultOption:
    """One reading of the dice: faces that produce it, and its consequences up to the next question.

    `consequences` are sentences, "" if there are none. `is_actual` is True for the reading that was thrown.
    """

    faces: tuple[int, ...]
    answer: Answer
    consequences: str
    is_actual: bool


def results(history: History, piece: str = "") -> tuple[DiceResultOption, ...]:
    """Return the possible results of the last throw, or of the last for a piece. Raises ZarebaError if there are too
    many.
    """
    step_index, answer_index = history.locate_throw(piece)
    game, step = history.game, history.steps[step_index]
    thrown = step.answers[answer_index]
    assert isinstance(thrown.question, Roll), "dice were thrown"
    answers_before = [answered.answer for answered in step.answers[:answer_index]]
    options = []
    for answer, faces in islice(_readings(thrown.question).items(), _MOST_READINGS):
        try:
            reached = advance(game, step.start, [*answers_before, answer])
        except RuleBroken:
            continue
        assert reached is not None, "a step goes on or is done"
        events = reached.events[reached.marks[answer_index][0] :]
        sentences = [sentence for event in events if (sentence := game.narrator.describe_event(event))]
        state_after = reached.checkpoint if isinstance(reached, Done) else reached.draft
        sentences += _changes_of_piece(game, step.start, state_after, thrown.question.actor)
        consequences = join_sentences(dict.fromkeys(sentences)) if sentences else ""
        options.append(DiceResultOption(faces, answer, consequences, is_actual=answer == thrown.answer))
    return tuple(options)


def _changes_of_piece(game: Game[Any], before: Any, after: Any, actor: str) -> list[str]:
    """Return the changes in the condition of the piece that the throw was for, in words."""
    piece = piece_of(game, before, actor)
    return [
        change.what if change.now is True else f"{change.what} {change.now}"
        for change in game.display.changes(before, after)
        if change.unit == piece and change.now is not False and change.now != ""
    ]


def _readings(question: Roll) -> Mapping[Any, tuple[int, ...]]:
    """Return every reading of the dice, in any order of the dice, with faces that produce it."""
    if comb(question.dice + question.sides - 1, question.dice) > _MOST_COMBINATIONS:
        raise ZarebaError(
            f"{amount(question.dice, 'die', 'dice')} have too many results to name one; type the faces: again FACES"
        )
    faces_of_reading: dict[Any, tuple[int, ...]] = {}
    for faces in combinations_with_replacement(range(1, question.sides + 1), question.dice):
        faces_of_reading.setdefault(question.read.of(faces), faces)
    return faces_of_reading


def result_named(history: History, wanted: str, piece: str = "") -> DiceResultOption | None:
    """Return the result that contains the wanted words; of several, the one nearest to the actual throw.

    Return None if the words name a mark that can be put on the piece instead. Otherwise raise ZarebaError with the
    possible results.
    """
    possible = results(history, piece)
    actor = history.last_throw(piece).question.actor
    phrase, words = fold(wanted), fold(wanted).split()
    if not words:
        raise ZarebaError("name the result: result WORD, or result UNIT WORD")
    matches = [option for option in possible if _mentions_all(option, [phrase])]
    matches = matches or [option for option in possible if _mentions_all(option, words)]
    actual = next((option for option in matches if option.is_actual), None)
    if actual is not None:
        raise ZarebaError(f"the dice already gave that result: {actual.consequences}")
    if matches:
        actual_index = next((index for index, option in enumerate(possible) if option.is_actual), 0)
        return min(matches, key=lambda option: abs(possible.index(option) - actual_index))
    editor, thrower = history.game.umpire_editor(), piece_of(history.game, history.state, actor)
    if thrower and wanted.casefold().replace(" ", "_") in editor.marks:
        return None
    names = list(dict.fromkeys(option.consequences[:LONGEST_NAME] for option in possible if option.consequences))
    hint = f"possible results: {'; or '.join(names[:6])}" if names else "no result has a name"
    raise ZarebaError(f"these dice cannot give '{wanted}'; {hint}")


def _mentions_all(result: DiceResultOption, words: Sequence[str]) -> bool:
    """Return True if the consequences of a result contain all these words."""
    return all(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", fold(result.consequences)) for word in words)
