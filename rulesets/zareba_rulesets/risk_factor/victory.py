"""Winning and losing (RSK-183 to RSK-185): sides in retreat, objectives, objects, leaving the table."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.exact import dist
from zareba.scenario import Scenario
from zareba.scenario.model import CarryOff, Escort, Hold
from zareba.scenario.scoring import decided, settle
from zareba.space.cells import Edge
from zareba.space.geometry import Point, distance_to_polygon
from zareba.table import Table
from zareba_rulesets.risk_factor.battle import BACKWARD, Battle, Unit
from zareba_rulesets.risk_factor.deployment import edge_point
from zareba_rulesets.risk_factor.translation import Plan

__all__ = ["RskStanding", "check_losing", "end_of_turn", "is_beaten", "leave_table", "strength", "take_prizes"]


def strength(battle: Battle, plan: Plan, units: Sequence[str]) -> int:
    """Figures of some units that are still effective: neither routing nor captured, hidden ones and those to come too."""
    total = 0
    for name in units:
        unit = battle.units[name]
        if unit.hurt:
            total += 0 if unit.status == "routing" else unit.count
        elif name in battle.arrivals or "hidden" in unit.marks:
            total += plan.specs[name].figures
    return total


def is_beaten(battle: Battle, side: str) -> bool:
    """RSK-183, RSK-184: every unit of the side is retreating, routing or gone; lone leaders count only by setting."""
    for unit in battle.units.values():
        if unit.spec.side != side:
            continue
        if unit.spec.leader and not battle.book.settings.victory_lone_leaders_count:
            continue
        waiting = unit.spec.id in battle.arrivals or "hidden" in unit.marks
        if waiting or (unit.hurt and unit.status not in BACKWARD):
            return False
    return True


def check_losing(table: Table, battle: Battle) -> None:
    """P15 for both sides: after the Action throws and at the end of each player turn (RSK-183)."""
    battle.beaten = [side for side in battle.order if is_beaten(battle, side)]
    if battle.beaten:
        battle.over, battle.ending = True, "collapse"
        for side in battle.beaten:
            table.tell("beaten", "RSK-183", side=side)


def end_of_turn(table: Table, battle: Battle, scenario: Scenario, plan: Plan) -> None:
    """At the end of a player turn: objectives first, then sides in retreat (RSK-185); after both sides' turns the limit."""
    standing = RskStanding(battle, scenario, plan)
    last = battle.active == len(battle.order) - 1
    if last or any(is_beaten(battle, side) for side in battle.order):
        settle(scenario, standing, battle.achieved)
        if decided(scenario, standing, battle.achieved) is not None:
            battle.over, battle.ending = True, "objectives"
            return
    check_losing(table, battle)
    if not battle.over and last and battle.turn >= scenario.turns:
        battle.over, battle.ending = True, "turn_limit"


# --- objects and edges -----------------------------------------------------------------------------------------------------------


def exit_edge(battle: Battle, scenario: Scenario, unit: Unit) -> Edge | None:
    """The edge over which a unit may leave to its side's credit: escorted, or carrying what is to be carried off."""
    for goal in scenario.objectives.values():
        if isinstance(goal, Escort) and goal.edge is not None and unit.spec.parent in goal.units:
            return goal.edge
        if isinstance(goal, CarryOff):
            prize = battle.prizes.get(goal.object)
            sides = goal.by or tuple(scenario.sides)
            if prize is not None and prize.carrier == unit.spec.id and unit.spec.side in sides:
                return goal.edge
    return None


def leave_table(table: Table, battle: Battle, scenario: Scenario) -> None:
    """Units of the active side that have come to the edge they are bound for go off with what they carry (RSK-185)."""
    for unit in list(battle.groups(battle.side)):
        edge = exit_edge(battle, scenario, unit)
        if edge is None:
            continue
        away = min(battle.field.table.distance_to_edge(point, edge) for point in unit.body.at) - unit.body.radius
        if away > battle.book.lengths["leave_edge"] or unit.status == "routing":
            continue
        for prize in battle.prizes.values():
            if prize.carrier == unit.spec.id:
                prize.carrier, prize.taken_by, prize.edge = "", unit.spec.side, edge
        table.tell("left the table", "RSK-185", unit=unit.spec.id, edge=edge, count=unit.count)
        for member in (*battle.leaders_with(unit), unit):
            battle.gone_count[member.spec.id] = member.count
            battle.remove(member, f"left {edge}")


def take_prizes(table: Table, battle: Battle, scenario: Scenario, plan: Plan) -> None:
    """A group that ends its move at an object takes it along; a carrier that is lost leaves it where it was (RSK-185)."""
    reach = battle.book.lengths["take_up"]
    for name, prize in battle.prizes.items():
        if prize.taken_by:
            continue
        if prize.carrier:
            unit = battle.units[prize.carrier]
            if prize.carrier in battle.arrivals or "hidden" in unit.marks:
                continue
            if unit.hurt and unit.status != "routing":
                prize.at = unit.body.centre
                continue
            prize.carrier = ""
        near = [u for u in battle.groups(battle.side) if u.status == "steady" and _away(u, prize.at) <= reach]
        if not near or any(_away(e, prize.at) <= reach for e in battle.against(battle.side)):
            continue
        taker = min(near, key=lambda unit: _away(unit, prize.at))
        prize.carrier = taker.spec.id
        table.tell("taken up", "RSK-185", object=name, unit=taker.spec.id)
        edge = exit_edge(battle, scenario, taker)
        if edge is not None:
            taker.action, taker.goal = "march", edge_point(plan, edge, taker.body.centre)


def _away(unit: Unit, at: Point) -> float:
    return min(dist(at, point) for point in unit.body.at) - unit.body.radius


# --- the scenario's terms -----------------------------------------------------------------------------------------------------


class RskStanding:
    """How a battle stands in a scenario's terms; figures are counted one by one."""

    def __init__(self, battle: Battle, scenario: Scenario, plan: Plan) -> None:
        self.battle = battle
        self.scenario = scenario
        self.plan = plan
        self.turn = battle.turn

    def _figures_of(self, units: Sequence[str]) -> list[str]:
        """The groups and figures that scenario units have become, without named leaders."""
        wanted = set(units)
        return [n for n, spec in self.plan.specs.items() if spec.parent in wanted and n not in self.scenario.leaders]

    def holder(self, goal: Hold) -> str | None:
        """The side alone at a place with living figures within 10 cm that neither retreat nor rout ("Scenario mapping")."""
        key = next(key for key, other in self.scenario.objectives.items() if other is goal)
        middle, radius, polygon = self.plan.places[key]
        reach = max(radius, self.battle.book.lengths["objective"])
        sides = set()
        for unit in self.battle.units.values():
            if unit.status in BACKWARD:
                continue
            if polygon:
                near = any(distance_to_polygon(p, polygon) - unit.body.radius <= reach for p in unit.body.at)
            else:
                near = any(dist(p, middle) - unit.body.radius <= reach for p in unit.body.at)
            if near:
                sides.add(unit.spec.side)
        return sides.pop() if len(sides) == 1 else None

    def share_left(self, units: Sequence[str]) -> float:
        names = self._figures_of(units)
        start = sum(self.plan.specs[name].figures for name in names)
        brought = sum(self.battle.gone_count.get(name, 0) for name in names)
        return (strength(self.battle, self.plan, names) + brought) / start if start else 0.0

    def share_brought(self, goal: Escort) -> float:
        key = next(key for key, other in self.scenario.objectives.items() if other is goal)
        names = self._figures_of(goal.units)
        start = sum(self.plan.specs[name].figures for name in names)
        there = sum(self.battle.gone_count.get(name, 0) for name in names)
        if key in self.plan.places:
            middle, radius, _ = self.plan.places[key]
            for name in names:
                there += sum(dist(p, middle) <= radius for p in self.battle.units[name].body.at)
        return there / start if start else 0.0

    def carried_off(self, goal: CarryOff) -> str | None:
        prize = self.battle.prizes.get(goal.object)
        return prize.taken_by if prize is not None and prize.taken_by and prize.edge == goal.edge else None

    def leader_lost(self, leader: str) -> bool:
        """A leader killed, captured or fled."""
        return leader in self.battle.gone and not self.battle.gone[leader].startswith("left")
