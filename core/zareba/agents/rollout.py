"""A player that needs no evaluation code: it simulates every option and takes the best result.

Each option is played a few times with dice until the activation it begins is over. The result counts the figures left,
the points of the scenario, and the distance of the side's units from their objectives.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from zlib import crc32

from zareba.base.exact import total
from zareba.game import HOLDING, Game
from zareba.game.doctrine import Doctrine
from zareba.odds.drivers.sampler import OutOfBudget, Sampler, endless_loop_error
from zareba.table import Answer, Choose, Confirm, GivenAnswer, LazyOptions, Place, QuestionChanged

TRIES = 3
_MOST_OPTIONS = 16
"""The number of options compared: the first ones."""
POINTS = 0.5
"""The value of all points of a scenario, as a share of all figures."""


class RolloutAgent:
    """A player for any ruleset. `reason` gives the expected result of the last choice.

    `weighed` holds the value of each answer in order, in average units of the scenario; it is empty if the answers
    could not be compared.
    """

    def __init__(self, game: Game[Any], seat: str, seed: int) -> None:
        self._game = game
        self._seat = seat
        self._seed = seed
        self._doctrine = Doctrine(game, seat, seed)
        self._start: Any = None
        self._given: Sequence[GivenAnswer] = ()
        self._all_points = total(goal.points for goal in game.scenario.objectives.values()) or 1.0
        self._units = {side: game.scenario.units_of(side) for side in game.seats}
        self._all_figures = total(unit.figures for units in self._units.values() for unit in units.values())
        self._figures_per_unit = self._all_figures / len(game.scenario.units)
        self.reason = ""
        self.weighed: Sequence[float] = ()
        self.enough: Callable[[], bool] = lambda: False

    def follow(self, start: Any, given: Sequence[GivenAnswer]) -> None:
        """Set the start of the current step and the answers given in it. Without them the player takes the first
        option.
        """
        self._start, self._given = start, given

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        start, self._start = self._start, None
        self.weighed = ()
        if start is None:
            self.reason = "no record of the current step"
            return self._doctrine(question, state)
        known = [answered for answered in self._given if answered.seen_by(self._seat)]
        answers = _answers(question)
        try:
            values: list[float] = []
            for answer in answers:
                if values and self.enough():
                    break  # decide among the answers simulated in time
                values.append(self._value(start, known, question, answer))
        except OutOfBudget:
            raise endless_loop_error(self._game.rules) from None
        except QuestionChanged:  # the step already depends on something hidden from this seat
            values = []
        if not values:
            self.reason = "the result depends on hidden information"
            return self._doctrine(question, state)
        self.weighed = [value / self._figures_per_unit for value in values]
        most = max(values)
        best = next(answer for answer, value in zip(answers, values, strict=False) if value > most - 1e-9)
        self.reason = f"simulated {TRIES} times: worth {most:+.1f} figures"
        return best

    def _value(
        self, start: Any, known: Sequence[GivenAnswer], question: Choose | Place | Confirm, answer: Answer
    ) -> float:
        answers = [*known, GivenAnswer(question, answer)]
        lead, has_chance = self._play_on(start, answers, 0)
        if not has_chance:
            return lead
        return total([lead, *(self._play_on(start, answers, attempt)[0] for attempt in range(1, TRIES))]) / TRIES

    def _play_on(self, start: Any, answers: Sequence[GivenAnswer], attempt: int) -> tuple[float, bool]:
        """Return the lead of the side after everything that the choice began is over, and whether another try may end
        otherwise. Every choice gets the same dice.
        """
        game = self._game
        luck = crc32(f"{self._seed}/{self._seat}/{attempt}".encode())
        world = game.sight.determinize(start, self._seat, luck)
        state = world.copy()
        table = Sampler(game.rules, luck, _first_action)
        table.begin(state, attempt, answers)
        step = game.play.next_step(state)
        while step is not None and (table.knows or game.odds_horizon.includes(world, state, step)):
            table.go_on()
            game.play.perform(table, state, step)
            step = game.play.next_step(state)
        return self._lead(state), bool(table.thrown) or game.sight.may_hide(self._seat)

    def _lead(self, state: Any) -> float:
        """Return the lead of the side, in figures."""
        game, seat = self._game, self._seat
        scoreboard, points = game.scoreboard(state), game.play.outcome(state).points
        _ = scoreboard.men  # lists the men once for all units
        value_of = {
            side: total(unit.figures * scoreboard.share_left((name,)) for name, unit in units.items())
            + game.advisor.placement(state, side)
            + POINTS * self._all_figures * points[side] / self._all_points
            for side, units in self._units.items()
        }
        return value_of[seat] - max(value for side, value in value_of.items() if side != seat)


def _answers(question: Choose | Place | Confirm) -> Sequence[Answer]:
    if isinstance(question, Confirm):
        return (False, True)
    return (question.options if isinstance(question, Choose) else question.suggestions)[:_MOST_OPTIONS]


def _first_action(question: Choose | Place | Confirm, state: Any) -> Answer:
    """Return the answer assumed of every player during a simulation: the first option that acts, no, or the first
    place.
    """
    if isinstance(question, Confirm):
        return False
    if isinstance(question, Choose):
        return next((option for option in question.options if option not in HOLDING), question.options[0])
    offered = question.suggestions
    first = offered.at(0) if isinstance(offered, LazyOptions) else None
    return offered[0] if first is None else first
