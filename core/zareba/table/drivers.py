"""Table drivers: answers from seeded dice and AI players, from a journal, from a test script, or every possible answer
in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, overload, runtime_checkable

from zareba.base.errors import Impossible, RuleBroken
from zareba.base.grammar import amount
from zareba.base.installed import place_of
from zareba.base.speedups import new_tuple
from zareba.chance import SUM, KeyedDice, Meaning, Read
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
    Step,
    is_lazy,
    read_faces,
    refusal,
)
from zareba.table.rules_protocol import RulesProtocol
from zareba.table.table import Table, check_pile, check_roll

if TYPE_CHECKING:
    from zareba.base.tally import Tally


# --- A table that answers from a list and then pauses: the basis of live play, undo, resume, replay and look-ahead ----


class Pause(BaseException):
    """Raised when a rule asks a question that has no answer yet; carries the question.

    It is not an Exception, so that `except Exception` in a house rule cannot swallow it.
    """

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        self.question = question


class RecordedTable(Table):
    """Gives the recorded answers in order; the first question after them raises Pause.

    `marks` holds the number of events and modifier breakdowns before each answer.
    """

    __slots__ = ("_answers", "_paused", "_used", "marks", "questions")

    def __init__(self, rules: RulesProtocol, state: Any, answers: Sequence[Answer]) -> None:
        super().__init__(rules, state)
        self.questions: list[Question] = []
        self.marks: list[tuple[int, int]] = []
        self._answers = answers
        self._used = 0
        self._paused: Question | None = None

    def answer(self, question: Question) -> Answer:
        if self._paused is not None:
            raise RuleBroken(_swallowed_pause(self._paused))
        if self._used == len(self._answers):
            self._paused = question
            raise Pause(question)
        answer = self._answers[self._used]
        self._used += 1
        self.questions.append(question)
        self.marks.append((len(self.events), len(self.tallies)))
        return answer

    def unanswered(self) -> Question | None:
        return self._paused

    def finish(self) -> None:
        """Call at the end of a step: raise RuleBroken if a rule swallowed a pause or an answer was not used."""
        if self._paused is not None:
            raise RuleBroken(_swallowed_pause(self._paused))
        if self._used < len(self._answers):
            raise RuleBroken(
                f"{amount(len(self._answers) - self._used, 'recorded answer')} left over at the end of a step"
            )


def has_python_rules(rules: RulesProtocol) -> bool:
    """Return True if house rules run Python functions during play. Such functions might not give the same result
    twice.
    """
    return rules.runs_code


def nondeterminism_error(rules: RulesProtocol, consequence: str) -> RuleBroken:
    """Return the error for rules that ask or do something else when the same answers are replayed.

    `consequence` is a clause that says what is not possible as a result.
    """
    names = f" ({', '.join(rules.house_rules)})" if rules.house_rules else ""
    return RuleBroken(
        f"the rules gave another result when they were run again; a house rule{names} stores something outside the game "
        f"state, or uses random numbers or a clock without the table, and {consequence}"
    )


def _swallowed_pause(question: Question) -> str:
    """Return the error message for rules that go on after a pause."""
    return (
        f"the question '{question.why}' ({question.rule}) was asked and its pause caught by a rule or house rule; "
        "a bare 'except:' or 'except BaseException:' must let zareba.table.Pause through"
    )


# --- A table with seeded dice and AI players; simulations run on it at full speed -------------------------------------


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

    def restart(self, step: Step) -> None:
        """Start another step."""
        self.step = step
        if self._counts:
            self._counts.clear()

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
    number = dice.below(key, sum(copies for _, copies in cards))
    for card, copies in cards:
        if number < copies:
            return card
        number -= copies
    raise AssertionError("unreachable: the number lies below the sum of the copies")


class SeededTable(Table):
    """Answers for simulation: seeded dice, and choices by `agents`, a callable (question, state) -> answer for each
    seat.

    One table plays a whole game: `begin(step)` starts the next step. The table counts its rolls, the dice rolled in
    them, draws and lookups; and for each seat its decisions, the genuine ones among them (with a choice), and the
    options offered in all of them.
    """

    __slots__ = (
        "agents",
        "decisions",
        "dice",
        "dice_rolled",
        "draws",
        "genuine",
        "keys",
        "lookups",
        "offered",
        "rolls",
    )

    def __init__(self, rules: RulesProtocol, state: Any, seed: int, agents: Mapping[str, Agent]) -> None:
        super().__init__(rules, state)
        self.dice = KeyedDice(seed)
        self.agents = agents
        self.keys = ChanceKeys(Step("", 0, ""))
        self.rolls = self.dice_rolled = self.draws = self.lookups = 0
        self.decisions = dict.fromkeys(agents, 0)
        self.genuine = dict.fromkeys(agents, 0)
        self.offered = dict.fromkeys(agents, 0)

    def begin(self, step: Step) -> None:
        """Start a step: its key starts the key of each of its dice; the events of the previous step are dropped."""
        self.keys.restart(step)
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
        if self.questions_by_rule is not None:
            self.count_question()
        check_roll(count, sides, why, rule)
        self.rolls += 1
        self.dice_rolled += count
        return read.of(self.dice.faces(self.keys.next(actor, why), count, sides))

    def _throw(self, roll: Roll) -> Answer:
        self.rolls += 1
        self.dice_rolled += roll.dice
        return super()._throw(roll)

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
        if self.questions_by_rule is not None:
            self.count_question()
        check_pile(pile, why, rule, actor or seat)
        self.draws += 1
        return pick(self.dice, self.keys.next(actor, why), sorted(pile.items()))

    def count_forced(self, seat: str) -> None:
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
        kind = type(options)
        lazy = options if kind is not list and kind is not tuple and is_lazy(options) else None
        if self.rules.option_hooks or not (len(options) > 1 if lazy is None else lazy.has_several()):
            return super().choose(seat, options, why=why, rule=rule, actor=actor, about=about)
        if self.questions_by_rule is not None:
            self.count_question()
        self.decisions[seat] += 1
        self.genuine[seat] += 1
        listed = tuple(options) if lazy is None else lazy
        question = new_tuple(Choose, (why, rule, actor, seat, listed, about, ()))
        choice: O = self.agents[seat](question, self.state)
        self.offered[seat] += len(options) if lazy is None else lazy.possible_count
        if choice not in question.options:
            raise _illegal_answer(question, choice, self.agents[seat])
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
        self.count_question()
        self.decisions[seat] += 1
        self.genuine[seat] += 1
        question = new_tuple(Place, (why, rule, actor, seat, suggestions, legal, None))
        point: Point | None = self.agents[seat](question, self.state)
        self.offered[seat] += suggestions.possible_count if is_lazy(suggestions) else len(suggestions)
        if point is None:
            raise Impossible(f"{rule}: no point is suggested for '{why}' ({actor or seat})")
        if not _is_point(point):
            raise _illegal_answer(Place(why, rule, actor, seat, (), legal), point, self.agents[seat])
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
                raise _illegal_answer(question, answer, self.agents[seat])
        elif isinstance(question, Place):
            self.offered[seat] += len(question.suggestions)
            if not _is_point(answer):
                raise _illegal_answer(question, answer, self.agents[seat])
        else:
            self.offered[seat] += 2
            if not isinstance(answer, bool):
                raise _illegal_answer(question, answer, self.agents[seat])
        return answer


def _is_point(answer: Any) -> bool:
    return (
        isinstance(answer, tuple)
        and len(answer) == 2
        and all(isinstance(coordinate, (int, float)) for coordinate in answer)
    )


def _illegal_answer(question: Choose | Place | Confirm, answer: Any, player: Agent) -> RuleBroken:
    """Return the error for an AI player that gave an illegal answer, with the package that the player comes from."""
    fault = {"Choose": "not an option", "Place": "not a point"}.get(type(question).__name__, "neither yes nor no")
    package = place_of(player)
    in_package = f" ({package})" if package else ""
    return RuleBroken(
        f"the player of {question.seat}{in_package} answered {repr(answer)[:60]} to '{question.why}', which is {fault}"
    )


# --- A seeded table that records the start state and the answers of its step, for AI players that look ahead ----------
#
# It can be given the first answers of a step. A player that looks ahead uses this to simulate play from its current
# question: the answers so far, then its own choice, then dice of another seed.


class GivenAnswer(NamedTuple):
    """A question of a step and its answer."""

    question: Question
    answer: Answer

    def seen_by(self, seat: str) -> bool:
        """Return True if a seat may see the answer. A card drawn for another seat is hidden."""
        return not isinstance(self.question, Draw) or self.question.seat in (None, seat)


def answer_fits(given: GivenAnswer, question: Question) -> bool:
    """Return True if `question` is the question that was answered and the answer is still legal."""
    answered = given.question
    if isinstance(question, Roll):
        return isinstance(answered, Roll) and question._replace(means=answered.means) == answered
    is_same = type(question) is type(answered) and question.why == answered.why and question.actor == answered.actor
    return is_same and refusal(question, given.answer) is None


@runtime_checkable
class LooksAhead(Protocol):
    """An AI player that needs the state at the start of the step, and the answers since then, before each of its
    questions.
    """

    def follow(self, start: Any, given: Sequence[GivenAnswer]) -> None:
        """Called just before the question itself; `start` must not be changed."""
        ...


class QuestionChanged(Exception):
    """The rules ask another question than the one that a known answer belongs to."""


class RememberingTable(SeededTable):
    """A seeded table that records its step. With `known`, the first answers of a step, it serves only that step.

    Raises QuestionChanged if a question of the rules does not fit the next known answer.
    """

    __slots__ = ("_known", "_start", "given")

    def __init__(
        self,
        rules: RulesProtocol,
        state: Any,
        seed: int,
        agents: Mapping[str, Agent],
        known: Sequence[GivenAnswer] = (),
    ) -> None:
        super().__init__(rules, state, seed, agents)
        self.given: list[GivenAnswer] = []
        self._known = known
        self._start = state

    # Build every question, so that it can be recorded; the shortcuts of SeededTable would skip that.
    roll = Table.roll
    _throw = Table._throw
    draw = Table.draw
    choose = Table.choose
    place = Table.place

    def begin(self, step: Step) -> None:
        super().begin(step)
        self._start = self.state.copy()
        self.given = []

    def answer(self, question: Question) -> Answer:
        answer = self._known_answer(question) if len(self.given) < len(self._known) else self._ask(question)
        self.given.append(GivenAnswer(question, answer))
        return answer

    def _known_answer(self, question: Question) -> Answer:
        given = self._known[len(self.given)]
        if not answer_fits(given, question):
            raise QuestionChanged
        return given.answer

    def _ask(self, question: Question) -> Answer:
        """Ask the dice, or the player of the seat; a player that looks ahead first gets the answers so far."""
        if isinstance(question, Roll):
            self.rolls += 1
            self.dice_rolled += question.dice
        elif isinstance(question, Draw):
            self.draws += 1
        else:
            # As `isinstance(player, LooksAhead)`, which takes as long as a quick decision.
            follow = getattr(self.agents[question.seat], "follow", None)
            if follow is not None:
                follow(self._start, self.given)
        return super().answer(question)


# --- A table that answers from a strict list, for tests of rulebook examples ------------------------------------------


class ScriptedTable(Table):
    """Answers each question from the script: pairs (why, answer), in order, each used exactly once.

    The answer to a roll is either the list of faces that the dice show or the result itself. An unexpected question,
    an illegal answer or an unused answer fails the test with a sentence.
    """

    __slots__ = ("_script", "_used")

    def __init__(self, rules: RulesProtocol, state: Any, script: Sequence[tuple[str, Answer]]) -> None:
        super().__init__(rules, state)
        self._script = list(script)
        self._used = 0

    def answer(self, question: Question) -> Answer:
        if self._used == len(self._script):
            raise AssertionError(f"the script has no answer for '{question.why}' ({question.rule}, {question.actor})")
        why, answer = self._script[self._used]
        self._used += 1
        if why != question.why:
            raise AssertionError(f"the script expects '{why}', the rules ask '{question.why}' ({question.rule})")
        return _checked_answer(question, answer)

    def finish(self) -> None:
        """Fail if an answer of the script was not used."""
        unused = self._script[self._used :]
        if unused:
            raise AssertionError(f"the rules never asked for {unused}")

    def __enter__(self) -> ScriptedTable:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.finish()


def _checked_answer(question: Question, scripted: Answer) -> Answer:
    """Return the answer of a script, or the result of its faces. Raises AssertionError if it is illegal."""
    if isinstance(question, Roll) and isinstance(scripted, list):
        try:
            return read_faces(question, scripted)
        except ValueError as error:
            raise AssertionError(f"{scripted} for '{question.why}': {error}") from error
    if reason := refusal(question, scripted):
        raise AssertionError(reason)
    return scripted
