"""Scripts: simple ways to play a unit or a whole side for a turn, as parts of the plans that `general` compares."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from zareba.battle.evaluation import Evaluation
from zareba.game import HOLDING, Game
from zareba.game.doctrine import Doctrine, WeighedAnswer
from zareba.table import Answer, Choose, Confirm, Place

_PER_TURN = 1.0
"""The value of being one turn of moving nearer to the objective of a script, in shares of a unit's strength."""


class Script(NamedTuple):
    """A way to play. It weighs evaluations by `aggression`, `caution` and `ground` (1 each is doctrine).

    `goal` is an objective to go to, "" for none. With `holds`, units stay where they are and still fight.
    """

    name: str
    aggression: float = 1.0
    caution: float = 1.0
    ground: float = 1.0
    goal: str = ""
    holds: bool = False


BY_DOCTRINE = Script("doctrine")
_SCRIPTS = (
    BY_DOCTRINE,
    Script("careful", caution=3.0),
    Script("bold", aggression=2.0, caution=0.5),
    Script("press", ground=3.0),
    Script("hold", holds=True),
)
_MOST_GOALS = 4
"""The number of objectives that have a script: those worth most."""


def scripts_of(game: Game[Any], seat: str) -> tuple[Script, ...]:
    """Return the scripts that a side can follow; the first is doctrine."""
    goals = {
        key: goal
        for key, goal in game.scenario.objectives.items()
        if goal.kind in ("hold", "carry_off", "escort") and (not goal.by or seat in goal.by)
    }
    most = sorted(goals, key=lambda key: -goals[key].points)[:_MOST_GOALS]
    return (*_SCRIPTS, *(Script(f"to {key}", goal=key) for key in most))


class Units:
    """Finds the unit that a question is about; "" for none. The result for each name is cached."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self._known: dict[str, str] = dict.fromkeys(("", *game.seats), "")

    def of(self, state: Any, question: Choose | Place | Confirm) -> str:
        """Return the unit, or the figure's unit, that a question is about."""
        actor = question.actor
        unit = self._known.get(actor)
        if unit is None:
            pieces = self._game.umpire_editor().piece_holders(state)
            unit = actor
            while unit not in pieces and (shorter := re.sub(r"[./][^./]*$", "", unit)) != unit:
                unit = shorter
            unit = self._known[actor] = unit if unit in pieces else ""
        return unit


class ScriptedDoctrine(Doctrine):
    """Doctrine that follows a plan in one turn of a game. At all other times it plays by its temper."""

    def __init__(self, game: Game[Any], seat: str, seed: int, units: Units, *, temper: Script = BY_DOCTRINE) -> None:
        super().__init__(game, seat, seed, aggression=temper.aggression, caution=temper.caution)
        self._temper = temper
        self._units = units
        self._turn = 0
        self._side = BY_DOCTRINE
        self._plan: Mapping[str, Script] = {}
        self.answers: list[Answer] = []
        """The answers given in the turn of the plan."""

    def follow_plan(self, turn: int, side: Script, units: Mapping[str, Script]) -> None:
        """Set the plan of a turn: the scripts of some units, and that of all other choices of the side."""
        self._turn, self._side, self._plan, self.answers = turn, side, units, []

    def __call__(self, question: Choose | Place | Confirm, state: Any) -> Answer:
        if self._turn and self._game.game_turn(state) == self._turn:
            script = self._side
            if self._plan:
                script = self._plan.get(self._units.of(state, question), script)
            by_doctrine = script is BY_DOCTRINE
            answer = super().__call__(question, state) if by_doctrine else self._by_script(script, question, state)
            self.answers.append(answer)
            return answer
        if self._temper.holds:
            return self._by_script(self._temper, question, state)
        return super().__call__(question, state)

    def _by_script(self, script: Script, question: Choose | Place | Confirm, state: Any) -> Answer:
        answers, evaluations = self.evaluations(question, state)
        if script.holds:
            return self._holding(question, answers, evaluations)
        values = [
            evaluation.inflicts * script.aggression
            - evaluation.suffers * script.caution
            + evaluation.ground * script.ground
            + evaluation.steadies
            for evaluation in evaluations
        ]
        if script.goal:
            ways = self._game.advisor.ways(state, question, answers, script.goal) or ()
            for index, way in enumerate(ways):
                values[index] -= _PER_TURN * (way or 0.0)
        weighed = [
            WeighedAnswer(answer, value, evaluation.reason)
            for answer, value, evaluation in zip(answers, values, evaluations, strict=True)
        ]
        return self.take(question, weighed)

    def _holding(
        self, question: Choose | Place | Confirm, answers: Sequence[Answer], evaluations: Sequence[Evaluation]
    ) -> Answer:
        """Return the answer that stays, if the question is about ground; else the best one."""
        weighed = self.weigh_evaluations(answers, evaluations)
        stays = [choice for choice in weighed if choice.answer in HOLDING]
        return self.take(question, stays if stays and any(evaluation.ground for evaluation in evaluations) else weighed)
