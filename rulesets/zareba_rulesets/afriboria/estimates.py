"""What an AI player expects of battles, hexes, objectives and orders, by small formulas."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

from zareba.base.exact import power, total
from zareba.scenario import Scenario
from zareba.scenario.model import CaptureLeader, CarryOff, Escort
from zareba.space.lazy import Lazy, LazyBetween
from zareba_rulesets.afriboria.book import AfrBook, Card
from zareba_rulesets.afriboria.chapters.combat import bonus_dice
from zareba_rulesets.afriboria.chapters.sight import sees
from zareba_rulesets.afriboria.forces.battle import Battle, Plan, reach_of, row_at
from zareba_rulesets.afriboria.forces.companies import platoon
from zareba_rulesets.afriboria.forces.pieces import OFF, Flier, Unit
from zareba_rulesets.afriboria.ground import Ground

# --- Expected losses and ground gained, by small formulas: the value of a battle and of a hex -------------------------


_COMMON = 6.0  # figures of a typical unit; losses are measured in shares of one
_POINT = 0.8  # value of destroying a unit, in addition to its figures
APPROACH = 0.03  # value of being one hex nearer to the enemy
ADVANCE = 0.08  # value of being one hex nearer to an objective
EXPOSURE = 0.35  # share of the possible enemy fire at a hex that will happen, since orders are few
STAKE = 0.3  # value of a point that the scenario puts on a unit under escort, as much as that of a place
GUARDED = 2  # hexes from its guards to which a unit under escort goes ahead
FAR = 999  # distance to the enemy when there is none


class HexValue(NamedTuple):
    """The value of a hex for a unit: losses inflicted from it, losses risked in it, and ground gained, in this order.

    The order is that of the fields of `Evaluation`.
    """

    inflicts: float
    suffers: float
    ground: float


_Strikes = Lazy[int, tuple[float, ...]]
Threat = tuple[int, bool, _Strikes, int]
"""An enemy unit: hex, True for a gun, its mean kills by cover and distance, its figures."""


class ExpectedLosses:
    """Estimates for one scenario under one set of rules."""

    def __init__(self, book: AfrBook, scenario: Scenario, plan: Plan) -> None:
        self.book = book
        self.plan = plan
        self.answers = book.defends
        self.faces = len(book.file.faces)
        # faces of a defence die that kill men of a class, by the printed reading (AFR-211)
        self.killers = {
            troop: len(entry.faces) for troop, entry in book.file.defence_faces["enemy_class_or_higher"].items()
        }
        self.foot_reach = max((len(row.dice) for row in book.profiles.values() if row.arm == "infantry"), default=0)
        self.kills: Lazy[tuple[int, str, bool], float] = LazyBetween(self._kills)
        self.fire: Lazy[tuple[str, bool, int | None], tuple[bool, _Strikes | None]] = LazyBetween(self._fire)
        self.strikes: Lazy[tuple[str, int, int], _Strikes] = Lazy(
            lambda key: Lazy(lambda cover: self._strikes(*key, cover))
        )
        self.objectives = Objectives(scenario, plan)
        grid = plan.field.grid
        self.to_edge: Lazy[tuple[int, str], float] = LazyBetween(grid.distance_to_edge)

    # --- one battle ---------------------------------------------------------------------------------------------------

    def _kills(self, dice: int, hits: str, close: bool) -> float:
        """Return the mean kills of a roll before caps: hits less saves, plus the save that an automatic kill prevents
        (AFR-197).
        """
        entry = self.book.file.hits[hits]
        faces = entry.close if close else entry.far
        hit_chance = sum(face != "sabres" for face in faces) / self.faces
        sabres_chance = len(faces) / self.faces - hit_chance
        if not self.book.saves:
            return dice * (hit_chance + sabres_chance)
        save_chance = len(self.book.file.saves["close" if close else "far"].faces) / self.faces
        miss_chance = 1 - hit_chance
        two_or_more_hits = 0.0
        if dice:
            two_or_more_hits = 1 - power(miss_chance, dice) - dice * hit_chance * power(miss_chance, dice - 1)
        return dice * (hit_chance + sabres_chance) * (1 - save_chance) + two_or_more_hits * save_chance

    def _strikes(self, key: str, reach: int, ride: int, cover: int) -> tuple[float, ...]:
        """Return the mean kills of a kind of unit by distance to a target in `cover`, after a move of up to `ride`
        hexes.

        The list covers every distance on the field.
        """
        profile = self.book.profiles[key]
        found = [0.0]
        for distance in range(1, reach + ride + 1):
            dice = row_at(profile.dice, min(distance, reach)) - cover
            found.append(self.kills[dice, profile.hits, distance == 1] if dice > 0 else 0.0)
        out_of_reach = self.plan.field.grid.columns + self.plan.field.grid.rows
        return tuple(found) + (0.0,) * out_of_reach

    def _fire(self, name: str, mounted: bool, reach: int | None) -> tuple[bool, _Strikes | None]:
        """Return True for a gun, and the mean kills of a unit, mounted or on foot, by distance within its `reach` and
        ride.

        The reach is the printed one unless a house rule changes it.
        """
        spec = self.plan.units[name]
        unit = Unit(OFF, spec.figures, spec.firearms, mounted, spec=spec)
        profile = unit.profile
        ride = profile.battle_move if profile.arm == "mounted" else 0
        return not profile.storms, self.strikes[
            unit.kind, unit.reach if reach is None else reach, ride
        ] if profile.dice else None

    def loss_value(self, kills: float, target: Unit) -> float:
        """Return the value of losing `kills` figures, as a share of a common unit."""
        figures = target.figures
        if kills > figures:
            kills = figures
        return kills / _COMMON + _POINT * target.spec.points * (kills / figures) * (kills / figures)

    def battle(self, battle: Battle, unit: Unit, origin: int, cell: int) -> tuple[float, float]:
        """Return the shares of a unit inflicted and suffered in a battle from `origin` against the weakest unit of a
        hex.
        """
        distance = battle.field.distance[origin][cell]
        if not 1 <= distance <= reach_of(battle, unit):
            return 0.0, 0.0
        target = self._weakest(battle, cell)
        inflicted = self._attack(battle, unit)(target, cell, distance, self._is_high(battle, unit, origin))
        cover = battle.ground(origin).cover.troops.level
        return (inflicted, self._own_loss(battle, unit, target, distance, cover)) if inflicted else (0.0, 0.0)

    def _weakest(self, battle: Battle, cell: int) -> Unit:
        """Return the unit in a hex with the fewest figures."""
        names = battle.here[cell]
        if len(names) == 1:
            return battle.units[names[0]]
        return min(battle.units_in(cell), key=lambda other: other.figures)

    def _is_high(self, battle: Battle, unit: Unit, cell: int) -> bool:
        """Return True if a hex is a hilltop that gives a unit a die (AFR-151)."""
        profile = unit.profile
        return cell in battle.field.hilltops and not profile.no_hilltop and self.book.counts_as_gun(profile)

    def _attack(self, battle: Battle, unit: Unit) -> Callable[[Unit, int, int, bool], float]:
        """Return a function of a target, its hex, the distance, and True for an attack from a hilltop: the value of an
        attack, 0 without dice.
        """
        profile, men = unit.profile, unit.figures
        row, hits, gun = profile.dice, profile.hits, not profile.storms
        fixed_dice = (unit.spec.lancers and unit.mounted) - unit.ladders  # lancers add one, ladders take one
        near, far = (fixed_dice + bonus_dice(battle, unit, kind) for kind in ("close", "far"))

        def attack_value(target: Unit, cell: int, distance: int, high: bool) -> float:
            close = distance == 1
            dice = row_at(row, distance) - battle.ground(cell).cover[gun].level + (near if close else far) + high
            if dice <= 0:
                return 0.0
            kills = min(self.kills[dice, hits, close], men)
            # Points that rest on the target are lost when it is destroyed or driven off, which few losses rarely do.
            share = min(1.0, kills / target.figures)
            held = STAKE * self.objectives.points_held_by(battle, target) * share * share
            return self.loss_value(kills, target) + held + 0.01 * dice

        return attack_value

    def _own_loss(self, battle: Battle, unit: Unit, target: Unit, distance: int, cover: int) -> float:
        """Return the expected loss of the attacker, in his cover, to the defence dice."""
        kills = 0.0
        if self.answers and distance <= reach_of(battle, target):
            dice = self.book.file.defence_dice[target.profile.troop].dice - cover
            kills = max(0, dice) * self.killers[unit.profile.troop] / self.faces
        return self.loss_value(kills, unit)

    def best_attack(self, battle: Battle, unit: Unit) -> float:
        """Return the best net value of a battle from a unit's present hex."""
        distances, reach = battle.field.distance[unit.hex], reach_of(battle, unit)
        best, cover, attack = 0.0, battle.ground(unit.hex).cover.troops.level, self._attack(battle, unit)
        high = self._is_high(battle, unit, unit.hex)
        for cell in battle.hexes_held_by(battle.field.enemy(unit.spec.side)):
            gap = distances[cell]
            if 1 <= gap <= reach:
                target = self._weakest(battle, cell)
                dealt = attack(target, cell, gap, high)
                if dealt > best:
                    best = max(best, dealt - self._own_loss(battle, unit, target, gap, cover))
        return best

    def on_foot(self, battle: Battle, unit: Unit) -> float:
        """Return the value of mounted cavalry's carbine fire from its present hex, if it dismounted."""
        mounted, unit_on_foot = unit.mounted, unit.copy()
        assert mounted, "only who rides can dismount"
        unit_on_foot.mounted = False
        return self.best_attack(battle, unit_on_foot)

    # --- places -------------------------------------------------------------------------------------------------------

    def enemy_distance(self, battle: Battle, side: str, cell: int) -> int:
        """Return the distance to the nearest enemy unit in hexes."""
        distances = battle.field.distance[cell]
        return min(map(distances.__getitem__, battle.hexes_held_by(battle.field.enemy(side))), default=FAR)

    def places(self, battle: Battle, unit: Unit) -> Callable[[int, int], HexValue]:
        """Return a function of a hex and the steps to it: the losses inflicted there, the losses risked, and the ground
        gained.
        """
        distance, start = battle.field.distance, unit.hex
        profile, reach = unit.profile, reach_of(battle, unit)
        span = profile.move + 1 + max(reach, self.foot_reach)
        foes = battle.hexes_held_by(battle.field.enemy(unit.spec.side))
        distances = distance[start]
        close = [cell for cell in foes if distances[cell] <= span]
        before = min(map(distances.__getitem__, foes), default=FAR)
        approach = APPROACH if before < FAR and profile.arm != "pack" else 0.0
        threats = self._threats(battle, close)
        gain = self._gains(battle, unit)
        may_fight = "battle" in unit.marks or "company" in unit.marks
        weakest = {cell: self._weakest(battle, cell) for cell in close} if may_fight else {}
        attack = self._attack(battle, unit)
        inflicted: Lazy[tuple[int, int, bool], float] = Lazy(lambda at: attack(weakest[at[0]], *at))
        suffered: Lazy[tuple[int, int, int], float] = Lazy(
            lambda at: self._own_loss(battle, unit, weakest[at[0]], *at[1:])
        )
        known: dict[tuple[int, bool], HexValue] = {}

        def value_of(cell: int, steps: int) -> HexValue:
            early = steps <= profile.battle_move
            value = known.get((cell, early))
            if value is None:
                distances_from_cell, ground = distance[cell], battle.ground(cell)
                fights = may_fight and early and not (steps and ground.no_battle)
                dealt = best_battle(cell, distances_from_cell, ground.cover.troops.level) if fights else 0.0
                if steps == 0 and profile.double_fire:
                    dealt *= 1.6
                forward = gain(cell)
                if approach:
                    forward += approach * (before - min(map(distances_from_cell.__getitem__, foes)))
                risk = self._risk(unit, distances_from_cell, ground, threats)
                value = known[cell, early] = HexValue(dealt, risk, forward)
            return value

        def best_battle(cell: int, distances_to_cells: Mapping[int, int], cover: int) -> float:
            best, high = 0.0, self._is_high(battle, unit, cell)
            for other in close:
                gap = distances_to_cells[other]
                if 1 <= gap <= reach and (dealt := inflicted[other, gap, high]) > best:
                    dealt -= suffered[other, gap, cover]
                    if dealt > best and (gap == 1 or sees(battle, cell, other)):
                        best = dealt
            return best

        if may_fight and not profile.storms and best_battle(start, distances, battle.ground(start).cover.troops.level):
            approach = 0.0  # a gun that has a target stays where it is
        return value_of

    def _threats(self, battle: Battle, cells: Sequence[int]) -> list[Threat]:
        """Return the enemies that can strike, with the values that decide their strikes."""
        found = []
        units, here, fire = battle.units, battle.here, self.fire
        changed = self.book.rules.changes("range")
        for cell in cells:
            for name in here[cell]:
                enemy = units[name]
                gun, strikes = fire[name, enemy.mounted, reach_of(battle, enemy) if changed else None]
                if strikes is not None:
                    found.append((cell, gun, strikes, enemy.figures))
        return found

    def _risk(self, unit: Unit, distances: Mapping[int, int], ground: Ground, threats: Sequence[Threat]) -> float:
        """Return the expected losses in a hex to the two most dangerous enemies within reach of it."""
        cover = ground.cover.troops.level, ground.cover.guns.level
        worst = second = 0.0
        for other, gun, strikes, figures in threats:
            lost = strikes[cover[gun]][distances[other]]
            if lost > second:
                if lost > figures:
                    lost = figures
                if lost > worst:
                    worst, second = lost, worst
                elif lost > second:
                    second = lost
        if not worst:
            return 0.0
        share = min(1.0, (worst + second) / max(1, unit.figures))
        return EXPOSURE * self.loss_value(worst + second, unit) + STAKE * self.objectives.stake(unit) * share

    def _gains(self, battle: Battle, unit: Unit) -> Callable[[int], float]:
        """Return a function of a hex: how much nearer the unit would be to what it is to win."""
        edge, start = self.objectives.exit_edge_of(battle, unit), unit.hex
        if edge is not None:
            distance_off, to_edge = self.to_edge[start, edge], self.to_edge
            guards, distance = self.objectives.guards_to_wait_for(battle, unit), battle.field.distance
            if not guards or not battle.hexes_held_by(battle.field.enemy(unit.spec.side)):
                return lambda cell: 2 * ADVANCE * (distance_off - to_edge[cell, edge])

            def gain_with_guards(cell: int) -> float:
                ahead = max(map(distance[cell].__getitem__, guards)) - GUARDED
                return 2 * ADVANCE * (distance_off - to_edge[cell, edge] - 2 * max(0, ahead))

            return gain_with_guards
        objectives = self.objectives.wanted_by(battle, unit)
        held_objective = next((objective for objective in objectives if objective.is_held_alone), None)
        goals = [
            (
                objective.distances,
                objective.distances[start],
                ADVANCE * min(objective.points, 3),
                0.3 * objective.points,
                objective.hexes,
            )
            for objective in objectives
        ]

        def gain(cell: int) -> float:
            best = 0.0
            for distances, distance_now, per_hex, for_arrival, cells in goals:
                value = per_hex * (distance_now - distances[cell]) + (for_arrival if cell in cells else 0.0)
                if abs(value) > abs(best):
                    best = value
            return best

        if held_objective is None:
            return gain
        hexes, points = held_objective.hexes, held_objective.points
        return lambda cell: 0.0 if cell in hexes else -0.3 * points


# --- The objectives of each side as places to go to -------------------------------------------------------------------


_TO_SPARE = 1  # turns that a unit under escort keeps in hand when it waits for its guards
_DENIED = 0.5  # share of an object's points that it is worth to the side that must keep it


class WantedObjective(NamedTuple):
    """An objective of one unit: the steps from each hex to it, its points, if this unit alone holds it, its hexes."""

    distances: Sequence[int]
    points: float
    is_held_alone: bool
    hexes: tuple[int, ...]


class Objectives:
    """The objectives of one scenario.

    `places` are places to hold, by side. `exit_edges` are the edges of units under escort that leave the table,
    `destinations` the places to which escorted units go. `objects` are the objects to carry off, with edge, points and
    the sides that earn them. `leaders` are the leaders to capture.
    """

    def __init__(self, scenario: Scenario, plan: Plan) -> None:
        self.places = {
            side: [
                (key, plan.places[key], goal.points)
                for key, goal in scenario.objectives_of(side).items()
                if key in plan.places
            ]
            for side in scenario.sides
        }
        self.own_turns = 2 * scenario.turns  # each side has a turn of its own in a game turn
        self.exit_edges = {
            source: edge for exits in plan.exits.values() for edge, units, _ in exits for source in units
        }
        self.escorted = {
            unit: goal.points
            for goal in scenario.objectives.values()
            if isinstance(goal, Escort)
            for unit in goal.units
        }
        self.destinations = [
            (key, tuple(sorted(plan.areas[key])), goal.points, frozenset(goal.units))
            for key, goal in scenario.objectives.items()
            if isinstance(goal, Escort) and key in plan.areas
        ]
        self.objects = {
            goal.object: (goal.edge, goal.points, goal.by or tuple(scenario.sides))
            for goal in scenario.objectives.values()
            if isinstance(goal, CarryOff)
        }
        self.leaders = {
            goal.leader: (goal.points, goal.by or tuple(scenario.sides))
            for goal in scenario.objectives.values()
            if isinstance(goal, CaptureLeader)
        }

    def wanted_by(self, battle: Battle, unit: Unit) -> list[WantedObjective]:
        """Return the objectives that this unit may win or alone holds: places, escort goals, objects to take, a leader
        to capture.
        """
        found: list[WantedObjective] = []
        ways, walks = battle.field.path_lengths, unit.profile.walks
        for key, cells, points in self.places[unit.spec.side]:
            if battle.owners.get(key) != unit.spec.side:
                found.append(WantedObjective(ways[walks, cells], points, False, cells))
            elif unit.hex in cells and sum([len(battle.here.get(cell, ())) for cell in cells]) == 1:
                found.append(WantedObjective(ways[walks, cells], points, True, cells))
        for key, area, points, units in self.destinations:
            if unit.spec.source in units and key not in battle.achieved:
                found.append(WantedObjective(ways[walks, area], points, unit.hex in area, area))
        if self.objects:
            found += self._objects_to_carry(battle, unit)
        if self.escorted:
            found += self._units_to_escort(battle, unit)
        for leader, (points, sides) in self.leaders.items():
            chief = battle.commanders.get(leader)
            if chief is not None and chief.hex != OFF and unit.spec.side in sides and unit.spec.side != chief.spec.side:
                found.append(WantedObjective(ways[walks, (chief.hex,)], points, False, (chief.hex,)))
        return found

    def _units_to_escort(self, battle: Battle, unit: Unit) -> list[WantedObjective]:
        """Return the escorted units of the side that this one guards, with the hexes around.

        The guard is the nearest unit that can fight, with all others that the scenario counts as the same unit.
        """
        found: list[WantedObjective] = []
        if unit.spec.source in self.escorted or not _can_escort(unit):
            return found
        guards = self._guards(battle, unit.spec.side)
        for ward in battle.side_units(unit.spec.side):
            if ward.hex == OFF or not self.is_guarded(ward):
                continue
            distances = battle.field.distance[ward.hex]
            nearest = min(guards, key=lambda guard: (distances[guard.hex], guard.spec.id))
            if nearest.spec.source == unit.spec.source:
                around = battle.field.zone[ward.hex]
                ways = battle.field.path_lengths[unit.profile.walks, around]
                found.append(WantedObjective(ways, self.escorted[ward.spec.source], False, around))
        return found

    def is_guarded(self, unit: Unit) -> bool:
        """Return True for a unit under escort that cannot fight."""
        return unit.spec.source in self.escorted and not _can_escort(unit)

    def _guards(self, battle: Battle, side: str) -> list[Unit]:
        """Return the units of a side that can guard others."""
        own = battle.side_units(side)
        return [
            commander
            for commander in own
            if commander.hex != OFF and commander.spec.source not in self.escorted and _can_escort(commander)
        ]

    def guards_to_wait_for(self, battle: Battle, ward: Unit) -> list[int]:
        """Return the hexes of the nearest guards of a unit; none if it needs no guard or has no time to wait."""
        edge, move = self.exit_edges.get(ward.spec.source), ward.profile.move
        if edge is None or not move or not self.is_guarded(ward):
            return []
        turns = ceil(battle.field.grid.distance_to_edge(ward.hex, edge) / move)
        guards = self._guards(battle, ward.spec.side)
        if not guards or self.own_turns - battle.turn <= 2 * (turns + _TO_SPARE):
            return []
        distances = battle.field.distance[ward.hex]
        nearest = min(guards, key=lambda guard: (distances[guard.hex], guard.spec.id))
        return [guard.hex for guard in guards if guard.spec.source == nearest.spec.source]

    def stake(self, unit: Unit) -> float:
        """Return the points that the scenario puts on a unit under escort; 0 for all others."""
        return self.escorted.get(unit.spec.source, 0)

    def points_held_by(self, battle: Battle, unit: Unit) -> float:
        """Return the points that rest on a unit: places that it stands on, what it carries, and its escort."""
        points = self.stake(unit)
        for key, cells, worth in self.places[unit.spec.side]:
            if unit.hex in cells and battle.owners.get(key) == unit.spec.side:
                points += worth
        for name, (_, worth, sides) in self.objects.items():
            carried_object = battle.carried_objects.get(name)
            if carried_object is not None and carried_object.carrier == unit.spec.id and unit.spec.side in sides:
                points += worth
        return points

    def points_for(self, leader: str, side: str) -> float:
        """Return the points of a side for a leader it attacks; 0 if the scenario gives none."""
        points, sides = self.leaders.get(leader, (0, ()))
        return points if side in sides else 0

    def _objects_to_carry(self, battle: Battle, unit: Unit) -> list[WantedObjective]:
        """Return the objects to carry off that no friendly unit carries, for units that can pick them up."""
        found: list[WantedObjective] = []
        if unit.profile.arm == "artillery":
            return found
        for name, (_, points, sides) in self.objects.items():
            carried_object = battle.carried_objects.get(name)
            if carried_object is None or carried_object.taken_by or carried_object.hex == OFF:
                continue
            if not carried_object.carrier or battle.units[carried_object.carrier].spec.side != unit.spec.side:
                value = points if unit.spec.side in sides else _DENIED * points
                ways = battle.field.path_lengths[unit.profile.walks, (carried_object.hex,)]
                found.append(WantedObjective(ways, value, False, (carried_object.hex,)))
        return found

    def exit_edge_of(self, battle: Battle, unit: Unit) -> str | None:
        """Return the edge over which a unit must leave, by order of the scenario or with an object it carries."""
        edge = self.exit_edges.get(unit.spec.source)
        if edge is None and self.objects:
            for name, (exit_edge, _, sides) in self.objects.items():
                carried_object = battle.carried_objects.get(name)
                if carried_object is not None and carried_object.carrier == unit.spec.id and unit.spec.side in sides:
                    return exit_edge
        return edge


def _can_escort(unit: Unit) -> bool:
    """Return True for units that fight and move with the troops."""
    return unit.profile.arm in ("infantry", "mounted")


# --- The value of orders and cards: the best battles of the units that they order -------------------------------------


_NEAREST = 3  # nearest enemies considered as targets of a unit, with all at the same distance
_COMMANDER = 0.02  # value of an order to a commander alone
FLIGHT, _LAST_FLIGHT = 0.3, 1.0  # value of an order to a flier, and to an aircraft that would crash without it
_AWKWARD = -0.2  # value of an order to leave a command or to form or disband a company


def must_come_down(flier: Flier) -> bool:
    """Return True if an aircraft has at most one own turn left in the air (AFR-262)."""
    return flier.airborne and flier.spec.kind == "aircraft" and flier.fuel <= 2


class OrderValues:
    """Estimates the value of orders from estimates of battles."""

    def __init__(self, expected_losses: ExpectedLosses) -> None:
        self.expected_losses = expected_losses
        self._cache_key: tuple[Any, ...] = ()
        self._units: dict[str, float] = {}

    def units(self, battle: Battle, side: str) -> dict[str, float]:
        """Return the value of an order to each unit; cached until a piece moves or is lost."""
        places = tuple([(unit.hex, unit.figures, unit.mounted) for unit in battle.units.values()])
        carried_objects = tuple(
            [(carried_object.hex, carried_object.carrier) for carried_object in battle.carried_objects.values()]
        )
        key = (battle.turn, side, places, carried_objects, tuple(battle.owners.items()))
        if self._cache_key != key:
            foes = battle.hexes_held_by(battle.field.enemy(side))
            self._cache_key = key
            self._units = {unit.spec.id: self._unit(battle, unit, foes) for unit in battle.side_units(side)}
        return self._units

    def _unit(self, battle: Battle, unit: Unit, foes: Sequence[int]) -> float:
        """Return the value of an order to one unit: a battle now or after a move, or a step on its way."""
        distances, profile, reach = battle.field.distance[unit.hex], unit.profile, reach_of(battle, unit)
        gaps = list(map(distances.__getitem__, foes))
        gap = min(gaps, default=FAR)
        value = 0.01
        if profile.dice and gap - max(0, profile.battle_move) <= reach:
            value = self._attack(battle, unit, _nearest(gaps, foes))
        if self.expected_losses.objectives.exit_edge_of(battle, unit) is not None:
            guards = self.expected_losses.objectives.guards_to_wait_for(battle, unit)
            waits = bool(guards and foes) and max(map(distances.__getitem__, guards)) >= GUARDED
            value += 0.0 if waits else 0.5
        elif reach < gap < FAR and profile.arm not in ("pack", "artillery", "machine_gun"):
            value += APPROACH * 2
        goals = self.expected_losses.objectives.wanted_by(battle, unit)
        if goals and not any(goal.is_held_alone for goal in goals) and profile.move:
            nearest = min([goal.distances[unit.hex] for goal in goals])
            value += 0.3 / nearest if nearest else 0.0
        return value

    def _attack(self, battle: Battle, unit: Unit, near: Sequence[tuple[int, int]]) -> float:
        """Return the best value of an attack on one of the nearest hexes with enemies, given as (distance, hex).

        The unit attacks from its present hex, or from as near as it may move and still battle.
        """
        profile, reach, expected_losses = unit.profile, reach_of(battle, unit), self.expected_losses
        strikes, figures = expected_losses.strikes[unit.kind, reach, 0], unit.figures
        ride = max(0, profile.battle_move)
        best = 0.01
        for gap, cell in near:
            if gap - ride > reach:
                break
            target = battle.units[battle.here[cell][0]]
            kills = strikes[battle.ground(cell).cover[not profile.storms].level]
            if gap <= reach and kills[gap]:
                twice = 1.6 if profile.double_fire and gap > 1 else 1.0
                best = max(best, twice * expected_losses.loss_value(min(kills[gap], figures), target))
            closer = kills[max(1, gap - ride)] if ride else 0.0
            if closer:
                best = max(best, expected_losses.loss_value(min(closer, figures), target))
        return best

    def order(self, battle: Battle, worths: dict[str, float], option: tuple[Any, ...]) -> float:
        """Return the value of one order, of any kind in `order_options`, from the values of all units."""
        kind, name = option[0], option[1]
        if kind == "unit":
            return worths[name]
        if kind == "platoon":
            return total(worths[unit.spec.id] for unit in platoon(battle, battle.commanders[name]))
        if kind == "company":
            return total(sorted((worths.get(unit, 0.0) for unit in battle.companies[name].members), reverse=True)[:2])
        if kind == "flier":
            return _LAST_FLIGHT if must_come_down(battle.fliers[name]) else FLIGHT
        return _COMMANDER if kind == "commander" else _AWKWARD

    def cards(self, battle: Battle, side: str, names: Sequence[str]) -> list[float]:
        """Return the sum of the best orders of each card."""
        worths, cards = self.units(battle, side), battle.book.cards
        return [self._card(battle, side, cards[name], worths) for name in names]

    def _card(self, battle: Battle, side: str, card: Card, worths: dict[str, float]) -> float:
        """Return the value of one card from the values of all units."""
        value = 0.0
        for colour, number in card.orders.items():
            named_units = battle.units_named(side, (colour,), card.who)
            value += total(sorted([worths[unit.spec.id] for unit in named_units], reverse=True)[:number])
        if card.all == "artillery":
            guns = [u for u in battle.side_units(side) if u.profile.arm in ("artillery", "machine_gun")]
            value += total([self.expected_losses.best_attack(battle, unit) for unit in guns])
        if battle.fliers and card.orders and card.who in ("", "mounted"):
            value += _LAST_FLIGHT * _last_flights(battle, side, card)
        factor = 0.3 if not card.battles else 1.2 if card.bonus else 1.0
        return value * factor


def _nearest(gaps: Sequence[int], foes: Sequence[int]) -> list[tuple[int, int]]:
    """Return the nearest hexes with enemies, at (distance, hex), with all that are as near as the last of them."""
    near = sorted(zip(gaps, foes, strict=True))
    if len(near) <= _NEAREST:
        return near
    farthest, _ = near[_NEAREST - 1]
    return [(gap, cell) for gap, cell in near if gap <= farthest]


def _last_flights(battle: Battle, side: str, card: Card) -> int:
    """Return the number of aircraft that must land and that a card can order (AFR-264, AFR-268)."""
    colours = {"", *card.orders}
    waiting = [flier.spec for flier in battle.fliers.values() if flier.spec.side == side and must_come_down(flier)]
    return sum("any" in colours or spec.colour in colours for spec in waiting)
