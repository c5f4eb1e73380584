"""The value to an AI player of a point where a unit could stand: distance from enemies and from its objective."""

from __future__ import annotations

from functools import partial
from operator import itemgetter

from zareba.base.exact import hypot
from zareba.battle.positions.move_suggestions import MoveSuggestions
from zareba.plugins.ruleset import Evaluation
from zareba.space.bearings import direction
from zareba.space.geometry import Point, box_gap
from zareba_rulesets.fixed_baynet.estimates.unit_view import UnitView

__all__ = ["NOTHING", "STANDOFF", "PositionValue"]

NOTHING = Evaluation(reason="nothing is gained or lost by it")
STANDOFF = 9.0
NEAR = 20.0  # inches; a shooting unit nearer to the enemy than this moves only because it has no target
ALL_ROUND = [direction(way) for way in range(0, 360, 30)]


class PositionValue:
    """The value of points for a unit that may move there.

    Melee units want to be nearer to the enemy, shooters at a good range, and all units towards their objective. Cover
    decides whether a unit moves at all, not where to.
    """

    def __init__(self, look: UnitView) -> None:
        self.look = look
        aim, (near, self.foe) = look.aim, look.nearest
        self.goal = None if aim is None else aim.at
        self.pull = 0.0
        if aim is not None:
            self.pull = 0.05 if aim.units or look.is_urgent else 0.004 if look.melee else 0.01
        self.standoff = STANDOFF if near > NEAR else 0.0

    def away(self, x: float, y: float) -> float:
        """Return the distance from the nearest enemy in inches; 0 if there is none."""
        return 0.0 if self.foe is None else box_gap((x, y, x, y), self.foe.box)

    def left(self, x: float, y: float) -> float:
        """Return the distance from the unit's objective in inches; 0 if it has none."""
        return 0.0 if self.goal is None else hypot(x - self.goal[0], y - self.goal[1])

    def worth(self, x: float, y: float) -> float:
        """Return the value of a point: the higher, the better. Only differences between points matter."""
        worth = -self.pull * self.left(x, y) if self.goal is not None else 0.0
        if self.foe is None:
            return worth
        away = box_gap((x, y, x, y), self.foe.box)
        if self.look.civil:
            return worth + 0.002 * min(away, 20.0)
        return worth - 0.012 * (away if self.look.melee else abs(away - self.standoff))

    def gain(self, *lengths: float) -> float:
        """Return how much better the best point at these distances is than the current one; negative if none is."""
        x, y = self.look.unit.middle
        return max(self.worth(x + e * far, y + n * far) for far in lengths for e, n in ALL_ROUND) - self.worth(x, y)

    def better(self, ways: MoveSuggestions) -> Point | None:
        """Return the first legal point better than the current one, best directions first; None if there is none.

        Checking that a step is legal is slow and its value is cheap, so directions that lead nowhere better are not
        checked.
        """
        here = self.worth(*self.look.unit.middle)
        for worth, place in self._by_worth(ways):
            if worth <= here:
                break
            point = ways.at(place)
            if point is not None and self.worth(*point) > here:
                return point
        return None

    def best(self, ways: MoveSuggestions) -> Point | None:
        """Return the same or, for units that must move, the first legal point; None if no point is legal."""
        point = self.better(ways)
        if point is None:
            points = (ways.at(place) for _, place in self._by_worth(ways))
            point = next((one for one in points if one is not None), None)
        return point

    def _by_worth(self, ways: MoveSuggestions) -> list[tuple[float, int]]:
        """Return the value of the full step in each direction, best first."""
        assert ways.ideal is not None
        worths = [(self.worth(*ways.ideal(place)), place) for place in range(ways.places)]
        return sorted(worths, key=itemgetter(0), reverse=True)

    def evaluate(self, point: Point) -> Evaluation:
        """Return the evaluation of a point, with its reason."""
        return Evaluation(ground=self.worth(*point), reason=partial(self._place, point))

    def _place(self, point: Point) -> str:
        if self.goal:
            return f'it is then {self.left(*point):.0f}" from its objective'
        return f'it is then {self.away(*point):.0f}" from the enemy'
