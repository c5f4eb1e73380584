"""The merging table: every outcome of what rules do, run where they stand, equal states put together.

There is one draft. Of a stretch of rule code every path is run from the same memento, and what the draft says at its end is
kept once for all paths that lead there. To what goes on round it, the stretch is then one question with its ends for
answers. Such a stretch is every procedure that a step calls, and the step itself; rules and house rules need say nothing.
A loop that rules leave to the table (`Table.each`) is such a stretch for each of its items.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from math import inf, lcm
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from zareba.errors import RuleBroken
from zareba.memento import Saved, key, restore, save
from zareba.state import CopyOnWrite, Record
from zareba.table import Answer, Given, Question, Roll, fits, outcomes
from zareba.table.questions import Draw
from zareba.table.table import Event, Table

if TYPE_CHECKING:
    from zareba.rules import Rules

__all__ = ["Act", "Budget", "End", "MergingTable", "OutOfBudget"]

T = TypeVar("T")

Act: TypeAlias = "Callable[[Any, Any], Callable[[], Any] | None]"

ONE = Fraction(1)


WITHIN, EACH = "within", "each"


class OutOfBudget(BaseException):
    """More paths, or more time, than allowed. No Exception, so that no house rule can swallow it."""


class Budget:
    """So many paths, and so many seconds from now on; `spend` takes a path off."""

    __slots__ = ("_until", "paths", "spent")

    def __init__(self, paths: int, seconds: float = inf) -> None:
        self.paths = paths
        self.spent = 0
        self._until = perf_counter() + seconds

    def spend(self) -> None:
        """Raises OutOfBudget when nothing is left."""
        self.spent += 1
        if self.spent > self.paths or perf_counter() > self._until:
            raise OutOfBudget


class End:
    """Where a stretch of rule code has led, and how likely that was.

    `saved` is what the draft said, `told` what had been told that is listened for, `left` the known answers that were left,
    `result` what was given back.
    """

    __slots__ = ("left", "result", "saved", "told", "weight")

    def __init__(
        self, saved: Any, weight: Fraction, told: tuple[Event, ...] = (), left: Sequence[Given] = (), result: Any = None
    ) -> None:
        self.saved = saved
        self.weight = weight
        self.told = told
        self.left = left
        self.result = result

    def with_weight(self, weight: Fraction) -> End:
        """The same end, as likely as that."""
        return End(self.saved, weight, self.told, self.left, self.result)


class _Branch:
    """What was asked at a place of the present path, and the answers still to be taken there with their weights of `whole`.

    The last is the present one.
    """

    __slots__ = ("asked", "waiting", "whole")

    def __init__(self, asked: object, waiting: list[tuple[Any, int]], whole: int) -> None:
        self.asked = asked
        self.waiting = waiting
        self.whole = whole

    @classmethod
    def of(cls, asked: object, ends: Iterable[End]) -> _Branch:
        """One whose answers are the ends of a stretch."""
        found = list(ends)
        whole = lcm(*(end.weight.denominator for end in found))
        return cls(asked, [(end, end.weight.numerator * (whole // end.weight.denominator)) for end in found], whole)


class MergingTable(Table):
    """Answers first what is known, then takes every outcome in turn; `choose` answers those who are asked meanwhile.

    `settled` gives the fall of dice and cards that are not to be gone through, None for the others.
    `same` gives what of the draft still matters: drafts for which it gives the same are put together. Of what is told, the
    kinds in `hears` are kept, and keep ends apart. `nested`: equal states are put together at procedures and not only
    after acts.
    """

    __slots__ = (
        "_branches",
        "_budget",
        "_choose",
        "_depth",
        "_hears",
        "_known",
        "_merging",
        "_same",
        "_settled",
        "_weight",
        "_whole",
        "_within",
    )

    follows = True

    def __init__(
        self,
        rules: Rules,
        draft: Any,
        choose: Callable[[Any, Any], Answer],
        budget: Budget,
        *,
        settled: Callable[[Roll | Draw], Answer | None] | None = None,
        same: Callable[[Any], Hashable] = key,
        hears: Container[str] = (),
        nested: bool = True,
        merging: bool = True,
    ) -> None:
        super().__init__(rules, draft)
        self._choose = choose
        self._budget = budget
        self._settled = settled
        self._same = same
        self._hears = hears
        self._merging = merging
        self._known: Sequence[Given] = ()
        self._branches: list[_Branch] = []
        self._depth = 0
        self._weight = 1
        self._whole = 1
        self._within = not nested

    def ends(self, acts: Iterable[Act], known: Sequence[Given] = (), first: Any = None) -> list[End]:
        """Every different end that the draft can come to, with its probability; the draft is left as it was.

        Of each of the `acts`, one after the other, every way is gone that it can take. It gets the draft and what the act
        before it gave, beginning with `first`; it gives None where all is over, else what it does. The first is asked the
        questions that have their `known` answers.
        """
        start = self._saved(())
        over: list[End] = []
        now: dict[Hashable, End] = {None: End(start, ONE, left=tuple(known)[::-1], result=first)}
        moves: dict[Hashable, dict[Hashable, End] | None] = {}  # by act and state, each once
        for act in acts:
            following: dict[Hashable, End] = {}
            for said, end in now.items():
                if (act, said) not in moves:
                    moves[act, said] = self._moves(act, end)
                if (found := moves[act, said]) is None:
                    over.append(end)
                    continue
                for reached, one in found.items():
                    if reached in following:
                        following[reached].weight += end.weight * one.weight
                    else:
                        following[reached] = one.with_weight(end.weight * one.weight)
            now = following
            if not now:
                break
        self._put_back(start, ())
        return [*over, *now.values()]

    def _moves(self, act: Act, end: End) -> dict[Hashable, End] | None:
        self._resume(end, ())
        run = act(self.state, end.result)
        if run is None:
            return None
        found: dict[Hashable, End] = {}
        for _ in self._paths(end, ()):
            self._reach(found, (), run(), ONE)
        return found

    @property
    def knows(self) -> bool:
        """Whether known answers are left."""
        return bool(self._known)

    def resume(self, end: End) -> None:
        """Let the draft say what it said at an end."""
        self._resume(end, ())

    def answer(self, question: Question) -> Answer:
        if self._known:
            *self._known, given = self._known
            if not fits(given, question):
                raise RuleBroken(
                    f"'{question.why}' ({question.rule}) is asked where '{given.question.why}' was answered"
                )
            return given.answer
        if not isinstance(question, (Roll, Draw)):
            return self._choose(question, self.state)
        if self._settled is not None and (answer := self._settled(question)) is not None:
            return answer
        return self._one_of(question)

    def _one_of(self, question: Roll | Draw) -> Any:
        if self._depth == len(self._branches):
            weighted, whole = outcomes(question)
            found = [(answer, weight) for answer, weight in reversed(weighted) if weight]
            self._branches.append(_Branch(question, found, whole))
        return self._take(question)

    def _take(self, asked: object) -> Any:
        """What the path has here; it must have come to the same question as the paths before it."""
        branch = self._branches[self._depth]
        if branch.asked != asked:
            raise self._wavered()
        answer, weight = branch.waiting[-1]
        self._depth += 1
        self._weight *= weight
        self._whole *= branch.whole
        return answer

    def within(self, run: Callable[[], Any], arguments: Sequence[Any]) -> Any:
        """A procedure as one question of what goes on round it; the procedures that it calls are run as they are."""
        if self._within or not self._merging:
            return run()
        carried = [
            one
            for one in arguments
            if isinstance(one, (list, dict, Record)) and not isinstance(one, CopyOnWrite) and one is not self.state
        ]
        if self._depth == len(self._branches):
            found: dict[Hashable, End] = {}
            self._within = True
            try:
                with self._set_apart():
                    for _ in self._paths(self._end(carried), carried):
                        self._reach(found, carried, run(), ONE)
            finally:
                self._within = False
            self._branches.append(_Branch.of(WITHIN, found.values()))
        end = self._take(WITHIN)
        self._resume(end, carried)
        return end.result

    def each(self, items: Sequence[T], *carried: list[Any] | dict[Any, Any] | Record) -> Iterator[T]:
        """The items, each for every end to which those before it have led; then one question with the ends of the last."""
        if not self._merging:
            yield from items
            return
        if self._depth == len(self._branches):
            ends = [self._end(carried)]
            with self._set_apart():
                for item in items:
                    found: dict[Hashable, End] = {}
                    for end in ends:
                        self._resume(end, carried)
                        for _ in self._paths(end, carried):
                            yield item
                            self._reach(found, carried, None, end.weight)
                    ends = list(found.values())
            self._branches.append(_Branch.of(EACH, ends))
        self._resume(self._take(EACH), carried)

    @contextmanager
    def _set_apart(self) -> Iterator[None]:
        """Paths of their own, as if nothing had been asked before."""
        outer = self._branches, self._depth, self._weight, self._whole
        yield
        self._branches, self._depth, self._weight, self._whole = outer

    def _reach(self, found: dict[Hashable, End], carried: Sequence[Any], result: Any, weight: Fraction) -> None:
        """Count where a path has led, with the paths that have led to the same; with none if nothing is to be merged."""
        told = tuple([event for event in self.events if event.kind in self._hears]) if self._hears else ()
        said: Hashable = object()
        if self._merging and (self._branches or found or not self._within):  # else nothing can be the same
            said = self._said(carried), _value(result), len(self._known), _value(told)
        share = weight * Fraction(self._weight, self._whole)
        end = found.get(said)
        if end is None:
            found[said] = End(self._saved(carried), share, told, self._known, result)
        else:
            end.weight += share

    def _paths(self, start: End, carried: Sequence[Any]) -> Iterator[None]:
        """Go through everything that can happen from `start`, where the draft stands, to where the generator is asked again."""
        branches: list[_Branch] = []
        while True:
            self._budget.spend()
            self._branches, self._depth, self._weight, self._whole = branches, 0, 1, 1
            yield
            if self._depth < len(branches):
                raise self._wavered()
            while branches and len(branches[-1].waiting) == 1:
                branches.pop()
            if not branches:
                return
            branches[-1].waiting.pop()
            self._resume(start, carried)

    def _wavered(self) -> RuleBroken:
        """What is wrong when the same answers do not lead to the same question."""
        by = f" ({', '.join(self.rules.house_rules)})" if self.rules.house_rules else ""
        return RuleBroken(
            f"the rules asked something else when they were run again; a house rule{by} keeps something elsewhere than in "
            "the game, or asks chance without the table, and no odds can be told with it"
        )

    def _said(self, carried: Sequence[Any]) -> Hashable:
        return self._same(self.state), *[key(one) if isinstance(one, Record) else _value(one) for one in carried]

    def _end(self, carried: Sequence[Any]) -> End:
        return End(self._saved(carried), ONE, tuple(self.events), self._known)

    def _resume(self, end: End, carried: Sequence[Any]) -> None:
        self._put_back(end.saved, carried)
        self._known = end.left
        self.events[:] = end.told
        self.tallies.clear()

    def _saved(self, carried: Sequence[Any]) -> tuple[Saved, list[Any]]:
        return save(self.state), [save(one) if isinstance(one, Record) else one.copy() for one in carried]

    def _put_back(self, saved: tuple[Saved, list[Any]], carried: Sequence[Any]) -> None:
        restore(self.state, saved[0])
        for one, was in zip(carried, saved[1], strict=True):
            if isinstance(one, Record):
                restore(one, was)
            elif isinstance(one, list):
                one[:] = was
            else:
                one.clear()
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
