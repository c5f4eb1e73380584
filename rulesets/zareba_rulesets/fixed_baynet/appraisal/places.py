"""What points are worth to a commander, and how few of those suggested he has to look at before he decides."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import hypot
from typing import Any

from zareba.ruleset import Appraisal
from zareba.space.geometry import Point
from zareba.table import Place, Suggestions
from zareba_rulesets.fixed_baynet.appraisal.acts import NOTHING, STANDOFF
from zareba_rulesets.fixed_baynet.appraisal.mission import Mission
from zareba_rulesets.fixed_baynet.appraisal.outlook import Outlook
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.steps import Directions
from zareba_rulesets.fixed_baynet.troops import Unit, box_gap

__all__ = ["best_places", "deploy", "points"]

NEAR = 20.0  # inches from the enemy within which those who shoot move only because they see nobody to shoot at


class Ground:
    """What points are worth to a unit that may move there.

    Nearer to the enemy for those who strike, at a good range for those who shoot, towards where the unit should be. Cover
    decides whether a unit moves at all, not where to.
    """

    def __init__(self, battle: Battle, mission: Mission, unit: Unit) -> None:
        self.look = look = Outlook(battle, mission, unit)
        aim, (near, self.foe) = look.aim, look.nearest
        self.goal = None if aim is None else aim.at
        self.pull = 0.0
        if aim is not None:
            self.pull = 0.05 if aim.units or look.is_urgent else 0.004 if look.melee else 0.01
        self.standoff = STANDOFF if near > NEAR else 0.0

    def away(self, x: float, y: float) -> float:
        """Inches from the nearest enemy; 0 if there is none."""
        return 0.0 if self.foe is None else box_gap((x, y, x, y), self.foe.box)

    def left(self, x: float, y: float) -> float:
        """Inches from where the unit should be; 0 if it need not be anywhere."""
        return 0.0 if self.goal is None else hypot(x - self.goal[0], y - self.goal[1])

    def worth(self, x: float, y: float) -> float:
        worth = -self.pull * self.left(x, y) if self.goal is not None else 0.0
        if self.foe is None:
            return worth
        away = box_gap((x, y, x, y), self.foe.box)
        if self.look.civil:
            return worth + 0.002 * min(away, 20.0)
        return worth - 0.012 * (away if self.look.melee else abs(away - self.standoff))

    def appraise(self, point: Point) -> Appraisal:
        """What a point is worth, in words too."""
        words = '{:.0f}" from the enemy, {:.0f}" from where they should be' if self.goal else '{:.0f}" from the enemy'
        reason = partial(words.format, self.away(*point), self.left(*point))
        return Appraisal(ground=self.worth(*point), reason=reason)


def points(battle: Battle, mission: Mission, question: Any) -> list[Appraisal]:
    """Each suggested point of a move or ride."""
    unit = battle.units.get(question.actor)
    if unit is None:
        return [NOTHING] * len(question.suggestions)
    ground = Ground(battle, mission, unit)
    return [ground.appraise(point) for point in question.suggestions]


def deploy(battle: Battle, mission: Mission, question: Any) -> list[Appraisal]:
    """Where the scenario puts a unit, or as near as there is room."""
    return [_spot(index) for index in range(len(question.suggestions))]


def _spot(index: int) -> Appraisal:
    return Appraisal(ground=-0.001 * index, reason="where the scenario puts it (FBN-011)")


def best_places(battle: Battle, mission: Mission, question: Place) -> Mapping[Point, Appraisal] | None:
    """The suggested points that are worth weighing; None where all have to be."""
    suggestions = question.suggestions
    if isinstance(suggestions, Directions) and suggestions.ideal is not None and question.actor in battle.units:
        return _best_direction(Ground(battle, mission, battle.units[question.actor]), suggestions)
    if question.why == "deploy at" and isinstance(suggestions, Suggestions):
        first = next((spot for place in range(suggestions.places) if (spot := suggestions.at(place)) is not None), None)
        return None if first is None else {first: _spot(0)}
    return None


def _best_direction(ground: Ground, suggestions: Directions) -> Mapping[Point, Appraisal] | None:
    """The first direction that is open, from the one whose full step is worth most.

    Whether a step is open is dear to know, and what it is worth is not.
    """
    assert suggestions.ideal is not None
    worths = [ground.worth(*suggestions.ideal(place)) for place in range(suggestions.places)]
    for place in sorted(range(len(worths)), key=worths.__getitem__, reverse=True):
        point = suggestions.at(place)
        if point is not None:
            return {point: ground.appraise(point)}
    return None
