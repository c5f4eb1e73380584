"""The merging table: every outcome of what rules do, run where they stand, equal states put together.

There is one draft, with an undo log. Of a stretch of rule code every path is run from the same place, and what the draft says
at its end is kept once for all paths that lead there. To what goes on round it, the stretch is then one question with its
ends for answers. Such a stretch is every procedure that a step calls, and the step itself; rules and house rules need say
nothing. A loop that rules leave to the table (`Table.each`) is such a stretch for each of its items.

The same table plays: so many plays go the way together, and part only where chance parts them.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from zareba.chance import EACH as ALL_FACES
from zareba.chance import Meaning
from zareba.errors import RuleBroken
from zareba.memento import key, restore
from zareba.odds.budget import MOST_ASKED, MOST_WRITTEN, Budget, OutOfBudget, Plays
from zareba.odds.ends import OVER, Branch, End, Found, add, kept, value_of
from zareba.odds.logged import is_logged
from zareba.odds.playing import NO_ODDS
from zareba.odds.undo import UndoLog
from zareba.state import Record
from zareba.table import Answer, Given, Question, Roll, fits, outcomes, wavered
from zareba.table.event import Event
from zareba.table.questions import Draw
from zareba.table.table import Table

if TYPE_CHECKING:
    from zareba.rules import Rules

__all__ = ["Act", "MergingTable"]

T = TypeVar("T")

Act: TypeAlias = "Callable[[Any, Any], Callable[[], Any] | None]"

WITHIN, EACH = "within", "each"
LEVELS = 2
"""How deep in one another procedures are stretches of their own."""


class MergingTable(Table):
    """Answers first what is known, then takes every outcome in turn; `choose` answers those who are asked meanwhile.

    `settled` gives the fall of dice and cards that are not to be gone through, None for the others.
    `same` gives what of the draft still matters: drafts for which it gives the same are put together. Of what is told, the
    kinds in `hears` are kept, and keep ends apart. `nested`: equal states are put together at procedures and not only
    after acts. With `plays` not every outcome is taken, but as many as so many plays come to.
    """

    __slots__ = (
        "_asked",
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
        self._branches: list[Branch] = []
        self._depth = 0
        self._weight = 1
        self._whole = 1
        self._levels = LEVELS if nested else 0
        self._asked = 0
        self.plays: Plays | None = None

    def ends(
        self,
        acts: Sequence[Act] | Act,
        known: Sequence[Given] = (),
        first: Any = None,
        tell: Callable[[Any, Any], Hashable] | None = None,
    ) -> list[End]:
        """Every different end that the draft can come to, with its probability; the draft is left as it was.

        Of each of the `acts`, one after the other, every way is gone that it can take; a single one is done again and again.
        It gets the draft and what the act before it gave, beginning with `first`; it gives None where all is over, else what
        it does. The first is asked the questions that have their `known` answers. `tell` says of the draft, and of what the
        last act gave, what is to be known of an end: it is the end's `result` then, and ends of which it says the same are
        one.
        """
        over: dict[Hashable, End] = {}
        now: dict[Hashable, End] = {None: End([], Fraction(1), left=tuple(known)[::-1], result=first)}
        moves: dict[Hashable, dict[Hashable, End] | None] = {}  # by act and state, each once
        with self._undo.open():
            start = self._undo.mark()
            try:
                for number in count():
                    act, after = _act(acts, number), _act(acts, number + 1)
                    if act is None or not now:
                        break
                    if number > MOST_ASKED:
                        raise OutOfBudget
                    following: dict[Hashable, End] = {}
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
        end: End,
        start: int,
        tell: Callable[[Any, Any], Hashable] | None,
    ) -> dict[Hashable, End] | None:
        self._resume(end, (), start)
        act = _act(acts, number)
        self._asked = 0
        run = act(self.state, end.result) if act is not None else None
        if run is None:
            if tell is None:
                return None
            outcome = tell(self.state, end.result)
            return {(OVER, outcome): End([], Fraction(1), result=outcome)}
        found = Found()
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
        found: Found,
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
                self._count(found, (OVER, outcome), partial(End, [], Fraction(0), result=outcome))
            else:
                self._reach(found, (), result, start)

    @property
    def knows(self) -> bool:
        """Whether known answers are left."""
        return bool(self._known)

    def go_on(self) -> None:
        """Something more is asked, or another step begun. Raises OutOfBudget when there has been too much on this path."""
        self._asked += 1
        if self._asked > MOST_ASKED:
            raise OutOfBudget

    @contextmanager
    def resumed(self, end: End) -> Iterator[None]:
        """Let the draft say what it said at an end that `ends` has given, without `tell`, for as long as that."""
        with self._undo.open():
            here = self._undo.mark()
            self._undo.forward(end.written)
            yield
            self._undo.back(here)

    def answer(self, question: Question) -> Answer:
        self.go_on()
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
        if self.plays is not None and self._plays_alone():
            return self.plays.one(question)
        if self._depth == len(self._branches):
            weighted, whole = outcomes(question)
            found = [(answer, weight) for answer, weight in reversed(weighted) if weight]
            if self.plays is not None:
                many = self.plays.many * self._weight // self._whole
                found, whole = self.plays.part(many, found, whole), many
            self._branches.append(Branch(question, found, whole))
        return self._take(question)

    def _plays_alone(self) -> bool:
        """Whether there is a single play on this path: nothing parts it any more, and nothing is put together with it."""
        return self.plays is not None and self.plays.many * self._weight == self._whole

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
            found = Found()
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
            ends, alone = [self._end(carried)], Found()
            with self._set_apart(self._weight, self._whole):
                for number, item in enumerate(items):
                    found = Found()
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
        found: Found,
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
        told = self._told()
        written = self._undo.changed(start)
        said: Hashable = None
        if not self._merging or self._plays_alone():
            said = object()
        elif self._branches or found.ends or not alone:
            draft = self._undo.key(written, start) if self._same is None else self._same(self.state)
            along = [key(one) if isinstance(one, Record) else value_of(one) for one in carried]
            said = draft, tuple(along), value_of(result), len(self._known), value_of(told)
        self._count(
            found, said, lambda: End(written, Fraction(0), kept(carried), told, self._known, result), part, whole
        )

    def _told(self) -> tuple[Event, ...]:
        """What is kept of what has been told."""
        return tuple([event for event in self.events if event.kind in self._hears]) if self._hears else ()

    def _count(self, found: Found, said: Hashable, end: Callable[[], End], part: int = 1, whole: int = 1) -> None:
        shares = found.shares.get(said)
        if shares is None:
            self.budget.keep()
            found.ends[said] = end()
            shares = found.shares[said] = {}
        whole *= self._whole
        shares[whole] = shares.get(whole, 0) + part * self._weight

    def _paths(self, carried: Sequence[Any], mark: int | None = None) -> Iterator[None]:
        """Go through everything that can happen from where the draft stands to where the generator is asked again.

        `mark` is that of the place where it stands, if it has one.
        """
        branches: list[Branch] = []
        here = self._undo.mark() if mark is None else mark
        start = self._end(carried)
        while True:
            self.budget.spend()
            self._asked = 0
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
        return End([], Fraction(1), kept(carried), tuple(self.events), self._known)

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


def _act(acts: Sequence[Act] | Act, number: int) -> Act | None:
    """Which act comes so many others later, if any does."""
    if not isinstance(acts, Sequence):
        return acts
    return acts[number] if number < len(acts) else None
