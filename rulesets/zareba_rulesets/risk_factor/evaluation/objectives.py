"""What a side wants on the table, for commanders with sense: places, objects, exits, and enemies worth more than others."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace

from zareba.base.exact import dist
from zareba.scenario import Scenario
from zareba.scenario.model import CarryOff, Destroy, Escort, Hold, Survive
from zareba.space.field.bodies import Body
from zareba.space.geometry import Point
from zareba.space.outlines import TerrainArea
from zareba.space.table_edges import nearest_on_edge
from zareba_rulesets.risk_factor.chapters.movement.paths import allowance
from zareba_rulesets.risk_factor.chapters.victory import exit_edge
from zareba_rulesets.risk_factor.forces.battle import BACKWARD, Battle, Unit
from zareba_rulesets.risk_factor.forces.weapons import action_table
from zareba_rulesets.risk_factor.translation import Plan

__all__ = ["Objective", "ObjectivePull", "Objectives", "ObjectivesView"]

AT_PLACE = 0.5  # how far from a place that it keeps the middle of a group may be, for its reach
EARLY, URGENT = 0.05, 0.25  # worth of a whole move towards a place, for each point it scores
EXIT = 0.35  # the same for troops that leave the table to score
HUNT, STALK = 0.16, 0.05  # the same towards an enemy, for close-combat and for missile troops


@dataclass(frozen=True, slots=True)
class Objective:
    """A place that some units are to reach or to keep: its worth in points, who goes there, the name to tell it by.

    Whoever has a figure within `within` cm of the point, or of the `area` if it has one, is at the place.
    """

    at: Point
    points: float
    name: str
    within: float = 0.0
    area: TerrainArea | None = None
    units: tuple[str, ...] = ()
    kept_by: tuple[str, ...] = ()
    at_once: bool = False

    def away(self, at: Point) -> float:
        """How far a point is from being at the place, in cm."""
        return max(0.0, (self.area.distance(at) if self.area else dist(at, self.at)) - self.within)

    def is_reached(self, body: Body) -> bool:
        """Whether any figure is at the place."""
        near = self.away(body.centre) <= body.reach
        return near and any(self.away(at) <= body.radius for at in body.at)


@dataclass(slots=True)
class ObjectivesView:
    """The aims of a side: places for the units told off for them, exits by unit, and the worth of each enemy's men."""

    places: list[Objective] = field(default_factory=list)
    exits: dict[str, Objective] = field(default_factory=dict)
    prey: dict[str, float] = field(default_factory=dict)


class Objectives:
    """Finds what a side wants, anew whenever anybody has moved, fallen or rallied."""

    def __init__(self, scenario: Scenario, plan: Plan) -> None:
        self.scenario = scenario
        self.plan = plan
        self._known: dict[str, tuple[Hashable, ObjectivesView]] = {}

    def of(self, battle: Battle, side: str) -> ObjectivesView:
        """The outlook of a side, remembered while nothing on the table changes."""
        units = battle.units.values()
        key = (battle.turn, *[unit.body for unit in units], *[unit.status for unit in units])
        known = self._known.get(side)
        if known is None or known[0] != key:
            known = self._known[side] = (key, self._look(battle, side))
        return known[1]

    def turns_left(self, battle: Battle) -> int:
        """Player turns of one's own that are left, this one included."""
        return self.scenario.turns - battle.turn + 1

    def _look(self, battle: Battle, side: str) -> ObjectivesView:
        found = ObjectivesView(prey=self._prey(battle, side))
        for key, goal in self.scenario.objectives.items():
            if isinstance(goal, Hold) and key in self.plan.places:
                mine = not goal.by or side in goal.by
                middle, radius, area = self.plan.places[key]
                within = max(radius, battle.book.lengths["objective"])
                points = goal.points * (1 if mine else 0.7)
                self._place(battle, side, found, Objective(middle, points, goal.name, within, area))
            elif isinstance(goal, CarryOff):
                prize = battle.prizes.get(goal.object)
                if prize is not None and not prize.taken_by and not _carried_by(battle, prize.carrier, side):
                    points = goal.points if not goal.by or side in goal.by else 0.5 * goal.points
                    self._place(battle, side, found, Objective(prize.at, points, goal.name, at_once=True))
        for unit in battle.groups(side):
            at = self._exit(battle, unit)
            if at is not None:
                found.exits[unit.spec.id] = Objective(at, 5.0, "its way out")
        return found

    def _exit(self, battle: Battle, unit: Unit) -> Point | None:
        """Where a unit that is escorted, or that carries an object, is bound for."""
        edge = exit_edge(battle, self.scenario, unit)
        if edge is not None:
            return nearest_on_edge(unit.body.centre, self.plan.field.table.extent, edge)
        for key, goal in self.scenario.objectives.items():
            if isinstance(goal, Escort) and unit.spec.parent in goal.units and key in self.plan.places:
                return self.plan.places[key][0]
        return None

    def _place(self, battle: Battle, side: str, found: ObjectivesView, aim: Objective) -> None:
        """A place, with the groups nearest to it told off for it: two, three when the game is nearly over."""
        able = [unit for unit in battle.groups(side) if unit.status not in BACKWARD and not unit.spec.civilian]
        ranked = sorted(able, key=lambda unit: aim.away(unit.body.centre) / allowance(battle, unit, False))
        few = ranked[: 2 if self.turns_left(battle) > 3 else 3]
        kept = tuple(unit.spec.id for unit in few if aim.is_reached(unit.body))
        found.places.append(replace(aim, units=tuple(unit.spec.id for unit in few), kept_by=kept))

    def _prey(self, battle: Battle, side: str) -> dict[str, float]:
        """What a man of each enemy unit is worth: more where a scenario counts his loss, more still if he is escorted."""
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
        for prize in battle.prizes.values():
            if prize.carrier in worth:
                worth[prize.carrier] += 2.0
        return worth

    def is_pressed(self, battle: Battle, unit: Unit, outlook: ObjectivesView) -> bool:
        """Whether a unit must be off to a place now, whatever it leaves undone; `outlook` is that of its side."""
        name, left, cm = unit.spec.id, self.turns_left(battle), allowance(battle, unit, False)
        return any(
            name in aim.units and name not in aim.kept_by and _presses(aim, aim.away(unit.body.centre) / cm, left)
            for aim in outlook.places
        )


class ObjectivePull:
    """How much nearer to the best of its aims a place brings one unit, where it stands and as its side sees things."""

    def __init__(self, aims: Objectives, battle: Battle, unit: Unit, outlook: ObjectivesView) -> None:
        self._here, self._cm = unit.body.centre, allowance(battle, unit, False)
        here, cm, name, left = self._here, self._cm, unit.spec.id, aims.turns_left(battle)
        self._exit = outlook.exits.get(name)
        self._at_place = unit.body.reach * AT_PLACE
        self._places = []
        for aim in outlook.places:
            if name in aim.units:
                now = aim.away(here)
                weight = aim.points * (URGENT if _presses(aim, now / cm, left) else EARLY)
                self._places.append((aim, now, weight, name in aim.kept_by))
        closing = HUNT if action_table(battle, unit) == "melee" else STALK
        if unit.spec.civilian or "disarmed" in unit.marks:
            closing = 0.0  # they are no hunters
        self._prey = []
        for enemy, worth in outlook.prey.items():
            spec, at = battle.units[enemy].spec, battle.units[enemy].body.centre
            now = dist(here, at)
            self._prey.append((closing * worth / cm / (1 + now / 150), closing * worth, now, at, spec.name))
        self._prey.sort(key=lambda prey: -prey[0])

    def worth(self, at: Point) -> float:
        """What going to a place gains."""
        return self._best(at)[0]

    def name(self, at: Point) -> str:
        """The name of the aim that a place serves best."""
        return self._best(at)[1]

    def _best(self, at: Point) -> tuple[float, str]:
        cm, exit_ = self._cm, self._exit
        if exit_ is not None:
            return EXIT * exit_.points * (dist(self._here, exit_.at) - dist(at, exit_.at)) / cm, exit_.name
        best, reason = 0.0, "the enemy"
        for aim, now, weight, kept in self._places:
            then = aim.away(at)
            if kept and then <= self._at_place:
                continue
            gain = weight * (now - then) / cm
            if gain > best or (kept and gain < best):
                best, reason = gain, aim.name
        if best < 0:
            return best, reason
        step = dist(self._here, at) * (1 + 1e-9)
        for each_cm, worth, now, enemy, name in self._prey:
            if each_cm * step <= best:
                break  # the others promise less for every cm, and nobody comes nearer than by the way he goes
            gain = worth * (now - dist(at, enemy)) / cm / (1 + now / 150)
            if gain > best:
                best, reason = gain, name
        return best, reason


def _presses(aim: Objective, moves: float, left: int) -> bool:
    """Whether a place so many moves off cannot wait; holding counts at the end of the game only."""
    return aim.at_once or moves >= left - 2


def _carried_by(battle: Battle, carrier: str, side: str) -> bool:
    return bool(carrier) and battle.units[carrier].spec.side == side
