"""The merging table: every outcome of what rules do, run where they stand, equal states put together.

There is one draft. Of a stretch of rule code every path is run from the same memento, and what the draft says at its end is
kept once for all paths that lead there. To what goes on round it, the stretch is then one question with its ends for
answers. Such a stretch is every procedure that a step calls, and the step itself; rules and house rules need say nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING, Any

from zareba.errors import RuleBroken
from zareba.memento import Saved, key, restore, save
from zareba.state import CopyOnWrite, Record
from zareba.table import Answer, Given, Question, Roll, fits, outcomes
from zareba.table.questions import Draw
from zareba.table.table import Table

if TYPE_CHECKING:
    from zareba.rules import Rules

__all__ = ["Budget", "MergingTable", "OutOfBudget"]

ONE = Fraction(1)


class OutOfBudget(BaseException):
    """More paths, or more time, than allowed. No Exception, so that no house rule can swallow it."""


class Budget:
    """So many paths, and so many seconds from now on; `spend` takes a path off."""

    __slots__ = ("_until", "paths", "spent")

    def __init__(self, paths: int, seconds: float) -> None:
        self.paths = paths
        self.spent = 0
        self._until = perf_counter() + seconds

    def spend(self) -> None:
        """Raises OutOfBudget when nothing is left."""
        self.spent += 1
        if self.spent > self.paths or perf_counter() > self._until:
            raise OutOfBudget


class _End:
    """Where a stretch of rule code has led: what the draft said, which known answers were left, what was given back."""

    __slots__ = ("left", "result", "saved", "weight")

    def __init__(self, saved: Any, left: list[Given], result: Any) -> None:
        self.saved = saved
        self.left = left
        self.result = result
        self.weight = Fraction(0)


class MergingTable(Table):
    """Answers first what is `known`, then takes every outcome in turn; `choose` answers those who are asked meanwhile."""

    __slots__ = ("_branches", "_budget", "_choose", "_depth", "_known", "_merging", "_weight", "_within")

    follows = True

    def __init__(
        self, rules: Rules, draft: Any, choose: Callable[[Any, Any], Answer], budget: Budget, *, merging: bool = True
    ) -> None:
        super().__init__(rules, draft)
        self._choose = choose
        self._budget = budget
        self._merging = merging
        self._known: list[Given] = []
        self._branches: list[list[tuple[Any, Fraction]]] = []
        self._depth = 0
        self._weight = ONE
        self._within = False

    def ends(self, run: Callable[[], None], known: Sequence[Given]) -> list[tuple[Saved, Fraction]]:
        """Every different state in which `run` can leave the draft, with its probability; the draft is left as it was."""
        start = self._saved(())
        self._known = list(known)[::-1]
        found = self._all_ends(run, ())
        self._put_back(start, ())
        return [(end.saved[0], end.weight) for end in found]

    def answer(self, question: Question) -> Answer:
        if self._known:
            given = self._known.pop()
            if not fits(given, question):
                raise RuleBroken(
                    f"'{question.why}' ({question.rule}) is asked where '{given.question.why}' was answered"
                )
            return given.answer
        if not isinstance(question, (Roll, Draw)):
            return self._choose(question, self.state)
        if self._depth == len(self._branches):
            weighted, whole = outcomes(question)
            self._branches.append(
                [(answer, Fraction(weight, whole)) for answer, weight in reversed(weighted) if weight]
            )
        return self._take()

    def _take(self) -> Any:
        answer, weight = self._branches[self._depth][-1]
        self._depth += 1
        self._weight *= weight
        return answer

    def within(self, run: Callable[[], Any], arguments: Sequence[Any]) -> Any:
        """A procedure as one question of what goes on round it; the procedures that it calls are run as they are."""
        if self._within or not self._merging:
            return run()
        carried = [one for one in arguments if isinstance(one, (list, dict)) and not isinstance(one, CopyOnWrite)]
        if self._depth == len(self._branches):
            outer = self._branches, self._depth, self._weight
            self._within = True
            try:
                found = self._all_ends(run, carried)
            finally:
                self._within = False
            self._branches, self._depth, self._weight = outer
            self._branches.append([(end, end.weight) for end in found])
        end = self._take()
        self._put_back(end.saved, carried)
        self._known = end.left[:]
        return end.result

    def _all_ends(self, run: Callable[[], Any], carried: Sequence[Any]) -> list[_End]:
        found: dict[Hashable, _End] = {}
        for number in self._paths(carried):
            result = run()
            sure = not self._branches  # nothing was left to chance, so there is nothing to compare with
            reached = self._said(carried, result) if self._merging and not sure else number
            end = found.get(reached)
            if end is None:
                end = found[reached] = _End(self._saved(carried), self._known[:], result)
            end.weight += self._weight
        return list(found.values())

    def _paths(self, carried: Sequence[Any]) -> Iterator[int]:
        """Go through everything that can happen from here to where the generator is asked again."""
        start, known = self._saved(carried), self._known[:]
        branches: list[list[tuple[Any, Fraction]]] = []
        number = 0
        while True:
            self._budget.spend()
            if number:
                self._put_back(start, carried)
            self._branches, self._depth, self._weight, self._known = branches, 0, ONE, known[:]
            self.events.clear()
            self.tallies.clear()
            yield number
            number += 1
            if self._depth < len(branches):
                raise RuleBroken(
                    "the rules asked less when they were run again; a house rule keeps something elsewhere"
                )
            while branches and len(branches[-1]) == 1:
                branches.pop()
            if not branches:
                return
            branches[-1].pop()

    def _said(self, carried: Sequence[Any], result: Any) -> Hashable:
        return key(self.state), *[_value(one) for one in carried], _value(result), len(self._known)

    def _saved(self, carried: Sequence[Any]) -> tuple[Saved, list[Any]]:
        return save(self.state), [one.copy() for one in carried]

    def _put_back(self, saved: tuple[Saved, list[Any]], carried: Sequence[Any]) -> None:
        restore(self.state, saved[0])
        for one, was in zip(carried, saved[1], strict=True):
            one.clear()
            if isinstance(one, list):
                one.extend(was)
            else:
                one.update(was)


def _value(result: Any) -> Hashable:
    """What a procedure gave back or has written to, as something to compare: by what it says, else the very object."""
    if isinstance(result, Record):
        return type(result).__name__, id(result)
    if isinstance(result, (list, tuple)):
        return tuple([_value(one) for one in result])
    if isinstance(result, dict):
        return tuple([(name, _value(one)) for name, one in result.items()])
    try:
        hash(result)
    except TypeError:
        return id(result)
    return result  # type: ignore[no-any-return]  # it can be hashed, as was just tried
