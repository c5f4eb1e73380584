"""Estimates of fire, melee and places for AI players: rough means, used by actions and evaluations."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from itertools import product
from math import ceil, inf
from operator import itemgetter

from zareba.base.exact import dist, power
from zareba.base.grammar import amount, percent
from zareba.base.speedups import cached_attribute
from zareba.battle.evaluation import about_men
from zareba.plugins.ruleset import Evaluation
from zareba.space import Point
from zareba.space.field.line_of_sight import line_is_clear
from zareba.space.geometry import towards
from zareba.space.outlines import nearest_on_edge
from zareba_rulesets.paychest.book.tables import DIE, Gait
from zareba_rulesets.paychest.chapters.fire import FireFacts, ready_weapon
from zareba_rulesets.paychest.chapters.melee import hits_of, melee_facts
from zareba_rulesets.paychest.chapters.sight import figures_in_contact, foes_near, in_hard_cover
from zareba_rulesets.paychest.forces.battle import Battle, Objective, bands_of, longest_range
from zareba_rulesets.paychest.forces.intentions import Intention, UnitIntentions, can_fight, enemies_at, threat_at
from zareba_rulesets.paychest.forces.units import Figure, FigureSpec, Unit
from zareba_rulesets.paychest.ground import Field

# --- Estimates for AI players: what fire and melee may cost, and which enemies a unit can see -------------------------
#
# Losses are measured in units of fifteen figures. The numbers are deliberately rough: means instead of distributions,
# and a unit's centre instead of its figures.


UNIT_SIZE = 15.0
"""The figures of a unit of average size, in which losses are measured."""
_LONG_ARM = 12.0
"""Weapons with a shorter range, in inches, count as close-quarters weapons."""
_AIMED_AT = 3
"""The number of enemy units in sight among which a unit looks for its best target."""
_MAX_CACHED = 20_000

_Shot = tuple[str, int, Gait]
"""(weapon, Firearms Skill, gait)."""

Arms = dict[tuple[str, int, int], int]
"""The firearms of a unit: (weapon, Firearms Skill, shots) -> number of figures."""

_ByRange = tuple[tuple[float, ...], tuple[float, ...]]
"""Ascending ranges in inches, and the value of fire up to each of them. The last value, beyond all ranges, is zero."""
_HARMLESS: _ByRange = ((), (0.0,))
"""The fire of a unit that cannot shoot."""


def arms_of(battle: Battle, unit: Unit) -> Arms:
    """Return the firearms of a unit's able figures that carry nothing."""
    best = battle.book.best_firearm
    return _count(
        (ready_weapon(battle.book, figure) if figure.wounds else best[figure.weapons, 0], figure.spec)
        for figure in unit.able
        if not figure.loads
    )


def _count(men: Iterable[tuple[str, FigureSpec]]) -> Arms:
    """Return the number of figures for each kind of weapon. Figures without a weapon are not counted."""
    return Counter([(weapon, spec.firearms, spec.shots) for weapon, spec in men if weapon])


def _is_close_quarters(battle: Battle, arms: Arms, men: int) -> bool:
    """Return True if most of a unit have no long-range weapon."""
    return 2 * sum(count for (weapon, _, _), count in arms.items() if reach(battle, weapon) > _LONG_ARM) < men


def reach(battle: Battle, weapon: str) -> float:
    """Return the general range of a weapon, including changes by house rules."""
    return longest_range(battle, None, weapon)


def _chances(battle: Battle, shot: _Shot) -> tuple[tuple[float, float], ...]:
    """Return the upper end of each range band and the chance that one shot hits in it (PAY-107 to PAY-112)."""
    weapon, skill, gait = shot
    first = battle.book.file.double_roll.first
    found = []
    for band, limit in bands_of(battle, None, weapon):
        facts = FireFacts(skill, band, gait)
        total = battle.book.rules.tally("firearms", facts).total
        found.append((limit, min(total, DIE) / DIE if total >= 1 else first * skill / DIE**2))
    return tuple(found)


def hit_chance(battle: Battle, skill: int, weapon: str, inches: float, gait: Gait) -> float:
    """Return the chance that one shot hits a target in the open."""
    shot = weapon, skill, gait
    bands = None if battle.book.has_range_lines else battle.book.chances.get(shot)
    if bands is None:
        bands = battle.book.chances[shot] = _chances(battle, shot)
    for limit, chance in bands:
        if inches <= limit:
            return chance
    return 0.0


def fire_by_range(battle: Battle, arms: Arms, gait: Gait) -> _ByRange:
    """Return the expected losses from a turn's fire, in units. Cached unless a house rule changes the range bands."""
    if battle.book.has_range_lines:
        return _fire_by_range(battle, arms, gait)
    cache, key = battle.book.fire_by_range_cache, (gait, *arms.items())
    losses_by_range = cache.get(key)
    if losses_by_range is None:
        if len(cache) > _MAX_CACHED:
            cache.clear()
        losses_by_range = cache[key] = _fire_by_range(battle, arms, gait)
    return losses_by_range


def _fire_by_range(battle: Battle, arms: Arms, gait: Gait) -> _ByRange:
    """Return the expected losses from a turn's fire at the end of each range band of any of the weapons."""
    most_shots = battle.book.most_shots
    limits = sorted({limit for weapon, _, _ in arms for _, limit in bands_of(battle, None, weapon)})
    out_chance = battle.book.out_chance
    found = []
    for limit in limits:
        total = 0.0
        for (weapon, skill, shots), men in arms.items():
            max_shots = most_shots[weapon]
            fired = shots if max_shots is None or shots < max_shots else max_shots
            total += men * fired * hit_chance(battle, skill, weapon, limit, gait)
        found.append(total * out_chance / UNIT_SIZE)
    return tuple(limits), (*found, 0.0)


def threat_of(battle: Battle, enemy: Unit) -> _ByRange:
    """Return the value of an enemy unit's fire by range; zero while it routs.

    Its figures are assumed to be in their original condition, because wounds and loads cannot be seen from a distance.
    """
    if enemy.rout:
        return _HARMLESS
    positions = enemy.positions
    if positions.threat is None or battle.book.has_range_lines:
        best = battle.book.best_firearm
        arms = _count((best[figure.spec.weapons, 0], figure.spec) for figure in positions.able)
        positions.threat = fire_by_range(battle, arms, "halt")
    return positions.threat


def at_range(fire: _ByRange, inches: float) -> float:
    """Return the value of fire at a range."""
    limits, losses_by_range = fire
    return losses_by_range[bisect_left(limits, inches)]


@lru_cache(maxsize=_MAX_CACHED)
def is_clear(field: Field, a: Point, b: Point) -> bool:
    """Return True if terrain does not block the line between two points (PAY-089).

    Cached because terrain never changes.
    """
    return line_is_clear(a, b, field.blockers.all)


class Survey:
    """The firearms of a unit and the facts about its enemies: which are visible from a point, and what they can fire.

    An instance serves one question, because the table does not change while a question is being answered.
    """

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self._battle, self._side = battle, unit.spec.side
        self._is_group = len(unit.able) > 1
        self.arms = arms = arms_of(battle, unit)
        self.reach = max([reach(battle, weapon) for weapon, _, _ in arms], default=0.0)
        self.is_close_quarters = _is_close_quarters(battle, arms, len(unit.able))
        self._enemies = list(battle.enemies(unit.spec.side))
        self._middles = [enemy.positions.middle for enemy in self._enemies]
        self._threats: list[_ByRange | None] = [None] * len(self._enemies)
        self._target_values: list[float | None] = [None] * len(self._enemies)
        self._around: dict[Point, list[tuple[float, int]]] = {}

    def around(self, at: Point) -> list[tuple[float, int]]:
        """Return the distance and index of each enemy unit from a point, the nearest first."""
        found = self._around.get(at)
        if found is None:
            found = self._around[at] = sorted([(dist(at, middle), n) for n, middle in enumerate(self._middles)])
        return found

    def sees_any(self, at: Point, inches: float) -> bool:
        """Return True if an enemy unit with figures up has its centre visible within `inches` of a point."""
        field, middles = self._battle.field, self._middles
        for distance, number in self.around(at):
            if distance > inches:
                break
            if is_clear(field, at, middles[number]) and self._target_value(number):
                return True
        return False

    def fire(self, at: Point, gait: Gait) -> float:
        """Return the best value of fire from a point at one of the three nearest units in sight; 0 without one."""
        return self._weigh(at, gait, within=0.0)[0]

    def danger(self, at: Point) -> float:
        """Return the losses a unit at a point could suffer in a turn if all enemies that see it fired at it."""
        return self._weigh(at, None, within=self._battle.book.long_arm.extreme)[1]

    def fire_and_danger(self, at: Point, gait: Gait) -> tuple[float, float]:
        """Return the values of `fire` and `danger` together.

        For close-quarters units danger is 0, because they must come through it.
        """
        return self._weigh(at, gait, within=0.0 if self.is_close_quarters else self._battle.book.long_arm.extreme)

    def _target_value(self, number: int) -> float:
        """Return how good a target an enemy unit is: small units are poor.

        Men who are down or in contact with this side are no targets (PAY-101), and neither is a leader alone to a group
        (PAY-096).
        """
        known = self._target_values[number]
        if known is None:
            battle, enemy = self._battle, self._enemies[number]
            up = [figure for figure in enemy.able if "down" not in figure.marks]
            if up and (friends := foes_near(battle, enemy, side=self._side)):
                touched = figures_in_contact(battle, enemy, friends)
                up = [figure for figure in up if figure.spec.id not in touched]
            is_out_of_reach = not up or (len(up) == 1 and self._is_group and battle.is_leader(up[0]))
            share = 0.0 if is_out_of_reach else min(1.0, len(up) / 6)
            known = self._target_values[number] = (0.4 if enemy.rout else 1.0) * share
        return known

    def _weigh(self, at: Point, gait: Gait | None, within: float) -> tuple[float, float]:
        """Return the value of the best fire from a point, and the danger there from enemies within some inches.

        Without a gait the value of fire is 0.
        """
        battle, middles, threats = self._battle, self._middles, self._threats
        field = battle.field
        limits, losses_by_range = fire_by_range(battle, self.arms, gait) if gait and self.arms else _HARMLESS
        best = total = 0.0
        shots_left = _AIMED_AT
        for distance, number in self.around(at):
            expected = losses_by_range[bisect_left(limits, distance)] if shots_left else 0.0
            if expected <= best:  # the targets further away are worth no more
                shots_left = 0
                if distance > within:
                    break
            if distance <= within:
                known = threats[number]
                if known is None:
                    known = threats[number] = threat_of(battle, self._enemies[number])
                enemy_limits, enemy_losses = known
                threat = enemy_losses[bisect_left(enemy_limits, distance)]
            else:
                threat = 0.0
            if (shots_left or threat) and is_clear(field, at, middles[number]):
                total += threat
                if shots_left:
                    best = max(best, expected * self._target_value(number))
                    shots_left -= 1
        return best, total


@lru_cache(maxsize=1024)
def expected_melee_losses(skills: tuple[int, ...], foe: int, out_chance: float) -> tuple[float, float]:
    """Return the expected figures out in one melee, the enemy's and ours: some of ours, by skill, against one.

    `out_chance` is the chance that a hit puts a figure out.
    """
    theirs = ours = 0.0
    for dice in product(range(1, DIE + 1), repeat=len(skills) + 1):
        excess = sum(hits_of(skill, die) for skill, die in zip(skills, dice, strict=False)) - hits_of(foe, dice[-1])
        if excess > 0:
            theirs += 1.0 - power(1.0 - out_chance, excess)
        elif excess < 0:
            ours += 1.0 - power(1.0 - out_chance, -excess)
    ways = float(DIE ** (len(skills) + 1))
    return theirs / ways, ours / ways


def men_lost(share: float) -> str:
    """Return expected losses, given in units of `UNIT_SIZE` figures, as a number of men in words."""
    return about_men(share * UNIT_SIZE)


# --- Estimates of melee: the skill of figures, and the losses of a turn's fighting ------------------------------------


LEAVING = 0.3
"""The importance of losses of an enemy unit that will leave the table anyway."""
_IN_REACH = 12
"""Figures of a side that come to blows in a turn. Ranks behind them do not."""


def skill_of(battle: Battle, figure: Figure) -> int:
    """Return a figure's Melee Skill in its present state (PAY-143)."""
    return max(0, battle.book.rules.tally("melee", melee_facts(battle, figure), battle, figure).total)


def is_leaving(battle: Battle, enemy: Unit) -> bool:
    """Return True if a unit runs and cannot rally (PAY-130)."""
    return bool(enemy.rout) and not battle.book.results[enemy.rout].rallies


def expected_turn_of_melee(battle: Battle, unit: Unit, enemy: Unit) -> tuple[float, float]:
    """Return the expected losses of a turn's melee, inflicted and suffered, if all that can reach it fight.

    If we have more figures than the enemy, the extra ones fight two against one.
    """
    ours, theirs = unit.able, enemy.able
    if not ours or not theirs:
        return 0.0, 0.0
    mine = round(sum(figure.spec.melee for figure in ours) / len(ours))
    foe = round(sum(figure.spec.melee for figure in theirs) / len(theirs))
    if any("back turned" in figure.marks for figure in theirs):
        foe = max(0, foe + battle.book.settings.back_turned_melee)
    out_chance, max_against_one = battle.book.out_chance, battle.book.file.most_against_one.most
    men = min(len(ours), max_against_one * len(theirs), _IN_REACH)
    pairs = men // 2 if min(men, max_against_one) > 1 else 0
    gain, loss = expected_melee_losses((mine, mine) if pairs else (mine,), foe, out_chance)
    engaged = max(1, pairs)
    own_losses, hurt = expected_melee_losses((foe,), mine, out_chance)
    answers = 0.5 * min(len(theirs), len(ours), _IN_REACH)
    return (gain * engaged + hurt * answers) / UNIT_SIZE, (loss * engaged + own_losses * answers) / UNIT_SIZE


# --- Evaluation of positions and moves: ground gained, fire from there and at it, and melee ---------------------------


_INCH = 0.02
"""The value of an inch closer to a unit's goal."""
DANGER_WEIGHT = 0.12
"""The weight of all enemy fire that could fall on a place. It is low because the fire is divided among many targets."""
_BEHIND = 3.0
"""The distance in inches of a unit's first and last figures from its centre."""
_HURRIED = 3.0
"""The multiple by which an inch counts to a unit that brings something away, guards it, or moves through friends."""
_HURRY = 0.3
"""The extra value of melee for close-quarters units, which otherwise only suffer fire on the way in."""
KEPT = 0.25
"""The value of staying on a place that must be held."""
STAND = 1.0
"""The value of staying there at the end of the game, and of melee with an enemy that disputes it then."""
_SHELL = 0.3
"""The value of a gun with a target. Half of its hits are wasted."""
_ROOM = 3.0
"""Two units with centres closer than this, in inches, do not both have room."""
_MOST_LEGS = 4
"""The number of legs of a move that an AI player thinks ahead."""
_CLOSE = 6.0
"""The distance in inches at which charged figures fire."""
FAR = 99.0
"""The distance to the enemy, in inches, if there is none or no way leads there."""
_BY_FAR = 3
"""The number of men for each enemy with whom a side may leave its posts to finish the rest of the enemy."""
_FINISH = 0.15
"""The value of melee with the rest of an enemy who is outnumbered by far."""

_SUPPORT = 9.0
"""The distance in inches within which enemies help a unit that is charged."""
_HOPELESS = 2.0
"""A unit does not go to a place at which there are more than this number of enemies for each man who could be there."""
_COMPANY = 4.0
"""The distance in inches from the nearest unit at which a single commander keeps."""
_GUARD = 6.0
"""The distance in inches at which a unit leads another that cannot fight, which it guards."""


class CoordinatedIntentions(UnitIntentions):
    """The intentions of a unit as its side coordinates them.

    One unit stays with each unit under escort that cannot fight, and a single commander with nothing to do stays with
    his men.
    """

    keeps_places = True

    @cached_attribute
    def claim(self) -> Objective | None:
        """The place that the unit should hold or dispute at the end, unless it is hopeless; see `UnitIntentions.claim`.

        It is if far more enemies are there than this unit and the friends who are as near.
        """
        battle, unit, found = self._battle, self._unit, super().claim
        if found is None or found.at is None:
            return found
        away = dist(unit.positions.middle, found.at)
        ours = total_men(battle.side_units(unit.spec.side), found.at, away + _SUPPORT)
        return None if len(enemies_at(battle, unit.spec.side, found, _SUPPORT)) > _HOPELESS * ours else found

    @cached_attribute
    def intention(self) -> Intention | None:
        """The intention of the unit; see `UnitIntentions.intention`."""
        battle, unit, found = self._battle, self._unit, super().intention
        if found is not None and found.kind in ("hold", "claim", "keep"):
            inside = found.radius if found.kind == "keep" else max(1.0, found.radius - _BEHIND)
            found = found._replace(radius=inside, reach=found.radius)  # all its men should be there, not only the first
        if found is not None and found.kind == "carry_off":
            found = found._replace(at=_point_to_lift(battle, unit, found.at))
        if found is not None and found.kind in ("carried object", "escort", "claim", "order"):
            return found
        if unit.spec.single:
            at = _nearest_middle(
                battle, unit, [friend for friend in battle.side_units(unit.spec.side) if can_fight(friend)]
            )
            return found if at is None else Intention(at, _COMPANY, 0, "company")
        return _guard_of(battle, unit) or found


def _point_to_lift(battle: Battle, unit: Unit, at: Point) -> Point:
    """Return where a unit's centre has to be so that its man nearest to an object can touch it (PAY-073)."""
    spots = [figure.at for figure in unit.able if figure.at is not None]
    x, y = unit.positions.middle
    nearest = min(spots, key=lambda spot: dist(spot, at), default=(x, y))
    return battle.field.table.nearest_point_inside((at[0] + x - nearest[0], at[1] + y - nearest[1]))


def _nearest_middle(battle: Battle, unit: Unit, units: Iterable[Unit]) -> Point | None:
    """Return the middle of the nearest of some units, except single figures and the unit itself."""
    here = unit.positions.middle
    middles = [
        friend.positions.middle for friend in units if friend is not unit and not friend.spec.single and friend.able
    ]
    return min(middles, key=lambda at: dist(at, here), default=None)


def _guard_of(battle: Battle, unit: Unit) -> Intention | None:
    """Return the guard of an escorted unit as the intention of the nearest unit that can fight, else None."""
    side = unit.spec.side
    if not can_fight(unit):
        return None
    for objective in battle.objectives:
        if objective.kind != "escort" or side not in objective.sides:
            continue
        for name in objective.units:
            ward = battle.units.get(name)
            if ward is None or ward.spec.side != side or not ward.has_able_figures or can_fight(ward):
                continue
            at = ward.positions.middle
            guards = [
                friend
                for friend in battle.side_units(side)
                if can_fight(friend)
                and not friend.spec.single
                and friend.able
                and friend.spec.id not in objective.units
            ]
            nearest = min(guards, key=lambda friend: (dist(friend.positions.middle, at), friend.spec.id), default=None)
            if nearest is unit:
                way_out = (
                    nearest_on_edge(at, battle.field.table.extent, objective.edge)
                    if objective.edge
                    else objective.at or at
                )
                ahead = max(0.0, min(_GUARD, dist(at, way_out) - 2 * _GUARD))  # not in its way at the end
                return Intention(towards(at, way_out, ahead), _GUARD / 2, 0, "guard")
    return None


class PositionValue:
    """The values by which a unit decides where to move, from its position, goal, firearms and enemies.

    `distance_left` is the distance in inches to its goal. `enemy_point` is the position of the first enemy to fight,
    `away` inches away, and `enemy_unit` his unit; None if the unit cannot fight. `is_disputed` means that enemies stand
    on the place to hold at the end. `targets` means that there is something to fire at from here. `strides` holds the
    inches for each gait, `on_foot` those of a man on foot, `column` the terrain chart's column. `may_attack` means that
    it may attack the enemy.
    """

    def __init__(
        self,
        battle: Battle,
        unit: Unit,
        intentions: UnitIntentions,
        column: str = "",
        spare: float | None = None,
        here: Point | None = None,
    ) -> None:
        """Compute the position's facts.

        `column` is the terrain chart's column if it differs from that of its figures, `spare` the inches left of a move
        that has begun. `here` is the position of the one man who moves, by default the middle of the unit.
        """
        self.battle, self.unit = battle, unit
        here = unit.positions.middle if here is None else here
        self.here = here
        mount = next((figure.mount for figure in unit.able if figure.mount), "")
        self.column = column or ("mounted" if mount else "foot")
        self.intention = intention = intentions.intention
        self.distance_left = 0.0
        self._winds = False
        if intention is not None:
            straight = dist(here, intention.at)
            length = battle.field.way_lengths[self.column].length(here, intention.at)
            self._winds = straight < length < inf
            self.distance_left = length if self._winds else straight
        self.survey = survey = Survey(battle, unit)
        armed = can_fight(unit) and not unit.spec.single
        foe = (intentions.intruder or intentions.enemy) if armed else None
        self.armed, self.is_disputed = armed, armed and intentions.intruder is not None
        self.enemy_unit = battle.unit_of(foe) if foe is not None else None
        self.enemy_point = foe.at if foe is not None else None
        self.away = dist(here, self.enemy_point) if self.enemy_point is not None else FAR
        self.targets = bool(survey.arms) and survey.sees_any(here, min(survey.reach, battle.book.long_arm.medium))
        self.on_foot = _strides(battle, "foot")
        self.strides = _strides(battle, mount) if mount else self.on_foot
        if spare is not None:
            self.strides = dict.fromkeys(self.strides, spare)
        if intention is not None and intention.kind == "post" and self.mops_up:
            self.intention, self.distance_left = None, 0.0
        self.may_attack = self._is_free()
        self._ways: dict[Point, Point] = {}

    def _is_free(self) -> bool:
        """Return True if a unit may attack: close-quarters units always, others if they have nothing to do."""
        intention = self.intention
        if self.survey.is_close_quarters or intention is None:
            return True
        return intention.kind == "hold" and not self.targets and self.distance_left <= intention.radius + _BEHIND

    @cached_attribute
    def mops_up(self) -> bool:
        """True if the unit has no target and its side outnumbers the enemies on the table by far."""
        if not self.armed or self.targets:
            return False
        battle, side = self.battle, self.unit.spec.side
        ours = sum([len(friend.able) for friend in battle.side_units(side) if not friend.rout and can_fight(friend)])
        return sum([len(enemy.able) for enemy in battle.enemies(side)]) * _BY_FAR <= ours

    def distance_left_from(self, at: Point) -> float:
        """Return the inches from a point to the goal, round deep water and cliffs if they are on the unit's way."""
        assert self.intention is not None, "the unit intends to go somewhere"
        straight = dist(at, self.intention.at)
        if not self._winds:
            return straight
        length = self.battle.field.way_lengths[self.column].length(at, self.intention.at)
        return length if length < inf else straight

    @cached_attribute
    def is_on_its_place(self) -> bool:
        """True if the unit stands on a place that it holds or is to hold, and no man has to come round to it."""
        intention = self.intention
        if intention is None or intention.kind not in ("hold", "keep") or self.distance_left > intention.reach:
            return False
        return self.straggler is None

    @property
    def is_safe_at_its_post(self) -> bool:
        """True if the unit stands on a place that it holds, most of it in hard cover."""
        men = self.unit.able
        return self.is_on_its_place and 2 * len(in_hard_cover(self.battle, self.unit, men)) > len(men)

    @cached_attribute
    def straggler(self) -> Figure | None:
        """The last man who cannot go straight to where the unit goes next, as in front of a bridge; else None."""
        intention, costs = self.intention, self.battle.field.move_costs[self.column]
        if intention is None or not costs.closed:
            return None
        onward = self.way_to(intention.at)
        cut_off = [
            (dist(figure.at, intention.at), figure)
            for figure in self.unit.able
            if figure.at is not None and figure.can_walk and not figure.aboard and not costs.is_open(figure.at, onward)
        ]
        return max(cut_off, key=itemgetter(0))[1] if cut_off else None

    @property
    def is_wanted_elsewhere(self) -> bool:
        """True if the unit has a goal and is not there yet."""
        return self.intention is not None and self.distance_left > self.intention.radius

    def is_taken(self, at: Point) -> bool:
        """Return True if friends at a place leave no room there."""
        return any(dist(at, friend) < _ROOM for friend in self._friends)

    @cached_attribute
    def _friends(self) -> list[Point]:
        """The mean positions of the other units of the side, without single figures, for which there is always room."""
        units = self.battle.side_units(self.unit.spec.side)
        return [friend.positions.middle for friend in units if friend is not self.unit and not friend.spec.single]

    def way_to(self, goal: Point) -> Point:
        """Return the first point on the way to a goal: the goal itself if the straight path is open."""
        first = self._ways.get(goal)
        if first is None:
            first = self._ways[goal] = self.battle.field.pathfinders[self.column].heading(self.here, goal)
        return first

    def goal_by(self, point: Point) -> Point:
        """Return the goal a unit reaches by way of a point: its objective, an enemy, or the point itself."""
        goals = [goal for goal in (self.intention and self.intention.at, self.enemy_point) if goal is not None]
        if point in goals:
            return point
        return next((goal for goal in goals if self.way_to(goal) == point), point)

    def is_too_bold(self, end: Point) -> bool:
        """Return True if a unit that cannot fight would be ahead of its friends there, with turns left to wait."""
        intention = self.intention
        if self.armed or intention is None or intention.kind != "escort":
            return False
        late = intention.due - self.battle.turn <= ceil(self.distance_left / self.on_foot["advance"])
        return not late and threat_at(self.battle, self.unit, end) is not None

    def urgency(self, stride: float) -> float:
        """Return how much an inch counts: more with an object, an escort, blades or few turns left.

        Units with firearms and a target win the firefight first.
        """
        intention = self.intention
        if intention is not None and intention.kind in ("carried object", "escort", "guard"):
            return _HURRIED
        turns = ceil(self.distance_left / max(stride, self.on_foot["advance"]))
        if intention is not None and intention.due and intention.due - self.battle.turn <= turns:
            return 4.0
        if self.survey.is_close_quarters:
            return 2.0
        return 0.3 if self.targets else 1.0

    def share_in_contact(self, goal: Point, gait: Gait) -> float:
        """Return the share of a unit that reaches melee if it attacks the nearest enemy.

        The rear figures may be too far away.
        """
        if self.enemy_point is None or self.strides[gait] + _BEHIND <= self.away:
            return 0.0
        if dist(goal, self.enemy_point) > _BEHIND or not self._is_open:
            return 0.0
        spare_inches = self.strides[gait] + _BEHIND - self._cost_of_charge
        return min(1.0, spare_inches / (2 * _BEHIND)) if spare_inches > 0.0 else 0.0

    @cached_attribute
    def _cost_of_charge(self) -> float:
        """The inches of movement that the straight path to the nearest enemy costs, with the walls on it."""
        assert self.enemy_point is not None, "there is an enemy to charge"
        cost = self.battle.field.move_costs[self.column].cost((self.here, self.enemy_point))
        return FAR if cost is None else cost

    @cached_attribute
    def odds_of_attack(self) -> float:
        """The share, up to 1, of the enemy's men near the nearest enemy that this unit and friends can attack now."""
        at = self.enemy_point
        if at is None:
            return 1.0
        enemies = total_men(self.battle.enemies(self.unit.spec.side), at, _SUPPORT)
        near = self.on_foot["run"] + _BEHIND
        friends = [friend for friend in self.battle.side_units(self.unit.spec.side) if friend is not self.unit]
        ours = len(self.unit.able) + total_men(friends, at, near)
        return min(1.0, ours / enemies) if enemies else 1.0

    @cached_attribute
    def _is_open(self) -> bool:
        """True if no river or wall blocks the straight path to the nearest enemy."""
        return self.enemy_point is not None and self.battle.field.move_costs[self.column].is_open(
            self.here, self.enemy_point
        )


def total_men(units: Iterable[Unit], at: Point, within: float) -> int:
    """Return the men of the units, other than routers, that have their centre within some inches of a point."""
    return sum(
        [len(friend.able) for friend in units if not friend.rout and dist(friend.positions.middle, at) <= within]
    )


def _strides(battle: Battle, mover: str) -> Mapping[str, float]:
    """Return the inches at each gait with average dice (PAY-066)."""
    line, inches = battle.book.movers[mover], battle.book.inches_per_die
    return {"halt": 0.0, "advance": inches * line.advance, "run": inches * line.run}


def stay(position: PositionValue, gait: Gait = "halt") -> Evaluation:
    """Evaluate staying in place: own and enemy fire, and a place held.

    A unit that has declared a gait fires with it anyway.
    """
    battle, here, intention = position.battle, position.here, position.intention
    fire, danger = position.survey.fire_and_danger(here, gait)
    if gait == "halt" and any(not battle.engines[key].limbered for key in battle.guns_of(position.unit)):
        fire = max(fire, _SHELL * position.survey.sees_any(here, battle.book.shell.extreme))
    kept_value = 0.0
    if intention is not None and position.distance_left <= intention.radius:
        kept_value = {"claim": 0.0 if position.is_disputed else STAND}.get(intention.kind, 0.1)
    if position.is_on_its_place:
        kept_value = KEPT
    reason = partial(_toll_from_here, fire) if fire else "nothing is gained by moving"
    return Evaluation(fire, DANGER_WEIGHT * danger, kept_value, reason=reason)


def _toll_from_here(fire: float) -> str:
    """Return what fire from a position should cost the enemy, as a reason."""
    return f"fire from here should cost the enemy {men_lost(fire)}"


def go(position: PositionValue, goal: Point, gait: Gait, first: Point | None = None) -> Evaluation:
    """Evaluate a move towards a goal: inches gained, fire from there, fire received, and melee if it is reached.

    `first` is the next point on the path if it is not straight. Each inch of a detour counts as an inch gained.
    """
    intention, stride, first = position.intention, position.strides[gait], first or goal
    end, inches = _end_of_march(position, first, goal, stride)
    winds = first != goal
    ground, haste = 0.0, position.urgency(stride)
    if intention is not None:
        distance_to_go = max(0.0, position.distance_left - intention.radius)
        round_about = winds and goal != position.enemy_point
        if round_about:
            gain = min(inches, distance_to_go)
        else:
            gain = distance_to_go - max(0.0, position.distance_left_from(end) - intention.radius)
        ground = gain * _INCH * haste
    if position.may_attack and position.enemy_point is not None and goal != (intention and intention.at):
        closing = 0.8 if position.survey.is_close_quarters or not position.targets else 0.0
        ground += (inches if winds else position.away - dist(end, position.enemy_point)) * _INCH * closing
    if ground > 0.0 and ((haste < _HURRIED and position.is_taken(end)) or position.is_too_bold(end)):
        ground = -_INCH
    fire, danger = position.survey.fire_and_danger(end, gait)
    contact_share = position.share_in_contact(goal, gait)
    if contact_share and position.enemy_unit is not None:
        return _charge(position, position.enemy_unit, contact_share, ground, danger)
    reason = partial(_gain, gait, inches, ground, fire)
    return Evaluation(fire, DANGER_WEIGHT * danger, ground, reason=reason)


def _end_of_march(position: PositionValue, first: Point, goal: Point, stride: float) -> tuple[Point, float]:
    """Return where a stride along the way to a goal ends, and its length. `first` is the first point on the way."""
    at, left = position.here, stride
    for _ in range(_MOST_LEGS):
        far = dist(at, first)
        if far >= left or first == goal:
            share = min(1.0, left / far) if far else 0.0
            end = at[0] + (first[0] - at[0]) * share, at[1] + (first[1] - at[1]) * share
            return end, stride - left + share * far
        at, left = first, left - far
        first = position.battle.field.pathfinders[position.column].heading(at, goal)
    return at, stride - left


def _gain(gait: Gait, inches: float, ground: float, fire: float) -> str:
    """Return what a move is good for, or that it is good for nothing."""
    if ground > 0.0 and round(inches):
        return f"{gait} {amount(round(inches), 'inch', 'inches')} towards the goal"
    return f"fire from there should cost the enemy {men_lost(fire)}" if fire else "this gains no ground"


def _reason_to_charge(contact_share: float) -> str:
    return f"charge: {percent(contact_share)} of the men should reach the enemy"


def _charge(position: PositionValue, enemy: Unit, contact_share: float, ground: float, danger: float) -> Evaluation:
    """Evaluate a charge: the melee of those that reach it, and the enemy fire it prevents."""
    battle, unit = position.battle, position.unit
    dealt, losses = expected_turn_of_melee(battle, unit, enemy)
    if is_leaving(battle, enemy):
        dealt *= LEAVING
    stopped = at_range(threat_of(battle, enemy), _CLOSE) * 0.3 * min(1.0, len(unit.able) / len(enemy.able))
    reason = partial(_reason_to_charge, contact_share)
    ground += STAND * contact_share * position.is_disputed + _FINISH * contact_share * position.mops_up
    if position.is_on_its_place and position.intention is not None and position.enemy_point is not None:
        away = dist(position.enemy_point, position.intention.at)  # a fight on the place itself does not give it up
        ground += KEPT if away <= position.intention.reach else 0.0
    if position.survey.is_close_quarters and not position.is_safe_at_its_post:
        hurry = _HURRY * position.odds_of_attack
        return Evaluation(
            contact_share * (dealt + stopped + hurry), 0.5 * contact_share * losses, ground, reason=reason
        )
    return Evaluation(
        contact_share * (dealt + stopped), contact_share * losses + DANGER_WEIGHT * danger, ground, reason=reason
    )
