"""The merging table: every outcome of what rules do, run where they stand, equal states put together.

To what goes on round it, a stretch of rule code is one question with its ends for answers. Such a stretch is every procedure
that a step calls, and the step itself; rules and house rules need say nothing. A loop that rules leave to the table
(`Table.each`) is such a stretch for each of its items. The same table plays (`zareba.odds.drivers.paths`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import count
from typing import Any, TypeAlias, TypeVar

from zareba.base.state import Record
from zareba.chance import EACH as ALL_FACES
from zareba.chance import Meaning
from zareba.odds.drivers.budget import MOST_ASKED, MOST_WRITTEN, OutOfBudget
from zareba.odds.drivers.leaves import OVER, Branch, Leaf, Leaves, add
from zareba.odds.drivers.paths import PathEnumerator
from zareba.odds.undo import is_logged
from zareba.table import GivenAnswer, Roll

__all__ = ["Act", "ExactEnumerator"]

T = TypeVar("T")

Act: TypeAlias = "Callable[[Any, Any], Callable[[], Any] | None]"

WITHIN, EACH = "within", "each"
LEVELS = 2
"""How deep in one another procedures are stretches of their own."""


class ExactEnumerator(PathEnumerator):
    """Puts equal states together between acts, at the items of loops, and, if it is `nested`, at procedures."""

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
        """Every different end that the draft can come to, with its probability; the draft is left as it was.

        Of each of the `acts`, one after the other, every way is gone that it can take; a single one is done again and again.
        It gets the draft and what the act before it gave, beginning with `first`; it gives None where all is over, else what
        it does. The first is asked the questions that have their `known` answers. `tell` says of the draft, and of what the
        last act gave, what is to be known of an end: it is the end's `result` then, and ends of which it says the same are
        one.
        """
        over: dict[Hashable, Leaf] = {}
        now: dict[Hashable, Leaf] = {None: Leaf([], Fraction(1), left=tuple(known)[::-1], result=first)}
        moves: dict[Hashable, dict[Hashable, Leaf] | None] = {}  # by act and state, each once
        with self._undo.open():
            start = self._undo.mark()
            try:
                for number in count():
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
                self._undo.back(start)
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
        """Do an act in every way; what plays alone does what comes after it as well."""
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
        """A procedure as one question of what goes on round it; the procedures that it calls are run as they are."""
        if len(self._undo) > MOST_WRITTEN:
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
            start = self._undo.mark()
            try:
                with self._set_apart(self._weight, self._whole):
                    for _ in self._paths(carried, start):
                        self._reach(found, carried, run(), start, alone=True)
            finally:
                self._levels += 1
            self._branches.append(Branch.of(WITHIN, found.weighed().values()))
            if len(found.ends) == 1 and None in found.ends:  # nothing was asked, and here it ends
                self._depth += 1
                self._undo.mark()  # what has come stays in the end as it is, whatever comes of it now
                return found.ends[None].result
            self._undo.back(start)
        end = self._take(WITHIN)
        self._resume(end, carried, None)
        return end.result

    def each(self, items: Sequence[T], *carried: list[Any] | dict[Any, Any] | Record) -> Iterator[T]:
        """The items, each for every end to which those before it have led; then one question with the ends of the last."""
        if not self._merging or self._plays_alone():
            yield from items
            return
        if self._depth == len(self._branches):
            start = self._undo.mark()
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
                                if is_alone:  # a play that goes its way alone goes it to the end
                                    yield from items[number + 1 :]
                                self._reach(alone if is_alone else found, carried, None, start, part, whole)
                    ends = list(found.weighed().values())
            ends += alone.weighed().values()
            self._branches.append(Branch.of(EACH, ends))
            self._undo.back(start)
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
        """Die by die, unless it is known how they lie, or all of them are settled."""
        asked = Roll(why, rule, actor, count, sides, ALL_FACES, means)
        settled = self._settled(asked) if self._settled is not None and not self._known else None
        whole = self._known or settled is not None or not self._merging
        if whole or self.rules.roll_hooks:  # a house rule is asked of the throw, and not of each die
            yield from super().faces_of(count, sides, why=why, rule=rule, actor=actor, means=means)
            return
        for _ in self.each(range(count), *carried):
            yield self.roll(1, sides, why=why, rule=rule, actor=actor, means=means)


def _act(acts: Sequence[Act] | Act, number: int) -> Act | None:
    """Which act comes so many others later, if any does."""
    if not isinstance(acts, Sequence):
        return acts
    return acts[number] if number < len(acts) else None
