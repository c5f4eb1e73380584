"""Exact enumeration of every path of a rule, merging equal states."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache, partial
from math import lcm
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from zareba.base.errors import RuleBroken
from zareba.base.memento import key, restore, save
from zareba.base.state import Record
from zareba.chance import EACH as ALL_FACES
from zareba.chance import Meaning
from zareba.odds.drivers.sampler import (
    MOST_QUESTIONS,
    MOST_WRITES,
    NO_ODDS,
    Choice,
    NeutralAnswer,
    OutOfBudget,
    PresetAnswers,
    SampleCount,
    SamplingBudget,
)
from zareba.odds.rollback import RollbackLog, Written, is_logged
from zareba.table import (
    Answer,
    GivenAnswer,
    MoveCost,
    Option,
    Point,
    Roll,
    has_python_rules,
    nondeterminism_error,
    outcomes,
)
from zareba.table.questions import Draw, Event

if TYPE_CHECKING:
    from zareba.rules import Rules


# --- Leaves: the different ends of a stretch of rule code, each with its probability ----------------------------------


class Leaf:
    """An end of a stretch of rule code, with its probability.

    `written` are the writes to the draft, `carried` the values of the variables carried along. `told` are the events
    kept, `left` the known answers not yet used, and `result` is the return value.
    """

    __slots__ = ("carried", "left", "result", "told", "weight", "written")

    def __init__(
        self,
        written: Written,
        weight: Fraction,
        carried: Sequence[Any] = (),
        told: tuple[Event, ...] = (),
        left: Sequence[GivenAnswer] = (),
        result: Any = None,
    ) -> None:
        self.written = written
        self.weight = weight
        self.carried = carried
        self.told = told
        self.left = left
        self.result = result

    def with_weight(self, weight: Fraction) -> Leaf:
        """Return the same leaf with another probability."""
        return Leaf(self.written, weight, self.carried, self.told, self.left, self.result)


class Branch:
    """A question on the present path and the answers not yet explored, with weights out of `whole`.

    The last answer is the present one.
    """

    __slots__ = ("asked", "waiting", "whole")

    def __init__(self, asked: object, waiting: list[tuple[Any, int]], whole: int) -> None:
        self.asked = asked
        self.waiting = waiting
        self.whole = whole

    @classmethod
    def of(cls, asked: object, ends: Iterable[Leaf]) -> Branch:
        """Return a branch whose answers are the leaves of a stretch."""
        found = list(ends)
        whole = lcm(*(end.weight.denominator for end in found))
        return cls(asked, [(end, end.weight.numerator * (whole // end.weight.denominator)) for end in found], whole)


class Leaves:
    """The leaves of a stretch, each stored once. Weights are summed by denominator; no path needs a fraction."""

    __slots__ = ("ends", "shares")

    def __init__(self) -> None:
        self.ends: dict[Hashable, Leaf] = {}
        self.shares: dict[Hashable, dict[int, int]] = {}

    def with_probabilities(self) -> dict[Hashable, Leaf]:
        """Return the leaves with their probabilities set."""
        for leaf_key, shares in self.shares.items():
            common = lcm(*shares)
            self.ends[leaf_key].weight = Fraction(sum([n * (common // whole) for whole, n in shares.items()]), common)
        return self.ends


OVER = "over"


def add(ends: dict[Hashable, Leaf], leaf_key: Hashable, end: Leaf, weight: Fraction = Fraction(1)) -> None:
    """Add a leaf to the others, merging it with an equal one."""
    if leaf_key in ends:
        ends[leaf_key].weight += end.weight * weight
    else:
        ends[leaf_key] = end.with_weight(end.weight * weight)


def copy_carried(carried: Sequence[Any]) -> Sequence[Any]:
    """Return a copy of the variables carried along."""
    return carried and [save(item) if isinstance(item, Record) else item.copy() for item in carried]


def value_of(result: Any) -> Hashable:
    """Return a result or carried variable as a value to compare: by content if possible, else by identity."""
    if isinstance(result, Record):
        return type(result).__name__, id(result)
    if isinstance(result, (list, tuple)):
        return tuple([value_of(item) for item in result])
    if isinstance(result, dict):
        return tuple([(name, value_of(item)) for name, item in result.items()])
    try:
        hash(result)
    except TypeError:
        return id(result)
    return result  # type: ignore[no-any-return]  # it can be hashed, as was just tried


# --- Run every path through a stretch of rule code, from the present state of the draft -------------------------------
#
# There is one draft with a rollback log. A stretch runs again and again from the same place, each time with different
# dice and cards. The draft at the end is stored once for all paths that lead to it. When sampling, the plays are shared
# out among the answers instead, and run together until chance parts them.


A = TypeVar("A")
O = TypeVar("O", bound=Option)
_Asked: TypeAlias = tuple[str, str, str, str]
"""A question to a player: the seat asked, its purpose, the rule and the actor."""


class PathEnumerator(PresetAnswers):
    """A table that tries every outcome of unknown dice and cards in turn.

    Events of the kinds in `kept_events` are kept, and leaves with different ones stay apart. Without `merging`, no
    leaves are merged. With `plays`, only as many outcomes are tried as this number of plays reaches.
    """

    __slots__ = (
        "_again",
        "_at",
        "_branches",
        "_depth",
        "_kept_events",
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
        budget: SamplingBudget | None = None,
        *,
        neutral_answer: NeutralAnswer | None = None,
        kept_events: Container[str] = (),
        merging: bool = True,
    ) -> None:
        super().__init__(rules, draft, choose, neutral_answer)
        self.budget = budget or SamplingBudget()
        self._kept_events = kept_events
        self._merging = merging
        self._rows = merging and not kept_events and not has_python_rules(rules)
        """True if results in the same row count as one: no house rule tells them apart, and no events are kept."""
        self._log = RollbackLog(draft)
        self._again: list[tuple[_Asked, Answer, bool]] = []
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

        return ask() if self.rules.option_hooks else self._answer_until_chance((seat, why, rule, actor), ask)

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

        return ask() if self.rules.place_hooks else self._answer_until_chance((seat, why, rule, actor), ask)

    def _answer_until_chance(self, asked: _Asked, ask: Callable[[], A]) -> A:
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
            return self.plays.random_answer(question)
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

    def _events_to_keep(self) -> tuple[Event, ...]:
        """Return the events of the kinds that are kept."""
        return tuple([event for event in self.events if event.kind in self._kept_events]) if self._kept_events else ()

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
        events = self._events_to_keep()
        written = self._log.changed(start)
        leaf_key: Hashable = None
        if not self._merging or self._plays_alone():
            leaf_key = object()
        elif self._branches or found.ends or not alone:
            along = [key(item) if isinstance(item, Record) else value_of(item) for item in carried]
            leaf_key = self._log.key(written, start), tuple(along), value_of(result), len(self._known), value_of(events)
        self._count(
            found,
            leaf_key,
            lambda: Leaf(written, Fraction(0), copy_carried(carried), events, self._known, result),
            part,
            whole,
        )

    def _count(self, found: Leaves, leaf_key: Hashable, end: Callable[[], Leaf], part: int = 1, whole: int = 1) -> None:
        shares = found.shares.get(leaf_key)
        if shares is None:
            self.budget.keep()
            found.ends[leaf_key] = end()
            shares = found.shares[leaf_key] = {}
        whole *= self._whole
        shares[whole] = shares.get(whole, 0) + part * self._weight

    def _paths(self, carried: Sequence[Any], mark: int | None = None) -> Iterator[None]:
        """Yield once for each possible path from the present draft to the point at which the generator is resumed.

        `mark` is the mark of the present draft, if it has one.
        """
        branches: list[Branch] = []
        again: list[tuple[_Asked, Answer, bool]] = []
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
            self._log.rewind(start)
        if end.written:
            self._log.forward(end.written)
        for item, was in zip(carried, end.carried, strict=True):
            if isinstance(item, Record):
                restore(item, was)
            elif isinstance(item, list):
                item[:] = was
            else:
                item.clear()
                item.update(was)
        self._known = end.left
        self.events[:] = end.told
        self.tallies.clear()


def _by_row(question: Roll) -> tuple[list[tuple[Answer, int]], int]:
    """Return the results of a roll with their weights, one result for each row of its chart (`Meaning.result_key`)."""
    weighted, whole = outcomes(question)
    if question.means is None:
        return weighted, whole
    return _rows_of(question.means, tuple(weighted)), whole


@lru_cache(maxsize=4096)
def _rows_of(means: Meaning, weighted: tuple[tuple[Answer, int], ...]) -> list[tuple[Answer, int]]:
    found: dict[Hashable, tuple[Answer, int]] = {}
    for answer, weight in weighted:
        first, before = found.get(row := means.result_key(answer), (answer, 0))
        found[row] = first, before + weight
    return list(found.values())


# --- The exact table: it runs rules over every outcome of dice and cards in one draft, and merges equal states --------
#
# A stretch of rule code acts as one question to the code around it; the answers are its leaves. Steps, the procedures
# that a step calls, and the items of a loop over `Table.each` are stretches; rules and house rules need no code for it.
# The same table can also sample (`zareba.odds.drivers.exact_enumerator`).


T = TypeVar("T")

Act: TypeAlias = "Callable[[Any, Any], Callable[[], Any] | None]"

_WITHIN, EACH = "within", "each"
LEVELS = 2
"""The depth of nesting to which procedures are stretches."""


class ExactEnumerator(PathEnumerator):
    """Merges equal states between acts, at the items of loops and, if `nested`, at procedures."""

    __slots__ = ("_levels",)

    runs_procedures = True

    def __init__(self, *known: Any, nested: bool = True, **more: Any) -> None:
        super().__init__(*known, **more)
        self._levels = LEVELS if nested else 0

    def ends(
        self,
        acts: Sequence[Act] | Act,
        known: Sequence[GivenAnswer] = (),
        first: Any = None,
        outcome_of: Callable[[Any, Any], Hashable] | None = None,
    ) -> list[Leaf]:
        """Return every different leaf that the draft can reach, with its probability. The draft is left unchanged.

        The `acts` run in order, each over all its outcomes; a single act is repeated. An act gets the draft and the
        result of the act before it (`first` for the first) and returns a function to run, or None when all is over.
        The first act gets the `known` answers to its questions. `outcome_of`, if given, returns an outcome from the
        draft and the last result: it becomes the `result` of the leaf, and leaves with the same outcome are merged.
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
                    if number > MOST_QUESTIONS:
                        raise OutOfBudget
                    following: dict[Hashable, Leaf] = {}
                    for leaf_key, end in now.items():
                        at = act, after, leaf_key
                        if at not in moves or self.plays is not None:
                            moves[at] = self._moves(acts, number, end, start, outcome_of)
                        if (found := moves[at]) is None:
                            add(over, (OVER, leaf_key), end)
                            continue
                        for reached, chance in found.items():
                            there = over if isinstance(reached, tuple) and reached[0] is OVER else following
                            add(there, reached, chance, end.weight)
                    now = following
            finally:
                self._log.rewind(start)
        return [*over.values(), *now.values()]

    def _moves(
        self,
        acts: Sequence[Act] | Act,
        number: int,
        end: Leaf,
        start: int,
        outcome_of: Callable[[Any, Any], Hashable] | None,
    ) -> dict[Hashable, Leaf] | None:
        self._resume(end, (), start)
        act = _act(acts, number)
        self._asked = 0
        run = act(self.state, end.result) if act is not None else None
        if run is None:
            if outcome_of is None:
                return None
            outcome = outcome_of(self.state, end.result)
            return {(OVER, outcome): Leaf([], Fraction(1), result=outcome)}
        found = Leaves()
        with self._set_apart(*end.weight.as_integer_ratio()):
            self._go(run, acts, number + 1, start, outcome_of, found)
        return found.with_probabilities()

    def _go(
        self,
        run: Callable[[], Any],
        acts: Sequence[Act] | Act,
        number: int,
        start: int,
        outcome_of: Callable[[Any, Any], Hashable] | None,
        found: Leaves,
    ) -> None:
        """Run an act over all its outcomes. A play that is alone on its path also runs the acts that follow."""
        for _ in self._paths(()):
            result, at, next_run = run(), number, None
            while (act := _act(acts, at)) is not None and (next_run := act(self.state, result)) and self._plays_alone():
                self.events[:] = self._events_to_keep()
                self.tallies.clear()
                result, at, next_run = next_run(), at + 1, None
            if outcome_of is not None and next_run is None:
                outcome = outcome_of(self.state, result)
                self._count(found, (OVER, outcome), partial(Leaf, [], Fraction(0), result=outcome))
            else:
                self._reach(found, (), result, start)

    def run_procedure(self, run: Callable[[], Any], arguments: Sequence[Any]) -> Any:
        """Run a procedure as one question to the code around it. Procedures nested deeper than `LEVELS` run inline."""
        if len(self._log) > MOST_WRITES:
            raise OutOfBudget
        if not self._levels or not self._merging or self._plays_alone():
            return run()
        carried = [
            argument
            for argument in arguments
            if isinstance(argument, (list, dict, Record)) and not is_logged(argument) and argument is not self.state
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
            self._branches.append(Branch.of(_WITHIN, found.with_probabilities().values()))
            if len(found.ends) == 1 and None in found.ends:  # no question was asked, so this is the only leaf
                self._depth += 1
                self._log.mark()  # new objects keep their content in the leaf, even if later code changes them
                return found.ends[None].result
            self._log.rewind(start)
        end = self._take(_WITHIN)
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
                    ends = list(found.with_probabilities().values())
            ends += alone.with_probabilities().values()
            self._branches.append(Branch.of(EACH, ends))
            self._log.rewind(start)
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

        All dice are thrown as one roll if their result is known or does not matter, if nothing is merged, or if a house
        rule hooks into rolls.
        """
        asked = Roll(why, rule, actor, count, sides, ALL_FACES, means)
        answer = self._neutral_answer(asked) if self._neutral_answer is not None and not self._known else None
        whole = self._known or answer is not None or not self._merging
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
