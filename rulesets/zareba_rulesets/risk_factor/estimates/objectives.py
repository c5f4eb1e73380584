"""The objectives of a side for an AI player, and the places for its Player Character."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from math import inf, sqrt

from zareba.base.exact import dist
from zareba.scenario import Scenario
from zareba.scenario.model import CarryOff, Destroy, Escort, Hold, Survive
from zareba.space.bearings import angle_between, bearing_to
from zareba.space.field.bodies import Body, Crowd, crowd_of_bodies
from zareba.space.geometry import Point, box_between, length, towards
from zareba.space.outlines import TerrainArea, nearest_on_edge
from zareba_rulesets.risk_factor.chapters.movement import allowance, free_spot, path_to, walk
from zareba_rulesets.risk_factor.chapters.victory import exit_edge
from zareba_rulesets.risk_factor.estimates.expected_losses import (
    FILLED_SHARE,
    MAN,
    Threat,
    Threats,
    chance_of_going_back,
    charge_reach,
)
from zareba_rulesets.risk_factor.forces import BACKWARD, Battle, Unit, action_table, command_distances
from zareba_rulesets.risk_factor.ground import Field
from zareba_rulesets.risk_factor.translation import Plan

# --- Places for a Player Character ------------------------------------------------------------------------------------


WORTH_OF_REACHING_ALL = 1.0  # worth of reaching the whole side with orders
WORTH_OF_COMMANDER = 4.0  # worth of the commander
CHANCE_OF_BEING_PICKED = 0.08  # chance that a volley with a free choice of target picks a unit that is not the nearest
_FALLS_WITH_GROUP = 0.25  # chance that a leader falls with a group that is charged
FALLS_ALONE = 0.5  # the same for a leader alone, or with people who cannot fight
SCREENED_BY = 12.0  # cm by which fighters must be nearer to an enemy to draw its fire from a leader alone or a wagon
_CHANCE_OF_BEING_FOUND = 0.3  # chance that a leader hidden in grass or rocks is found
_LOST_GOING_BACK = 0.1  # chance that a leader who goes back is lost, apart from the edge of the table


class LeaderPlaces:
    """The worth of places to one leader in the present position: safe, but near enough to pass on orders.

    A side that loses its Player Character is no longer commanded (RSK-069). Most are lost early: hit in a line under
    fire, or carried off the table by men who run. The best place is a little behind, alone or with men who draw no
    fire, within command distance of leaders who pass orders on.
    """

    def __init__(self, battle: Battle, leader: Unit, threats: Threats, needs: Mapping[str, int]) -> None:
        """`needs` is how much a man of each group needs orders; 1 for groups that are not listed."""
        side = leader.spec.side
        self._battle, self._leader, self._threats = battle, leader, threats
        self._groups = battle.groups(side)
        needed = [group.count * needs.get(group.spec.id, 1) for group in self._groups]
        self._needs = sum(needed)
        self._move = allowance(battle, leader, any(leader.hurt))
        self._charged = charge_reach(battle)
        lengths = battle.book.lengths
        self._with_group, self._friends_back = lengths["with_group"], lengths["friends_back"]
        self._near, self._far = command_distances(battle, leader)
        links = [unit.body.centre for unit in battle.of(side) if unit.spec.leader and unit is not leader]
        self._links = [(link, self._reach(link)) for link in links]
        self._listeners = [
            (group.body.centre, FILLED_SHARE * group.body.outer_radius, needed_here)
            for group, needed_here in zip(self._groups, needed, strict=True)
        ]
        self._nearest_gaps = [
            min([_gap(group, threat) for group in self._groups], default=1e9) for threat in threats.attackers
        ]
        self._arc = battle.book.settings.rf_front_half_arc
        self._table_name = action_table(battle, leader)
        self._raw = leader.spec.troop_class == "raw"
        self._crowd: Crowd | None = None

    def end_of(self, goal: Point, share: float = 1.0) -> Point:
        """Return where the leader arrives on the way to a point, with walls, slow ground and the room he needs
        (RSK-079).
        """
        battle, leader, centre = self._battle, self._leader, self._leader.body.centre
        end = towards(centre, goal, min(self._move * share, dist(centre, goal)))
        if battle.field.hinders(box_between(centre, goal), leader.mounted):
            end = walk(battle, leader, any(leader.hurt), path_to(battle, centre, goal), 0.0, share)[0]
        if self._crowd is None:
            self._crowd = crowd_of_bodies(body for body in battle.bodies() if body is not leader.body)
        return free_spot(centre, end, leader.body.radius, self._crowd)

    def value(self, at: Point, facing: float) -> float:
        """Return the worth of a place: the men who hear the leader there, less the risk of losing him next turn."""
        return WORTH_OF_REACHING_ALL * self.share_in_command(at) - WORTH_OF_COMMANDER * self.risk(at, facing)

    def share_in_command(self, at: Point) -> float:
        """Return the share of the side's men that orders reach from a place, directly or through other leaders,
        weighted by how much they need orders (RSK-055, RSK-060).
        """
        speakers, unreached = [(at, self._reach(at))], list(self._links)
        for speaker, reach in speakers:
            if not unreached:
                break
            speakers += [link for link in unreached if dist(speaker, link[0]) <= reach]
            unreached = [link for link in unreached if dist(speaker, link[0]) > reach]
        reached = 0
        for centre, radius, needed in self._listeners:
            if any(dist(speaker, centre) + radius <= reach for speaker, reach in speakers):
                reached += needed
        return reached / max(1, self._needs)

    def _reach(self, speaker: Point) -> float:
        """Return how far a leader's order carries from a point: less far in enclosed ground."""
        field = self._battle.field
        return self._near if field.enclosing and field.enclosed(speaker) else self._far

    def risk(self, at: Point, facing: float) -> float:
        """Return the chance that the leader is hit, caught or carried off during a turn at a place."""
        host = self._host(at)
        found = self._risk_alone(at, facing) if host is None else self._risk_in_group(host)
        return min(1.0, found)

    def _host(self, at: Point) -> Unit | None:
        """Return the group that a leader at a point would be with, or None."""
        radius = self._leader.body.radius
        best, best_gap = None, self._with_group
        for group in self._groups:
            body = group.body
            if dist(at, body.centre) - body.outer_radius - radius > best_gap:
                continue
            gap = min([dist(at, point) for point in body.at]) - body.radius - radius
            if gap <= best_gap:
                best, best_gap = group, gap
        return best

    def _risk_alone(self, at: Point, facing: float) -> float:
        """Return the risk to a leader without a group: fire from enemies near him or free to choose, charges, and going
        back when flanked or when friends run.
        """
        field, units = self._battle.field, self._battle.units
        hides = _CHANCE_OF_BEING_FOUND if any(piece.holds(at) for piece in field.concealing) else 1.0
        total = 0.0
        for threat, nearest_gap in zip(self._threats.attackers, self._nearest_gaps, strict=True):
            gap = dist(at, threat.centre) - FILLED_SHARE * threat.range
            first = gap < nearest_gap + SCREENED_BY
            aimed = 1.0 if first else CHANCE_OF_BEING_PICKED if units[threat.name].spec.volley else 0.0
            chance = aimed * min(1.0, _mean_felled(threat, gap)) + FALLS_ALONE * (
                first and threat.charges and gap <= self._charged
            )
            if chance and (not field.blocking_pieces or field.line_clear(threat.centre, at)):
                total += hides * chance
        runs = any(g.status in BACKWARD and dist(at, g.body.centre) <= self._friends_back for g in self._groups)
        flanked = any(angle_between(facing, bearing_to(at, threat)) > self._arc for threat in self._threats.in_sight)
        book = self._battle.book
        risk = book.modifier("risk_factor", "in_range")
        risk += book.modifier("risk_factor", "raw_in_range") if self._raw else 0.0
        risk += book.modifier("risk_factor", "flank_or_friends") if runs or flanked else 0.0
        back = chance_of_going_back(self._battle, self._table_name, risk)
        return total + back * (_LOST_GOING_BACK + self._leaves_table_from(at))

    def _risk_in_group(self, host: Unit) -> float:
        """Return the risk to a leader with a group: he is one target among its men, and goes where it goes."""
        units, battle = self._battle.units, self._battle
        total = 0.0
        for threat, nearest_gap in zip(self._threats.attackers, self._nearest_gaps, strict=True):
            gap = _gap(host, threat)
            first = gap <= nearest_gap
            if first and threat.charges and gap <= self._charged:
                total += FALLS_ALONE if host.spec.civilian or "disarmed" in host.marks else _FALLS_WITH_GROUP
            aimed = 1.0 if first else CHANCE_OF_BEING_PICKED if units[threat.name].spec.volley else 0.0
            if aimed:
                total += aimed * min(1.0, _mean_felled(threat, gap) / (host.count + 1))
        table_name = action_table(battle, host)
        tenths = 10 * host.casualties / max(1, host.original)
        back = (
            1.0
            if host.status in BACKWARD
            else chance_of_going_back(
                battle,
                table_name,
                battle.risk.get(host.spec.id, battle.book.modifier("risk_factor", "in_range") + tenths),
            )
        )
        return total + back * (_LOST_GOING_BACK + self._leaves_table_from(host.body.centre))

    def _leaves_table_from(self, at: Point) -> float:
        """Return 1 if going straight back from a place crosses the edge of the table, otherwise 0 (RSK-145)."""
        nearest = min(self._threats.groups, key=lambda threat: dist(threat, at), default=None)
        if nearest is None:
            return 0.0
        back = towards(nearest, at, dist(nearest, at) + self._move)
        return 0.0 if self._battle.field.on_table(back) else 1.0


def _gap(group: Unit, threat: Threat) -> float:
    """Return the estimated cm between a group and an enemy unit."""
    return dist(group.body.centre, threat.centre) - FILLED_SHARE * (group.body.outer_radius + threat.range)


def _mean_felled(threat: Threat, gap: float) -> float:
    """Return the mean number of men that an enemy's fire fells at a distance."""
    limits, rows, _ = threat.fire
    return rows[bisect_left(limits, gap)][0] / MAN if limits and gap <= limits[-1] else 0.0


# --- The objectives of a side: places, objects, exits, and enemies of particular worth --------------------------------


_CANDIDATES = 3  # nearest groups that are considered for the main group of a place
_LATE, _NO_ONE = 20.0, 40.0  # moves added for an arrival after the end, and moves for a place to which no group goes
_RESERVE = 0.5  # share of the pull of a place that draws groups for which no place needs them
_AT_PLACE = 0.5  # how far the centre of a group may be from a place it holds, as a share of its reach
_EARLY, _URGENT = 0.05, 0.25  # worth of a full move towards a place, per point it scores
_ARRIVES = 0.05  # worth of arriving at a place, per point it scores
_EXIT = 0.35  # the same for troops that score by leaving the table
_HOLDER = 0.1  # added to the worth of a man at a place, per point it scores
_HUNT, _STALK = 0.16, 0.05  # the same towards an enemy: close-combat troops, missile troops


@dataclass(frozen=True, slots=True)
class Objective:
    """A place that units should reach or hold: its worth in points, the units assigned, and its name.

    A unit is at the place if it has a figure within `within` cm of the point, or of `area` if there is one. `reserves`
    are assigned units that the place does not need, and `kept_by` are the units that are there.
    """

    at: Point
    points: float
    name: str
    within: float = 0.0
    area: TerrainArea | None = None
    units: tuple[str, ...] = ()
    reserves: tuple[str, ...] = ()
    kept_by: tuple[str, ...] = ()
    at_once: bool = False

    def distance_to(self, at: Point) -> float:
        """Return the distance in cm from a point to the place."""
        return max(0.0, (self.area.distance(at) if self.area else dist(at, self.at)) - self.within)

    def way_from(self, field: Field, at: Point) -> float:
        """Return the length in cm of the way from a point to the place, round water and walls."""
        straight = self.distance_to(at)
        return straight + _detour(field, at, self.at) if straight and field.closed else straight

    def is_reached(self, body: Body) -> bool:
        """Return True if any figure is at the place."""
        near = self.distance_to(body.centre) <= body.outer_radius
        return near and any(self.distance_to(at) <= body.radius for at in body.at)


@dataclass(slots=True)
class SideObjectives:
    """The objectives of a side: places with the units assigned to them, exits by unit, the worth of a man of each enemy
    unit. If there are exits, `screens` is the place of each enemy group with its distance to the nearest fighters.
    """

    places: list[Objective] = field(default_factory=list)
    exits: dict[str, Objective] = field(default_factory=dict)
    enemy_worth: dict[str, float] = field(default_factory=dict)
    screens: list[tuple[Point, float]] = field(default_factory=list)


class Objectives:
    """Finds the objectives of a side, again whenever a unit has moved, fallen or rallied."""

    def __init__(self, scenario: Scenario, plan: Plan) -> None:
        self.scenario = scenario
        self.plan = plan
        self._known: dict[str, tuple[Hashable, SideObjectives]] = {}

    def of(self, battle: Battle, side: str) -> SideObjectives:
        """Return the objectives of a side, cached while nothing on the table changes."""
        units = battle.units.values()
        key = (battle.turn, *[unit.body for unit in units], *[unit.status for unit in units])
        known = self._known.get(side)
        if known is not None:
            known_key, objectives = known
            if known_key == key:
                return objectives
        objectives = self._view_of(battle, side)
        self._known[side] = key, objectives
        return objectives

    def turns_left(self, battle: Battle) -> int:
        """Return the player turns left to each side, including the present one."""
        return self.scenario.turns - battle.turn + 1

    def _view_of(self, battle: Battle, side: str) -> SideObjectives:
        """Return the objectives of a side in the present position."""
        found = SideObjectives(enemy_worth=self._enemy_values(battle, side))
        places = []
        for key, goal in self.scenario.objectives.items():
            if isinstance(goal, Hold) and key in self.plan.places:
                points = goal.points * (1 if not goal.by or side in goal.by else 0.7)
                places.append(self._place_of(battle, key, points, goal.name))
            elif isinstance(goal, CarryOff):
                carried_object = battle.carried_objects.get(goal.object)
                if (
                    carried_object is not None
                    and not carried_object.taken_by
                    and not _carried_by(battle, carried_object.carrier, side)
                ):
                    points = goal.points if not goal.by or side in goal.by else 0.5 * goal.points
                    places.append(Objective(carried_object.at, points, goal.name, at_once=True))
        for unit in battle.groups(side):
            exit_ = self._exit(battle, unit)
            if exit_ is not None:
                found.exits[unit.spec.id] = exit_
        if found.exits:
            found.screens = _screens(battle, side)
        able = [
            unit
            for unit in battle.groups(side)
            if unit.status not in BACKWARD and not unit.spec.civilian and unit.spec.id not in found.exits
        ]
        found.places = _assign(battle, places, able, self.turns_left(battle))
        return found

    def _place_of(self, battle: Battle, key: str, points: float, name: str) -> Objective:
        """Return an objective to hold as a place that is worth `points`."""
        middle, radius, area = self.plan.places[key]
        return Objective(middle, points, name, max(radius, battle.book.lengths["objective"]), area)

    def _exit(self, battle: Battle, unit: Unit) -> Objective | None:
        """Return the destination of a unit that is escorted or carries an object."""
        edge = exit_edge(battle, self.scenario, unit)
        if edge is not None:
            return Objective(nearest_on_edge(unit.body.centre, self.plan.field.table.extent, edge), 5.0, "its exit")
        for key, goal in self.scenario.objectives.items():
            if isinstance(goal, Escort) and unit.spec.parent in goal.units and key in self.plan.places:
                return Objective(self.plan.places[key].centre, 5.0, "its exit")
        return None

    def _enemy_values(self, battle: Battle, side: str) -> dict[str, float]:
        """Return the worth of a man of each enemy unit. It is higher if the scenario counts his loss, or if he is
        escorted or carries an object.
        """
        worth = {enemy.spec.id: 0.4 if enemy.spec.leader else 1.0 for enemy in battle.against(side)}
        for goal in self.scenario.objectives.values():
            counts = isinstance(goal, Destroy) and (not goal.by or side in goal.by)
            spares = isinstance(goal, Survive) and any(own != side for own in goal.by or tuple(self.scenario.sides))
            if not (counts or spares or isinstance(goal, Escort)):
                continue
            named = goal.units if isinstance(goal, (Destroy, Survive, Escort)) else ()
            for name in worth:
                spec = battle.units[name].spec
                if spec.parent in named:
                    worth[name] += 0.25 * goal.points
                elif not named:
                    worth[name] += 0.05 * goal.points
        for key, goal in self.scenario.objectives.items():
            if isinstance(goal, Hold) and key in self.plan.places:
                place = self._place_of(battle, key, goal.points, goal.name)
                for enemy in battle.groups(battle.enemy(side)):
                    if enemy.spec.id in worth and place.is_reached(enemy.body):
                        worth[enemy.spec.id] += _HOLDER * goal.points
        for carried_object in battle.carried_objects.values():
            if carried_object.carrier in worth:
                worth[carried_object.carrier] += 2.0
        return worth

    def is_pressed(self, battle: Battle, unit: Unit, side_objectives: SideObjectives) -> bool:
        """Return True if a unit must set out for a place now, whatever else it could do. `side_objectives` belongs to
        its side.
        """
        name, left, cm = unit.spec.id, self.turns_left(battle), allowance(battle, unit, False)
        return any(
            name in objective.units
            and name not in objective.kept_by
            and _presses(objective, objective.way_from(battle.field, unit.body.centre) / cm, left)
            for objective in side_objectives.places
        )


class ObjectivePull:
    """The gain for one unit from being nearer to its best objective, in the present position."""

    def __init__(self, objectives: Objectives, battle: Battle, unit: Unit, side_objectives: SideObjectives) -> None:
        self._field, self._here, self._cm = battle.field, unit.body.centre, allowance(battle, unit, False)
        here, cm, name, left = self._here, self._cm, unit.spec.id, objectives.turns_left(battle)
        self._exit = side_objectives.exits.get(name)
        self._at_place = unit.body.outer_radius * _AT_PLACE
        self._places = []
        for objective in side_objectives.places:
            kept = name in objective.kept_by
            if name in objective.units:
                now = objective.way_from(battle.field, here)
                weight = objective.points * (_URGENT if _presses(objective, now / cm, left) else _EARLY)
                self._places.append((objective, now, weight, kept, battle.field.closed))
            elif name in objective.reserves:  # measured straight, which is faster
                weight = _RESERVE * _EARLY * objective.points
                self._places.append((objective, objective.distance_to(here), weight, kept, ()))
        self._screens = side_objectives.screens
        self._waits = (
            self._exit is not None
            and unit.spec.civilian
            and bool(self._screens)
            and not _presses(self._exit, self._exit.way_from(battle.field, here) / cm, left)
        )
        closing = _HUNT if action_table(battle, unit) == "melee" else _STALK
        holds_alone = any(objective.kept_by == (name,) for objective in side_objectives.places)
        if unit.spec.civilian or "disarmed" in unit.marks or holds_alone:
            closing = 0.0  # they do not hunt enemies
        self._enemy_values = []
        for enemy, worth in side_objectives.enemy_worth.items():
            spec, at = battle.units[enemy].spec, battle.units[enemy].body.centre
            now = dist(here, at)
            self._enemy_values.append((closing * worth / cm / (1 + now / 150), closing * worth, now, at, spec.name))
        self._enemy_values.sort(key=lambda enemy_worth: -enemy_worth[0])

    def value(self, at: Point) -> float:
        """Return the gain from going to a place."""
        gain, _ = self._best_objective(at)
        return gain

    def _lead(self, at: Point) -> float:
        """Return by how many cm a place is nearer than all fighters of the side to one of the enemies."""
        return max(near - dist(at, enemy) for enemy, near in self._screens)

    def name(self, at: Point) -> str:
        """Return the name of the objective that a place serves best."""
        _, name = self._best_objective(at)
        return name

    def _best_objective(self, at: Point) -> tuple[float, str]:
        """Return the gain from going to a point, and the name of the objective or enemy that it brings nearer."""
        cm, exit_ = self._cm, self._exit
        if exit_ is not None:
            nearer = exit_.way_from(self._field, self._here) - exit_.way_from(self._field, at)
            if self._waits and nearer > 0 and self._lead(at) > max(-SCREENED_BY, self._lead(self._here)):
                nearer = 0.0  # it waits until fighters are so far in front that enemies shoot at them (RSK-085)
            return _EXIT * exit_.points * nearer / cm, exit_.name
        best, reason = 0.0, "the enemy"
        for objective, now, weight, holders, closed in self._places:
            then = objective.distance_to(at)
            arrives = 0.0 if then or holders else _ARRIVES * objective.points
            if not holders and arrives + weight * (now - then) / cm <= best:
                continue  # the way round is no shorter than the straight line
            if then and closed:
                then += _detour(self._field, at, objective.at)
            if holders and then <= self._at_place:
                continue
            gain = arrives + weight * (now - then) / cm
            if gain > best or (holders and gain < best):
                best, reason = gain, objective.name
        if best < 0:
            return best, reason
        x, y = at
        step = dist(self._here, at) * (1 + 1e-9)
        for each_cm, worth, now, (enemy_x, enemy_y), name in self._enemy_values:
            if each_cm * step <= best:
                break  # the rest gain less per cm, and a unit comes no nearer than the distance it moves
            across, along = x - enemy_x, y - enemy_y
            gain = worth * (now - sqrt(across * across + along * along)) / cm / (1 + now / 150)
            if gain > best:
                best, reason = gain, name
        return best, reason


def _assign(battle: Battle, places: list[Objective], able: list[Unit], left: int) -> list[Objective]:
    """Assign each able group of a side to one place: first a main group for each place, so that the places reached
    count the most points in the fewest moves, then helpers, then reserves.
    """
    if not places or not able:
        return places
    moves = [
        [place.way_from(battle.field, unit.body.centre) / allowance(battle, unit, False) for unit in able]
        for place in places
    ]
    groups = _main_groups(moves, [place.points for place in places], left)
    members = [[] if group is None else [group] for group in groups]
    reserves: list[list[int]] = [[] for _ in places]
    most = 2 if left > 3 else 3
    for unit in sorted(set(range(len(able))) - set(groups), key=lambda unit: (min(row[unit] for row in moves), unit)):
        short = [place for place in range(len(places)) if len(members[place]) < most]
        best = max(short or range(len(places)), key=lambda place: places[place].points / (1 + moves[place][unit]))
        (members if short else reserves)[best].append(unit)
    names = [unit.spec.id for unit in able]
    return [
        replace(
            place,
            units=tuple(names[unit] for unit in members[number]),
            reserves=tuple(names[unit] for unit in reserves[number]),
            kept_by=tuple(unit.spec.id for unit in able if place.is_reached(unit.body)),
        )
        for number, place in enumerate(places)
    ]


def _main_groups(moves: list[list[float]], points: list[float], left: int) -> list[int | None]:
    """Return the group that should go to each place, or None, given the moves of each group to each place."""
    best: tuple[float, list[int | None]] = (inf, [None] * len(moves))

    def add(chosen: list[int | None], cost: float) -> None:
        nonlocal best
        place = len(chosen)
        if cost >= best[0]:
            return
        if place == len(moves):
            best = cost, chosen
            return
        free = sorted((away, unit) for unit, away in enumerate(moves[place]) if unit not in chosen)[:_CANDIDATES]
        for away, unit in free:
            add([*chosen, unit], cost + points[place] * (away if away <= left else away + _LATE))
        add([*chosen, None], cost + points[place] * _NO_ONE)

    add([], 0.0)
    return best[1]


def _screens(battle: Battle, side: str) -> list[tuple[Point, float]]:
    """Return the place of each enemy group that does not go back, and its distance to the nearest fighters of a
    side.
    """
    fighters = [
        unit.body.centre for unit in battle.groups(side) if unit.status not in BACKWARD and not unit.spec.civilian
    ]
    enemies = [enemy.body.centre for enemy in battle.groups(battle.enemy(side)) if enemy.status not in BACKWARD]
    return [(at, min(dist(at, fighter) for fighter in fighters)) for at in enemies] if fighters else []


def _detour(field: Field, start: Point, goal: Point) -> float:
    """Return by how many cm the way round water and walls to a point is longer than the straight line.

    If there is no way, the point counts as being as far away as the table is wide and deep.
    """
    if not field.meets_walls(start, goal):
        return 0.0
    path = field.move_costs[False].path_around(start, goal)
    return length(path) - dist(start, goal) if path else field.width + field.depth


def _presses(objective: Objective, moves: float, left: int) -> bool:
    """Return True if a place `moves` moves away cannot wait. Holding counts only at the end of the game."""
    return objective.at_once or moves >= left - 2


def _carried_by(battle: Battle, carrier: str, side: str) -> bool:
    """Return True if a unit of a side carries an object."""
    return bool(carrier) and battle.units[carrier].spec.side == side
