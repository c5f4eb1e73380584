"""What it is worth to stand somewhere and to go somewhere: ground, fire from there and into it, coming to grips."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from math import ceil

from zareba.base.exact import dist
from zareba.plugins.ruleset import Evaluation
from zareba.space import Point
from zareba_rulesets.paychest.evaluation.estimates import Survey, at_range, threat_of
from zareba_rulesets.paychest.evaluation.fighting import press
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.safe_places import can_fight, threat_at
from zareba_rulesets.paychest.forces.unit_goals import UnitGoals
from zareba_rulesets.paychest.forces.units import Unit

__all__ = ["FEAR", "MEAN", "STRIDE", "PositionValue", "go", "stay"]

INCH = 0.02
"""Worth of an inch nearer to where a unit wants to be."""
FEAR = 0.12
"""How much of all the fire that could fall on a place counts against going there: it is shared among many targets."""
STRIDE = {"halt": 0.0, "advance": 7.0, "run": 10.5}
"""Inches on foot, on the mean of the dice (Table 2)."""
MEAN = 3.5
"""Inches of a die of movement."""
MUSKETRY = 24.0
"""Inches at which men with rifles had better stand and fire."""
BEHIND = 3.0
"""Inches by which the foremost and the last of a unit are before and behind its middle."""
HURRIED = 3.0
"""How much dearer an inch is to who brings something away, and makes his way through friends."""
HURRY = 0.3
"""Worth of blades coming to grips, over and above the melee: fire on the way in is all they get otherwise."""
KEPT = 0.25
"""Worth of staying on a place that is to be held."""
STAND = 1.0
"""Worth of staying there when the turns run out, and of coming to grips with whoever disputes it then."""
SHELL = 0.3
"""Worth of a gun with a target: 14 splinters or two bursts, half of which miss."""
ROOM = 3.0
"""Inches between the middles of two units below which there is no room for both."""
CLOSE = 6.0
"""Inches at which men who are charged fire."""
FAR = 99.0


class PositionValue:
    """A unit about to move: where it stands and wants to be, what it can fire, what is known of its enemies.

    `left`: inches to where it wants to be. `man` is the foremost of the `nearest`, `away` inches off; who cannot fight
    has none, for he goes for nobody. `disputed`: they stand on the place that is to be held at the end.
    `targets`: there is somebody to shoot at from here. `strides`: inches that it comes forward at each gait, `column`:
    over which ground (Table 3). `free`: it may go for the enemy.
    """

    def __init__(self, battle: Battle, unit: Unit, calls: UnitGoals, column: str = "") -> None:
        """`column`: the ground over which it is to move, if not that of its men."""
        self.battle, self.unit = battle, unit
        self.here = here = unit.standing.middle
        self.purpose = purpose = calls.purpose
        self.left = dist(here, purpose.at) if purpose is not None else 0.0
        self.survey = survey = Survey(battle, unit)
        armed = can_fight(unit)
        foe = (calls.intruder or calls.enemy) if armed else None
        self.armed, self.disputed = armed, armed and calls.intruder is not None
        self.nearest = battle.unit_of(foe) if foe is not None else None
        self.man = foe.at if foe is not None else None
        self.away = dist(here, self.man) if self.man is not None else FAR
        self.targets = bool(survey.arms) and survey.sees_any(here, min(survey.reach, MUSKETRY))
        mount = next((figure.mount for figure in unit.able if figure.mount), "")
        self.strides, self.column = _strides(battle, mount), column or ("mounted" if mount else "foot")
        self.free = self._is_free()
        self._ways: dict[Point, Point] = {}

    def _is_free(self) -> bool:
        """Whether a unit may go for the enemy: blades always, others with nothing to do where they are."""
        purpose = self.purpose
        if self.survey.bladed or purpose is None:
            return True
        return purpose.kind == "hold" and not self.targets and self.left <= purpose.radius + BEHIND

    def is_taken(self, at: Point) -> bool:
        """Whether friends stand at a place, so that there is no room to come up to it."""
        return any(dist(at, friend) < ROOM for friend in self._friends)

    @cached_property
    def _friends(self) -> list[Point]:
        return [u.standing.middle for u in self.battle.side_units(self.unit.spec.side) if u is not self.unit]

    def way_to(self, goal: Point) -> Point:
        """Where the unit goes first on its way to a goal: the goal itself where nothing bars the straight way."""
        first = self._ways.get(goal)
        if first is None:
            first = self._ways[goal] = self.battle.field.ways[self.column].heading(self.here, goal)
        return first

    def goal_by(self, point: Point) -> Point:
        """What a unit makes for by way of a point: a place where it is wanted, an enemy, or the point itself."""
        goals = [goal for goal in (self.purpose and self.purpose.at, self.man) if goal is not None]
        if point in goals:
            return point
        return next((goal for goal in goals if self.way_to(goal) == point), point)

    def is_too_bold(self, end: Point) -> bool:
        """Whether who cannot fight would be before all his friends there, with turns left to wait for them."""
        purpose = self.purpose
        if self.armed or purpose is None or purpose.kind != "escort":
            return False
        late = purpose.due - self.battle.turn <= ceil(self.left / STRIDE["advance"])
        return not late and threat_at(self.battle, self.unit, end) is not None

    def haste(self, stride: float) -> float:
        """How much dearer an inch is: with a prize, with men to bring away, for blades, and when the turns run out.

        Men with rifles and a target first win the fire fight.
        """
        purpose = self.purpose
        if purpose is not None and purpose.kind in ("prize", "escort"):
            return HURRIED
        turns = ceil(self.left / max(stride, 7.0))
        if purpose is not None and purpose.due and purpose.due - self.battle.turn <= turns:
            return 4.0
        if self.survey.bladed:
            return 2.0
        return 0.3 if self.targets else 1.0

    def reached(self, goal: Point, gait: str) -> float:
        """The share of a unit that comes to grips with the nearest enemy when it goes for him: some are far behind."""
        ahead = self.strides[gait] + BEHIND - self.away
        if self.man is None or ahead <= 0.0 or dist(goal, self.man) > BEHIND or not self._is_open:
            return 0.0
        return min(1.0, ahead / (2 * BEHIND))

    @cached_property
    def _is_open(self) -> bool:
        """Whether no river or wall bars the straight way at the nearest enemy."""
        return self.man is not None and self.battle.field.going[self.column].is_open(self.here, self.man)


def _strides(battle: Battle, mount: str) -> Mapping[str, float]:
    """Inches at each gait, on the mean of the dice of a mover (Table 2)."""
    if not mount:
        return STRIDE
    line = battle.book.movers[mount]
    return {"halt": 0.0, "advance": MEAN * line.advance, "run": MEAN * line.run}


def stay(seen: PositionValue, gait: str = "halt") -> Evaluation:
    """Standing where they are: their fire, the enemy's, a place kept. Who has named a gait fires at it all the same."""
    battle, here, purpose = seen.battle, seen.here, seen.purpose
    fire, danger = seen.survey.fire_and_danger(here, gait)
    if gait == "halt" and any(not battle.engines[key].limbered for key in battle.guns_of(seen.unit)):
        fire = max(fire, SHELL * seen.survey.sees_any(here, 72.0))
    kept = 0.0
    if purpose is not None and seen.left <= purpose.radius:
        kept = {"keep": KEPT, "claim": 0.0 if seen.disputed else STAND}.get(purpose.kind, 0.1)
    reason = partial("stand and fire, worth {:.2f}".format, fire) if fire else "halt: 0 inches to gain"
    return Evaluation(fire, FEAR * danger, kept, reason=reason)


def go(seen: PositionValue, goal: Point, gait: str, first: Point | None = None) -> Evaluation:
    """Going towards a goal: inches gained, the fire from there, fire received, and the melee if it comes to one.

    `first`: where they go on the way there, if it is not straight; each inch of a way round is an inch gained.
    """
    here, purpose, stride, first = seen.here, seen.purpose, seen.strides[gait], first or goal
    far = dist(here, first)
    share = min(1.0, stride / far) if far else 0.0
    end = (here[0] + (first[0] - here[0]) * share, here[1] + (first[1] - here[1]) * share)
    inches, winds = share * far, first != goal
    ground, haste = 0.0, seen.haste(stride)
    if purpose is not None:
        wanted = max(0.0, seen.left - purpose.radius)
        round_about = winds and goal != seen.man
        gain = min(inches, wanted) if round_about else wanted - max(0.0, dist(end, purpose.at) - purpose.radius)
        ground = gain * INCH * haste
    if seen.free and seen.man is not None and goal != (purpose and purpose.at):
        ground += (inches if winds else seen.away - dist(end, seen.man)) * INCH * 0.8
    if ground > 0.0 and ((haste < HURRIED and seen.is_taken(end)) or seen.is_too_bold(end)):
        ground = -INCH
    fire, danger = seen.survey.fire_and_danger(end, gait)
    reached = seen.reached(goal, gait)
    if reached and seen.nearest is not None:
        return _charge(seen, seen.nearest, gait, reached, ground, danger)
    reason = partial('{} {:.0f}": ground {:+.2f}, fire {:.2f}'.format, gait, inches, ground, fire)
    return Evaluation(fire, FEAR * danger, ground, reason=reason)


def _charge(seen: PositionValue, enemy: Unit, gait: str, reached: float, ground: float, danger: float) -> Evaluation:
    """Coming to grips: the melee of those who do, and the enemy's fire that is stopped by it."""
    battle, unit = seen.battle, seen.unit
    dealt, taken = press(battle, unit, enemy)
    stopped = at_range(threat_of(battle, enemy), CLOSE) * 0.3 * min(1.0, len(unit.able) / len(enemy.able))
    words = "charge at the {}, {:.1f} come to grips: {:.2f} dealt for {:.2f}"
    reason = partial(words.format, gait, reached, dealt, taken)
    ground += STAND * reached * seen.disputed
    if seen.survey.bladed:
        return Evaluation(reached * (dealt + stopped + HURRY), 0.5 * reached * taken, ground, reason=reason)
    return Evaluation(reached * (dealt + stopped), reached * taken + FEAR * danger, ground, reason=reason)
