"""Victory points, objectives, things to carry off, and the end of the game (chapter 4)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from zareba.scenario.model import CarryOff, Escort, Hold, Objective, Scenario
from zareba.scenario.scoring import is_destroyed, settle
from zareba.table import Table
from zareba_rulesets.afriboria.battle import Battle
from zareba_rulesets.afriboria.pieces import OFF, Unit
from zareba_rulesets.afriboria.plan import EDGES, Plan

__all__ = ["AfrStanding", "close_turn", "exit_edge", "leader_of_points", "leave_table", "score", "take_prizes"]

BY_RIGHT = tuple(f"left {edge}" for edge in EDGES)


def score(table: Table, battle: Battle, side: str, points: int, why: str) -> None:
    """Points for a side, at once; reaching its quota first wins on the spot (AFR-050, AFR-052, AFR-053, AFR-054)."""
    if not points or battle.over:
        return
    entry = battle.sides[side]
    entry.points += points
    table.tell("points", "AFR-050", side=side, points=points, total=entry.points, why=why)
    if points > 0 and entry.points >= entry.quota:
        battle.over, battle.ending, battle.winner = True, "quota", side


def exit_edge(battle: Battle, unit: Unit, plan: Plan) -> str | None:
    """The edge over which the scenario lets this unit leave from where it stands, if any (AFR-090)."""
    for edge, units, thing in plan.exits:
        carries = thing in battle.prizes and battle.prizes[thing].carrier == unit.spec.id
        if (carries or unit.spec.source in units) and unit.hex in plan.edges[edge]:
            return edge
    return None


def leave_table(table: Table, battle: Battle, unit: Unit, edge: str) -> None:
    """Off the table over an edge that the scenario names, with what the unit carries (AFR-090)."""
    for prize in battle.prizes.values():
        if prize.carrier == unit.spec.id:
            prize.carrier, prize.taken_by, prize.edge = "", unit.spec.side, edge
    battle.move(unit, OFF)
    battle.gone[unit.spec.id] = f"left {edge}"
    battle.quit_company(unit)
    table.tell("left the table", "AFR-090", unit=unit.spec.id, edge=edge)


def take_prizes(table: Table, battle: Battle) -> None:
    """Things of the scenario go with their carrier, are dropped when he is gone, and taken by units in their hex."""
    for name, prize in battle.prizes.items():
        if prize.taken_by:
            continue
        if prize.carrier:
            carrier = battle.units[prize.carrier]
            if carrier.hex != OFF or prize.carrier in battle.arrivals:
                prize.hex = carrier.hex
                continue
            prize.carrier = ""
        if any(name in trucks for trucks in battle.field.trucks.values()):
            continue
        finders = [unit for unit in battle.units_in(prize.hex) if unit.profile.arm != "artillery"]
        if finders:
            prize.carrier = finders[0].spec.id
            table.tell("taken up", "AFR-051", unit=prize.carrier, object=name)


def close_turn(table: Table, battle: Battle, scenario: Scenario, plan: Plan) -> None:
    """P1 step 10: objectives taken or lost (AFR-051), what else the scenario rewards, the turn limit (AFR-055)."""
    take_prizes(table, battle)
    for key, cells in plan.places.items():
        _hold(table, battle, scenario, key, cells)
        if battle.over:
            return
    before = dict(battle.achieved)
    standing = AfrStanding(battle, scenario, plan)
    settle(scenario, standing, battle.achieved)
    for key, side in battle.achieved.items():
        if key not in before:
            _reward(table, battle, scenario.objectives[key], side)
    _destroyed_shares(table, battle, standing)
    if battle.turn >= plan.turn_limit and not battle.over:
        battle.over, battle.ending = True, "turn_limit"
        battle.winner = leader_of_points(battle) or ""


def _hold(table: Table, battle: Battle, scenario: Scenario, key: str, cells: Sequence[int]) -> None:
    """A place goes to the side that alone has somebody in its hexes (AFR-051)."""
    goal = scenario.objectives[key]
    here, chiefs = battle.here, battle.chiefs
    present = {battle.units[here[cell][0]].spec.side for cell in cells if cell in here}
    present |= {battle.commanders[chiefs[cell]].spec.side for cell in cells if cell in chiefs}
    holder = next(iter(present)) if len(present) == 1 else None
    owner = battle.owners.get(key)
    if holder is None or holder == owner:
        return
    may_score = goal.by or tuple(battle.sides)
    battle.owners[key] = holder
    table.tell("objective", "AFR-051", objective=key, side=holder)
    if owner is not None and owner in may_score:
        score(table, battle, owner, -goal.points, goal.name)
    if holder in may_score:
        _reward(table, battle, goal, holder)


def _reward(table: Table, battle: Battle, goal: Objective, side: str) -> None:
    """The points of an objective; a decisive one wins the game as well."""
    score(table, battle, side, goal.points, goal.name)
    if goal.decisive and not battle.over:
        battle.over, battle.ending, battle.winner = True, "objectives", side


def _destroyed_shares(table: Table, battle: Battle, standing: AfrStanding) -> None:
    """Objectives of the kind `destroy`, noted once for good for each side that may score them."""
    for key, side, units in standing.plan.hunted:
        goal, noted = standing.scenario.objectives[key], f"{key} of {side}"
        assert goal.kind == "destroy", "only for these the plan lists units"
        if noted not in battle.achieved and is_destroyed(standing, units, goal.share):
            battle.achieved[noted] = side
            _reward(table, battle, goal, side)


def leader_of_points(battle: Battle) -> str | None:
    """The side with the larger share of its quota; None when equal (AFR-055)."""
    (first, a), (second, b) = battle.sides.items()
    share_a, share_b = Fraction(a.points, a.quota), Fraction(b.points, b.quota)
    if share_a == share_b:
        return None
    return first if share_a > share_b else second


class AfrStanding:
    """How a battle stands, in the terms in which scenarios score; `turn` 0 while a game turn has another player turn."""

    def __init__(self, battle: Battle, scenario: Scenario, plan: Plan) -> None:
        self.battle = battle
        self.scenario = scenario
        self.plan = plan
        self.turn = 0 if battle.turn % 2 else battle.turn // 2

    def _parts(self, units: Sequence[str]) -> list[Unit]:
        parts, fighting = self.plan.parts, self.battle.units
        return [fighting[name] for source in units for name in parts.get(source, ())]

    def holder(self, goal: Hold) -> str | None:
        """The side that was last to hold the place (AFR-051)."""
        key = next(key for key, other in self.scenario.objectives.items() if other is goal)
        return self.battle.owners.get(key)

    def share_left(self, units: Sequence[str]) -> float:
        """Figures left of those at the start; who has gone over an edge by right, or is still to come, counts as there."""
        gone = self.battle.gone
        start = left = 0
        for unit in self._parts(units):
            start += unit.spec.figures
            if gone.get(unit.spec.id) in (None, *BY_RIGHT):
                left += unit.figures
        return left / start if start else 0.0

    def share_brought(self, goal: Escort) -> float:
        """Figures over the edge, or at the place, of those at the start."""
        key = next(key for key, other in self.scenario.objectives.items() if other is goal)
        places = self.plan.areas.get(key, frozenset())
        parts = self._parts(goal.units)
        start = sum(unit.spec.figures for unit in parts)
        gone = self.battle.gone
        there = sum(u.figures for u in parts if gone.get(u.spec.id) == f"left {goal.edge}" or u.hex in places)
        return there / start if start else 0.0

    def carried_off(self, goal: CarryOff) -> str | None:
        """The side that has carried the object over its edge."""
        prize = self.battle.prizes.get(goal.object)
        return prize.taken_by if prize is not None and prize.taken_by and prize.edge == goal.edge else None

    def leader_lost(self, leader: str) -> bool:
        """Whether a leader is dead or taken."""
        return leader in self.battle.gone
