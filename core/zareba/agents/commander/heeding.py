"""Doctrine that heeds house rules: what they change in a choice is not in any appraisal, so it is seen by playing it on.

An appraisal knows the rules as they are printed, and the numbers as house rules have them. Where a house rule wraps a procedure
that a choice comes to, reacts to what happens, has its own way with dice or its own reckoning of points, the choice is played on
with it and without it, by the same dice, and the difference is added to what it is worth. An option that only a house rule offers
is held against the best of the others in the same way. Without such rules nothing is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean, stdev
from typing import Any
from zlib import crc32

from zareba.base.exact import total
from zareba.base.memento import key
from zareba.battle.unforeseen import StandIn
from zareba.game import Game
from zareba.game.doctrine import Doctrine, Weighed
from zareba.house import HookFunction
from zareba.odds.choices import meanwhile
from zareba.odds.tables.answering import Choice
from zareba.odds.tables.playing import PlayingTable
from zareba.rules import Rules
from zareba.rules.procedure import Wrap
from zareba.table import Answer, Choose, Confirm, Given, OtherwiseAsked, Place, Question

__all__ = ["Heeding"]

MOST = 8
"""How many options are played on, of those that doctrine knows and of those that it does not."""
HOPE = 0.25
"""How much house rules may add to an option, in units, for which it is played on though another promises more by the book."""
POINTS = 0.5
"""What all points of a scenario are worth, as a share of all units."""
LITTLE = 0.01
"""What an option that is no better than others by more than luck is behind them, so that no lot falls on it."""
TRIES = 16
GLANCE = 4
"""After so many plays in which no house rule had a part, the others are not played."""


class _Noted(HookFunction):
    """A function of a house rule that leaves word when it does something: when it gives, tells, throws or changes anything."""

    note: Callable[[], None]

    @classmethod
    def all(cls, hooks: Iterable[HookFunction], note: Callable[[], None]) -> tuple[HookFunction, ...]:
        """These functions, which leave word by `note`."""
        found = []
        for hook in hooks:
            noted = cls(**vars(hook))
            noted.__dict__["note"] = note
            found.append(noted)
        return tuple(found)

    def __call__(self, **available: Any) -> Any:
        table: PlayingTable = available["table"]
        before = len(table.events), len(table.thrown), key(table.state)
        given = super().__call__(**available)
        if given is not None or before != (len(table.events), len(table.thrown), key(table.state)):
            self.note()
        return given


class _FromTheChoiceOn(PlayingTable):
    """Plays by the rules as printed from the choice on: what came before it in its step was done under house rules."""

    __slots__ = ("_in_force", "_printed")

    def __init__(self, in_force: Rules, printed: Rules, seed: int, choose: Choice) -> None:
        super().__init__(in_force, seed, choose)
        self._in_force, self._printed = in_force, printed

    def begin(self, state: Any, play: int, known: Sequence[Given] = ()) -> None:
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
    """What a choice was worth in each of its plays, in shares of units, and whether a house rule had a part in one."""

    worth: Sequence[float]
    reached: bool

    def __add__(self, more: _Plays) -> _Plays:
        return _Plays([*self.worth, *more.worth], self.reached or more.reached)

    def beyond(self, other: _Plays) -> float:
        """How much better these are than others by the same dice; 0.0 where that is no more than luck."""
        gains = [mine - his for mine, his in zip(self.worth, other.worth, strict=True)]
        mean = fmean(gains)
        return mean if abs(mean) > stdev(gains) / sqrt(len(gains)) else 0.0


class Heeding(Doctrine):
    """Doctrine for games with house rules of Python, as `zareba.agents` makes it."""

    def __init__(self, game: Game[Any], seat: str, seed: int, *, aggression: float = 1.0, caution: float = 1.0) -> None:
        super().__init__(game, seat, seed, aggression=aggression, caution=caution)
        self._luck = crc32(f"{seed}/{seat}/house rules".encode())
        self._policy = meanwhile(game, seat)
        rules = game.rules
        self._printed = replace(rules, wraps={}, event_hooks=(), roll_hooks=())
        self._in_force = replace(
            rules,
            wraps={name: self._noted(wrap) for name, wrap in rules.wraps.items()},
            event_hooks=_Noted.all(rules.event_hooks, self._note),
            roll_hooks=_Noted.all(rules.roll_hooks, self._note),
        )
        self._scored = bool(rules.game_hooks.get("zareba_outcome"))
        self._unseen = bool(rules.wraps or rules.event_hooks or rules.roll_hooks or self._scored)
        self._points = total(goal.points for goal in game.scenario.objectives.values()) or 1.0
        self._reached = False
        self._start: Any = None
        self._known: Sequence[Given] = ()
        self.enough: Callable[[], bool] = lambda: False

    def _note(self) -> None:
        self._reached = True

    def _noted(self, wrap: Wrap) -> Wrap:
        """A wrap that leaves word when play comes to it."""

        def call(*args: Any, **named: Any) -> Any:
            self._note()
            return wrap(*args, **named)

        return call

    def follow(self, start: Any, given: Sequence[Given]) -> None:
        """How the step under way began, and what was answered in it; without it he goes by doctrine."""
        self._start, self._known = start, [one for one in given if one.seen_by(self._seat)]

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        start, self._start = self._start, None
        answers, appraisals = self.appraised(question, state)
        weighed = self.worths(answers, appraisals)
        brought = set(question.brought) if isinstance(question, Choose) else set()
        unknown = {answer for answer, one in zip(answers, appraisals, strict=True) if isinstance(one, StandIn)}
        brought = set(answers) if unknown - brought else brought & unknown
        if start is None or len(weighed) < 2 or not (brought or self._unseen):
            return self.take(question, weighed)
        try:
            heeded = self._heeded(start, question, weighed, brought)
        except OtherwiseAsked:  # what he cannot see has already had a part in this step
            heeded = weighed
        return self.take(question, heeded)

    def _heeded(
        self,
        start: Any,
        question: Choose | Place | Confirm,
        weighed: Weighed,
        brought: set[Answer],
    ) -> Weighed:
        """The answers with what house rules add to their worth."""
        best = sorted(weighed, key=lambda one: -one[1])
        known, others = [one for one in best if one[0] not in brought], [one for one in best if one[0] in brought]
        found: Weighed = []
        mark, worth = None, 0.0
        for answer, expected, reason in known[:MOST]:
            if self.enough():
                break
            if mark is not None and expected + HOPE <= worth:
                break  # nothing that is left promises as much as what has been played
            plays, gain = self._looked_at(start, question, answer, glance=not others)
            told = f"house rules change what comes of it by {gain:+.2f}, played on {TRIES} times"
            found.append((answer, expected + gain, told if gain else reason))
            if mark is None or expected + gain > worth:
                mark, worth = plays, expected + gain
        for answer, expected, reason in others[:MOST]:
            if self.enough() and (found or known):
                break
            plays = self._plays(start, question, answer)
            if mark is None:
                mark, worth = plays, expected
                found.append((answer, expected, reason))
                continue
            gain = plays.beyond(mark)
            told = f"{gain:+.2f} against what else promises most, played on {TRIES} times"
            found.append((answer, worth + (gain or -LITTLE), told))
        played = {answer for answer, _, _ in found}
        return [*found, *(one for one in known if one[0] not in played)]

    def _looked_at(
        self, start: Any, question: Choose | Place | Confirm, answer: Answer, *, glance: bool
    ) -> tuple[_Plays, float]:
        """What comes of an answer under house rules, and what they add to its worth; a `glance` is enough where they have no part."""
        plays = self._plays(start, question, answer, range(GLANCE if glance else TRIES))
        if not plays.reached:
            return plays, 0.0
        if glance:
            plays += self._plays(start, question, answer, range(GLANCE, TRIES))
        return plays, plays.beyond(self._plays(start, question, answer, ruled=False))

    def _plays(
        self,
        start: Any,
        question: Choose | Place | Confirm,
        answer: Answer,
        tries: Sequence[int] = range(TRIES),
        *,
        ruled: bool = True,
    ) -> _Plays:
        """What comes of an answer with house rules (`ruled`), or by the rules as printed: from the beginning of the step, or
        from the choice on where house rules have asked something before it.
        """
        given = [*self._known, Given(question, answer)]
        self._reached = False
        table = PlayingTable(self._in_force if ruled else self._printed, self._luck, self._policy)
        try:
            worth = [self._play_on(table, start, given, attempt, ruled=ruled) for attempt in tries]
        except OtherwiseAsked:
            if ruled:
                raise
            table = _FromTheChoiceOn(self._in_force, self._printed, self._luck, self._policy)
            worth = [self._play_on(table, start, given, attempt, ruled=False) for attempt in tries]
        return _Plays(worth, self._reached)

    def _play_on(self, table: PlayingTable, start: Any, given: Sequence[Given], attempt: int, *, ruled: bool) -> float:
        """What came of the choice, as a commander of his temper counts losses: once, as far as what it began goes.

        What house rules have put off till the step is over is done too.
        """
        game = self._game
        world = game.imagine(start, self._seat, self._luck + attempt)
        state = world.copy()
        table.begin(state, attempt, given)
        step = game.next_step(state)
        while step is not None and (table.knows or game.consequences(world, state, step)):
            game.perform(table, state, step)
            step = game.next_step(state)
        if step is not None and ruled and self._reached:
            game.between(table, state, step)
        worth, before, after = 0.0, game.standing(world), game.standing(state)
        for name, unit in game.scenario.units.items():
            lost = before.share_left((name,)) - after.share_left((name,))
            worth += -self._caution * lost if unit.side == self._seat else self._aggression * lost
        if ruled and self._scored and (gained := self._gained(state) - self._gained(world)):
            self._note()
            worth += POINTS * len(game.scenario.units) * gained / self._points
        return worth

    def _gained(self, state: Any) -> float:
        """By how many points house rules have the side further ahead of the best of the others than the rules have it."""
        ruled, printed = self._game.outcome(state).points, self._game.printed_outcome(state).points
        gained = {side: scored - printed[side] for side, scored in ruled.items()}
        return gained[self._seat] - max(more for side, more in gained.items() if side != self._seat)
