"""The odds of a procedure: units on a small table and the acts that play does with them, over all dice and cards.

A procedure has facts, a situation made from the facts, and an outcome. The situation runs the code of play, so house
rules are in the odds automatically. If there are too many outcomes to enumerate, zareba uses a formula, or, if a house
rule affects a step that the formula skips, it samples. The result says which.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, make_dataclass
from fractions import Fraction
from functools import partial
from textwrap import dedent
from time import thread_time
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, get_type_hints

from zareba.base.errors import ZarebaError
from zareba.base.memento import detach
from zareba.base.state import Record
from zareba.odds.distribution import Distribution, frequencies, outcomes_of
from zareba.odds.drivers.exact_enumerator import ExactEnumerator, Leaf
from zareba.odds.drivers.sampler import (
    DeterminismCheck,
    OutOfBudget,
    SampleCount,
    Sampler,
    SamplingBudget,
    endless_loop_error,
)
from zareba.odds.explain import EXPLAINED_PLAYS, ProcedureExplanation, explain_procedure
from zareba.table import Answer, Choose, Confirm, Draw, GivenAnswer, Place, Question, Roll, Table, answer_fits

if TYPE_CHECKING:
    from zareba.game import Game
    from zareba.rules import Rules


S = TypeVar("S", bound=Record)
Act: TypeAlias = Callable[[Table, S], object]
"""An act of play on a battle."""
Lay: TypeAlias = "Callable[[Rules, Any], SmallBattle]"
"""A function that makes the situation from the facts."""
_NextAct: TypeAlias = Callable[[S, "Choose | Confirm", Any], "tuple[str, Act[S]] | None"]

BUDGET = 200_000
"""The largest number of paths to enumerate."""
SECONDS = 10.0
"""The longest exact enumeration, in seconds of processor time, so that other load on the machine does not count."""
_SECONDS_IN_PLAY = 0.3
"""The same limit for odds of the next act in a game."""
_PLAYS = 2_000
"""The number of plays if the odds are sampled."""


def first_option(question: Choose | Place | Confirm, state: Any = None) -> Any:
    """Return the answer for choices that do not affect the outcome: the first option, the first place, or no."""
    if isinstance(question, Choose):
        return question.options[0]
    return question.suggestions[0] if isinstance(question, Place) else False


def refuse(holds: object, why: str) -> None:
    """Raise ZarebaError if `holds`, for facts that play would refuse; `why` names the facts and the rule."""
    if holds:
        raise ZarebaError(why)


@dataclass(frozen=True)
class SmallBattle:
    """Units on a small table and the acts that play does with them.

    `start` is a state of the ruleset with the units set up; it is never changed. The `acts` run in order, and equal
    states are merged between them. An act gets the table, the state and the result of the act before it (`first` for
    the first act), and returns any information that the next act needs in addition to the state. `outcome` makes the
    outcome from the last state and the last result; by default it is that result.

    `answer` answers the questions on the way. `neutral_answer` gives the result of dice and cards that do not affect
    the outcome, and None for all other ones. Events of the kinds in `kept_events` are kept: the acts find them in the
    events of the table, from the first act on. `paths` is the least number of paths; if it exceeds the budget,
    enumeration is not tried. `nested`: also merge equal states at procedures, for acts in which wide procedures follow
    one another.

    The next act in a game can take the place of a procedure's facts (`before_choice`).
    """

    start: Any
    acts: Sequence[Callable[[Table, Any, Any], Any]]
    outcome: Callable[[Any, Any], Any] = lambda _, gave: gave
    first: Any = None
    answer: Callable[[Choose | Place | Confirm, Any], Answer] = first_option
    neutral_answer: Callable[[Roll | Draw], Answer | None] | None = None
    kept_events: Container[str] = ()
    paths: int = 1
    nested: bool = False


def before_choice(
    game: Game[S], state: S, question: Question, option: Any, next_act: _NextAct[S]
) -> Sequence[tuple[str, str, SmallBattle]]:
    """Return the odds worth showing before an option is taken: its phrase, a similar procedure, and the act to run.

    `next_act` returns the procedure and the act that play runs next, or None if odds are not worth showing. The act
    may be the function that asks the question.
    """
    if not isinstance(question, (Choose, Confirm)):
        return ()
    next_step = next_act(state, question, option)
    if next_step is None:
        return ()
    procedure, act = next_step
    narrator = game.narrator
    title = (
        narrator.describe_option(state, question, option)
        if isinstance(question, Choose)
        else narrator.describe(state, question)
    )
    return ((title, procedure, _next_act_situation(game, state, question, option, act)),)


def has_odds_before(state: S, question: Question, option: Any, next_act: _NextAct[S]) -> bool:
    """Return True if `before_choice` has odds for an option. Nothing is copied or set up."""
    return isinstance(question, (Choose, Confirm)) and next_act(state, question, option) is not None


def _next_act_situation(game: Game[S], state: S, question: Choose | Confirm, option: Any, act: Act[S]) -> SmallBattle:
    """Return the situation of taking an option in the present state. Its outcomes are the changes to units.

    If the act begins with the question itself, the option is the answer. If it first asks for a unit, the answer is
    the unit that the question is about. All other questions are answered with "do nothing".
    """
    before: S = detach(state)

    def answer(asked: Choose | Place | Confirm, _: S) -> Answer:
        if answer_fits(GivenAnswer(question, option), asked):
            return option
        named = isinstance(asked, Choose) and question.actor in asked.options
        return question.actor if named else game.odds_horizon.hold(asked)

    def run(table: Table, battle: S, _: None) -> None:
        act(table, battle)

    return SmallBattle(before, [run], lambda after, _: game.display.changes(before, after), answer=answer)


@dataclass(frozen=True)
class Formula:
    """A formula for the odds of a procedure that has too many outcomes to run.

    `chances` returns the probability of each outcome, or None for facts that it does not cover. It is used only if no
    house rule wraps a procedure that it `skips`, listens to its events, or affects its dice and numbers.
    """

    chances: Callable[[Rules, Any], Mapping[Any, Fraction] | None]
    skips: frozenset[str]

    def compute(self, rules: Rules, facts: Any) -> Mapping[Any, Fraction] | None:
        """Return the odds, or None if a house rule in force affects a skipped procedure."""
        touched = rules.in_every_throw or not self.skips.isdisjoint(rules.wraps)
        return None if touched else self.chances(rules, facts)


@dataclass(frozen=True)
class Procedure:
    """A procedure with odds. `facts` and `outcome` are dataclasses with flat fields or lists of rows.

    `situation` makes the situation to run from the facts and refuses facts that play would refuse. `closed` is a
    formula for facts with too many outcomes to run.
    """

    name: str
    rule: str
    summary: str
    facts: type[Any]
    outcome: type[Any]
    situation: Callable[[Rules, Any], SmallBattle]
    closed: Formula | None = None

    def as_outcomes(self, chances: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
        """Return the distribution with outcomes as instances of `outcome`; situations may give them as plain values."""
        kind = self.outcome
        return outcomes_of(
            chances,
            lambda result: (
                result if isinstance(result, kind) else kind(*result) if isinstance(result, tuple) else kind(result)
            ),
        )

    def situation_of(self, rules: Rules, facts: Any) -> SmallBattle:
        """Return the situation to run for some facts. The facts may already be a situation."""
        if isinstance(facts, SmallBattle):
            return facts
        return self.situation(rules, facts)

    def explain(self, rules: Rules, facts: Any) -> ProcedureExplanation:
        """Return the modifiers and rolls that go into the odds."""
        return explain_procedure(
            table for table, _ in _plays(rules, self.situation_of(rules, facts), EXPLAINED_PLAYS, 1)
        )


class Procedures(dict[str, Procedure]):
    """The procedures of a ruleset by name, in the order in which they are listed."""

    def register(
        self,
        rule: str,
        outcome: type | None = None,
        closed: Formula | Callable[[Lay], Formula] | None = None,
        **words: Any,
    ) -> Callable[[Lay], Lay]:
        """Register a function that makes a situation as a procedure; its docstring's first line is the summary.

        The facts are those that the function takes. The outcome is the class `outcome`, which several procedures may
        share, or a new class with the fields `words`; the situation gives the values in that order, and the rest of
        the docstring describes them.
        """

        def register(lay: Lay) -> Lay:
            summary, _, rest = (lay.__doc__ or "").strip().partition("\n")
            _, facts, *_ = get_type_hints(lay).values()
            name, outcome_class = lay.__name__, outcome
            if outcome_class is None:
                outcome_class = make_dataclass(f"{name.title().replace('_', '')}Outcome", words.items(), frozen=True)
                outcome_class.__doc__ = dedent(rest).strip() or summary
            formula = closed(lay) if callable(closed) else closed
            self[name] = Procedure(name, rule, summary.rstrip("."), facts, outcome_class, situation=lay, closed=formula)
            return lay

        return register


@dataclass(frozen=True, kw_only=True)
class Odds(Distribution):
    """The odds of a procedure; `note` says how they were found, if they were not simply enumerated."""

    procedure: str
    note: str = ""


def odds(
    rules: Rules,
    procedure: Procedure,
    facts: Any,
    *,
    budget: int = BUDGET,
    seconds: float = SECONDS,
    samples: int | None = None,
    seed: int = 1,
) -> Odds:
    """Return the odds of a procedure: exact if `budget` paths and `seconds` are enough, otherwise sampled."""
    if procedure.closed is not None and not isinstance(facts, SmallBattle):
        closed = procedure.closed.compute(rules, facts)
        if closed is not None:
            return Odds(procedure=procedure.name, outcomes=procedure.as_outcomes(closed), note="by a formula")
    situation = procedure.situation_of(rules, facts)
    as_outcomes = procedure.as_outcomes if situation is not facts else dict
    determinism = DeterminismCheck(rules, lambda: next(_plays(rules, situation, 1, seed)))
    try:
        if situation.paths > budget:
            raise OutOfBudget
        chances = count_outcomes(
            rules,
            situation,
            SamplingBudget(budget, min(seconds, _SECONDS_IN_PLAY) if situation is facts else seconds, thread_time),
        )
    except OutOfBudget:
        plays = samples or _PLAYS
        counts = _sample_outcomes(rules, situation, plays, seed)
        determinism.check()
        note = f"too many outcomes to enumerate: sampled from {plays} plays with seed {seed}, 95 % intervals"
        return Odds(procedure=procedure.name, outcomes=as_outcomes(frequencies(counts)), samples=plays, note=note)
    determinism.check()
    return Odds(procedure=procedure.name, outcomes=as_outcomes(chances))


def _acts(situation: SmallBattle, table: ExactEnumerator) -> list[Callable[[Any, Any], Callable[[], Any]]]:
    acts = {act: partial(partial, act, table) for act in situation.acts}
    return [acts[act] for act in situation.acts]


def count_outcomes(rules: Rules, situation: SmallBattle, budget: SamplingBudget | None = None) -> dict[Any, Fraction]:
    """Return the exact outcomes of a situation over every path. Raises OutOfBudget."""
    return {leaf.result: leaf.weight for leaf in _leaves(rules, situation, budget or SamplingBudget(BUDGET))}


def _sample_outcomes(rules: Rules, situation: SmallBattle, plays: int, seed: int) -> dict[Any, int]:
    """Return how often each outcome occurs in `plays` plays. The plays share their path until chance separates them."""
    try:
        leaves = _leaves(rules, situation, SamplingBudget(), SampleCount(plays, seed))
    except OutOfBudget:
        raise endless_loop_error(rules) from None
    return {leaf.result: int(leaf.weight * plays) for leaf in leaves}


def _leaves(
    rules: Rules, situation: SmallBattle, budget: SamplingBudget, plays: SampleCount | None = None
) -> list[Leaf]:
    table = ExactEnumerator(
        rules,
        situation.start.copy(),
        situation.answer,
        budget,
        neutral_answer=situation.neutral_answer,
        kept_events=situation.kept_events,
        nested=situation.nested,
    )
    table.plays = plays
    return table.ends(_acts(situation, table), first=situation.first, outcome_of=situation.outcome)


def _plays(rules: Rules, situation: SmallBattle, plays: int, seed: int) -> Iterator[tuple[Sampler, Hashable]]:
    """Yield the table and the outcome after each of `plays` plays."""
    table = Sampler(rules, seed, situation.answer, situation.neutral_answer)
    for play in range(plays):
        state = situation.start.copy()
        table.begin(state, play)
        gave = situation.first
        try:
            for act in situation.acts:
                gave = act(table, state, gave)
        except OutOfBudget:
            raise endless_loop_error(rules) from None
        yield table, situation.outcome(state, gave)
