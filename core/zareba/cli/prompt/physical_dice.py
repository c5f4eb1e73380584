"""Real dice for a whole volley at once: the number to throw, and their assignment to the throws of the rules."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from zareba.game import Game
from zareba.session.history import History
from zareba.table import Answer, Question, RecordedTable, Roll
from zareba.table.drivers.recorded import Pause

__all__ = ["DiceInHand", "dice_ahead"]

MOST_THROWS = 400


class DiceInHand:
    """Unused faces that were typed in advance in one step, by kind of throw."""

    def __init__(self) -> None:
        self._step = ""
        self._faces: dict[tuple[str, int], list[int]] = {}

    def lay(self, step: str, roll: Roll, faces: list[int]) -> None:
        """Store the faces thrown beyond the present throw."""
        self._step = step
        self._faces[roll.why, roll.sides] = faces

    def for_throw(self, step: str, roll: Roll) -> list[int] | None:
        """Take the faces for a throw from the stored ones; None if there are too few."""
        there = self._faces.get((roll.why, roll.sides), []) if step == self._step else []
        if not 0 < roll.dice <= len(there):
            return None
        taken, there[:] = there[: roll.dice], there[roll.dice :]
        return taken

    def clear(self, step: str) -> list[int]:
        """Return and drop the unused faces once the step has ended; an empty list before."""
        if step == self._step:
            return []
        left = [face for faces in self._faces.values() for face in faces]
        self._faces.clear()
        return left


class _Counting(RecordedTable):
    """A table that answers all further throws, and counts the dice of one kind up to the next choice or card.

    It stops when the same actor throws again, because tied dice would be rethrown forever.
    """

    __slots__ = ("_face", "_kind", "_left", "_threw", "dice")

    def __init__(self, game: Game[Any], state: Any, answers: list[Answer], roll: Roll, face: int) -> None:
        super().__init__(game.rules, state, answers)
        self._kind = roll.why, roll.sides
        self._face = face
        self._left = MOST_THROWS
        self._threw: set[str] = set()
        self.dice = 0

    def answer(self, question: Question) -> Answer:
        if self._used < len(self._answers) or not isinstance(question, Roll):
            return super().answer(question)
        self._left -= 1
        of_kind = (question.why, question.sides) == self._kind
        if not self._left or (of_kind and question.actor in self._threw):
            raise Pause(question)
        if of_kind:
            self._threw.add(question.actor)
            self.dice += question.dice
            return question.read.of([self._face] * question.dice)
        return question.read.of([(question.sides + 1) // 2] * question.dice)


def dice_ahead(history: History) -> int:
    """Return the number of dice of the pending kind that the step will need, as far as it is known before the throw."""
    now = history.now
    assert now is not None and isinstance(now.question, Roll), "dice are to be thrown"
    game, played = history.game, history.steps[-1]
    most = now.question.dice
    for face in (1, now.question.sides):
        draft = played.start.copy()
        table = _Counting(game, draft, [one.answer for one in played.answers], now.question, face)
        with suppress(Pause):
            game.play.perform(table, draft, now.step)
        most = max(most, table.dice)
    return most
