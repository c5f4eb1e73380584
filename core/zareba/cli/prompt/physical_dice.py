"""Real dice of a whole volley at once: how many are to be thrown, and which of them are for which throw of the rules."""

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
    """Faces that lie on the table and have not been asked for: of each kind of throw, in one step."""

    def __init__(self) -> None:
        self._step = ""
        self._faces: dict[tuple[str, int], list[int]] = {}

    def lay(self, step: str, roll: Roll, faces: list[int]) -> None:
        """What has been thrown beyond the present throw."""
        self._step = step
        self._faces[roll.why, roll.sides] = faces

    def for_throw(self, step: str, roll: Roll) -> list[int] | None:
        """The faces for a throw, taken from those that lie there; None when there are none, or too few."""
        there = self._faces.get((roll.why, roll.sides), []) if step == self._step else []
        if not 0 < roll.dice <= len(there):
            return None
        taken, there[:] = there[: roll.dice], there[roll.dice :]
        return taken

    def clear(self, step: str) -> list[int]:
        """What is left over once the step has ended; nothing while it goes on."""
        if step == self._step:
            return []
        left = [face for faces in self._faces.values() for face in faces]
        self._faces.clear()
        return left


class _Counting(RecordedTable):
    """Answers all throws that follow, and counts the dice of those of one kind, up to the next choice or card.

    Where somebody throws again it stops: dice that tie would be thrown for ever.
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
    """How many dice of the kind of the pending throw the step will ask for, as far as can be said before they fall."""
    now = history.now
    assert now is not None and isinstance(now.question, Roll), "dice are to be thrown"
    game, played = history.game, history.steps[-1]
    most = now.question.dice
    for face in (1, now.question.sides):
        draft = played.start.copy()
        table = _Counting(game, draft, [one.answer for one in played.answers], now.question, face)
        with suppress(Pause):
            game.perform(table, draft, now.step)
        most = max(most, table.dice)
    return most
