"""A commander for nothing: he plays every choice on in his mind, and takes the one after which his side stands best.

He needs no appraisal of a ruleset's. What may come of a choice he sees from the dice, a few times over, as far as what was
begun in it goes; what that is worth from the men who are left, from the points that the scenario gives, and from how near
his men are to where it sends them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

from zareba.base.exact import total
from zareba.game import HOLDING, Game
from zareba.game.doctrine import Doctrine
from zareba.odds.tables.playing import PlayingTable
from zareba.table import Answer, Choose, Confirm, Given, OtherwiseAsked, Place, Suggestions

__all__ = ["PlaysOn"]

TRIES = 3
MOST = 16
"""How many options are weighed, the first of them."""
POINTS = 0.5
"""What all points of a scenario are worth, as a share of all men."""


class PlaysOn:
    """Weighs any ruleset's choices. `reason` says what he expects of the last.

    `weighed` is what its answers were worth to him, in their order, in shares of a unit of the scenario; nothing where he
    could not tell.
    """

    def __init__(self, game: Game[Any], seat: str, seed: int) -> None:
        self._game = game
        self._seat = seat
        self._seed = seed
        self._plain = Doctrine(game, seat, seed)
        self._start: Any = None
        self._given: Sequence[Given] = ()
        self._most = total(goal.points for goal in game.scenario.objectives.values()) or 1.0
        self._men = {side: game.scenario.units_of(side) for side in game.seats}
        self._all = total(unit.figures for units in self._men.values() for unit in units.values())
        self._unit = self._all / len(game.scenario.units)
        self.reason = ""
        self.weighed: Sequence[float] = ()
        self.enough: Callable[[], bool] = lambda: False

    def follow(self, start: Any, given: Sequence[Given]) -> None:
        """How the step under way began, and what was answered in it; without it he takes what comes first."""
        self._start, self._given = start, given

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        start, self._start = self._start, None
        self.weighed = ()
        if start is None:
            self.reason = "nothing is known of how it came to this"
            return self._plain(question, state)
        known = [one for one in self._given if one.seen_by(self._seat)]
        answers = _answers(question)
        try:
            worths: list[float] = []
            for answer in answers:
                if worths and self.enough():
                    break  # he decides among those that he had time for
                worths.append(self._worth(start, known, question, answer))
        except OtherwiseAsked:  # what he cannot see has already had a part in this step
            worths = []
        if not worths:
            self.reason = "it hangs on what cannot be seen"
            return self._plain(question, state)
        self.weighed = [worth / self._unit for worth in worths]
        most = max(worths)
        best = next(answer for answer, worth in zip(answers, worths, strict=False) if worth > most - 1e-9)
        self.reason = f"played on {TRIES} times: worth {most:+.1f} figures"
        return best

    def _worth(self, start: Any, known: Sequence[Given], question: Choose | Place | Confirm, answer: Answer) -> float:
        given = [*known, Given(question, answer)]
        return total(self._play_on(start, given, attempt) for attempt in range(TRIES)) / TRIES

    def _play_on(self, start: Any, given: Sequence[Given], attempt: int) -> float:
        """What the side is worth when what the choice began is over: with the same dice for every choice."""
        game = self._game
        luck = crc32(f"{self._seed}/{self._seat}/{attempt}".encode())
        world = game.imagine(start, self._seat, luck)
        state = world.copy()
        table = PlayingTable(game.rules, luck, eager)
        table.begin(state, attempt, given)
        step = game.next_step(state)
        while step is not None and (table.knows or game.consequences(world, state, step)):
            game.perform(table, state, step)
            step = game.next_step(state)
        return self._lead(state)

    def _lead(self, state: Any) -> float:
        """How far the side is ahead, in figures."""
        game, seat = self._game, self._seat
        standing, scored = game.standing(state), game.outcome(state).points
        worth = {
            side: total(unit.figures * standing.share_left((name,)) for name, unit in units.items())
            + game.prospect(state, side)
            + POINTS * self._all * scored[side] / self._most
            for side, units in self._men.items()
        }
        return worth[seat] - max(value for side, value in worth.items() if side != seat)


def _answers(question: Choose | Place | Confirm) -> Sequence[Answer]:
    if isinstance(question, Confirm):
        return (False, True)
    return (question.options if isinstance(question, Choose) else question.suggestions)[:MOST]


def eager(question: Choose | Place | Confirm, state: Any) -> Answer:
    """What anybody is taken to answer meanwhile: the first option that does something, no, the first place."""
    if isinstance(question, Confirm):
        return False
    if isinstance(question, Choose):
        return next((option for option in question.options if option not in HOLDING), question.options[0])
    offered = question.suggestions
    first = offered.at(0) if isinstance(offered, Suggestions) else None
    return offered[0] if first is None else first
