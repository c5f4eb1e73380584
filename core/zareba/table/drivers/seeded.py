"""A table with seeded dice and AI players; simulations run on it at full speed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

from zareba.base.blame import place_of
from zareba.base.errors import Impossible, RuleBroken
from zareba.chance.dice import SUM, Read
from zareba.chance.keyed import KeyedDice
from zareba.chance.meaning import Meaning
from zareba.table.questions import (
    Answer,
    Choose,
    Confirm,
    Draw,
    MoveCost,
    Option,
    Place,
    Point,
    Question,
    Roll,
    is_lazy,
)
from zareba.table.rules_protocol import RulesProtocol
from zareba.table.step import Step
from zareba.table.table import Table, check_pile, check_roll

if TYPE_CHECKING:
    from zareba.base.tally import Tally

__all__ = ["Agent", "ChanceKeys", "SeededTable", "pick"]

A = TypeVar("A")
O = TypeVar("O", bound=Option)
Agent = Callable[[Choose | Place | Confirm, Any], Answer]
"""An AI player: called with a question and the state as its seat may see it, returns the answer."""


class ChanceKeys:
    """Generates the keys of the dice in one step; repeated rolls of one actor for the same purpose are numbered."""

    __slots__ = ("_counts", "step")

    def __init__(self, step: Step) -> None:
        self.step = step
        self._counts: dict[tuple[str, str], int] = {}

    def next(self, actor: str, why: str) -> str:
        """Return the key of the next roll or draw of `actor` for this purpose."""
        purpose = (actor, why)
        ordinal = self._counts.get(purpose, 0)
        self._counts[purpose] = ordinal + 1
        return f"{self.step.key}/{actor}/{why}/{ordinal}"

    def answer(self, dice: KeyedDice, question: Roll | Draw) -> tuple[Answer, list[int]]:
        """Return the result of a roll or draw and the faces rolled (none for a card)."""
        key = self.next(question.actor, question.why)
        if isinstance(question, Roll):
            faces = dice.faces(key, question.dice, question.sides)
            return question.read.of(faces), faces
        return pick(dice, key, question.cards), []


def pick(dice: KeyedDice, key: str, cards: Sequence[tuple[str, int]]) -> str:
    """Return one of `cards`, each with a chance in proportion to its copies."""
    at = dice.below(key, sum(copies for _, copies in cards))
    for card, copies in cards:
        if at < copies:
            return card
        at -= copies
    raise AssertionError("unreachable: the pick lies below the sum of the copies")


class SeededTable(Table):
    """Answers for simulation: seeded dice, and choices by `agents`, a callable (question, state) -> answer for each seat.

    One table plays a whole game: `begin(step)` starts the next step. The table counts its rolls, draws, lookups and
    decisions.
    """

    __slots__ = ("agents", "decisions", "dice", "draws", "genuine", "keys", "lookups", "offered", "rolls", "thrown")

    def __init__(self, rules: RulesProtocol, state: Any, seed: int, agents: Mapping[str, Agent]) -> None:
        super().__init__(rules, state)
        self.dice = KeyedDice(seed)
        self.agents = agents
        self.keys = ChanceKeys(Step("", 0, ""))
        self.rolls = self.thrown = self.draws = self.lookups = 0
        self.decisions = dict.fromkeys(agents, 0)
        self.genuine = dict.fromkeys(agents, 0)
        self.offered = dict.fromkeys(agents, 0)

    def begin(self, step: Step) -> None:
        """Start a step: its key starts the key of each of its dice; the events of the previous step are dropped."""
        self.keys = ChanceKeys(step)
        if self.events:
            self.events.clear()

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
        if self.rules.roll_hooks:
            return super().roll(count, sides, read, why=why, rule=rule, actor=actor, means=means)
        if self.asked_by_rule is not None:
            self.count()
        check_roll(count, sides, why, rule)
        self.rolls += 1
        self.thrown += count
        return read.of(self.dice.faces(self.keys.next(actor, why), count, sides))

    def _throw(self, asked: Roll) -> Answer:
        self.rolls += 1
        self.thrown += asked.dice
        return super()._throw(asked)

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
        if self.asked_by_rule is not None:
            self.count()
        check_pile(pile, why, rule, actor or seat)
        self.draws += 1
        return pick(self.dice, self.keys.next(actor, why), sorted(pile.items()))

    def forced(self, seat: str) -> None:
        self.decisions[seat] += 1
        self.offered[seat] += 1

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
        if not is_lazy(options) or self.rules.option_hooks or not options.are_several():
            return super().choose(seat, options, why=why, rule=rule, actor=actor, about=about)
        self.count()
        self.decisions[seat] += 1
        self.genuine[seat] += 1
        question = Choose(why, rule, actor, seat, options, about)
        choice: O = self.agents[seat](question, self.state)
        self.offered[seat] += options.not_closed
        if choice not in options:
            raise _no_option(question, choice, self.agents[seat])
        return choice

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
        if self.rules.place_hooks:
            return super().place(seat, suggestions, legal, why=why, rule=rule, actor=actor, cost=cost)
        self.count()
        self.decisions[seat] += 1
        self.genuine[seat] += 1
        point: Point | None = self.agents[seat](Place(why, rule, actor, seat, suggestions, legal), self.state)
        self.offered[seat] += suggestions.not_closed if is_lazy(suggestions) else len(suggestions)
        if point is None:
            raise Impossible(f"{rule}: no point is suggested for '{why}' ({actor or seat})")
        if not _is_point(point):
            raise _no_option(Place(why, rule, actor, seat, (), legal), point, self.agents[seat])
        return point

    def tally(self, name: str, facts: Any, unit: Any = None, target: Any = None) -> Tally:
        self.lookups += 1
        return self.rules.tally(name, facts, self.state, unit, target, self)

    def answer(self, question: Question) -> Answer:
        if isinstance(question, (Roll, Draw)):
            return self.keys.answer(self.dice, question)[0]
        seat = question.seat
        self.decisions[seat] += 1
        self.genuine[seat] += 1
        answer = self.agents[seat](question, self.state)
        if isinstance(question, Choose):
            self.offered[seat] += len(question.options)
            if answer not in question.options:
                raise _no_option(question, answer, self.agents[seat])
        elif isinstance(question, Place):
            self.offered[seat] += len(question.suggestions)
            if not _is_point(answer):
                raise _no_option(question, answer, self.agents[seat])
        else:
            self.offered[seat] += 2
            if not isinstance(answer, bool):
                raise _no_option(question, answer, self.agents[seat])
        return answer


def _is_point(answer: Any) -> bool:
    return isinstance(answer, tuple) and len(answer) == 2 and all(isinstance(one, (int, float)) for one in answer)


def _no_option(question: Choose | Place | Confirm, answer: Any, player: Agent) -> RuleBroken:
    wanted = {"Choose": "not an option", "Place": "not a point"}.get(type(question).__name__, "neither yes nor no")
    package = place_of(player)
    whose = f" ({package})" if package else ""
    return RuleBroken(
        f"the player of {question.seat}{whose} answered {repr(answer)[:60]} to '{question.why}', which is {wanted}"
    )
