"""A second, simple way to compute exact odds, for tests: enumerate all outcomes by running the rules again for each
path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from zareba.base.errors import RuleBroken
from zareba.table.questions import Answer, Choose, Confirm, Draw, Place, Question, Roll, outcomes
from zareba.table.rules_protocol import RulesProtocol
from zareba.table.table import Table

R = TypeVar("R")
Choices = Callable[[Choose | Place | Confirm], Answer]


class TooManyPaths(Exception):
    """The enumeration has exceeded its budget of paths."""


class _Branch(NamedTuple):
    """The outcomes still to be taken at one roll of the current path; the last one is the current one."""

    waiting: list[tuple[Answer, int]]
    total: int


class EnumeratingTable(Table):
    """Answers the rolls of one path; `enumerate_paths` moves it from path to path."""

    __slots__ = ("_branches", "_choices", "_depth", "total", "weight")

    def __init__(self, rules: RulesProtocol, state: Any, branches: list[_Branch], choices: Choices) -> None:
        super().__init__(rules, state)
        self._branches = branches
        self._depth = 0
        self._choices = choices
        self.weight = 1
        self.total = 1

    def answer(self, question: Question) -> Answer:
        if not isinstance(question, (Roll, Draw)):
            return self._choices(question)
        if self._depth == len(self._branches):
            weighted, total = outcomes(question)
            self._branches.append(_Branch(weighted[::-1], total))
        branch = self._branches[self._depth]
        self._depth += 1
        answer, weight = branch.waiting[-1]
        self.weight *= weight
        self.total *= branch.total
        return answer


def _refuse_choices(question: Choose | Place | Confirm) -> Answer:
    """Raise RuleBroken: the policy for a procedure that makes no choices."""
    raise RuleBroken(f"odds need a policy for the choice '{question.why}' ({question.rule})")


def enumerate_paths(
    rules: RulesProtocol,
    run: Callable[[Table], R],
    *,
    choices: Choices = _refuse_choices,
    budget: int = 1_000_000,
) -> Iterator[tuple[R, Fraction]]:
    """Yield each result of `run` with its probability. Equal results may appear more than once.

    `run` must do the same thing for the same answers and start from a fresh state each time. Raises TooManyPaths after
    `budget` paths.
    """
    branches: list[_Branch] = []
    paths = 0
    while True:
        paths += 1
        if paths > budget:
            raise TooManyPaths(budget)
        table = EnumeratingTable(rules, None, branches, choices)
        result = run(table)
        yield result, Fraction(table.weight, table.total)
        while branches and len(branches[-1].waiting) == 1:
            branches.pop()
        if not branches:
            return
        branches[-1].waiting.pop()
