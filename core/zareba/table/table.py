"""The table: answers rolls and choices of the rules, keeps decks, and lets house rules react."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast, overload

from zareba.base.errors import Impossible, RuleBroken, ZarebaError
from zareba.base.grammar import with_unit
from zareba.base.speedups import new_tuple
from zareba.base.state import Record, record
from zareba.chance import EACH, MOST_DICE, MOST_FACES, SUM, Meaning, Read
from zareba.renamed import warn_renamed
from zareba.table.questions import (
    Answer,
    Choose,
    Confirm,
    Draw,
    Event,
    ExtraOption,
    MoveCost,
    Option,
    Place,
    Point,
    Question,
    Roll,
    is_lazy,
)
from zareba.table.rules_protocol import Reaction, RulesProtocol

if TYPE_CHECKING:
    from zareba.base.tally import Tally


# --- Delivery of events to house rules, including events that house rules emit themselves -----------------------------
#
# Each event goes to all house rules in the order of the session. A house rule may emit new events while it reacts.
# These wait in a queue until every house rule has reacted to the current event. A house rule does not receive its own
# events. If house rules keep reacting to each other without end, play stops with an error that names them.


_MOST_ECHOES = 20
"""The longest chain of reactions to reactions."""


class _EventData(dict[str, Any]):
    """The data of an event; reading a missing field raises an error that lists the fields there are."""

    def __init__(self, event: Event) -> None:
        super().__init__(event.data)
        self._kind = event.kind

    def __missing__(self, name: str) -> Any:
        raise MissingEventField(
            f"the event '{self._kind}' has no field '{name}'; it has {', '.join(self) or 'no fields'}"
        )


class MissingEventField(ZarebaError, KeyError):
    """A house rule reads a field that the event does not have."""

    __str__ = ZarebaError.__str__


class Reactions:
    """The reactions to one event and to the events emitted in response. The event data is read-only."""

    def __init__(self, event: Event) -> None:
        self._queue: deque[tuple[Event, tuple[str, ...]]] = deque([(event, ())])
        """The events to deliver, each with the chain of house rules that led to it; the last of them emitted it."""
        self._chain: tuple[str, ...] = ()

    def enqueue(self, event: Event) -> None:
        """Queue an event that the house rule now reacting has emitted."""
        self._queue.append((event, self._chain))

    def run(self, table: Any, hooks: Sequence[Reaction]) -> None:
        """Run the reactions until the queue is empty; raise RuleBroken if a chain of reactions becomes too long."""
        while self._queue:
            event, chain = self._queue.popleft()
            if len(chain) > _MOST_ECHOES:
                names = " and ".join(f"'{name}'" for name in sorted(set(chain)))
                raise RuleBroken(
                    f"the house rules {names} react to each other without end, last with '{event.kind}'; "
                    "leave one out, or let it react to fewer kinds of events"
                )
            event = new_tuple(Event, (event.kind, event.rule, MappingProxyType(_EventData(event))))
            for hook in hooks:
                if not chain or hook.house_rule != chain[-1]:
                    self._chain = (*chain, hook.house_rule)
                    hook(table=table, event=event)


# --- The base class of all tables: the only object through which rules get dice, cards and decisions ------------------
#
# A rule asks with `roll`, `draw`, `choose`, `place` or `confirm`, looks up a modifier breakdown with `tally`, and
# emits events. The driver, a subclass, decides who answers; the same rule code runs under every driver. A
# driver implements `answer`. The simulation driver also overrides the methods that ask, so that it does not build
# questions that are never read.


MOST_QUESTIONS_BY_RULE = 2_000
"""The number of questions that one call of a house rule may ask, including everything it calls; more count as an
endless loop.
"""

A = TypeVar("A")
O = TypeVar("O", bound=Option)
T = TypeVar("T")


class Endless(BaseException):
    """Raised when a house rule has asked too many questions. It is not an Exception, so that a house rule cannot
    swallow it.
    """


class Table(ABC):
    """The object that answers the questions of rules. A table serves one step at a time; `rules` are the resolved rules
    of the session.
    """

    __slots__ = ("_reactions", "events", "questions_by_rule", "rules", "state", "tallies")

    runs_procedures: ClassVar[bool] = False
    """True if the driver overrides `run_procedure`."""
    lists_options: ClassVar[bool] = True
    """True if all options are found before a question is answered."""

    def __init__(self, rules: RulesProtocol, state: Any) -> None:
        self.rules = rules
        self.state = state
        self.events: list[Event] = []
        self.tallies: list[Tally] = []
        self._reactions: Reactions | None = None
        self.questions_by_rule: int | None = None
        """The number of questions of the outermost call of a house rule so far; None while none is under way."""

    def count_question(self) -> None:
        """Count a question. Raises Endless if a house rule has asked too many."""
        if self.questions_by_rule is not None:
            self.questions_by_rule += 1
            if self.questions_by_rule > MOST_QUESTIONS_BY_RULE:
                raise Endless

    @abstractmethod
    def answer(self, question: Question) -> Answer:
        """Return the answer to one question."""

    @overload
    def roll(
        self, count: int, sides: int, *, why: str, rule: str, actor: str = "", means: Meaning | None = None
    ) -> int: ...

    @overload
    def roll(
        self,
        count: int,
        sides: int,
        read: Read[A],
        *,
        why: str,
        rule: str,
        actor: str = "",
        means: Meaning | None = None,
    ) -> A: ...

    def roll(
        self,
        count: int,
        sides: int,
        read: Read[Any] = SUM,
        *,
        why: str,
        rule: str,
        actor: str = "",
        means: Meaning | None = None,
    ) -> Any:
        """Roll `count` dice of `sides` faces and return them as `read` reads them, by default as a sum.

        `means` describes what each result means in the rules. It is shown under "why?" and in the odds, and has no
        effect on play.
        """
        self.count_question()
        check_roll(count, sides, why, rule)
        roll = Roll(why, rule, actor, count, sides, read, means)
        return self.rules.roll_with_hooks(self, roll, self._throw) if self.rules.roll_hooks else self.answer(roll)

    def _throw(self, roll: Roll) -> Answer:
        self.count_question()
        check_roll(roll.dice, roll.sides, roll.why, roll.rule)
        return self.answer(roll)

    def draw(
        self,
        pile: Mapping[str, int],
        *,
        why: str,
        rule: str,
        actor: str = "",
        seat: str | None = None,
        means: Meaning | None = None,
    ) -> str:
        """Return the card drawn from `pile` (card -> copies). The pile itself is not changed."""
        self.count_question()
        check_pile(pile, why, rule, actor or seat)
        card: str = self.answer(Draw(why, rule, actor, seat, tuple(sorted(pile.items())), means))
        return card

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
        """Ask `seat` to take one of `options`. A single option is taken without asking."""
        self.count_question()
        if self.rules.option_hooks:
            question = Choose(why, rule, actor, seat, tuple(options), about)
            filtered = cast("Sequence[O]", self.rules.filter_options(self.state, question))
            # if unchanged, keep the options object, so that lazy options stay lazy
            if filtered is not question.options:
                return cast("O", self._choose_among(question, filtered))
        if not self.lists_options and is_lazy(options) and options.has_several():
            lazy_choice: O = self.answer(Choose(why, rule, actor, seat, options, about))
            return lazy_choice
        if len(options) == 1:
            self.count_forced(seat)
            return options[0]
        if not options:
            raise Impossible(f"{rule}: nothing to choose from for '{why}' ({actor or seat})")
        choice: O = self.answer(Choose(why, rule, actor, seat, _searched(options), about))
        return choice

    def _choose_among(self, question: Choose, filtered: Sequence[Any]) -> Any:
        """Ask a choice with the options changed by house rules; if the seat takes an extra option, run it and return
        its `then`.
        """
        extra_options = {str(option): option for option in filtered if isinstance(option, ExtraOption)}
        options = tuple([str(option) if isinstance(option, ExtraOption) else option for option in filtered])
        added = tuple([option for option in options if option not in question.options])
        if len(options) == 1:
            self.count_forced(question.seat)
            choice = options[0]
        else:
            choice = self.answer(question._replace(options=options, added=added))
        if choice not in extra_options:
            return choice
        extra = extra_options[choice]
        extra.hook.run(extra.do, self, self, self.state, question)
        return extra.then

    def count_forced(self, seat: str) -> None:  # noqa: B027  # most drivers do not count
        """Called when `seat` is not asked because only one answer is possible; for drivers that count decisions."""

    def run_procedure(self, run: Callable[[], Any], arguments: Sequence[Any]) -> Any:
        """Run a procedure that was called with these arguments, and return its result.

        A driver that needs to know where procedures begin and end overrides this method.
        """
        return run()

    def each(self, items: Sequence[T], *carried: list[Any] | dict[Any, Any] | Record) -> Iterable[T]:
        """Return the items of a loop whose body asks questions: `for shot in table.each(shots, hits)`.

        To compute odds, the driver runs the loop body once for each state in which it can start and merges equal
        states after each item. So only the state of the game and the objects in `carried` may keep a value from one
        item to the next, and the loop must not use `break`.
        """
        return items

    def faces_of(
        self,
        count: int,
        sides: int,
        *carried: list[Any] | dict[Any, Any] | Record,
        why: str,
        rule: str,
        actor: str = "",
        means: Meaning | None = None,
    ) -> Iterable[int]:
        """Return the faces of one roll, in a loop that handles each die in turn. In play this is a single question.

        To compute odds, the driver rolls die by die and merges equal states after each, as for `each`.
        """
        return self.roll(count, sides, EACH, why=why, rule=rule, actor=actor, means=means)

    def unanswered(self) -> Question | None:
        """Return the question that interrupted the step and still waits for its answer; only some drivers interrupt a
        step.
        """
        return None

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
        """Ask `seat` for a point for which `legal` returns None; `cost` returns the movement cost of a point."""
        self.count_question()
        question = Place(why, rule, actor, seat, suggestions, legal, cost)
        if self.rules.place_hooks:
            question = self.rules.place_with_hooks(self.state, question)
        point: Point = self.answer(question._replace(suggestions=_searched(question.suggestions)))
        return point

    def confirm(self, seat: str, *, why: str, rule: str, actor: str = "", about: tuple[Any, ...] = ()) -> bool:
        """Ask `seat` for a yes or no."""
        self.count_question()
        question = Confirm(why, rule, actor, seat, about)
        if self.rules.confirm_hooks:
            answer_of_rule = self.rules.confirm_with_hooks(self.state, question)
            if answer_of_rule is not None:
                self.count_forced(seat)
                return answer_of_rule
        return bool(self.answer(question))

    def tally(self, name: str, facts: Any, unit: Any = None, target: Any = None) -> Tally:
        """Return the modifier breakdown `name` for these facts: the number, and its reasons on request. The table keeps
        it for "why?".

        `unit` is the unit that the number belongs to and `target` the unit it concerns, if any. Modifiers of house
        rules may depend on them (`zareba.house_rules.contextual_modifiers`).
        """
        tally = self.rules.tally(name, facts, self.state, unit, target, self)
        self.tallies.append(tally)
        return tally

    def tell(self, kind: str, rule: str, **data: Any) -> None:
        """Emit an event, under the name that this method had in the last release."""
        warn_renamed("table.tell", "table.emit")
        self.emit(kind, rule, **data)

    def emit(self, kind: str, rule: str, **data: Any) -> None:
        """Emit an event. House rules may react to it, and to the events that other house rules emit
        (`zareba.table.table`).
        """
        event = new_tuple(Event, (kind, rule, data))
        self.events.append(event)
        if self.rules.event_hooks:
            if self._reactions is not None:
                self._reactions.enqueue(event)
                return
            self._reactions = Reactions(event)
            try:
                self._reactions.run(self, self.rules.event_hooks)
            finally:
                self._reactions = None


def _searched(options: Sequence[O]) -> Sequence[O]:
    """Return the options in a form that stays valid when the state changes: all of them are found."""
    return options.search_all() if is_lazy(options) else tuple(options)


def check_roll(count: int, sides: int, why: str, rule: str) -> None:
    """Raise Impossible if a roll exceeds the limits of the engine."""
    are_whole = isinstance(count, int) and isinstance(sides, int)
    if not (are_whole and 0 <= count <= MOST_DICE and 1 <= sides <= MOST_FACES):
        raise Impossible(
            f"{rule}: '{why}' asks for {with_unit(count, 'dice')} of {sides} faces; "
            f"the limits are {MOST_DICE} dice and {MOST_FACES} faces"
        )


def check_pile(pile: Mapping[str, int], why: str, rule: str, whose: str | None) -> None:
    """Raise Impossible if a pile has no cards or a negative number of copies."""
    if not any(pile.values()):
        raise Impossible(f"{rule}: nothing is left to draw for '{why}' ({whose})")
    if min(pile.values()) < 0:
        raise Impossible(f"{rule}: a negative number of cards in the pile for '{why}' ({whose})")


# --- Decks of cards, stored as counts of the cards left, so that there is no order to peek at -------------------------


@record
class Deck(Record):
    """A face-down pile and its discards, each as card -> number of copies.

    The order of a shuffled pile is not stored. Each draw picks one of the remaining cards, with a chance in proportion
    to its copies. Exact odds read the composition of the pile.
    """

    pile: dict[str, int]
    discards: dict[str, int]

    def draw(
        self,
        table: Table,
        *,
        why: str,
        rule: str,
        actor: str = "",
        seat: str | None = None,
        means: Meaning | None = None,
    ) -> str | None:
        """Take one card off the pile, or return None if the pile and the discards are both empty.

        If the pile is empty, the discards become the new pile first. Only the player of `seat` sees the card; None
        shows it to all players.
        """
        if not self.pile:
            if not self.discards:
                return None
            self.pile, self.discards = self.discards, {}
        card = table.draw(self.pile, why=why, rule=rule, actor=actor, seat=seat, means=means)
        if self.pile[card] == 1:
            del self.pile[card]
        else:
            self.pile[card] -= 1
        return card

    def discard(self, card: str) -> None:
        """Put a card on the discards."""
        self.discards[card] = self.discards.get(card, 0) + 1
