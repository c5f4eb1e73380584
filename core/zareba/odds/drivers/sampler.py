"""Play a rule out many times: the sampler, its budget and the answers fixed in advance."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from math import inf
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias

from zareba.base.errors import RuleBroken
from zareba.base.memento import key
from zareba.chance import KeyedDice
from zareba.table import (
    Answer,
    Choose,
    Confirm,
    Draw,
    GivenAnswer,
    MoveCost,
    Place,
    Point,
    Question,
    QuestionChanged,
    Roll,
    answer_fits,
    has_python_rules,
    nondeterminism_error,
)
from zareba.table.drivers import ChanceKeys
from zareba.table.questions import Step
from zareba.table.table import Table

if TYPE_CHECKING:
    from zareba.base.tally import Tally
    from zareba.rules import Rules
    from zareba.table.rules_protocol import RulesProtocol


# --- Limits for odds: a number of paths, seconds or plays -------------------------------------------------------------


MOST_LEAVES = 50_000
"""The largest number of leaves stored during enumeration, a few hundred megabytes of them."""
MOST_WRITES = 200_000
"""The largest number of writes on one path, so that endless rules do not fill the memory."""
MOST_QUESTIONS = 20_000
"""The largest number of questions on one path, and of steps in one act; rules that exceed it never end."""


class OutOfBudget(BaseException):
    """Raised if odds need more paths or time than allowed. Not an Exception, so that no house rule swallows it."""


class SamplingBudget:
    """A number of paths, and of seconds from now by `clock`.

    It also limits memory: to `MOST_LEAVES` leaves. `MOST_WRITES` limits the writes on one path.
    """

    __slots__ = ("_clock", "_until", "leaves", "paths", "spent")

    def __init__(self, paths: float = inf, seconds: float = inf, clock: Callable[[], float] = perf_counter) -> None:
        self.paths = paths
        self.spent = 0
        self.leaves = 0
        self._clock = clock
        self._until = clock() + seconds

    def spend(self) -> None:
        """Use up one path. Raises OutOfBudget if no paths or time are left."""
        self.spent += 1
        if self.spent > self.paths or self._clock() > self._until:
            raise OutOfBudget

    def keep(self) -> None:
        """Count one more stored leaf. Raises OutOfBudget if there are too many."""
        self.leaves += 1
        if self.leaves > MOST_LEAVES:
            raise OutOfBudget


class SampleCount:
    """A number of plays that are run together until `chance` parts them; `many` of them are on the present path."""

    __slots__ = ("chance", "many")

    def __init__(self, many: int, seed: int) -> None:
        self.many = many
        self.chance = Random(seed)

    def random_answer(self, question: Roll | Draw) -> Any:
        """Return a random answer for a single play."""
        chance = self.chance.random
        if isinstance(question, Roll):
            return question.read.of([int(chance() * question.sides) + 1 for _ in range(question.dice)])
        at = int(chance() * sum([copies for _, copies in question.cards]))
        for card, copies in question.cards:
            if at < copies:
                return card
            at -= copies
        raise AssertionError("the card drawn is not in the pile")

    def part(self, many: int, weighted: Sequence[tuple[Any, int]], whole: int) -> list[tuple[Any, int]]:
        """Share out `many` plays among the answers: the whole part of each share, then the remaining plays at random.

        On average each answer gets its exact share, and no sum over plays varies more than with independent plays.
        """
        divided = [divmod(many * weight, whole) for _, weight in weighted]
        shares, lots = [share for share, _ in divided], [rest for _, rest in divided]
        left = many - sum(shares)
        if left:
            total = sum(lots)
            for _ in range(left):
                at = int(self.chance.random() * total)
                for index, lot in enumerate(lots):
                    if at < lot:
                        shares[index] += 1
                        break
                    at -= lot
        return [(answer, share) for (answer, _), share in zip(weighted, shares, strict=True) if share]


# --- The base of the tables for odds: known answers first, a policy for the players, and a limit on questions ---------


Choice: TypeAlias = "Callable[[Choose | Place | Confirm, Any], Answer]"
"""A policy: it returns the answer to a question in a state."""
NeutralAnswer: TypeAlias = "Callable[[Roll | Draw], Answer | None]"
"""A function that returns the result of dice and cards that do not affect an outcome, and None for all other ones."""


class PresetAnswers(Table):
    """A table that gives known answers first and asks `choose` for players. Dice and cards
    without a `neutral_answer` are random.

    Raises OutOfBudget if there are too many questions, and QuestionChanged if a question differs from the known one.
    """

    lists_options = False
    __slots__ = ("_asked", "_choose", "_known", "_neutral_answer")

    def __init__(self, rules: Rules, state: Any, choose: Choice, neutral_answer: NeutralAnswer | None = None) -> None:
        super().__init__(rules, state)
        self._choose = choose
        self._neutral_answer = neutral_answer
        self._known: Sequence[GivenAnswer] = ()
        """Known answers in reverse order: the last is used first."""
        self._asked = 0

    @property
    def knows(self) -> bool:
        """True if known answers are left."""
        return bool(self._known)

    def go_on(self) -> None:
        """Count one more question or step. Raises OutOfBudget if there are too many."""
        self._asked += 1
        if self._asked > MOST_QUESTIONS:
            raise OutOfBudget

    def answer(self, question: Question) -> Answer:
        self.go_on()
        if self._known:
            *self._known, given = self._known
            if not answer_fits(given, question):
                raise QuestionChanged
            return given.answer
        if not isinstance(question, (Roll, Draw)):
            return self._choose(question, self.state)
        if self._neutral_answer is not None and (answer := self._neutral_answer(question)) is not None:
            return answer
        return self._by_chance(question)

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
        self.count_question()
        asked = Place(
            why, rule, actor, seat, suggestions, legal
        )  # used only until the answer, so lazy suggestions need not be listed
        if self.rules.place_hooks:
            asked = self.rules.place_with_hooks(self.state, asked)
        point: Point = self.answer(asked)
        return point

    @abstractmethod
    def _by_chance(self, question: Roll | Draw) -> Answer:
        """Return the result of dice or a card."""


# --- Sampler ----------------------------------------------------------------------------------------------------------
# The sampling table: it plays procedures or choices with keyed dice if they have too many outcomes to enumerate.


NO_ODDS = "its odds cannot be computed"


def endless_loop_error(law: RulesProtocol) -> RuleBroken:
    """Return the error for a play that never ends; no published rules do this."""
    by = f"; check the house rules in force ({', '.join(law.house_rules)})" if law.house_rules else ""
    return RuleBroken(f"the choice starts something that never ends, so it has no odds{by}")


class Sampler(PresetAnswers):
    """A table that rolls keyed dice for unknown results. `thrown` are the rolls and draws of the play so far, and
    `counted_for` its modifier breakdowns, each with the unit that the number belongs to.
    """

    __slots__ = ("_dice", "_keys", "counted_for", "thrown")

    def __init__(
        self,
        rules: Rules,
        seed: int,
        choose: Choice,
        neutral_answer: NeutralAnswer | None = None,
    ) -> None:
        super().__init__(rules, None, choose, neutral_answer)
        self._dice = KeyedDice(seed)
        self._keys = ChanceKeys(Step("", 0, ""))
        self.thrown: list[Roll | Draw] = []
        self.counted_for: list[tuple[Tally, Any]] = []

    def tally(self, name: str, facts: Any, unit: Any = None, target: Any = None) -> Tally:
        tally = super().tally(name, facts, unit, target)
        self.counted_for.append((tally, unit))
        return tally

    def begin(self, state: Any, play: int, known: Sequence[GivenAnswer] = ()) -> None:
        """Begin a play with new dice. Questions that differ from the `known` ones raise QuestionChanged later."""
        self.state = state
        self._keys = ChanceKeys(Step("sample", play, ""))
        self._known = tuple(known)[::-1]
        self._asked = 0
        self.events.clear()
        self.tallies.clear()
        self.thrown.clear()
        self.counted_for.clear()

    def _by_chance(self, question: Roll | Draw) -> Answer:
        self.thrown.append(question)
        return self._keys.answer(self._dice, question)[0]


class DeterminismCheck:
    """A check that Python house rules give the same play before and after odds are worked out, with the same dice.

    It finds random numbers that change no question. The constructor and `check` raise RuleBroken if the results
    differ.
    """

    def __init__(self, rules: Rules, play: Callable[[], tuple[Sampler, object]]) -> None:
        self._rules, self._play = rules, play
        self._first = _come_to(*play()) if has_python_rules(rules) else None
        self.check()

    def check(self) -> None:
        """Play again and compare."""
        if self._first is not None and self._first != _come_to(*self._play()):
            raise nondeterminism_error(self._rules, NO_ODDS)


def _come_to(table: Sampler, outcome: object) -> tuple[Any, ...]:
    """Return everything observable about a play."""
    events = [(event.kind, event.rule, dict(event.data)) for event in table.events]
    return outcome, key(table.state), events, list(table.thrown), [tally.total for tally in table.tallies]
