"""What the tables of odds have in common: answers that are known beforehand, people who are not asked, and an end."""

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
"""What somebody answers who is asked in a state."""
Settled: TypeAlias = "Callable[[Roll | Draw], Answer | None]"
"""The fall of dice and cards that do not bear on an outcome, None for the others."""


class PresetAnswers(Table):
    """Answers first what is known, then by `choose` for those who are asked; what is not `settled` is left to chance.

    What goes on for too long raises OutOfBudget, and what asks otherwise than is known OtherwiseAsked.
    """

    lists = False
    __slots__ = ("_asked", "_choose", "_known", "_settled")

    def __init__(self, rules: Rules, state: Any, choose: Choice, settled: Settled | None = None) -> None:
        super().__init__(rules, state)
        self._choose = choose
        self._settled = settled
        self._known: Sequence[GivenAnswer] = ()
        """The last to be asked first."""
        self._asked = 0

    @property
    def knows(self) -> bool:
        """Whether known answers are left."""
        return bool(self._known)

    def go_on(self) -> None:
        """Something more is asked, or another step begun. Raises OutOfBudget when there has been too much."""
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
        asked = Place(why, rule, actor, seat, suggestions, legal)  # it does not outlive the answer
        if self.rules.place_hooks:
            asked = self.rules.narrowed(self.state, asked)
        point: Point = self.answer(asked)
        return point

    @abstractmethod
    def _by_chance(self, question: Roll | Draw) -> Answer:
        """How dice and cards fall."""
