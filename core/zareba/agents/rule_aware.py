"""Doctrine that accounts for house rules written in Python, by simulating their effects.

A ruleset's evaluations know the printed rules and the numbers that house rules change. They do not know what
house-rule code does. If a house rule wraps a procedure, reacts to events or dice, or changes the points, this player
simulates the choice with and without the house rules. Both simulations use the same dice, and the difference is added
to the option's value. An option that only a house rule offers is compared with the best other option in the same way.
Without such rules nothing is simulated.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean, stdev
from typing import Any
from zlib import crc32

from zareba.base.exact import total
from zareba.base.memento import key
from zareba.battle.fallbacks import Fallback
from zareba.game import Game
from zareba.game.doctrine import Doctrine, WeighedAnswer
from zareba.game.parts.play import sets_up
from zareba.house_rules import HookFunction
from zareba.odds.choices import default_policy
from zareba.odds.drivers.sampler import Choice, OutOfBudget, Sampler, endless_loop_error
from zareba.rules import Rules
from zareba.rules.procedure import Wrap
from zareba.table import Answer, Choose, Confirm, GivenAnswer, Place, Question, QuestionChanged

_MOST_OPTIONS = 8
"""The number of options simulated, both of those that doctrine can evaluate and of those that it cannot."""
_FIRST_OPTIONS = 2
"""The number of options simulated at a kind of choice at which no house rule has been seen to matter."""
_MOST_GAIN = 0.25
"""The most that house rules are assumed to add to an option, in units. An option further behind the best is not
simulated.
"""
_POINTS = 0.5
"""The value of all points of a scenario, as a share of all units."""
_TIE_DEDUCTION = 0.01
"""The deduction for an option that is not significantly better than the best, so that the two do not tie."""
TRIES = 16
_QUICK_PLAYS = 4
"""The number of plays after which simulation stops if no house rule took part."""
_START_CREDIT = 64.0
PLAYS_EARNED = 0.05
"""START_CREDIT: number of plays available at the start, and the largest number saved. PLAYS_EARNED: plays earned by
each choice.
"""
_WATCHED_CALLS = 8
"""The number of calls without effect, per kind of event or throw, during which the whole state is compared.

Later calls compare only events, throws and the house rule's own values.
"""


class _ObservedHook(HookFunction):
    """A house-rule function that calls `note` if it has an effect: it returns a value, emits an event, throws dice or
    changes anything.
    """

    note: Callable[[], None]
    effect_seen: Callable[[], bool]
    watched: dict[str, int]

    @classmethod
    def all(
        cls, hooks: Iterable[HookFunction], note: Callable[[], None], effect_seen: Callable[[], bool]
    ) -> tuple[HookFunction, ...]:
        """Return these functions with `note` attached. They are watched until `effect_seen` returns True."""
        observed = []
        for hook in hooks:
            copy = cls(**vars(hook))
            copy.__dict__.update(note=note, effect_seen=effect_seen, watched={})
            observed.append(copy)
        return tuple(observed)

    def __call__(self, **available: Any) -> Any:
        if self.effect_seen():
            return super().__call__(**available)
        table: Sampler = available["table"]
        about = available.get("event") or available.get("roll")
        kind = str(getattr(about, "kind", getattr(about, "why", "")))
        watched = self.watched.get(kind, 0) < _WATCHED_CALLS
        before = _fingerprint(table, key(table.state) if watched else ())
        result = super().__call__(**available)
        if result is not None or before != _fingerprint(table, key(table.state) if watched else ()):
            self.note()
        elif watched:
            self.watched[kind] = self.watched.get(kind, 0) + 1
        return result


def _fingerprint(table: Sampler, state: Hashable) -> tuple[Any, ...]:
    """Return the values that reveal an effect of a house-rule function: events, throws, its own values, and the
    state.
    """
    return len(table.events), len(table.thrown), dict(table.state.own), state


class _PrintedRulesFromChoice(Sampler):
    """A sampler that uses the printed rules from the choice on. The part of the step before the choice uses the house
    rules.
    """

    __slots__ = ("_in_force", "_printed")

    def __init__(self, in_force: Rules, printed: Rules, seed: int, choose: Choice) -> None:
        super().__init__(in_force, seed, choose)
        self._in_force, self._printed = in_force, printed

    def begin(self, state: Any, play: int, known: Sequence[GivenAnswer] = ()) -> None:
        """Begin a play."""
        super().begin(state, play, known)
        self.rules = self._in_force

    def answer(self, question: Question) -> Answer:
        answer = super().answer(question)
        if not self.knows:
            self.rules = self._printed
        return answer


@dataclass(frozen=True)
class _Plays:
    """The value of a choice in each of its plays, in shares of units, and whether a house rule took part."""

    values: Sequence[float]
    reached: bool

    def __add__(self, more: _Plays) -> _Plays:
        return _Plays([*self.values, *more.values], self.reached or more.reached)

    def advantage_over(self, other: _Plays) -> float:
        """Return the mean advantage over another choice with the same dice; 0.0 if it is within the standard error."""
        gains = [mine - his for mine, his in zip(self.values, other.values, strict=True)]
        mean = fmean(gains)
        return mean if abs(mean) > stdev(gains) / sqrt(len(gains)) else 0.0


class RuleAwareDoctrine(Doctrine):
    """The doctrine player for games with house rules in Python. Create it with `zareba.agents.make_agent`.

    `weighed` holds the values of the answers of the last choice.
    """

    def __init__(self, game: Game[Any], seat: str, seed: int, *, aggression: float = 1.0, caution: float = 1.0) -> None:
        super().__init__(game, seat, seed, aggression=aggression, caution=caution)
        self._luck = crc32(f"{seed}/{seat}/house rules".encode())
        self._policy = default_policy(game, seat)
        rules = game.rules
        self._printed = replace(rules, wraps={}, event_hooks=(), roll_hooks=())
        self._in_force = replace(
            rules,
            wraps={name: self._observed(wrap) for name, wrap in rules.wraps.items()},
            event_hooks=_ObservedHook.all(rules.event_hooks, self._note, self._effect_seen),
            roll_hooks=_ObservedHook.all(rules.roll_hooks, self._note, self._effect_seen),
        )
        self._hooks_change_score = bool(rules.game_hooks.get("zareba_outcome"))
        self._has_code = bool(rules.wraps or rules.event_hooks or rules.roll_hooks or self._hooks_change_score)
        self._points = total(goal.points for goal in game.scenario.objectives.values()) or 1.0
        self._reached = False
        self.weighed: Sequence[float] = ()
        self._start: Any = None
        self._known: Sequence[GivenAnswer] = ()
        self.enough: Callable[[], bool] = lambda: False
        self._credit: float = _START_CREDIT
        """Plays available now; negative after a long simulation."""
        self._choices_met: dict[str, int] = {}
        """Number of choices so far, by kind."""
        self._simulated: dict[str, Any] = {}
        """The last choice considered for simulation, with all pieces at that moment, by kind."""
        self._changed: set[str] = set()
        """Kinds of choices that a house rule has been seen to change."""

    def _note(self) -> None:
        self._reached = True

    def _effect_seen(self) -> bool:
        return self._reached

    def _observed(self, wrap: Wrap) -> Wrap:
        """Return the wrap, changed to record that play reached it."""

        def call(*args: Any, **named: Any) -> Any:
            self._note()
            return wrap(*args, **named)

        return call

    def follow(self, start: Any, given: Sequence[GivenAnswer]) -> None:
        """Set the start of the current step and the answers given in it. Without them the player follows doctrine."""
        self._start, self._known = start, [answered for answered in given if answered.seen_by(self._seat)]

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        start, self._start = self._start, None
        answers, evaluations = self.evaluations(question, state)
        weighed = self.weigh_evaluations(answers, evaluations)
        # `unknown` are the answers that the ruleset cannot evaluate: options of house rules, or all answers to a
        # question of a house rule.
        added = set(question.added) if isinstance(question, Choose) else set()
        unknown = {
            answer for answer, evaluation in zip(answers, evaluations, strict=True) if isinstance(evaluation, Fallback)
        }
        unknown = set(answers) if unknown - added else added & unknown
        # While a side sets up, no rule has an effect that a play could show.
        in_battle = self._game.game_turn(state) > 0 and not self._sets_up(start)
        due = (unknown or (self._has_code and in_battle and self._is_due(question.why))) and not self._repeats(
            question, state
        )
        if start is not None and len(weighed) > 1 and due:
            with suppress(QuestionChanged):  # the step already depends on something hidden from this seat
                weighed = self._with_house_rules(start, question, weighed, unknown)
        self.weighed = [choice.value for choice in weighed]
        return self.take(question, weighed)

    def _sets_up(self, start: Any) -> bool:
        """Return True if the current step is part of the set-up."""
        step = None if start is None else self._game.play.next_step(start)
        return step is not None and sets_up(step)

    def _repeats(self, question: Choose | Place | Confirm, state: Any) -> bool:
        """Return True if this side had the same choice before in this turn, and no piece has changed since.

        A free action that changes nothing, such as picking a man and letting him do nothing, leads back to the same
        choice. Without simulation the player ends the activation instead of repeating it forever.
        """
        options = tuple(question.options) if isinstance(question, Choose) else ()
        pieces = [key(piece) for records in self._game.sight.pieces_in(state) for piece in records.values()]
        choice = self._game.game_turn(state), question.actor, options, pieces
        repeats = self._simulated.get(question.why) == choice
        self._simulated[question.why] = choice
        return repeats

    def _is_due(self, kind: str) -> bool:
        """Return True if a choice of this kind should be simulated now.

        The first is simulated, then the second, fourth, eighth and so on, until a house rule changes the result of
        one; from then on all of them are. A play takes about as long as evaluating a choice. Each choice therefore
        earns `PLAYS_EARNED` plays, and when the credit is used up, only choices of the kinds that house rules changed
        are simulated.
        """
        self._choices_met[kind] = count = self._choices_met.get(kind, 0) + 1
        self._credit = min(self._credit + PLAYS_EARNED, _START_CREDIT)
        return kind in self._changed or (self._credit >= 0 and count & (count - 1) == 0)

    def _with_house_rules(
        self,
        start: Any,
        question: Choose | Place | Confirm,
        weighed: Sequence[WeighedAnswer],
        unknown: set[Answer],
    ) -> list[WeighedAnswer]:
        """Return the answers with values that include the effect of house rules.

        `unknown` are the answers that the ruleset cannot evaluate. They are compared with the best other answer.
        """
        ordered = sorted(weighed, key=lambda choice: -choice.value)
        known = [choice for choice in ordered if choice.answer not in unknown]
        others = [choice for choice in ordered if choice.answer in unknown]
        simulated: list[WeighedAnswer] = []
        best_plays, best_value = None, 0.0
        for number, (answer, value, reason) in enumerate(known[:_MOST_OPTIONS]):
            matters = others or question.why in self._changed
            if self.enough() or (number >= _FIRST_OPTIONS and not matters):
                break
            if best_plays is not None and value + _MOST_GAIN <= best_value:
                break  # no remaining option can beat the best simulated one
            plays, gain = self._compare_with_printed(start, question, answer, quick=not others)
            if gain:
                self._changed.add(question.why)
                reason = f"house rules change its value by {gain:+.2f}, simulated {TRIES} times"
            simulated.append(WeighedAnswer(answer, value + gain, reason))
            if best_plays is None or value + gain > best_value:
                best_plays, best_value = plays, value + gain
        for answer, value, reason in others[:_MOST_OPTIONS]:
            if self.enough() and (simulated or known):
                break
            plays = self._plays(start, question, answer)
            if best_plays is None:
                best_plays, best_value = plays, value
                simulated.append(WeighedAnswer(answer, value, reason))
                continue
            gain = plays.advantage_over(best_plays)
            reason = f"{gain:+.2f} against the best other option, simulated {TRIES} times"
            simulated.append(WeighedAnswer(answer, best_value + (gain or -_TIE_DEDUCTION), reason))
        done = {choice.answer for choice in simulated}
        return [*simulated, *(choice for choice in known if choice.answer not in done)]

    def _compare_with_printed(
        self, start: Any, question: Choose | Place | Confirm, answer: Answer, *, quick: bool
    ) -> tuple[_Plays, float]:
        """Return the plays of an answer under house rules, and the value that the house rules add.

        With `quick`, a few plays are enough if no house rule takes part.
        """
        was_changed = question.why in self._changed or self._choices_met.get(question.why, 0) < 2
        tries = range(TRIES if not quick else _QUICK_PLAYS if was_changed else 1)
        plays = self._plays(start, question, answer, tries)
        if not plays.reached:
            return plays, 0.0
        printed = self._plays(start, question, answer, tries, with_house_rules=False)
        if quick:
            if plays.values == printed.values:
                return plays, 0.0
            rest = range(len(tries), TRIES)
            plays += self._plays(start, question, answer, rest)
            printed += self._plays(start, question, answer, rest, with_house_rules=False)
        return plays, plays.advantage_over(printed)

    def _plays(
        self,
        start: Any,
        question: Choose | Place | Confirm,
        answer: Answer,
        tries: Sequence[int] = range(TRIES),
        *,
        with_house_rules: bool = True,
    ) -> _Plays:
        """Return the plays of an answer, with house rules (`with_house_rules`) or by the printed rules.

        The printed rules apply from the start of the step, or from the choice on if house rules asked something before
        it.
        """
        answers = [*self._known, GivenAnswer(question, answer)]
        self._reached = False
        self._credit -= len(tries)
        table = Sampler(self._in_force if with_house_rules else self._printed, self._luck, self._policy)
        try:
            values = [
                self._play_on(table, start, answers, attempt, with_house_rules=with_house_rules) for attempt in tries
            ]
        except OutOfBudget:
            raise endless_loop_error(self._game.rules) from None
        except QuestionChanged:
            if with_house_rules:
                raise
            table = _PrintedRulesFromChoice(self._in_force, self._printed, self._luck, self._policy)
            values = [self._play_on(table, start, answers, attempt, with_house_rules=False) for attempt in tries]
        return _Plays(values, self._reached)

    def _play_on(
        self, table: Sampler, start: Any, given: Sequence[GivenAnswer], attempt: int, *, with_house_rules: bool
    ) -> float:
        """Return the value of one play of a choice, weighted by the player's aggression and caution.

        The play covers everything that the choice began, and whatever house rules postponed until the end of the step.
        """
        game = self._game
        world = game.sight.determinize(start, self._seat, self._luck + attempt)
        state = world.copy()
        table.begin(state, attempt, given)
        step = game.play.next_step(state)
        while step is not None and (table.knows or game.odds_horizon.includes(world, state, step)):
            table.go_on()
            game.play.perform(table, state, step)
            step = game.play.next_step(state)
        if step is not None and with_house_rules and self._reached:
            game.play.between(table, state, step)
        worth, before, after = 0.0, game.scoreboard(world), game.scoreboard(state)
        for name, unit in game.scenario.units.items():
            lost = before.share_left((name,)) - after.share_left((name,))
            worth += -self._caution * lost if unit.side == self._seat else self._aggression * lost
        if with_house_rules and self._hooks_change_score and (gained := self._gained(state) - self._gained(world)):
            self._note()
            worth += _POINTS * len(game.scenario.units) * gained / self._points
        return worth

    def _gained(self, state: Any) -> float:
        """Return how many points house rules add to the side's lead over the best other side."""
        with_house_rules, printed = self._game.play.outcome(state).points, self._game.play.printed_outcome(state).points
        gained = {side: scored - printed[side] for side, scored in with_house_rules.items()}
        return gained[self._seat] - max(more for side, more in gained.items() if side != self._seat)
