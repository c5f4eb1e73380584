"""What rules talk to.

A rule asks `roll`, `draw`, `choose`, `place` or `confirm`, takes a `tally`, and tells what happened. Who answers is
the business of the driver, a subclass; the same rule code runs under all of them. A driver implements `answer`; the
simulation driver also overrides the asking methods, to save building questions that nobody reads.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast, overload

from zareba.base.amounts import counted
from zareba.base.errors import Impossible
from zareba.chance.dice import EACH, MOST_DICE, MOST_FACES, SUM, Read
from zareba.chance.meaning import Meaning
from zareba.table.event import Event
from zareba.table.extra_option import ExtraOption
from zareba.table.questions import (
    Answer,
    Choose,
    Confirm,
    Draw,
    LazyOptions,
    MoveCost,
    Option,
    Place,
    Point,
    Question,
    Roll,
)
from zareba.table.reactions import Reactions
from zareba.table.rules_protocol import RulesProtocol

if TYPE_CHECKING:
    from zareba.base.state import Record
    from zareba.base.tally import Tally

__all__ = ["MOST_ASKED_BY_RULE", "Endless", "Event", "Table"]

MOST_ASKED_BY_RULE = 2_000
"""How many questions one call of a house rule may ask, with all that it calls; a rule that asks more has no end."""

A = TypeVar("A")
O = TypeVar("O", bound=Option)
T = TypeVar("T")


class Endless(BaseException):
    """Raised when a house rule has asked too much. No Exception, so that no house rule swallows it."""


class Table(ABC):
    """Where rules ask. One table serves one step; `rules` are the resolved rules of the session."""

    __slots__ = ("_reactions", "asked_by_rule", "events", "rules", "state", "tallies")

    follows: ClassVar[bool] = False
    """Whether the driver takes procedures into its own hands, by `within`."""
    lists: ClassVar[bool] = True
    """Whether all options are found before a question is put to anybody."""

    def __init__(self, rules: RulesProtocol, state: Any) -> None:
        self.rules = rules
        self.state = state
        self.events: list[Event] = []
        self.tallies: list[Tally] = []
        self._reactions: Reactions | None = None
        self.asked_by_rule: int | None = None
        """How much the outermost call of a house rule has asked so far; None while none is under way."""

    def count(self) -> None:
        """A question is asked. Raises Endless where a house rule has asked too many."""
        if self.asked_by_rule is not None:
            self.asked_by_rule += 1
            if self.asked_by_rule > MOST_ASKED_BY_RULE:
                raise Endless

    @abstractmethod
    def answer(self, question: Question) -> Answer:
        """Answer one question."""

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
        """Throw `count` dice of `sides` faces and read them: a sum unless told otherwise.

        `means` says what the answers come to in the rules, for "why?" and the odds; it decides nothing.
        """
        self.count()
        check_roll(count, sides, why, rule)
        asked = Roll(why, rule, actor, count, sides, read, means)
        return self.rules.thrown(self, asked, self._throw) if self.rules.roll_hooks else self.answer(asked)

    def _throw(self, asked: Roll) -> Answer:
        self.count()
        check_roll(asked.dice, asked.sides, asked.why, asked.rule)
        return self.answer(asked)

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
        """Name the card that comes off `pile` (card -> copies); the pile itself is not changed."""
        self.count()
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
        """Let `seat` take one of `options`. A single option is taken without asking."""
        self.count()
        if self.rules.option_hooks:
            question = Choose(why, rule, actor, seat, tuple(options), about)
            filtered = cast("Sequence[O]", self.rules.filter_options(self.state, question))
            if filtered is not question.options:  # else what is offered stays what it was, to programs too
                return cast("O", self._choose_among(question, filtered))
        if not self.lists and isinstance(options, LazyOptions) and options.are_several():
            found: O = self.answer(Choose(why, rule, actor, seat, options, about))
            return found
        if len(options) == 1:
            self.forced(seat)
            return options[0]
        if not options:
            raise Impossible(f"{rule}: nothing to choose from for '{why}' ({actor or seat})")
        choice: O = self.answer(Choose(why, rule, actor, seat, _settled(options), about))
        return choice

    def _choose_among(self, question: Choose, filtered: Sequence[Any]) -> Any:
        """A choice as house rules have it. What is their own is done here, and counts as an option of the rules."""
        own = {str(offer): offer for offer in filtered if isinstance(offer, ExtraOption)}
        options = tuple([str(one) if isinstance(one, ExtraOption) else one for one in filtered])
        brought = tuple([option for option in options if option not in question.options])
        if len(options) == 1:
            self.forced(question.seat)
            choice = options[0]
        else:
            choice = self.answer(question._replace(options=options, brought=brought))
        if choice not in own:
            return choice
        offer = own[choice]
        offer.hook.run(offer.do, self, self, self.state, question)
        return offer.then

    def forced(self, seat: str) -> None:  # noqa: B027  # most drivers count nothing
        """Called when `seat` has a single option and is not asked; for drivers that count."""

    def within(self, run: Callable[[], Any], arguments: Sequence[Any]) -> Any:
        """Run a procedure that was called with these arguments; for drivers that follow them."""
        return run()

    def each(self, items: Sequence[T], *carried: list[Any] | dict[Any, Any] | Record) -> Iterable[T]:
        """The items, one after the other, for what a rule does with each in turn: `for shot in table.each(shots, hits)`.

        Odds run the body for every state in which it can begin, and put equal ones together from item to item. So nothing
        but the state of the game and what is `carried` may outlive an item, and nothing breaks out of the loop.
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
        """The faces of one throw, one after the other, for what a rule does with each in turn: one question in play.

        Odds throw die by die, and go on after each as `each` does after an item.
        """
        return self.roll(count, sides, EACH, why=why, rule=rule, actor=actor, means=means)

    def unanswered(self) -> Question | None:
        """The question that has stopped the step and waits for its answer; only some drivers stop."""
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
        """Let `seat` name a point for which `legal` gives None; `cost` says what going to a point costs."""
        self.count()
        asked = Place(why, rule, actor, seat, suggestions, legal, cost)
        if self.rules.place_hooks:
            asked = self.rules.narrowed(self.state, asked)
        point: Point = self.answer(asked._replace(suggestions=_settled(asked.suggestions)))
        return point

    def confirm(self, seat: str, *, why: str, rule: str, actor: str = "", about: tuple[Any, ...] = ()) -> bool:
        """Let `seat` say yes or no."""
        self.count()
        asked = Confirm(why, rule, actor, seat, about)
        if self.rules.confirm_hooks:
            said = self.rules.confirmed(self.state, asked)
            if said is not None:
                self.forced(seat)
                return said
        return bool(self.answer(asked))

    def tally(self, name: str, facts: Any, unit: Any = None, target: Any = None) -> Tally:
        """The number `name` in this situation, with its reasons on request; kept for "why?".

        `unit` is the one whose number it is, `target` the one that it is about, where there are such: house rules may
        hang on what is theirs (`zareba.house_rules.contextual_modifiers`).
        """
        tally = self.rules.tally(name, facts, self.state, unit, target, self)
        self.tallies.append(tally)
        return tally

    def tell(self, kind: str, rule: str, **data: Any) -> None:
        """Say what happened. House rules may react to it, and to what the others tell in turn (`zareba.table.reactions`)."""
        event = Event(kind, rule, data)
        self.events.append(event)
        if self.rules.event_hooks:
            if self._reactions is not None:
                self._reactions.hear(event)
                return
            self._reactions = Reactions(event)
            try:
                self._reactions.run(self, self.rules.event_hooks)
            finally:
                self._reactions = None


def _settled(offered: Sequence[O]) -> Sequence[O]:
    """What is offered, as it will stand when the table has changed."""
    return offered.looked_for() if isinstance(offered, LazyOptions) else tuple(offered)


def check_roll(count: int, sides: int, why: str, rule: str) -> None:
    """Refuse rolls beyond the limits of the engine."""
    whole = isinstance(count, int) and isinstance(sides, int)
    if not (whole and 0 <= count <= MOST_DICE and 1 <= sides <= MOST_FACES):
        raise Impossible(
            f"{rule}: '{why}' asks for {counted(count, 'dice')} of {sides} faces; "
            f"the limits are {MOST_DICE} dice and {MOST_FACES} faces"
        )


def check_pile(pile: Mapping[str, int], why: str, rule: str, whose: str | None) -> None:
    """Refuse draws from a pile without a card, or with fewer than none of one."""
    if not any(pile.values()):
        raise Impossible(f"{rule}: nothing is left to draw for '{why}' ({whose})")
    if min(pile.values()) < 0:
        raise Impossible(f"{rule}: fewer than no cards of a kind to draw for '{why}' ({whose})")
