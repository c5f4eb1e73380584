"""The base of the tables for odds: known answers first, a policy for the players, and a limit on questions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from zareba.odds.drivers.budget import MOST_ASKED, OutOfBudget
from zareba.table import (
    Answer,
    Choose,
    Confirm,
    Draw,
    GivenAnswer,
    MoveCost,
    Place,
    Point,
    Question,
    QuestionChanged,
    Roll,
    answer_fits,
)
from zareba.table.table import Table

if TYPE_CHECKING:
    from zareba.rules import Rules

__all__ = ["Choice", "PresetAnswers", "Settled"]

Choice: TypeAlias = "Callable[[Choose | Place | Confirm, Any], Answer]"
"""A policy: it returns the answer to a question in a state."""
Settled: TypeAlias = "Callable[[Roll | Draw], Answer | None]"
"""A function that returns the result of dice and cards that do not affect an outcome, and None for all other ones."""


class PresetAnswers(Table):
    """A table that gives known answers first and asks `choose` for players. Dice and cards not `settled` are random.

    Raises OutOfBudget if there are too many questions, and QuestionChanged if a question differs from the known one.
    """

    lists = False
    __slots__ = ("_asked", "_choose", "_known", "_settled")

    def __init__(self, rules: Rules, state: Any, choose: Choice, settled: Settled | None = None) -> None:
        super().__init__(rules, state)
        self._choose = choose
        self._settled = settled
        self._known: Sequence[GivenAnswer] = ()
        """Known answers in reverse order: the last is used first."""
        self._asked = 0

    @property
    def knows(self) -> bool:
        """True if known answers are left."""
        return bool(self._known)

    def go_on(self) -> None:
        """Count one more question or step. Raises OutOfBudget if there are too many."""
        self._asked += 1
        if self._asked > MOST_ASKED:
            raise OutOfBudget

    def answer(self, question: Question) -> Answer:
        self.go_on()
        if self._known:
            *self._known, given = self._known
            if not answer_fits(given, question):
                raise QuestionChanged
            return given.answer
        if not isinstance(question, (Roll, Draw)):
            return self._choose(question, self.state)
        if self._settled is not None and (answer := self._settled(question)) is not None:
            return answer
        return self._by_chance(question)

    def place(
        self,
        seat: str,
        suggestions: Sequence[Point],
        legal: Callable[[Point], str | None],
        *,
        why: str,
        rule: str,
        actor: str = "",
        cost: Callable[[Point], MoveCost] | None = None,
    ) -> Point:
        self.count()
        asked = Place(
            why, rule, actor, seat, suggestions, legal
        )  # used only until the answer, so lazy suggestions need not be listed
        if self.rules.place_hooks:
            asked = self.rules.narrowed(self.state, asked)
        point: Point = self.answer(asked)
        return point

    @abstractmethod
    def _by_chance(self, question: Roll | Draw) -> Answer:
        """Return the result of dice or a card."""
