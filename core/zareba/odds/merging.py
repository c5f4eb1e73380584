"""The merging table: every outcome of what rules do, run where they stand, equal states put together.

There is one draft, with an undo log. Of a stretch of rule code every path is run from the same place, and what the draft says
at its end is kept once for all paths that lead there. To what goes on round it, the stretch is then one question with its
ends for answers. Such a stretch is every procedure that a step calls, and the step itself; rules and house rules need say
nothing. A loop that rules leave to the table (`Table.each`) is such a stretch for each of its items.

The same table plays: so many plays go the way together, and part only where chance parts them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from math import inf, lcm
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from zareba.chance import EACH as ALL_FACES
from zareba.chance import Meaning
from zareba.errors import RuleBroken
from zareba.memento import key, restore, save
from zareba.odds.playing import NO_ODDS
from zareba.odds.undo import UndoLog, Written, is_logged
from zareba.state import Record
from zareba.table import Answer, Given, Question, Roll, fits, outcomes, wavered
from zareba.table.event import Event
from zareba.table.questions import Draw
from zareba.table.table import Table

if TYPE_CHECKING:
    from zareba.rules import Rules

__all__ = ["Act", "Budget", "End", "MergingTable", "OutOfBudget", "Plays"]

T = TypeVar("T")

Act: TypeAlias = "Callable[[Any, Any], Callable[[], Any] | None]"

WITHIN, EACH = "within", "each"
LEVELS = 2
"""How deep in one another procedures are stretches of their own."""


class OutOfBudget(BaseException):
    """More paths, or more time, than allowed. No Exception, so that no house rule can swallow it."""


class Budget:
    """So many paths, and so many seconds from now on; `spend` takes a path off."""

    __slots__ = ("_until", "paths", "spent")

    def __init__(self, paths: float = inf, seconds: float = inf) -> None:
        self.paths = paths
        self.spent = 0
        self._until = perf_counter() + seconds

    def spend(self) -> None:
        """Raises OutOfBudget when nothing is left."""
        self.spent += 1
        if self.spent > self.paths or perf_counter() > self._until:
            raise OutOfBudget


class Plays:
    """So many plays, which go the way together; `chance` parts them. `many` are under way on the present path."""

    __slots__ = ("chance", "many")

    def __init__(self, many: int, seed: int) -> None:
        self.many = many
        self.chance = Random(seed)

    def part(self, many: int, weighted: Sequence[tuple[Any, int]], whole: int) -> list[tuple[Any, int]]:
        """How many of them take which answer: what is sure to each of its share, and the rest by chance.

        On average each answer has its share, and no sum over plays varies more than if each were played by itself.
        """
        if many == 1:
            shares, lots, left = [0] * len(weighted), [weight for _, weight in weighted], 1
        else:
            divided = [divmod(many * weight, whole) for _, weight in weighted]
            shares, lots = [share for share, _ in divided], [rest for _, rest in divided]
            left = many - sum(shares)
        if left:
            total = sum(lots)
            for _ in range(left):
                at = int(self.chance.random() * total)
                for place, lot in enumerate(lots):
                    if at < lot:
                        shares[place] += 1
                        break
                    at -= lot
        return [(answer, share) for (answer, _), share in zip(weighted, shares, strict=True) if share]


class End:
    """Where a stretch of rule code has led, and how likely that was.

    `written` is what the draft then said, `carried` what had been carried along; `told` what had been told that is listened
    for, `left` the known answers that were left, `result` what was given back.
    """

    __slots__ = ("carried", "left", "result", "told", "weight", "written")

    def __init__(
        self,
        written: Written,
        weight: Fraction,
        carried: Sequence[Any] = (),
        told: tuple[Event, ...] = (),
        left: Sequence[Given] = (),
        result: Any = None,
    ) -> None:
        self.written = written
        self.weight = weight
        self.carried = carried
        self.told = told
        self.left = left
        self.result = result

    def with_weight(self, weight: Fraction) -> End:
        """The same end, as likely as that."""
        return End(self.written, weight, self.carried, self.told, self.left, self.result)


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


class _Found:
    """The ends of a stretch, each once. What leads there is summed up by its whole, so that no fraction is reckoned a path."""

    __slots__ = ("ends", "shares")

    def __init__(self) -> None:
        self.ends: dict[Hashable, End] = {}
        self.shares: dict[Hashable, dict[int, int]] = {}

    def weighed(self) -> dict[Hashable, End]:
        """With their weights."""
        for said, shares in self.shares.items():
            common = lcm(*shares)
            self.ends[said].weight = Fraction(sum([n * (common // whole) for whole, n in shares.items()]), common)
        return self.ends


class MergingTable(Table):
    """Answers first what is known, then takes every outcome in turn; `choose` answers those who are asked meanwhile.

    `settled` gives the fall of dice and cards that are not to be gone through, None for the others.
    `same` gives what of the draft still matters: drafts for which it gives the same are put together. Of what is told, the
    kinds in `hears` are kept, and keep ends apart. `nested`: equal states are put together at procedures and not only
    after acts. With `plays` not every outcome is taken, but as many as so many plays come to.
    """

    __slots__ = (
        "_branches",
        "_choose",
        "_depth",
        "_hears",
        "_known",
        "_levels",
        "_merging",
        "_same",
        "_settled",
        "_undo",
        "_weight",
        "_whole",
        "budget",
        "plays",
    )

    follows = True

    def __init__(
        self,
        rules: Rules,
        draft: Any,
        choose: Callable[[Any, Any], Answer],
        budget: Budget | None = None,
        *,
        settled: Callable[[Roll | Draw], Answer | None] | None = None,
        same: Callable[[Any], Hashable] | None = None,
        hears: Container[str] = (),
        nested: bool = True,
        merging: bool = True,
    ) -> None:
        super().__init__(rules, draft)
        self._choose = choose
        self.budget = budget or Budget()
        self._settled = settled
        self._same = same
        self._hears = hears
        self._merging = merging
        self._undo = UndoLog(draft)
        self._known: Sequence[Given] = ()
        self._branches: list[_Branch] = []
        self._depth = 0
        self._weight = 1
        self._whole = 1
        self._levels = LEVELS if nested else 0
        self.plays: Plays | None = None

    def ends(
        self,
        acts: Iterable[Act],
        known: Sequence[Given] = (),
        first: Any = None,
        tell: Callable[[Any, Any], Hashable] | None = None,
    ) -> list[End]:
        """Every different end that the draft can come to, with its probability; the draft is left as it was.

        Of each of the `acts`, one after the other, every way is gone that it can take. It gets the draft and what the act
        before it gave, beginning with `first`; it gives None where all is over, else what it does. The first is asked the
        questions that have their `known` answers. `tell` says of the draft, and of what the last act gave, what is to be
        known of an end: it is the end's `result` then, and ends of which it says the same are one.
        """
        over: dict[Hashable, End] = {}
        now: dict[Hashable, End] = {None: End([], Fraction(1), left=tuple(known)[::-1], result=first)}
        moves: dict[Hashable, dict[Hashable, End] | None] = {}  # by act and state, each once
        with self._undo.open():
            start = self._undo.mark()
            try:
                upcoming = iter(acts)
                act = next(upcoming, None)
                while act is not None and now:
                    after = next(upcoming, None)
                    following: dict[Hashable, End] = {}
                    for said, end in now.items():
                        at = act, after, said
                        if at not in moves or self.plays is not None:
                            moves[at] = self._moves(act, after, end, start, tell)
                        if (found := moves[at]) is None:
                            _add(over, (OVER, said), end)
                            continue
                        for reached, one in found.items():
                            there = over if isinstance(reached, tuple) and reached[0] is OVER else following
                            _add(there, reached, one, end.weight)
                    now = following
                    act = after
            finally:
                self._undo.back(start)
        return [*over.values(), *now.values()]

    def _moves(
        self, act: Act, after: Act | None, end: End, start: int, tell: Callable[[Any, Any], Hashable] | None
    ) -> dict[Hashable, End] | None:
        self._resume(end, (), start)
        run = act(self.state, end.result)
        if run is None:
            if tell is None:
                return None
            outcome = tell(self.state, end.result)
            return {(OVER, outcome): End([], Fraction(1), result=outcome)}
        found = _Found()
        with self._set_apart(*end.weight.as_integer_ratio()):
            self._go(run, after, start, tell, found)
        return found.weighed()

    def _go(
        self,
        run: Callable[[], Any],
        after: Act | None,
        start: int,
        tell: Callable[[Any, Any], Hashable] | None,
        found: _Found,
    ) -> None:
        for _ in self._paths(()):
            result = run()
            next_run = None if after is None else after(self.state, result)
            if tell is not None and next_run is None:
                outcome = tell(self.state, result)
                self._count(found, (OVER, outcome), partial(End, [], Fraction(0), result=outcome))
            else:
                self._reach(found, (), result, start)

    @property
    def knows(self) -> bool:
        """Whether known answers are left."""
        return bool(self._known)

    @contextmanager
    def resumed(self, end: End) -> Iterator[None]:
        """Let the draft say what it said at an end that `ends` has given, without `tell`, for as long as that."""
        with self._undo.open():
            here = self._undo.mark()
            self._undo.forward(end.written)
            yield
            self._undo.back(here)

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
            if self.plays is not None:
                many = self.plays.many * self._weight // self._whole
                found, whole = self.plays.part(many, found, whole), many
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
        if not self._levels or not self._merging:
            return run()
        carried = [
            one
            for one in arguments
            if isinstance(one, (list, dict, Record)) and not is_logged(one) and one is not self.state
        ]
        if self._depth == len(self._branches):
            found = _Found()
            self._levels -= 1
            start = self._undo.mark()
            try:
                with self._set_apart(self._weight, self._whole):
                    for _ in self._paths(carried, start):
                        self._reach(found, carried, run(), start, alone=True)
            finally:
                self._levels += 1
            self._branches.append(_Branch.of(WITHIN, found.weighed().values()))
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
        if not self._merging:
            yield from items
            return
        if self._depth == len(self._branches):
            start = self._undo.mark()
            ends = [self._end(carried)]
            with self._set_apart(self._weight, self._whole):
                for item in items:
                    found = _Found()
                    for end in ends:
                        part, whole = end.weight.as_integer_ratio()
                        self._resume(end, carried, start)
                        with self._set_apart(part, whole):
                            for _ in self._paths(carried):
                                yield item
                                self._reach(found, carried, None, start, part, whole)
                    ends = list(found.weighed().values())
            self._branches.append(_Branch.of(EACH, ends))
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

    @contextmanager
    def _set_apart(self, part: int, whole: int) -> Iterator[None]:
        """Paths of their own, as if nothing had been asked before, for that part of the plays."""
        outer, plays = (self._branches, self._depth, self._weight, self._whole), self.plays
        if plays is None:
            yield
        else:
            many = plays.many
            plays.many = many * part // whole
            yield
            plays.many = many
        self._branches, self._depth, self._weight, self._whole = outer

    def _reach(
        self,
        found: _Found,
        carried: Sequence[Any],
        result: Any,
        start: int,
        part: int = 1,
        whole: int = 1,
        alone: bool = False,
    ) -> None:
        """Count where a path has led, with the paths that have led to the same; with none if nothing is to be merged.

        It is `alone` where nothing else can be found but by what is asked on the way.
        """
        told = tuple([event for event in self.events if event.kind in self._hears]) if self._hears else ()
        written = self._undo.changed(start)
        said: Hashable = None
        if not self._merging:
            said = object()
        elif self._branches or found.ends or not alone:
            draft = self._undo.key(written, start) if self._same is None else self._same(self.state)
            along = [key(one) if isinstance(one, Record) else _value(one) for one in carried]
            said = draft, tuple(along), _value(result), len(self._known), _value(told)
        self._count(
            found, said, lambda: End(written, Fraction(0), _kept(carried), told, self._known, result), part, whole
        )

    def _count(self, found: _Found, said: Hashable, end: Callable[[], End], part: int = 1, whole: int = 1) -> None:
        shares = found.shares.get(said)
        if shares is None:
            found.ends[said] = end()
            shares = found.shares[said] = {}
        whole *= self._whole
        shares[whole] = shares.get(whole, 0) + part * self._weight

    def _paths(self, carried: Sequence[Any], mark: int | None = None) -> Iterator[None]:
        """Go through everything that can happen from where the draft stands to where the generator is asked again.

        `mark` is that of the place where it stands, if it has one.
        """
        branches: list[_Branch] = []
        here = self._undo.mark() if mark is None else mark
        start = self._end(carried)
        while True:
            self.budget.spend()
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
        return wavered(self.rules, NO_ODDS)

    def _end(self, carried: Sequence[Any]) -> End:
        """Where the draft stands now."""
        return End([], Fraction(1), _kept(carried), tuple(self.events), self._known)

    def _resume(self, end: End, carried: Sequence[Any], start: int | None) -> None:
        """Let the draft say what it said at an end: from a place to which it is taken back first, None where it is there."""
        if start is not None:
            self._undo.back(start)
        if end.written:
            self._undo.forward(end.written)
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


OVER = "over"


def _add(ends: dict[Hashable, End], said: Hashable, end: End, weight: Fraction = Fraction(1)) -> None:
    """Put an end to the others, once for all that lead there."""
    if said in ends:
        ends[said].weight += end.weight * weight
    else:
        ends[said] = end.with_weight(end.weight * weight)


def _kept(carried: Sequence[Any]) -> Sequence[Any]:
    """What is carried along, as it stands."""
    return carried and [save(one) if isinstance(one, Record) else one.copy() for one in carried]


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
