"""Estimates for AI players: expected losses, objectives, the worth of positions, and the view of one unit."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache, partial
from math import ceil, floor
from operator import itemgetter
from typing import NamedTuple

from zareba.base.exact import dist, hypot, total
from zareba.base.grammar import amount, percent
from zareba.base.speedups import cached_attribute
from zareba.battle.intentions import ValuedObjective, assign_objectives
from zareba.battle.positions import MoveSuggestions
from zareba.plugins.ruleset import Evaluation
from zareba.scenario import Scenario
from zareba.scenario.model import CarryOff, Escort, Hold, Objective
from zareba.space.bearings import direction
from zareba.space.geometry import Point, bounds, box_gap, distance_to_polygon, is_inside, joint_box
from zareba.space.ground.pathfinding import WayLengths
from zareba.space.ground.terrain_window import OPEN_WINDOW
from zareba.space.outlines import middle_of_edge
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook, hit_bands
from zareba_rulesets.fixed_baynet.chapters.artillery import guess_limits, gun_observer
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_reach, has_close_weapon
from zareba_rulesets.fixed_baynet.chapters.fire import shot_facts
from zareba_rulesets.fixed_baynet.chapters.melee import (
    chargers,
    contact_spot,
    fight_facts,
    foe_in_front,
    men_outdoors,
    sort_by_distance,
    strikers,
)
from zareba_rulesets.fixed_baynet.chapters.morale import CHARGE
from zareba_rulesets.fixed_baynet.chapters.movement import nearest_of, step_towards
from zareba_rulesets.fixed_baynet.chapters.sight import band_of, cover_between, sees
from zareba_rulesets.fixed_baynet.chapters.targets import find_targets, firers, target_figures
from zareba_rulesets.fixed_baynet.forces.battle import Battle, gun_limits, limits_of
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit
from zareba_rulesets.fixed_baynet.ground import Field

# --- Estimates for the AI: expected hits of volleys and blows, dangers and cover --------------------------------------
#
# This module contains no rules. It computes averages and distances from the numbers of the rules.


MAN_VALUE = 0.05  # the value of one man: a squad of twenty is 1
_COMRADES = 0.75  # the share of the points of a unit that count for others of the same unit of the scenario
_GUARD = 8.0  # inches from an unarmed unit to which its guard goes away from it if it has no target
POINT = 0.15  # the value of a point of the scenario: seven points are worth a squad
_PREY_WITHIN = 24.0  # inches within which a unit goes for an enemy who cannot be shot at
_FOREMOST = 2  # number of chargers, and of targets, that are considered


class Volley(NamedTuple):
    """The estimate of one volley: hits and losses to counter-attacks."""

    hits: float
    losses: float


NO_VOLLEY = Volley(0.0, 0.0)


def hit_chance(book: FbnBook, need: int) -> float:
    """Return the share of rolls of the fire die that reach a number; its extremes always miss and hit (Table 10-B)."""
    die = book.file.fire_die
    lowest = hit_bands(need, die.faces, die.misses, die.critical, True).thresholds[0]
    return (die.faces + 1 - lowest) / die.faces


@lru_cache(maxsize=4096)
def blow_chances(bonus: int, own_dice: int, foe_dice: int, faces: int) -> tuple[float, float]:
    """Return the chances that a blow takes the enemy or the striker, by the difference of their bonuses.

    Each rolls a number of dice and counts the best.
    """
    win_chance = lose_chance = 0.0
    own, foe = (
        [(face**dice - (face - 1) ** dice) / faces**dice for face in range(1, faces + 1)]
        for dice in (own_dice, foe_dice)
    )
    for own_face, own_chance in enumerate(own):
        for foe_face, foe_chance in enumerate(foe):
            if own_face + bonus > foe_face:
                win_chance += own_chance * foe_chance
            elif own_face + bonus < foe_face:
                lose_chance += own_chance * foe_chance
    return win_chance, lose_chance


def _blow_chances(book: FbnBook, bonus: int, own_weapon: bool, foe_weapon: bool) -> tuple[float, float]:
    """Return the same by the close-combat weapons of the two."""
    blow = book.file.blow
    own = blow.close_weapon if own_weapon else blow.dice
    foe = blow.close_weapon if foe_weapon else blow.dice
    return blow_chances(bonus, own, foe, blow.die)


def estimate_volley(battle: Battle, unit: Unit, target: Unit, ready: Sequence[Figure] | None = None) -> Volley:
    """Return the estimate of one volley at another unit, based on the shot of the man in the middle.

    `ready` are the men who may fire, if the caller has them. Returns NO_VOLLEY if he has no target.
    """
    if ready is None:
        ready = firers(battle, unit, target.spec.id)
    return _estimate_by_one(battle, unit, target, ready, ready[len(ready) // 2]) if ready else NO_VOLLEY


def estimate_few_shots(battle: Battle, unit: Unit, target: Unit, ready: Sequence[Figure]) -> Volley:
    """Return the estimate if the middle man has no target: a few shots, if the nearest man has one."""
    box = target.box
    figure = min(ready, key=lambda man: box_gap((*man.at, *man.at), box))
    return _estimate_by_one(battle, unit, target, ready[: max(1, len(ready) // 4)], figure)


def _estimate_by_one(battle: Battle, unit: Unit, target: Unit, ready: Sequence[Figure], figure: Figure) -> Volley:
    """Return the estimate of a volley by these men, if all of them shot like one of them."""
    men = target_figures(battle, unit.spec.side, target)
    if not men:
        return NO_VOLLEY
    scene = battle.field.scene(joint_box(unit.box, target.box))
    aimed_at = find_targets(battle, unit, figure, men, scene)
    if not aimed_at:
        return NO_VOLLEY
    man, inches, _ = aimed_at[0]
    band = band_of(battle, figure, inches) or "long"
    need = battle.book.rules.tally(
        "fire", shot_facts(battle, figure, target, man, scene, band), battle, unit, target
    ).total
    hits = min(len(ready) * hit_chance(battle.book, need), float(len(men)))
    losses = 0.0
    answers = battle.book.settings.counter_attack == "wounded" and "activated" not in target.marks
    if answers and man.weapon != "none":
        losses = hits * hit_chance(battle.book, figure.spec.ds - man.spec.cs) * 0.9
    return Volley(hits, losses)


def chances_of_blow(battle: Battle, unit: Unit, target: Unit) -> tuple[float, float]:
    """Return the chances of one blow of a man of the unit against one of the target's."""
    own, foe, book = typical_man(unit), typical_man(target), battle.book
    higher = (own.mounted and not foe.mounted) - (foe.mounted and not own.mounted)
    bonus = own.spec.cs - foe.spec.cs + higher * book.melee_bonus["rider"]
    if target.shape == "square":
        bonus -= book.melee_bonus["square"]
    return _blow_chances(book, int(bonus), has_close_weapon(battle, own), has_close_weapon(battle, foe))


def fight_chances(battle: Battle, unit: Unit) -> tuple[float, float]:
    """Return the chances of the first man who can strike, with all modifiers of his position (Table 12-A)."""
    for figure in strikers(battle, unit):
        foe = foe_in_front(battle, unit, figure)
        foe_unit = None if foe is None else battle.unit_of(foe.spec.id)
        if foe is None or foe_unit is None:
            continue
        own, other = fight_facts(battle, unit, figure, foe, True), fight_facts(battle, foe_unit, foe, figure, False)
        tally = battle.book.rules.tally
        bonus = tally("close_combat", own).total - tally("close_combat", other).total
        win_chance, lose_chance = _blow_chances(battle.book, bonus, own.weapon, other.weapon)
        return win_chance, lose_chance if battle.book.settings.cc_symmetric and not other.harmless else 0.0
    return 0.0, 0.0


def would_panic_by_charging(battle: Battle, unit: Unit) -> bool:
    """Return True if the confusion of a charge makes a unit panic (FBN-143, FBN-151)."""
    worst = max([man.gl for man in unit.steady], default=0)
    return worst + battle.book.file.glory.event >= battle.book.panics_at and CHARGE not in unit.events


def value_of_charge(view: UnitView, target: Unit, share_reaching: float) -> Evaluation:
    """Return the value of a charge, by the blows that follow it, if this share of the men comes into contact.

    Men who fall short strike no blows, and men who panic from the charge strike none before they rally (FBN-044).
    Points of the scenario that rest on the enemy count as they do for fire. Those of a place count again by the share
    of his men that the blows should take out, because only this clears the place at the end.
    """
    unit = view.unit
    win_chance, lose_chance = chances_of_blow(view.battle, unit, target)
    men = min(len(unit.figures), 2 * len(target.figures))  # two men reach an enemy at most, as an estimate
    melee_weight = 1.6 if view.melee else 0.6  # men with firearms do better to shoot
    share_striking, lost_to_panic = (
        (0.3, 0.4 * len(unit.steady)) if would_panic_by_charging(view.battle, unit) else (1.0, 0.0)
    )
    taken = men * win_chance * share_reaching * share_striking
    inflicts, suffers = (
        melee_weight * taken * MAN_VALUE,
        (men * lose_chance * share_reaching + lost_to_panic) * MAN_VALUE,
    )
    objectives = view.objectives
    if inflicts + POINT * objectives.points_at_stake * (1 + inflicts) > suffers:  # else no points make it worth while
        points = POINT * objectives.points_held_by(view.battle, target)
        is_on_place = points and objectives.stands_on_place(view.battle, target)
        inflicts += points * inflicts
        inflicts += points * min(1.0, taken / len(target.figures)) if is_on_place else 0.0
    return Evaluation(
        inflicts=inflicts,
        suffers=suffers + 0.03,
        reason=lambda: f"{percent(win_chance)} of its blows should take an enemy out (FBN-105)",
    )


def share_in_contact(battle: Battle, unit: Unit, target: Unit) -> float:
    """Return the share of a charge on foot that reaches its target, judged by the foremost men: all in contact, or
    some within reach over a wall (FBN-103).
    """
    foremost = sort_by_distance(chargers(battle, unit), target)[:_FOREMOST]
    if not foremost:
        return 0.0
    scene = battle.field.view(joint_box(unit.box, target.box))
    for man in foremost:
        near = men_outdoors(man, target)[:_FOREMOST]
        if contact_spot(battle, unit, man, [foe for foe in near if sees(battle, man, foe, scene)]) is not None:
            return 1.0
    if not has_close_weapon(battle, foremost[0]):
        return 0.0
    look_ahead = battle.copy_for_look_ahead(unit.spec.id)
    copy = look_ahead.units[unit.spec.id]
    first = copy.figures[foremost[0].spec.id]
    for foe in men_outdoors(first, target)[:1]:
        step_towards(look_ahead, copy, first, foe.at, charging=True)
    return 0.4 if foes_in_reach(look_ahead, first, unit.spec.side) else 0.0


def round_worth(battle: Battle, unit: Unit, gun: Gun, point: Point) -> tuple[float, int]:
    """Return the value of a round at a point, allowing for a bad guess, and the number of enemies under the marker.

    The value is 0 outside the range of the gun, and negative if the round endangers friends. The count is the same at
    any distance, so that it does not reveal the range to the player who guesses (FBN-006).
    """
    least, most = guess_limits(battle, unit, gun)
    reach = battle.book.burst_radius(gun.kind)
    stray = (battle.book.file.deviation["shell"].die + 1) / 2  # inches a shell deviates on average (FBN-219)
    in_reach = least - reach <= dist(point, gun.at) <= most + reach
    enemies = friends = 0
    for other in battle.on_table():
        is_own = other.spec.side == unit.spec.side
        if not is_own and "hidden" in other.marks:
            continue
        radius = reach + stray if is_own else reach
        men = sum(dist(man.at, point) <= radius for man in other.figures.values())
        if is_own:
            friends += men
        else:
            enemies += men
    return MAN_VALUE * (enemies - friends) if in_reach else 0.0, enemies


class GunSites:
    """The value of points to which a gun may be moved. Its arc does not count, because a gun can turn."""

    def __init__(self, battle: Battle, unit: Unit, gun: Gun) -> None:
        self._battle = battle
        self._eye = gun_observer(unit, gun)
        self._range = gun_limits(battle, unit, gun).long
        self._foes = battle.enemies(unit.spec.side)

    def men_seen(self, point: Point) -> int:
        """Return the number of enemies in range and sight of the gun at a point, judged by one man of each unit."""
        field, eye, men = self._battle.field, self._eye, 0
        eye.x, eye.y, eye.z = *point, field.height(point)
        for foe in self._foes:
            man = typical_man(foe)
            scene = field.scene(joint_box((*point, *point), foe.box))
            if dist(point, man.at) <= self._range and sees(self._battle, eye, man, scene):
                men += len(foe.figures)
        return men

    def value(self, point: Point) -> float:
        """Return the value of a point: the enemies in range and sight, and the shorter way to the nearest enemy."""
        nearest = min([dist(point, foe.middle) for foe in self._foes], default=0.0)
        return MAN_VALUE * self.men_seen(point) - nearest / _FAR_AWAY


def marker_reason(men: int) -> Callable[[], str]:
    """Return the reason for a round at a point, by the number of enemies under the marker (FBN-216)."""
    return partial("{} under the marker (FBN-216)".format, amount(men, "man", "men") if men else "no enemy")


def typical_man(unit: Unit) -> Figure:
    """Return a typical man of the unit."""
    return next(reversed(unit.figures.values()))


def is_melee(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit fights mainly hand to hand."""
    return fights_hand_to_hand(battle, typical_man(unit))


def fights_hand_to_hand(battle: Battle, man: Figure) -> bool:
    """Return True if a man has a close-combat weapon and no weapon that reaches beyond a throw."""
    reach = limits_of(battle, man).long if man.weapon != "none" else -1.0
    return man.spec.close and reach < 12


def is_civil(unit: Unit) -> bool:
    """Return True if a unit is civilians, who are unarmed."""
    return typical_man(unit).spec.role == "civilian"


def men_in_danger(battle: Battle, unit: Unit, foes: Sequence[tuple[float, Unit]]) -> float:
    """Return the number of men that enemies may shoot down before this unit acts again.

    Enemies out of range may move up first, and have fewer shots then. Enemies that have acted this turn count half.
    `foes` are the enemies with their distances.
    """
    danger = 0.0
    for away, foe in foes:
        man = typical_man(foe)
        if man.weapon == "none":
            continue
        share = share_of_shots(battle, man, away)
        danger += (0.1 if "activated" in foe.marks else 0.2) * share * len(foe.figures)
    return min(danger, float(len(unit.figures)))


def share_of_shots(battle: Battle, man: Figure, inches: float) -> float:
    """Return the share of an activation's shots that a man on foot has left after he has moved up to a target; 0 if he
    cannot come into range.
    """
    out_of_range = inches - limits_of(battle, man).long
    if out_of_range <= 0:
        return 1.0
    cost, speed = battle.book.weapons[man.weapon].ac, man.spec.sp
    if man.mounted or out_of_range > speed * man.spec.ac:
        return 0.0
    moves = ceil(out_of_range / speed)
    return ((man.spec.ac - moves) // cost) / max(1, man.spec.ac // cost) if moves < man.spec.ac else 0.0


def cover_at_point(battle: Battle, unit: Unit, foe: Unit, x: float, y: float) -> int:
    """Return the CV that a man of the unit would have at a point against a man of the enemy (FBN-070)."""
    man, firer = typical_man(unit), typical_man(foe)
    if man.place:
        return cover_between(battle, firer.at, firer, man, OPEN_WINDOW)
    box = min(x, firer.x), min(y, firer.y), max(x, firer.x), max(y, firer.y)
    scene = battle.field.scene(box)
    if not scene.covers:
        return 0
    mark = Figure(x, y, battle.field.height((x, y)), man.facing, man.gl, man.weapon, mounted=man.mounted, spec=man.spec)
    return cover_between(battle, firer.at, firer, mark, scene)


def is_threatened(battle: Battle, unit: Unit) -> bool:
    """Return True if enemies that shoot may come within reach of a unit this turn, or if no enemy is seen yet."""
    foes = battle.enemies(unit.spec.side)
    if not foes:
        return True
    shooters = 0
    for foe in foes:
        man = typical_man(foe)
        reach = limits_of(battle, man).long if man.weapon != "none" else -1.0
        if reach > 0 and box_gap(unit.box, foe.box) <= reach + 10:
            shooters += len(foe.figures)
    return shooters > 2


# --- Objectives of the sides: the places to hold or reach, and the units that should go there -------------------------


_FAR_AWAY = 100.0
"""Distance in inches at which no unit is sent to a place that has no points."""
_MIDDLE = 0.5
"""Distance in inches at which the middle of a unit counts as being at a place."""


class ObjectivePlace(NamedTuple):
    """A place a side wants: position, radius and points; `units` that must go there, if the scenario names any.

    `edge` is the table edge to reach. `at` is then its middle, or the point in front of one unit. `area` is the outline
    of the terrain that counts as the place, if there is one.
    """

    at: Point
    radius: float
    points: float
    units: tuple[str, ...] = ()
    edge: str = ""
    area: tuple[Point, ...] = ()


class ScenarioObjectives:
    """The objectives of all sides of a scenario. Places that never change are computed once."""

    def __init__(self, scenario: Scenario, field: Field) -> None:
        self.scenario = scenario
        self.points_at_stake = total([float(goal.points) for goal in scenario.objectives.values()])
        self._extent = field.width, field.depth
        self._intentions: dict[str, tuple[Hashable, Mapping[str, ObjectivePlace]]] = {}
        self._held = {
            key: place
            for key, goal in scenario.objectives.items()
            if isinstance(goal, Hold) and isinstance(place := self._fixed_place(goal), ObjectivePlace)
        }
        self._goals: dict[str, list[tuple[str, ObjectivePlace | CarryOff]]] = {
            side: [
                (key, objective)
                for key, goal in scenario.objectives_of(side).items()
                if (objective := self._fixed_place(goal)) is not None
            ]
            for side in scenario.sides
        }

    def _fixed_place(self, goal: Objective) -> ObjectivePlace | CarryOff | None:
        """Return an objective as a fixed place, an object to carry off, or None if it has no place."""
        if isinstance(goal, Escort):
            if goal.at is None:  # radius 0: the middle never reaches the edge, so the unit goes on until it is off
                edge = goal.edge or "north"
                return ObjectivePlace(middle_of_edge(self._extent, edge), 0.0, goal.points, goal.units, edge)
            return ObjectivePlace(goal.at, _MIDDLE, goal.points, goal.units)  # the men near it count, not the unit
        if isinstance(goal, CarryOff):
            return goal
        if not isinstance(goal, Hold):
            return None
        if goal.at is not None:
            return ObjectivePlace(goal.at, goal.radius, goal.points)
        assert goal.terrain is not None, "a checked scenario says where"
        piece = self.scenario.terrain[goal.terrain]
        w, s, e, n = bounds(piece.area or piece.line or ())
        return ObjectivePlace(
            ((w + e) / 2, (s + n) / 2),
            max(min(e - w, n - s), piece.across) / 2,
            goal.points,
            area=tuple(piece.area or ()),
        )

    def defends(self, side: str) -> bool:
        """Return True if a side is the defender."""
        return self.scenario.sides[side].role == "defender"

    def places_wanted(self, battle: Battle, side: str) -> list[ObjectivePlace]:
        """Return the places a side currently wants to hold, reach or take an object from."""
        found: list[ObjectivePlace] = []
        for key, goal in self._goals.get(side, ()):
            if key in battle.achieved:
                continue
            if isinstance(goal, ObjectivePlace):
                found.append(goal)
                continue
            carried_object = battle.carried_objects.get(goal.object)
            if carried_object is None or carried_object.taken_by:
                continue
            holder = battle.units.get(carried_object.carrier) if carried_object.carrier else None
            if holder is not None and holder.spec.side == side:
                found.append(
                    ObjectivePlace(
                        middle_of_edge(self._extent, goal.edge), 0.0, goal.points, (holder.spec.source,), goal.edge
                    )
                )
            else:
                found.append(ObjectivePlace(carried_object.at, 2.0, goal.points))
        return found

    def place_for(self, battle: Battle, unit: Unit) -> ObjectivePlace | None:
        """Return the place a unit should go to: one named for it, or the one that its side intends it to take or
        hold.
        """
        source = unit.spec.source
        for objective in self.places_wanted(battle, unit.spec.side):
            if source in objective.units:
                return _point_in_front(unit, objective) if objective.edge else objective
        return self._places_intended(battle, unit.spec.side).get(unit.spec.id)

    def leaves_its_ward(self, battle: Battle, unit: Unit) -> bool:
        """Return True if a unit is far from an unarmed one under escort to which it is the nearest that can fight."""
        named = {source for place in self.places_wanted(battle, unit.spec.side) for source in place.units}
        own = list(battle.on_table(unit.spec.side)) if named else []
        guards = [comrade for comrade in own if not comrade.guns and not is_civil(comrade)]
        for ward in own:
            if ward.spec.source in named and is_civil(ward) and guards:
                at = ward.middle
                nearest = min(guards, key=lambda comrade: (_distance_from_unit(comrade, at), comrade.spec.id))
                if nearest.spec.id == unit.spec.id and _distance_from_unit(unit, at) > _GUARD:
                    return True
        return False

    def _places_intended(self, battle: Battle, side: str) -> Mapping[str, ObjectivePlace]:
        """Return the place that each unit of a side should take or hold, by unit id. Units without one fight.

        The result is cached until a unit of the side has moved.
        """
        own = [unit for unit in battle.on_table(side) if not unit.guns and not is_civil(unit)]
        boxes = tuple([unit.box for unit in own])
        key = (
            battle.turn,
            boxes,
            tuple([carried_object.carrier for carried_object in battle.carried_objects.values()]),
        )
        known = self._intentions.get(side)
        if known is not None:
            known_key, places = known
            if known_key == key:
                return places
        wanted = self.places_wanted(battle, side)
        open_to_all = {str(number): place for number, place in enumerate(wanted) if not place.units}
        named = {source for place in wanted for source in place.units}
        units = [unit for unit in own if unit.spec.source not in named] if open_to_all else []
        costs = {
            (unit.spec.id, key): inches_to_go(unit, place) / _FAR_AWAY
            for unit in units
            for key, place in open_to_all.items()
        }
        assigned = assign_objectives(
            [(unit.spec.id, float(len(unit.figures))) for unit in units],
            [ValuedObjective(key, 1.0 + POINT * place.points) for key, place in open_to_all.items()],
            lambda name, objective: costs[name, objective.key],
        )
        places = {name: open_to_all[objective.key] for name, objective in assigned.items()}
        self._intentions[side] = key, places
        return places

    def points_held_by(self, battle: Battle, unit: Unit) -> float:
        """Return the points that rest on an enemy unit: places that it stands on, its escort, and objects it carries.

        Places count less while there are turns left, because only the end of the battle decides who holds them. What
        the rest of the same unit of the scenario holds counts in part, because this one may take it over.
        """
        points, turns_left = 0.0, self.scenario.turns - battle.turn + 1
        comrades = [comrade for comrade in battle.on_table(unit.spec.side) if comrade.spec.source == unit.spec.source]
        for key, goal in self.scenario.objectives.items():
            if key in battle.achieved:
                continue
            if isinstance(goal, Hold):
                holders = [comrade for comrade in comrades if _is_partly_on(comrade, self._held[key])]
                worth = goal.points / turns_left
            elif isinstance(goal, CarryOff):
                carried_object = battle.carried_objects.get(goal.object)
                holders = [
                    comrade
                    for comrade in comrades
                    if carried_object is not None and carried_object.carrier == comrade.spec.id
                ]
                worth = float(goal.points)
            else:
                is_escort = isinstance(goal, Escort) and unit.spec.source in goal.units
                holders, worth = [unit] if is_escort else [], float(goal.points)
            if holders:
                points += worth if any(comrade.spec.id == unit.spec.id for comrade in holders) else _COMRADES * worth
        return points

    def stands_on_place(self, battle: Battle, unit: Unit) -> bool:
        """Return True if a unit stands on a place that counts at the end."""
        return any(_is_partly_on(unit, place) for key, place in self._held.items() if key not in battle.achieved)

    def share_at(self, battle: Battle, unit: Unit, objective: ObjectivePlace) -> float:
        """Return the men of a unit as a share of the enemies on a place; at most 1."""
        enemies = [foe for _, foe in battle.foes(unit) if _is_partly_on(foe, objective)]
        men = sum([len(foe.figures) for foe in enemies])
        return min(1.0, len(unit.figures) / men) if men else 1.0

    def is_urgent(self, battle: Battle, unit: Unit, objective: ObjectivePlace) -> bool:
        """Return True if a unit must set out now to arrive before the battle ends."""
        left = inches_to_go(unit, objective)
        inches_per_turn = 7.0 if is_civil(unit) else 12.0
        return left > 0 and self.scenario.turns - battle.turn <= 1 + left / inches_per_turn


def _point_in_front(unit: Unit, objective: ObjectivePlace) -> ObjectivePlace:
    """Return an edge as the point straight in front of a unit, because it may be crossed anywhere."""
    x, y = unit.middle
    return objective._replace(at=(x, objective.at[1]) if objective.edge in ("north", "south") else (objective.at[0], y))


def _distance_from_unit(unit: Unit, at: Point) -> float:
    """Return the inches from the middle of a unit's bounding box to a point."""
    w, s, e, n = unit.box
    return hypot((w + e) / 2 - at[0], (s + n) / 2 - at[1])


def inches_to_go(unit: Unit, objective: ObjectivePlace) -> float:
    """Return the inches a unit still has to go to a place; 0 if it is there."""
    left = max(0.0, _distance_from_unit(unit, objective.at) - objective.radius)
    if left and objective.area and left < 2 * objective.radius:  # the outline matters only near the place
        w, s, e, n = unit.box
        middle = (w + e) / 2, (s + n) / 2
        left = 0.0 if is_inside(middle, objective.area) else min(left, distance_to_polygon(middle, objective.area))
    return left


def _is_partly_on(unit: Unit, place: ObjectivePlace) -> bool:
    """Return True if at least a part of a unit is on a place, judged by its bounding box."""
    return box_gap(unit.box, (*place.at, *place.at)) <= place.radius


# --- The view of one unit for one decision: facts that several evaluations use, computed once -------------------------


HOLDS_OBJECTIVE = Evaluation(ground=-0.05, reason="it holds its objective in this last turn (FBN-265)")
KEEPS_PLACE = Evaluation(ground=-0.05, reason="it holds a place that counts at the end (FBN-265)")


def far_off(book: FbnBook) -> float:
    """Return the distance in inches beyond which rifle fire has little effect."""
    return book.bands["rifle"].long - 2.0


class UnitView:
    """The facts about a unit that its evaluations use. It is valid for one question, until the battle changes.

    `man` is a typical man of the unit. `melee`: it fights mainly hand to hand. `civil`: it is unarmed and can only be
    harmed. `shoots`: it has a target, as far as is known, and `best_shot` is the value of the best one. `foes` are the
    known enemies with the distances between bounding boxes, and `nearest` is the nearest of them. `ride_helps` caches,
    by gait, if a ride improves the position.
    """

    def __init__(self, battle: Battle, objectives: ScenarioObjectives, unit: Unit) -> None:
        self.battle, self.objectives, self.unit = battle, objectives, unit
        self.shoots = False
        self.best_shot: Evaluation | None = None
        self.ride_helps: dict[int, bool] = {}
        man = self.man = typical_man(unit)
        self.melee, self.civil = fights_hand_to_hand(battle, man), man.spec.role == "civilian"
        self.foes = battle.foes(unit)
        self.nearest = nearest_of(self.foes)

    @property
    def book(self) -> FbnBook:
        """The numbers of the rules."""
        return self.battle.book

    @cached_attribute
    def objective(self) -> ObjectivePlace | None:
        """The place where the unit should be."""
        return self.objectives.place_for(self.battle, self.unit)

    @cached_attribute
    def inches_left(self) -> float:
        """Inches still to go there; 0 if the unit is there or has no objective."""
        return 0.0 if self.objective is None else inches_to_go(self.unit, self.objective)

    @cached_attribute
    def is_urgent(self) -> bool:
        """True if the unit must set out now to be there in time."""
        return self.objective is not None and self.objectives.is_urgent(self.battle, self.unit, self.objective)

    @property
    def holds_objective(self) -> bool:
        """True if it is the last turn and the unit is where it should be at the end."""
        last = self.battle.turn >= self.objectives.scenario.turns
        return last and self.objective is not None and self.inches_left <= 0

    @property
    def keeps_place(self) -> bool:
        """True if the unit is at the place that its side intends it to hold, so that it should not leave it."""
        objective = self.objective
        return objective is not None and not objective.units and objective.radius > 0 and self.inches_left <= 0

    @cached_attribute
    def is_threatened(self) -> bool:
        """True if enemies that shoot may come within reach this turn (see `is_threatened`)."""
        return is_threatened(self.battle, self.unit)

    @cached_attribute
    def men_in_danger(self) -> float:
        """The number of men that enemies may shoot down before the unit acts again (see `men_in_danger`)."""
        return men_in_danger(self.battle, self.unit, self.foes)

    @cached_attribute
    def house(self) -> str:
        """The building in which the place of the unit lies, if no man of it is inside yet; else ""."""
        objective, field = self.objective, self.battle.field
        if objective is None or objective.edge or not field.buildings or self.civil:
            return ""
        name = next((key for key, building in field.buildings.items() if is_inside(objective.at, building.points)), "")
        if not name or self.battle.houses[name].points <= 0 or not field.doors[name]:
            return ""
        inside = any(man.place.partition(":")[0] == name for man in self.unit.figures.values())
        return "" if inside else name

    @property
    def enters_by_door(self) -> bool:
        """True if the unit stands before the building into which it has to go."""
        return self.house != "" and self.inches_to_door <= self.man.spec.sp + 1

    @cached_attribute
    def door(self) -> Point | None:
        """The nearest door of the building into which the unit has to go; None if it has to enter none."""
        if not self.house:
            return None
        return min([door.at for door in self.battle.field.doors[self.house]], key=lambda at: dist(at, self.unit.middle))

    @cached_attribute
    def inches_to_door(self) -> float:
        """The inches from the nearest man to that door."""
        assert self.door is not None, "the unit has to enter a building"
        door = self.door
        return min([dist(man.at, door) for man in self.unit.figures.values()])

    @cached_attribute
    def nearest_is_no_target(self) -> bool:
        """True if no man of the nearest enemy can be shot at, because all are prone or in contact (FBN-052,
        FBN-079).
        """
        foe = self.nearest.unit
        return foe is not None and not target_figures(self.battle, self.unit.spec.side, foe)

    @cached_attribute
    def prey(self) -> Unit | None:
        """The nearest enemy if he cannot be shot at and a charge at him is worth its losses; else None."""
        away, foe = self.nearest
        if foe is None or self.civil or away > _PREY_WITHIN or not self.nearest_is_no_target:
            return None
        return foe if value_of_charge(self, foe, 1.0).total > 0 else None

    @cached_attribute
    def ride_pays(self) -> bool:
        """True if enemies that have not acted in this turn may shoot down hardly a man on a ride towards the nearest
        enemy, or if the charge that follows is worth more than these men.
        """
        foe = self.nearest.unit
        if foe is None:
            return True
        ride = float(max([gait.most for gait in self.book.gaits]))
        unspent = [(max(0.0, away - ride), other) for away, other in self.foes if "activated" not in other.marks]
        danger = men_in_danger(self.battle, self.unit, unspent)
        return danger < 1 or value_of_charge(self, foe, 1.0).total > MAN_VALUE * danger

    @cached_attribute
    def runs_into_fire(self) -> bool:
        """True if a step nearer comes into good range of enemies who can still shoot in this turn, and the unit cannot
        charge in this activation.
        """
        away, foe = self.nearest
        if foe is None:
            return False
        speed, actions = self.man.spec.sp, self.man.ac
        if away <= speed * (actions - 1) + self.book.charge_factor * speed + self.book.between_men:
            return False
        for inches, other in self.foes:
            man = typical_man(other)
            if man.weapon == "none" or "activated" in other.marks:
                continue
            good = limits_of(self.battle, man).medium
            if inches - speed <= good < inches + speed and len(other.figures) > 2:
                return True
        return False

    @cached_attribute
    def is_barred(self) -> bool:
        """True if the next step to the objective leads nearer to an armed enemy who can then strike or shoot well."""
        if self.objective is None or not self.inches_left:
            return False
        (x, y), (to_x, to_y), speed = self.unit.middle, self.objective.at, float(self.man.spec.sp)
        part = min(1.0, speed / (hypot(to_x - x, to_y - y) or 1.0))
        at = x + (to_x - x) * part, y + (to_y - y) * part
        for away, foe in self.foes:
            then, man = box_gap((*at, *at), foe.box), typical_man(foe)
            shot = limits_of(self.battle, man).medium if man.weapon != "none" else 0.0
            run = self.book.charge_factor * man.spec.sp if man.spec.close else 0.0
            if then < away and man.spec.role != "civilian" and then <= max(shot, run) + speed:
                return True
        return False

    @cached_attribute
    def men_in_danger_now(self) -> float:
        """The number of men that enemies may shoot down in this turn."""
        return men_in_danger(
            self.battle, self.unit, [(away, foe) for away, foe in self.foes if "activated" not in foe.marks]
        )

    @cached_attribute
    def waits_under_fire(self) -> bool:
        """True if the unit fights hand to hand, should stay where it is, and can be shot at before it can charge."""
        reach = self.book.charge_factor * self.man.spec.sp + self.book.between_men
        waits = self.melee and self.nearest.inches > reach and (self.keeps_place or self.runs_into_fire)
        return waits and self.men_in_danger_now > 1

    def shelter(self, foe: Unit) -> int:
        """Return the cover of the unit's men against an enemy from where they are."""
        return cover_at_point(self.battle, self.unit, foe, self.man.x, self.man.y)

    @cached_attribute
    def held(self) -> frozenset[str]:
        """The buildings known to contain enemies."""
        return frozenset(
            man.place.partition(":")[0] for _, foe in self.foes for man in foe.figures.values() if man.place
        )

    @cached_attribute
    def ready(self) -> list[Figure]:
        """The men who may fire."""
        return firers(self.battle, self.unit)


# --- The value to an AI player of a point where a unit could stand: distance from enemies and from its objective ------


NOTHING = Evaluation(reason="nothing is gained or lost by it")
STANDOFF = 9.0
_NO_WAY = 1000.0  # inches: more than any way
_NEAR = 20.0  # inches; a shooting unit nearer to the enemy than this moves only because it has no target
_ALL_ROUND = [direction(way) for way in range(0, 360, 30)]


class PositionValue:
    """The value of points for a unit that may move there.

    Melee units want to be nearer to the enemy, shooters at a good range, and all units towards their objective. Cover
    decides whether a unit moves at all, not where to.
    """

    def __init__(self, view: UnitView) -> None:
        self.view = view
        objective, (near, self.foe) = view.objective, view.nearest
        self.goal = view.door or (None if objective is None else objective.at)
        self.pull = 0.0
        if objective is not None:
            goes_there = objective.units or view.is_urgent or (view.melee and 0 < view.inches_left < near)
            self.pull = 0.05 if goes_there else 0.004 if view.melee else 0.01
        self.standoff = STANDOFF if near > _NEAR and view.prey is None else 0.0

    def away(self, x: float, y: float) -> float:
        """Return the distance from the nearest enemy in inches; 0 if there is none."""
        return 0.0 if self.foe is None else box_gap((x, y, x, y), self.foe.box)

    def left(self, x: float, y: float) -> float:
        """Return the inches to the unit's objective, round closed ground if there is any on the straight line from the
        unit; 0 if it has no objective.
        """
        if self.goal is None:
            return 0.0
        straight = hypot(x - self.goal[0], y - self.goal[1])
        return straight if self._ways is None else min(self._ways.length((x, y), self.goal), _NO_WAY + straight)

    @cached_attribute
    def _ways(self) -> WayLengths | None:
        """The lengths of ways round closed ground; None if the straight way to the objective is open."""
        unit, field = self.view.unit, self.view.battle.field
        if self.goal is None or not field.closed_pieces or not self.view.inches_left:
            return None
        w, s, e, n = unit.box
        wide, deep = floor(e - w) / 2, floor(n - s) / 2
        ways = field.way_lengths[wide, deep, self.view.man.mounted]
        x, y = self.goal
        x, y = min(max(x, wide), field.width - wide), min(max(y, deep), field.depth - deep)
        self.goal = x, y
        return None if ways.is_open(unit.middle, self.goal) else ways

    def value(self, x: float, y: float) -> float:
        """Return the value of a point: the higher, the better. Only differences between points matter."""
        worth = -self.pull * self.left(x, y) if self.goal is not None else 0.0
        if self.foe is None:
            return worth
        away = box_gap((x, y, x, y), self.foe.box)
        if self.view.civil:
            return worth + 0.002 * min(away, 20.0)
        return worth - 0.012 * (away if self.view.melee else abs(away - self.standoff))

    def gain(self, *lengths: float) -> float:
        """Return how much better the best point at these distances is than the current one; negative if none is."""
        x, y = self.view.unit.middle
        return max(self.value(x + e * far, y + n * far) for far in lengths for e, n in _ALL_ROUND) - self.value(x, y)

    def better(self, suggestions: MoveSuggestions) -> Point | None:
        """Return the first legal point better than the current one, best directions first; None if there is none.

        Checking that a step is legal is slow and its value is cheap, so directions that lead nowhere better are not
        checked.
        """
        here = self.value(*self.view.unit.middle)
        goes_round = self._ways is not None and not self.view.man.mounted  # a rider goes where his horse faces
        if goes_round and (point := self._step_round(suggestions)) is not None:
            return point
        for worth, place in self._by_worth(suggestions):
            if worth <= here:
                break
            point = suggestions.at(place)
            if point is not None and self.value(*point) > here:
                return point
        return None

    def _step_round(self, suggestions: MoveSuggestions) -> Point | None:
        """Return the legal full step that shortens the way round closed ground most; None if none does."""
        assert suggestions.ideal is not None
        (x, y), (to_x, to_y) = self.view.unit.middle, suggestions.ideal(suggestions.candidates - 1)
        step, here = hypot(to_x - x, to_y - y), self.left(x, y)
        points = [(x + e * step * far, y + n * step * far) for far in (1.0, 0.5) for e, n in _ALL_ROUND]
        for left, point in sorted([(self.left(*point), point) for point in points]):
            if left >= here:
                break
            if suggestions.legal(point) is None:
                return point
        return None

    def best(self, suggestions: MoveSuggestions) -> Point | None:
        """Return the same or, for units that must move, the first legal point; None if no point is legal."""
        point = self.better(suggestions)
        if point is None:
            points = (suggestions.at(place) for _, place in self._by_worth(suggestions))
            point = next((point for point in points if point is not None), None)
        return point

    def _by_worth(self, suggestions: MoveSuggestions) -> list[tuple[float, int]]:
        """Return the value of the full step in each direction, best first."""
        assert suggestions.ideal is not None
        worths = [(self.value(*suggestions.ideal(place)), place) for place in range(suggestions.candidates)]
        return sorted(worths, key=itemgetter(0), reverse=True)

    def evaluate(self, point: Point) -> Evaluation:
        """Return the evaluation of a point, with its reason."""
        return Evaluation(ground=self.value(*point), reason=partial(self._place, point))

    def _place(self, point: Point) -> str:
        """Return the reason for the value of a point: the distance to the objective, or else to the enemy."""
        if self.goal:
            left = self.left(*point)
            if left >= _NO_WAY:
                return "no open ground leads from there to its objective"
            return f'it is then {left:.0f}" from its objective'
        return f'it is then {self.away(*point):.0f}" from the enemy'
