"""Evaluation of positions and moves: ground gained, fire from there and at it, and melee."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial
from math import ceil

from zareba.base.exact import dist
from zareba.base.grammar import amount
from zareba.plugins.ruleset import Evaluation
from zareba.space import Point
from zareba_rulesets.paychest.book.tables import Gait
from zareba_rulesets.paychest.estimates.expected_losses import Survey, at_range, men_lost, threat_of
from zareba_rulesets.paychest.estimates.expected_melee import press
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.safe_places import can_fight, threat_at
from zareba_rulesets.paychest.forces.unit_goals import UnitGoals
from zareba_rulesets.paychest.forces.units import Unit

__all__ = ["FEAR", "PositionValue", "go", "stay"]

INCH = 0.02
"""The value of an inch closer to a unit's goal."""
FEAR = 0.12
"""The weight of all enemy fire that could fall on a place. It is low because the fire is divided among many targets."""
BEHIND = 3.0
"""The distance in inches of a unit's first and last figures from its centre."""
HURRIED = 3.0
"""The multiple by which an inch counts to a unit that brings something away or moves through friends."""
HURRY = 0.3
"""The extra value of melee for close-quarters units, which otherwise only suffer fire on the way in."""
KEPT = 0.25
"""The value of staying on a place that must be held."""
STAND = 1.0
"""The value of staying there at the end of the game, and of melee with an enemy that disputes it then."""
SHELL = 0.3
"""The value of a gun with a target. Half of its hits are wasted."""
ROOM = 3.0
"""Two units with centres closer than this, in inches, do not both have room."""
CLOSE = 6.0
"""The distance in inches at which charged figures fire."""
FAR = 99.0


class PositionValue:
    """What counts when a unit decides where to move: its position and goal, its firearms, and its enemies.

    `left` is the distance in inches to its goal. `man` is the position of the first enemy to fight, `away` inches away
    and belonging to `nearest`; None if the unit cannot fight. `disputed` means that enemies stand on the place to hold
    at the end. `targets` means that there is something to fire at from here. `strides` holds the inches for each gait,
    `on_foot` those of a man on foot, `column` the terrain chart's column. `free` means that it may attack the enemy.
    """

    def __init__(self, battle: Battle, unit: Unit, calls: UnitGoals, column: str = "") -> None:
        """Compute the position's facts.

        `column` is the terrain chart's column if it differs from that of its figures.
        """
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
        self.targets = bool(survey.arms) and survey.sees_any(here, min(survey.reach, battle.book.long_arm[0]))
        mount = next((figure.mount for figure in unit.able if figure.mount), "")
        self.on_foot = _strides(battle, "foot")
        self.strides = _strides(battle, mount) if mount else self.on_foot
        self.column = column or ("mounted" if mount else "foot")
        self.free = self._is_free()
        self._ways: dict[Point, Point] = {}

    def _is_free(self) -> bool:
        """Return True if a unit may attack: close-quarters units always, others if they have nothing to do."""
        purpose = self.purpose
        if self.survey.bladed or purpose is None:
            return True
        return purpose.kind == "hold" and not self.targets and self.left <= purpose.radius + BEHIND

    @property
    def is_wanted_elsewhere(self) -> bool:
        """True if the unit has a goal and is not there yet."""
        return self.purpose is not None and self.left > self.purpose.radius

    def is_taken(self, at: Point) -> bool:
        """Return True if friends at a place leave no room there."""
        return any(dist(at, friend) < ROOM for friend in self._friends)

    @cached_property
    def _friends(self) -> list[Point]:
        return [u.standing.middle for u in self.battle.side_units(self.unit.spec.side) if u is not self.unit]

    def way_to(self, goal: Point) -> Point:
        """Return the first point on the way to a goal: the goal itself if the straight path is open."""
        first = self._ways.get(goal)
        if first is None:
            first = self._ways[goal] = self.battle.field.ways[self.column].heading(self.here, goal)
        return first

    def goal_by(self, point: Point) -> Point:
        """Return the goal a unit reaches by way of a point: its objective, an enemy, or the point itself."""
        goals = [goal for goal in (self.purpose and self.purpose.at, self.man) if goal is not None]
        if point in goals:
            return point
        return next((goal for goal in goals if self.way_to(goal) == point), point)

    def is_too_bold(self, end: Point) -> bool:
        """Return True if a unit that cannot fight would be ahead of its friends there, with turns left to wait."""
        purpose = self.purpose
        if self.armed or purpose is None or purpose.kind != "escort":
            return False
        late = purpose.due - self.battle.turn <= ceil(self.left / self.on_foot["advance"])
        return not late and threat_at(self.battle, self.unit, end) is not None

    def haste(self, stride: float) -> float:
        """Return how much an inch counts: more with an object, an escort, blades or few turns left.

        Units with firearms and a target win the firefight first.
        """
        purpose = self.purpose
        if purpose is not None and purpose.kind in ("prize", "escort"):
            return HURRIED
        turns = ceil(self.left / max(stride, self.on_foot["advance"]))
        if purpose is not None and purpose.due and purpose.due - self.battle.turn <= turns:
            return 4.0
        if self.survey.bladed:
            return 2.0
        return 0.3 if self.targets else 1.0

    def share_in_contact(self, goal: Point, gait: Gait) -> float:
        """Return the share of a unit that reaches melee if it attacks the nearest enemy.

        The rear figures may be too far away.
        """
        spare_inches = self.strides[gait] + BEHIND - self.away
        if self.man is None or spare_inches <= 0.0 or dist(goal, self.man) > BEHIND or not self._is_open:
            return 0.0
        return min(1.0, spare_inches / (2 * BEHIND))

    @cached_property
    def _is_open(self) -> bool:
        """True if no river or wall blocks the straight path to the nearest enemy."""
        return self.man is not None and self.battle.field.going[self.column].is_open(self.here, self.man)


def _strides(battle: Battle, mover: str) -> Mapping[str, float]:
    """Return the inches at each gait with average dice (PAY-066)."""
    line, inches = battle.book.movers[mover], battle.book.inches_per_die
    return {"halt": 0.0, "advance": inches * line.advance, "run": inches * line.run}


def stay(position: PositionValue, gait: Gait = "halt") -> Evaluation:
    """Evaluate staying in place: own and enemy fire, and a place held.

    A unit that has declared a gait fires with it anyway.
    """
    battle, here, purpose = position.battle, position.here, position.purpose
    fire, danger = position.survey.fire_and_danger(here, gait)
    if gait == "halt" and any(not battle.engines[key].limbered for key in battle.guns_of(position.unit)):
        fire = max(fire, SHELL * position.survey.sees_any(here, battle.book.shell[1]))
    kept_value = 0.0
    if purpose is not None and position.left <= purpose.radius:
        kept_value = {"keep": KEPT, "claim": 0.0 if position.disputed else STAND}.get(purpose.kind, 0.1)
    reason = partial(_toll_from_here, fire) if fire else "nothing is gained by moving"
    return Evaluation(fire, FEAR * danger, kept_value, reason=reason)


def _toll_from_here(fire: float) -> str:
    return f"fire from here should cost the enemy {men_lost(fire)}"


def go(position: PositionValue, goal: Point, gait: Gait, first: Point | None = None) -> Evaluation:
    """Evaluate a move towards a goal: inches gained, fire from there, fire received, and melee if it is reached.

    `first` is the next point on the path if it is not straight. Each inch of a detour counts as an inch gained.
    """
    here, purpose, stride, first = position.here, position.purpose, position.strides[gait], first or goal
    far = dist(here, first)
    share = min(1.0, stride / far) if far else 0.0
    end = (here[0] + (first[0] - here[0]) * share, here[1] + (first[1] - here[1]) * share)
    inches, winds = share * far, first != goal
    ground, haste = 0.0, position.haste(stride)
    if purpose is not None:
        distance_to_go = max(0.0, position.left - purpose.radius)
        round_about = winds and goal != position.man
        straight_gain = distance_to_go - max(0.0, dist(end, purpose.at) - purpose.radius)
        gain = min(inches, distance_to_go) if round_about else straight_gain
        ground = gain * INCH * haste
    if position.free and position.man is not None and goal != (purpose and purpose.at):
        ground += (inches if winds else position.away - dist(end, position.man)) * INCH * 0.8
    if ground > 0.0 and ((haste < HURRIED and position.is_taken(end)) or position.is_too_bold(end)):
        ground = -INCH
    fire, danger = position.survey.fire_and_danger(end, gait)
    contact_share = position.share_in_contact(goal, gait)
    if contact_share and position.nearest is not None:
        return _charge(position, position.nearest, contact_share, ground, danger)
    reason = partial(_gain, gait, inches, ground, fire)
    return Evaluation(fire, FEAR * danger, ground, reason=reason)


def _gain(gait: Gait, inches: float, ground: float, fire: float) -> str:
    """Return what a move is good for, or that it is good for nothing."""
    if ground > 0.0 and round(inches):
        return f"{gait} {amount(round(inches), 'inch', 'inches')} towards the goal"
    return f"fire from there should cost the enemy {men_lost(fire)}" if fire else "this gains no ground"


def _charge(position: PositionValue, enemy: Unit, contact_share: float, ground: float, danger: float) -> Evaluation:
    """Evaluate a charge: the melee of those that reach it, and the enemy fire it prevents."""
    battle, unit = position.battle, position.unit
    dealt, losses = press(battle, unit, enemy)
    stopped = at_range(threat_of(battle, enemy), CLOSE) * 0.3 * min(1.0, len(unit.able) / len(enemy.able))
    reason = partial("charge: {:.0%} of the men should reach the enemy".format, contact_share)
    ground += STAND * contact_share * position.disputed
    if position.survey.bladed:
        return Evaluation(
            contact_share * (dealt + stopped + HURRY), 0.5 * contact_share * losses, ground, reason=reason
        )
    return Evaluation(contact_share * (dealt + stopped), contact_share * losses + FEAR * danger, ground, reason=reason)
