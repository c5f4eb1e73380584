"""What a side wants on the table, for commanders with sense: places, objects, exits, and enemies worth more than others."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from math import dist

from zareba.scenario import Scenario
from zareba.scenario.model import CarryOff, Destroy, Escort, Hold, Survive
from zareba.space.geometry import Point
from zareba_rulesets.risk_factor.battle import BACKWARD, Battle, Unit
from zareba_rulesets.risk_factor.deployment import edge_point
from zareba_rulesets.risk_factor.paths import allowance
from zareba_rulesets.risk_factor.translation import Plan
from zareba_rulesets.risk_factor.victory import exit_edge
from zareba_rulesets.risk_factor.weapons import action_table

__all__ = ["Aim", "Aims", "Outlook"]

AT_PLACE = 20.0  # cm from the middle of a group to a place that it keeps
EARLY, URGENT = 0.05, 0.25  # worth of a whole move towards a place, for each point it scores
EXIT = 0.35  # the same for troops that leave the table to score
SPARE = 4.0  # turns to spare with which an escort sets out
HUNT, STALK = 0.16, 0.05  # the same towards an enemy, for close-combat and for missile troops


@dataclass(frozen=True, slots=True)
class Aim:
    """A point that some units are to reach or to keep: its worth in points, who goes there, the name to tell it by."""

    at: Point
    points: float
    name: str
    units: tuple[str, ...] = ()
    kept_by: tuple[str, ...] = ()
    at_once: bool = False


@dataclass(slots=True)
class Outlook:
    """The aims of a side: places for the units told off for them, exits by unit, and the worth of each enemy's men."""

    places: list[Aim] = field(default_factory=list)
    exits: dict[str, Aim] = field(default_factory=dict)
    prey: dict[str, float] = field(default_factory=dict)


class Aims:
    """Finds what a side wants, anew whenever anybody has moved or fallen."""

    def __init__(self, scenario: Scenario, plan: Plan) -> None:
        self.scenario = scenario
        self.plan = plan
        self._known: dict[str, tuple[Hashable, Outlook]] = {}

    def of(self, battle: Battle, side: str) -> Outlook:
        """The outlook of a side, remembered while nothing on the table changes."""
        key = (battle.turn, *(unit.body for unit in battle.units.values()))
        known = self._known.get(side)
        if known is None or known[0] != key:
            known = self._known[side] = (key, self._look(battle, side))
        return known[1]

    def turns_left(self, battle: Battle) -> int:
        """Player turns of one's own that are left, this one included."""
        return self.scenario.turns - battle.turn + 1

    def _look(self, battle: Battle, side: str) -> Outlook:
        found = Outlook(prey=self._prey(battle, side))
        for key, goal in self.scenario.objectives.items():
            if isinstance(goal, Hold) and key in self.plan.places:
                mine = not goal.by or side in goal.by
                self._place(
                    battle, side, found, self.plan.places[key][0], goal.points * (1 if mine else 0.7), goal.name
                )
            elif isinstance(goal, CarryOff):
                prize = battle.prizes.get(goal.object)
                if prize is not None and not prize.taken_by and not _carried_by(battle, prize.carrier, side):
                    points = goal.points if not goal.by or side in goal.by else 0.5 * goal.points
                    self._place(battle, side, found, prize.at, points, goal.name, at_once=True)
        for unit in battle.groups(side):
            at = self._exit(battle, unit)
            if at is not None:
                carries = any(prize.carrier == unit.spec.id for prize in battle.prizes.values())
                found.exits[unit.spec.id] = Aim(at, 5.0, "its way out", at_once=carries)
        return found

    def _exit(self, battle: Battle, unit: Unit) -> Point | None:
        """Where a unit that is escorted, or that carries an object, is bound for."""
        edge = exit_edge(battle, self.scenario, unit)
        if edge is not None:
            return edge_point(self.plan, edge, unit.body.centre)
        for key, goal in self.scenario.objectives.items():
            if isinstance(goal, Escort) and unit.spec.parent in goal.units and key in self.plan.places:
                return self.plan.places[key][0]
        return None

    def _place(
        self, battle: Battle, side: str, found: Outlook, at: Point, points: float, name: str, at_once: bool = False
    ) -> None:
        """A place, with the groups nearest to it told off for it: one, two when the game is nearly over."""
        able = [unit for unit in battle.groups(side) if unit.status not in BACKWARD and not unit.spec.civilian]
        ranked = sorted(able, key=lambda unit: dist(unit.body.centre, at) / allowance(battle, unit, False))
        few = 2 if self.turns_left(battle) > 3 else 3
        kept = [u.spec.id for u in ranked if dist(u.body.centre, at) <= AT_PLACE + u.body.reach]
        found.places.append(Aim(at, points, name, tuple(u.spec.id for u in ranked[:few]), tuple(kept[:few]), at_once))

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

    # --- what a place is worth to a unit --------------------------------------------------------------------------------------

    def pull(self, battle: Battle, unit: Unit, at: Point) -> float:
        """How much nearer to the best of its aims a place brings a unit, in worth."""
        return self._best(battle, unit, at)[0]

    def drawn_to(self, battle: Battle, unit: Unit, at: Point) -> str:
        """The name of the aim that a place serves best."""
        return self._best(battle, unit, at)[1]

    def _best(self, battle: Battle, unit: Unit, at: Point) -> tuple[float, str]:
        outlook = self.of(battle, unit.spec.side)
        here, cm, name = unit.body.centre, allowance(battle, unit, False), unit.spec.id
        exit_ = outlook.exits.get(name)
        if exit_ is not None:
            now = dist(here, exit_.at)
            weight = EXIT if exit_.at_once or now / cm >= self.turns_left(battle) - SPARE else EARLY
            return weight * exit_.points * (now - dist(at, exit_.at)) / cm, exit_.name
        best, reason = 0.0, "the enemy"
        left = self.turns_left(battle)
        for aim in outlook.places:
            if name not in aim.units:
                continue
            now, then = dist(here, aim.at), dist(at, aim.at)
            if name in aim.kept_by and then <= AT_PLACE + unit.body.reach:
                continue
            weight = aim.points * (URGENT if _presses(aim, now / cm, left) else EARLY)
            gain = weight * (now - then) / cm
            if gain > best or (name in aim.kept_by and gain < best):
                best, reason = gain, aim.name
        closing = HUNT if action_table(battle, unit) == "melee" else STALK
        for enemy, worth in outlook.prey.items():
            other = battle.units[enemy]
            now, then = dist(here, other.body.centre), dist(at, other.body.centre)
            gain = closing * worth * (now - then) / cm / (1 + now / 150)
            if gain > best >= 0:
                best, reason = gain, other.spec.name
        return best, reason

    def is_pressed(self, battle: Battle, unit: Unit) -> bool:
        """Whether a unit must be off to a place now, whatever it leaves undone."""
        name, left, cm = unit.spec.id, self.turns_left(battle), allowance(battle, unit, False)
        return any(
            name in aim.units and name not in aim.kept_by and _presses(aim, dist(unit.body.centre, aim.at) / cm, left)
            for aim in self.of(battle, unit.spec.side).places
        )


def _presses(aim: Aim, moves: float, left: int) -> bool:
    """Whether a place so many moves off cannot wait; holding counts at the end of the game only."""
    return aim.at_once or moves >= left - 2


def _carried_by(battle: Battle, carrier: str, side: str) -> bool:
    return bool(carrier) and battle.units[carrier].spec.side == side
