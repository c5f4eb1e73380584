"""Doctrine that heeds house rules: what they change in a choice is not in any appraisal, so it is seen by playing it on.

An appraisal knows the rules as they are printed. Where a house rule wraps a procedure that a choice comes to, the choice is
played on with the wraps and without them, by the same dice, and the difference is added to what it is worth. An option that
only a house rule offers is held against the best of the others in the same way. Without such rules nothing is played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean, stdev
from typing import Any
from zlib import crc32

from zareba.battle.unforeseen import StandIn
from zareba.game import Game
from zareba.game.doctrine import Doctrine, Weighed
from zareba.odds.choices import meanwhile
from zareba.odds.tables.playing import PlayingTable
from zareba.rules import Rules
from zareba.rules.procedure import Wrap
from zareba.table import Answer, Choose, Confirm, Given, OtherwiseAsked, Place

__all__ = ["Heeding"]

MOST = 8
"""How many options are played on, of those that doctrine knows and of those that it does not."""
LITTLE = 0.01
"""What an option that is no better than others by more than luck is behind them, so that no lot falls on it."""
TRIES = 16


@dataclass(frozen=True)
class _Plays:
    """What a choice was worth in each of its plays, in shares of units, and whether a house rule had a part in one."""

    worth: Sequence[float]
    reached: bool

    def beyond(self, other: _Plays) -> float:
        """How much better these are than others by the same dice; 0.0 where that is no more than luck."""
        gains = [mine - his for mine, his in zip(self.worth, other.worth, strict=True)]
        mean = fmean(gains)
        return mean if abs(mean) > stdev(gains) / sqrt(TRIES) else 0.0


class Heeding(Doctrine):
    """Doctrine for games with house rules of Python, as `zareba.agents` makes it."""

    def __init__(self, game: Game[Any], seat: str, seed: int, *, aggression: float = 1.0, caution: float = 1.0) -> None:
        super().__init__(game, seat, seed, aggression=aggression, caution=caution)
        self._luck = crc32(f"{seed}/{seat}/house rules".encode())
        self._policy = meanwhile(game, seat)
        self._printed = replace(game.rules, wraps={})
        self._in_force = replace(game.rules, wraps={name: self._noted(wrap) for name, wrap in game.rules.wraps.items()})
        self._reached = False
        self._start: Any = None
        self._known: Sequence[Given] = ()

    def _noted(self, wrap: Wrap) -> Wrap:
        """A wrap that leaves word when play comes to it."""

        def call(*args: Any, **named: Any) -> Any:
            self._reached = True
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
        if start is None or not (brought or self._in_force.wraps):
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
            if mark is not None and expected <= worth:
                break  # nothing that is left promises more than what has been played
            plays, gain = self._plays(start, question, answer, self._in_force), 0.0
            if plays.reached:
                gain = plays.beyond(self._plays(start, question, answer, self._printed))
            told = f"house rules change what comes of it by {gain:+.2f}, played on {TRIES} times"
            found.append((answer, expected + gain, told if gain else reason))
            if mark is None or expected + gain > worth:
                mark, worth = plays, expected + gain
        for answer, expected, reason in others[:MOST]:
            plays = self._plays(start, question, answer, self._in_force)
            if mark is None:
                mark, worth = plays, expected
                found.append((answer, expected, reason))
                continue
            gain = plays.beyond(mark)
            told = f"{gain:+.2f} against what else promises most, played on {TRIES} times"
            found.append((answer, worth + (gain or -LITTLE), told))
        played = {answer for answer, _, _ in found}
        return [*found, *(one for one in known if one[0] not in played)]

    def _plays(self, start: Any, question: Choose | Place | Confirm, answer: Answer, rules: Rules) -> _Plays:
        given = [*self._known, Given(question, answer)]
        table = PlayingTable(rules, self._luck, self._policy)
        self._reached = False
        return _Plays([self._play_on(table, start, given, attempt) for attempt in range(TRIES)], self._reached)

    def _play_on(self, table: PlayingTable, start: Any, given: Sequence[Given], attempt: int) -> float:
        """What came of the choice, as a commander of his temper counts losses: once, as far as what it began goes."""
        game = self._game
        world = game.imagine(start, self._seat, self._luck + attempt)
        state = world.copy()
        table.begin(state, attempt, given)
        step = game.next_step(state)
        while step is not None and (table.knows or game.consequences(world, state, step)):
            game.perform(table, state, step)
            step = game.next_step(state)
        worth, before, after = 0.0, game.standing(world), game.standing(state)
        for name, unit in game.scenario.units.items():
            lost = before.share_left((name,)) - after.share_left((name,))
            worth += -self._caution * lost if unit.side == self._seat else self._aggression * lost
        return worth
