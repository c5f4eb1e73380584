"""The odds of a procedure: units on a small table, and what play does with them, over every die and card.

A procedure is described by its facts, by the situation that they make, and by its outcome. The situation is run as play
runs it, so a house rule is in its odds without being told of. What is too wide to be run is worked out by a closed
calculation, where no house rule touches what it skips, or sampled, and said to be.
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
from zareba.base.memento import detached
from zareba.base.state import Record
from zareba.odds.distribution import Distribution, added, played
from zareba.odds.reckoned import LOOKED_AT, Reckoned, reckoned
from zareba.odds.tables.budget import Budget, OutOfBudget, Plays
from zareba.odds.tables.ends import End
from zareba.odds.tables.merging import MergingTable
from zareba.odds.tables.playing import PlayingTable, Steady, endless
from zareba.table import Answer, Choose, Confirm, Draw, Given, Place, Question, Roll, Table, fits

if TYPE_CHECKING:
    from zareba.game import Game
    from zareba.rules import Rules

__all__ = ["Act", "Closed", "Lay", "Odds", "Procedure", "Procedures", "Situation", "before_choice", "counted", "first_option", "has_odds_before", "odds", "refuse"]  # fmt: skip

S = TypeVar("S", bound=Record)
Act: TypeAlias = Callable[[Table, S], object]
"""Something that play does with a battle."""
Lay: TypeAlias = "Callable[[Rules, Any], Situation]"
"""How the situation of some facts is laid out."""
NextAct: TypeAlias = Callable[[S, "Choose | Confirm", Any], "tuple[str, Act[S]] | None"]

BUDGET = 200_000
SECONDS = 10.0
"""How long at most odds are looked for by running every path, whatever else the machine has to do meanwhile."""
IN_PLAY = 0.3
"""The same of what is done next in a game."""
PLAYS = 2_000


def first_option(question: Choose | Place | Confirm, state: Any = None) -> Any:
    """What is answered where a choice does not bear on the outcome: the first option, the first place, no."""
    if isinstance(question, Choose):
        return question.options[0]
    return question.suggestions[0] if isinstance(question, Place) else False


def refuse(holds: object, why: str) -> None:
    """Raises ZarebaError for facts that play would refuse, if that `holds`; `why` names the facts and the rule."""
    if holds:
        raise ZarebaError(why)


@dataclass(frozen=True)
class Situation:
    """Units on a small table, and what is done with them there, which is what play does.

    `start` has them laid out, a state of the ruleset, which stays as it is. The `acts` are done one after the other, equal states
    being put together in between: each gets the table, the state, and what the act before it gave (the first of them
    `first`); it gives what has still to be known of it beside the state. `outcome` makes of the last state, and of what the
    last act gave, what came of it all: that itself unless told. `answer` is what is answered by whoever is asked meanwhile; `settled` the fall of
    dice and cards that do not bear on the outcome, None for the others. What is told of the kinds in `hears` is kept: the
    acts find it in the events of the table, all of it since the first of them began. `paths`: how many it has at least;
    one that cannot come to its end within the budget is not begun. `nested`: equal states are put together at procedures
    too, for acts in which wide ones follow one another.

    What is done next in a game as it stands can be given for the facts of a procedure (`before_choice`).
    """

    start: Any
    acts: Sequence[Callable[[Table, Any, Any], Any]]
    outcome: Callable[[Any, Any], Any] = lambda _, gave: gave
    first: Any = None
    answer: Callable[[Choose | Place | Confirm, Any], Answer] = first_option
    settled: Callable[[Roll | Draw], Answer | None] | None = None
    hears: Container[str] = ()
    paths: int = 1
    nested: bool = False


def before_choice(
    game: Game[S], state: S, question: Question, option: Any, next_act: NextAct[S]
) -> Sequence[tuple[str, str, Situation]]:
    """The odds worth seeing before an option is taken: its phrase, a procedure like it, and what is done in the game as it stands.

    `next_act` gives this procedure and what play does next; None where no odds are worth it. It may be the function in
    which the question is asked.
    """
    if not isinstance(question, (Choose, Confirm)):
        return ()
    found = next_act(state, question, option)
    if found is None:
        return ()
    asked = game.describe(state, question)
    title = game.describe_option(state, question, option) if isinstance(question, Choose) else asked
    return ((title, found[0], _as_it_stands(game, state, question, option, found[1])),)


def has_odds_before(state: S, question: Question, option: Any, next_act: NextAct[S]) -> bool:
    """Return True if `before_choice` has odds for an option; nothing is copied or laid out for the answer."""
    return isinstance(question, (Choose, Confirm)) and next_act(state, question, option) is not None


def _as_it_stands(game: Game[S], state: S, question: Choose | Confirm, option: Any, act: Act[S]) -> Situation:
    """What play does next when an option is taken in a game as it stands, and what it changes, in the words of the game.

    If the act begins with the question itself, the option is its answer; where somebody is to be named before it, he is
    whom the question is about. Whoever else is asked does nothing more.
    """
    before: S = detached(state)

    def answer(asked: Choose | Place | Confirm, _: S) -> Answer:
        if fits(Given(question, option), asked):
            return option
        named = isinstance(asked, Choose) and question.actor in asked.options
        return question.actor if named else game.hold(asked)

    def run(table: Table, battle: S, _: None) -> None:
        act(table, battle)

    return Situation(before, [run], lambda after, _: game.changes(before, after), answer=answer)


@dataclass(frozen=True)
class Closed:
    """A calculation of the odds of a procedure that does not run it, for what is too wide to be run.

    `chances` gives the probability of each outcome, or None for facts of which it knows nothing. It is asked only where no
    house rule wraps any of the procedures that it `skips`, hears what they tell, or has a part in their dice and numbers.
    """

    chances: Callable[[Rules, Any], Mapping[Any, Fraction] | None]
    skips: frozenset[str]

    def found(self, rules: Rules, facts: Any) -> Mapping[Any, Fraction] | None:
        """The odds, None if something in force touches what is skipped."""
        touched = rules.in_every_throw or not self.skips.isdisjoint(rules.wraps)
        return None if touched else self.chances(rules, facts)


@dataclass(frozen=True)
class Procedure:
    """A procedure whose odds can be asked. `facts` and `outcome` are dataclasses with flat fields,
    or with lists of rows.

    `situation` makes what is run of some facts, and refuses those that play would refuse; `closed` is a calculation for
    what is too wide to be run.
    """

    name: str
    rule: str
    summary: str
    facts: type[Any]
    outcome: type[Any]
    situation: Callable[[Rules, Any], Situation]
    closed: Closed | None = None

    def told(self, chances: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
        """Outcomes by their words, where they were given as mere values."""
        kind = self.outcome
        return added(
            chances, lambda one: one if isinstance(one, kind) else kind(*one) if isinstance(one, tuple) else kind(one)
        )

    def laid_out(self, rules: Rules, facts: Any) -> Situation:
        """What is run for some facts, which may be a situation themselves."""
        if isinstance(facts, Situation):
            return facts
        return self.situation(rules, facts)

    def reckoned(self, rules: Rules, facts: Any) -> Reckoned:
        """What goes into it, for explanation."""
        return reckoned(table for table, _ in _plays(rules, self.laid_out(rules, facts), LOOKED_AT, 1))


class Procedures(dict[str, Procedure]):
    """The procedures of a ruleset by name, in the order in which they are told of."""

    def of(
        self,
        rule: str,
        outcome: type | None = None,
        closed: Closed | Callable[[Lay], Closed] | None = None,
        **words: Any,
    ) -> Callable[[Lay], Lay]:
        """Let odds be asked by the name of the function that lays out their situation; its first line says what they are.

        The facts are those that the function takes. The outcome is of a class that several share, or of the `words` that the
        situation gives values for, in their order; the rest of the docstring tells of them.
        """

        def named(lay: Lay) -> Lay:
            summary, _, rest = (lay.__doc__ or "").strip().partition("\n")
            _, facts, *_ = get_type_hints(lay).values()
            name, made = lay.__name__, outcome
            if made is None:
                made = make_dataclass(f"{name.title().replace('_', '')}Outcome", words.items(), frozen=True)
                made.__doc__ = dedent(rest).strip() or summary
            calculated = closed(lay) if callable(closed) else closed
            self[name] = Procedure(name, rule, summary.rstrip("."), facts, made, situation=lay, closed=calculated)
            return lay

        return named


@dataclass(frozen=True, kw_only=True)
class Odds(Distribution):
    """The odds of a procedure; `note` says how they were found where that is not plain."""

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
    """The odds of a procedure in a situation: exact within `budget` paths and `seconds`, else sampled, and so marked."""
    if procedure.closed is not None and not isinstance(facts, Situation):
        closed = procedure.closed.found(rules, facts)
        if closed is not None:
            return Odds(procedure=procedure.name, outcomes=procedure.told(closed), note="by a closed calculation")
    situation = procedure.laid_out(rules, facts)
    told = procedure.told if situation is not facts else dict
    steady = Steady(rules, lambda: next(_plays(rules, situation, 1, seed)))
    try:
        if situation.paths > budget:
            raise OutOfBudget
        found = counted(
            rules, situation, Budget(budget, min(seconds, IN_PLAY) if situation is facts else seconds, thread_time)
        )
    except OutOfBudget:
        plays = samples or PLAYS
        counts = _played(rules, situation, plays, seed)
        steady.check()
        note = f"too wide to be counted: played {plays} times with seed {seed}, 95 % intervals"
        return Odds(procedure=procedure.name, outcomes=told(played(counts)), samples=plays, note=note)
    steady.check()
    return Odds(procedure=procedure.name, outcomes=told(found))


def _acts(situation: Situation, table: MergingTable) -> list[Callable[[Any, Any], Callable[[], Any]]]:
    acts = {act: partial(partial, act, table) for act in situation.acts}
    return [acts[act] for act in situation.acts]


def counted(rules: Rules, situation: Situation, budget: Budget | None = None) -> dict[Any, Fraction]:
    """What may come of a situation, over every path. Raises OutOfBudget."""
    return {end.result: end.weight for end in _ends(rules, situation, budget or Budget(BUDGET))}


def _played(rules: Rules, situation: Situation, plays: int, seed: int) -> dict[Any, int]:
    """How often each outcome comes in so many plays, which go their way together as long as chance does not part them."""
    try:
        ends = _ends(rules, situation, Budget(), Plays(plays, seed))
    except OutOfBudget:
        raise endless(rules) from None
    return {end.result: int(end.weight * plays) for end in ends}


def _ends(rules: Rules, situation: Situation, budget: Budget, plays: Plays | None = None) -> list[End]:
    table = MergingTable(
        rules,
        situation.start.copy(),
        situation.answer,
        budget,
        settled=situation.settled,
        hears=situation.hears,
        nested=situation.nested,
    )
    table.plays = plays
    return table.ends(_acts(situation, table), first=situation.first, tell=situation.outcome)


def _plays(rules: Rules, situation: Situation, plays: int, seed: int) -> Iterator[tuple[PlayingTable, Hashable]]:
    """The table after each of so many plays, and what came of it."""
    table = PlayingTable(rules, seed, situation.answer, situation.settled)
    for play in range(plays):
        state = situation.start.copy()
        table.begin(state, play)
        gave = situation.first
        try:
            for act in situation.acts:
                gave = act(table, state, gave)
        except OutOfBudget:
            raise endless(rules) from None
        yield table, situation.outcome(state, gave)
