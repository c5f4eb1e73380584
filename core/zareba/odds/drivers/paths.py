"""Run every path through a stretch of rule code, from the present state of the draft.

There is one draft with a rollback log. A stretch runs again and again from the same place, each time with different dice
and cards. The draft at the end is stored once for all paths that lead to it. When sampling, the plays are shared out
among the answers instead, and run together until chance parts them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from zareba.base.errors import RuleBroken
from zareba.base.memento import key, restore
from zareba.base.state import Record
from zareba.chance import Meaning
from zareba.odds.drivers.budget import Budget, SampleCount
from zareba.odds.drivers.leaves import Branch, Leaf, Leaves, copy_carried, value_of
from zareba.odds.drivers.preset_answers import Choice, PresetAnswers, Settled
from zareba.odds.drivers.sampler import NO_ODDS
from zareba.odds.rollback import RollbackLog
from zareba.table import Answer, MoveCost, Option, Point, Roll, has_python_rules, nondeterminism_error, outcomes
from zareba.table.event import Event
from zareba.table.questions import Draw

if TYPE_CHECKING:
    from zareba.rules import Rules

__all__ = ["PathEnumerator"]

A = TypeVar("A")
O = TypeVar("O", bound=Option)
Asked: TypeAlias = tuple[str, str, str, str]
"""A question to a player: the seat asked, its purpose, the rule and the actor."""


class PathEnumerator(PresetAnswers):
    """A table that tries every outcome of unknown dice and cards in turn.

    Events of the kinds in `hears` are kept, and leaves with different ones stay apart. Without `merging`, no leaves
    are merged. With `plays`, only as many outcomes are tried as this number of plays reaches.
    """

    __slots__ = (
        "_again",
        "_at",
        "_branches",
        "_depth",
        "_hears",
        "_log",
        "_merging",
        "_rows",
        "_weight",
        "_whole",
        "budget",
        "plays",
    )

    def __init__(
        self,
        rules: Rules,
        draft: Any,
        choose: Choice,
        budget: Budget | None = None,
        *,
        settled: Settled | None = None,
        hears: Container[str] = (),
        merging: bool = True,
    ) -> None:
        super().__init__(rules, draft, choose, settled)
        self.budget = budget or Budget()
        self._hears = hears
        self._merging = merging
        self._rows = merging and not hears and not has_python_rules(rules)
        """True if results in the same row count as one: no house rule tells them apart, and no events are kept."""
        self._log = RollbackLog(draft)
        self._again: list[tuple[Asked, Answer, bool]] = []
        """The players' answers on these paths before chance parted them, each with True if it was a known answer."""
        self._at = 0
        self._branches: list[Branch] = []
        self._depth = 0
        self._weight = 1
        self._whole = 1
        self.plays: SampleCount | None = None

    def choose(
        self,
        seat: str,
        options: Sequence[O],
        *,
        why: str,
        rule: str,
        actor: str = "",
        about: tuple[Any, ...] = (),
    ) -> O:
        def ask() -> O:
            return super(PathEnumerator, self).choose(seat, options, why=why, rule=rule, actor=actor, about=about)

        return ask() if self.rules.option_hooks else self._once((seat, why, rule, actor), ask)

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
        def ask() -> Point:
            return super(PathEnumerator, self).place(
                seat, suggestions, legal, why=why, rule=rule, actor=actor, cost=cost
            )

        return ask() if self.rules.place_hooks else self._once((seat, why, rule, actor), ask)

    def _once(self, asked: Asked, ask: Callable[[], A]) -> A:
        """Return a player's answer. Until chance parts the paths, they reuse the first answer and search no options."""
        if self._at < len(self._again):
            was, answer, was_known = self._again[self._at]
            if was != asked:
                raise self._wavered()
            self._at += 1
            if was_known:
                *self._known, _ = self._known
            return cast("A", answer)
        known = len(self._known)
        found = ask()
        if not self._branches:
            self._again.append((asked, found, len(self._known) < known))
            self._at += 1
        return found

    def _by_chance(self, question: Roll | Draw) -> Answer:
        if self.plays is not None and self._plays_alone():
            return self.plays.one(question)
        if self._depth == len(self._branches):
            weighted, whole = _by_row(question) if self._rows and isinstance(question, Roll) else outcomes(question)
            found = [(answer, weight) for answer, weight in reversed(weighted) if weight]
            if self.plays is not None:
                many = self.plays.many * self._weight // self._whole
                found, whole = self.plays.part(many, found, whole), many
            self._branches.append(Branch(question, found, whole))
        return self._take(question)

    def _plays_alone(self) -> bool:
        """Return True if there is a single play on this path, so it can no longer be parted or merged."""
        return self.plays is not None and self.plays.many * self._weight == self._whole

    def _take(self, asked: object) -> Any:
        """Return the answer of this path to a question, which must be the one that earlier paths asked here."""
        branch = self._branches[self._depth]
        if branch.asked != asked:
            raise self._wavered()
        answer, weight = branch.waiting[-1]
        self._depth += 1
        self._weight *= weight
        self._whole *= branch.whole
        return answer

    @contextmanager
    def _set_apart(self, part: int, whole: int) -> Iterator[None]:
        """Explore paths as if nothing had been asked before, with the share `part` / `whole` of the plays."""
        outer = self._again, self._at, self._branches, self._depth, self._weight, self._whole
        plays = self.plays
        if plays is None:
            yield
        else:
            many = plays.many
            plays.many = many * part // whole
            yield
            plays.many = many
        self._again, self._at, self._branches, self._depth, self._weight, self._whole = outer

    def _told(self) -> tuple[Event, ...]:
        """Return the events that are kept."""
        return tuple([event for event in self.events if event.kind in self._hears]) if self._hears else ()

    def _reach(
        self,
        found: Leaves,
        carried: Sequence[Any],
        result: Any,
        start: int,
        part: int = 1,
        whole: int = 1,
        alone: bool = False,
    ) -> None:
        """Add the leaf of a path, merged with equal leaves if merging is on.

        `alone`: all leaves come from this one set of paths, so without questions there is only one, which needs no
        key.
        """
        told = self._told()
        written = self._log.changed(start)
        said: Hashable = None
        if not self._merging or self._plays_alone():
            said = object()
        elif self._branches or found.ends or not alone:
            along = [key(one) if isinstance(one, Record) else value_of(one) for one in carried]
            said = self._log.key(written, start), tuple(along), value_of(result), len(self._known), value_of(told)
        self._count(
            found,
            said,
            lambda: Leaf(written, Fraction(0), copy_carried(carried), told, self._known, result),
            part,
            whole,
        )

    def _count(self, found: Leaves, said: Hashable, end: Callable[[], Leaf], part: int = 1, whole: int = 1) -> None:
        shares = found.shares.get(said)
        if shares is None:
            self.budget.keep()
            found.ends[said] = end()
            shares = found.shares[said] = {}
        whole *= self._whole
        shares[whole] = shares.get(whole, 0) + part * self._weight

    def _paths(self, carried: Sequence[Any], mark: int | None = None) -> Iterator[None]:
        """Yield once for each possible path from the present draft to the point at which the generator is resumed.

        `mark` is the mark of the present draft, if it has one.
        """
        branches: list[Branch] = []
        again: list[tuple[Asked, Answer, bool]] = []
        here = self._log.mark() if mark is None else mark
        start = self._end(carried)
        while True:
            self.budget.spend()
            self._asked = 0
            self._again, self._at = again, 0
            self._branches, self._depth, self._weight, self._whole = branches, 0, 1, 1
            yield
            if self._depth < len(branches):
                raise self._wavered()
            while branches and len(branches[-1].waiting) == 1:
                branches.pop()
            if not branches:
                return
            branches[-1].waiting.pop()
            self._resume(start, carried, here)

    def _wavered(self) -> RuleBroken:
        return nondeterminism_error(self.rules, NO_ODDS)

    def _end(self, carried: Sequence[Any]) -> Leaf:
        """Return the present draft as a leaf."""
        return Leaf([], Fraction(1), copy_carried(carried), tuple(self.events), self._known)

    def _resume(self, end: Leaf, carried: Sequence[Any], start: int | None) -> None:
        """Set the draft to a leaf. It goes back to the mark `start` first; None: it is already there."""
        if start is not None:
            self._log.back(start)
        if end.written:
            self._log.forward(end.written)
        for one, was in zip(carried, end.carried, strict=True):
            if isinstance(one, Record):
                restore(one, was)
            elif isinstance(one, list):
                one[:] = was
            else:
                one.clear()
                one.update(was)
        self._known = end.left
        self.events[:] = end.told
        self.tallies.clear()


def _by_row(question: Roll) -> tuple[list[tuple[Answer, int]], int]:
    """Return the results of a roll with their weights, one result for each row of its chart (`Meaning.row`)."""
    weighted, whole = outcomes(question)
    if question.means is None:
        return weighted, whole
    return _rows_of(question.means, tuple(weighted)), whole


@lru_cache(maxsize=4096)
def _rows_of(means: Meaning, weighted: tuple[tuple[Answer, int], ...]) -> list[tuple[Answer, int]]:
    found: dict[Hashable, tuple[Answer, int]] = {}
    for answer, weight in weighted:
        first, before = found.get(row := means.row(answer), (answer, 0))
        found[row] = first, before + weight
    return list(found.values())
