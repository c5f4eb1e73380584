"""The exact table: it runs rules over every outcome of dice and cards in one draft, and merges equal states.

A stretch of rule code acts as one question to the code around it; the answers are its leaves. Steps, the procedures
that a step calls, and the items of a loop over `Table.each` are stretches; rules and house rules need no code for it.
The same table can also sample (`zareba.odds.drivers.paths`).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias, TypeVar

from zareba.base.state import Record
from zareba.chance import EACH as ALL_FACES
from zareba.chance import Meaning
from zareba.odds.drivers.budget import MOST_ASKED, MOST_WRITTEN, OutOfBudget
from zareba.odds.drivers.leaves import OVER, Branch, Leaf, Leaves, add
from zareba.odds.drivers.paths import PathEnumerator
from zareba.odds.rollback import is_logged
from zareba.table import GivenAnswer, Roll

__all__ = ["Act", "ExactEnumerator"]

T = TypeVar("T")

Act: TypeAlias = "Callable[[Any, Any], Callable[[], Any] | None]"

WITHIN, EACH = "within", "each"
LEVELS = 2
"""The depth of nesting to which procedures are stretches."""


class ExactEnumerator(PathEnumerator):
    """Merges equal states between acts, at the items of loops and, if `nested`, at procedures."""

    __slots__ = ("_levels",)

    follows = True

    def __init__(self, *known: Any, nested: bool = True, **more: Any) -> None:
        super().__init__(*known, **more)
        self._levels = LEVELS if nested else 0

    def ends(
        self,
        acts: Sequence[Act] | Act,
        known: Sequence[GivenAnswer] = (),
        first: Any = None,
        tell: Callable[[Any, Any], Hashable] | None = None,
    ) -> list[Leaf]:
        """Return every different leaf that the draft can reach, with its probability. The draft is left unchanged.

        The `acts` run in order, each over all its outcomes; a single act is repeated. An act gets the draft and the
        result of the act before it (`first` for the first) and returns a function to run, or None when all is over.
        The first act gets the `known` answers to its questions. If given, `tell` returns an outcome from the draft and
        the last result: it becomes the `result` of the leaf, and leaves with the same outcome are merged.
        """
        over: dict[Hashable, Leaf] = {}
        now: dict[Hashable, Leaf] = {None: Leaf([], Fraction(1), left=tuple(known)[::-1], result=first)}
        moves: dict[Hashable, dict[Hashable, Leaf] | None] = {}  # by act and state; each is explored once
        with self._log.open():
            start = self._log.mark()
            try:
                for number in itertools.count():
                    act, after = _act(acts, number), _act(acts, number + 1)
                    if act is None or not now:
                        break
                    if number > MOST_ASKED:
                        raise OutOfBudget
                    following: dict[Hashable, Leaf] = {}
                    for said, end in now.items():
                        at = act, after, said
                        if at not in moves or self.plays is not None:
                            moves[at] = self._moves(acts, number, end, start, tell)
                        if (found := moves[at]) is None:
                            add(over, (OVER, said), end)
                            continue
                        for reached, one in found.items():
                            there = over if isinstance(reached, tuple) and reached[0] is OVER else following
                            add(there, reached, one, end.weight)
                    now = following
            finally:
                self._log.back(start)
        return [*over.values(), *now.values()]

    def _moves(
        self,
        acts: Sequence[Act] | Act,
        number: int,
        end: Leaf,
        start: int,
        tell: Callable[[Any, Any], Hashable] | None,
    ) -> dict[Hashable, Leaf] | None:
        self._resume(end, (), start)
        act = _act(acts, number)
        self._asked = 0
        run = act(self.state, end.result) if act is not None else None
        if run is None:
            if tell is None:
                return None
            outcome = tell(self.state, end.result)
            return {(OVER, outcome): Leaf([], Fraction(1), result=outcome)}
        found = Leaves()
        with self._set_apart(*end.weight.as_integer_ratio()):
            self._go(run, acts, number + 1, start, tell, found)
        return found.weighed()

    def _go(
        self,
        run: Callable[[], Any],
        acts: Sequence[Act] | Act,
        number: int,
        start: int,
        tell: Callable[[Any, Any], Hashable] | None,
        found: Leaves,
    ) -> None:
        """Run an act over all its outcomes. A play that is alone on its path also runs the acts that follow."""
        for _ in self._paths(()):
            result, at, next_run = run(), number, None
            while (act := _act(acts, at)) is not None and (next_run := act(self.state, result)) and self._plays_alone():
                self.events[:] = self._told()
                self.tallies.clear()
                result, at, next_run = next_run(), at + 1, None
            if tell is not None and next_run is None:
                outcome = tell(self.state, result)
                self._count(found, (OVER, outcome), partial(Leaf, [], Fraction(0), result=outcome))
            else:
                self._reach(found, (), result, start)

    def within(self, run: Callable[[], Any], arguments: Sequence[Any]) -> Any:
        """Run a procedure as one question to the code around it. Procedures nested deeper than `LEVELS` run inline."""
        if len(self._log) > MOST_WRITTEN:
            raise OutOfBudget
        if not self._levels or not self._merging or self._plays_alone():
            return run()
        carried = [
            one
            for one in arguments
            if isinstance(one, (list, dict, Record)) and not is_logged(one) and one is not self.state
        ]
        if self._depth == len(self._branches):
            found = Leaves()
            self._levels -= 1
            start = self._log.mark()
            try:
                with self._set_apart(self._weight, self._whole):
                    for _ in self._paths(carried, start):
                        self._reach(found, carried, run(), start, alone=True)
            finally:
                self._levels += 1
            self._branches.append(Branch.of(WITHIN, found.weighed().values()))
            if len(found.ends) == 1 and None in found.ends:  # no question was asked, so this is the only leaf
                self._depth += 1
                self._log.mark()  # new objects keep their content in the leaf, even if later code changes them
                return found.ends[None].result
            self._log.back(start)
        end = self._take(WITHIN)
        self._resume(end, carried, None)
        return end.result

    def each(self, items: Sequence[T], *carried: list[Any] | dict[Any, Any] | Record) -> Iterator[T]:
        """Yield the items, each once for every leaf of the items before it. The loop then acts as one question."""
        if not self._merging or self._plays_alone():
            yield from items
            return
        if self._depth == len(self._branches):
            start = self._log.mark()
            ends, alone = [self._end(carried)], Leaves()
            with self._set_apart(self._weight, self._whole):
                for number, item in enumerate(items):
                    found = Leaves()
                    for end in ends:
                        part, whole = end.weight.as_integer_ratio()
                        self._resume(end, carried, start)
                        with self._set_apart(part, whole):
                            is_alone = self.plays is not None and self.plays.many == 1
                            for _ in self._paths(carried):
                                yield item
                                if is_alone:  # a play that is alone on its path runs to the end of the loop
                                    yield from items[number + 1 :]
                                self._reach(alone if is_alone else found, carried, None, start, part, whole)
                    ends = list(found.weighed().values())
            ends += alone.weighed().values()
            self._branches.append(Branch.of(EACH, ends))
            self._log.back(start)
        self._resume(self._take(EACH), carried, None)

    def faces_of(
        self,
        count: int,
        sides: int,
        *carried: list[Any] | dict[Any, Any] | Record,
        why: str,
        rule: str,
        actor: str = "",
        means: Meaning | None = None,
    ) -> Iterator[int]:
        """Yield the dice one at a time, merging equal states between them.

        All dice are thrown as one roll if their result is known or settled, if nothing is merged, or if a house rule
        hooks into rolls.
        """
        asked = Roll(why, rule, actor, count, sides, ALL_FACES, means)
        settled = self._settled(asked) if self._settled is not None and not self._known else None
        whole = self._known or settled is not None or not self._merging
        if whole or self.rules.roll_hooks:  # house rules hook into the whole roll, not into each die
            yield from super().faces_of(count, sides, why=why, rule=rule, actor=actor, means=means)
            return
        for _ in self.each(range(count), *carried):
            yield self.roll(1, sides, why=why, rule=rule, actor=actor, means=means)


def _act(acts: Sequence[Act] | Act, number: int) -> Act | None:
    """Return the act with this number, or None if there is none. A single act has every number."""
    if not isinstance(acts, Sequence):
        return acts
    return acts[number] if number < len(acts) else None
