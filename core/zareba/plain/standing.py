"""How a battle of units on a free table stands in a scenario's terms, and when it ends."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.exact import dist
from zareba.plain.state import Battle, Unit
from zareba.scenario.model import CarryOff, Escort, Hold
from zareba.scenario.scoring import decided, settle

__all__ = ["PlainStanding", "decide"]


class PlainStanding:
    """Counts figures: those of units that count, who are still to come, and who left by right."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self.turn = battle.turn

    def _counts(self, unit: Unit) -> bool:
        return unit.at is not None and self.battle.counts(self.battle, unit)

    def holder(self, goal: Hold) -> str | None:
        """The side that alone has troops that count so near the place as the rules say, or as the scenario does."""
        battle = self.battle
        reach, inch = battle.book.reach, battle.book.reach.inch
        sides = set()
        for unit in battle.on_table():
            if not self._counts(unit):
                continue
            if goal.terrain is not None:
                away, near = battle.field.distance_to(unit.place, goal.terrain), reach.hold
            else:
                x, y = goal.at or (0.0, 0.0)
                away, near = dist(unit.place, (x * inch, y * inch)), goal.radius * inch
            if away - unit.room <= near:
                sides.add(unit.side)
        return sides.pop() if len(sides) == 1 else None

    def share_left(self, units: Sequence[str]) -> float:
        """Of the figures of these units, those that count, are still to come, or left by right."""
        own = [self.battle.units[unit] for unit in units]
        start = sum(unit.spec.figures for unit in own)
        left = sum(
            unit.figures
            for unit in own
            if self._counts(unit) or unit.id in self.battle.arrivals or unit.gone.startswith("left")
        )
        return left / start

    def share_brought(self, goal: Escort) -> float:
        """Of their figures, those that left over the edge, or stand at the place."""
        inch = self.battle.book.reach.inch
        own = [self.battle.units[unit] for unit in goal.units]
        brought = 0
        for unit in own:
            if goal.at is not None and unit.at is not None:
                there = dist(unit.at, (goal.at[0] * inch, goal.at[1] * inch)) <= goal.radius * inch
            else:
                there = goal.edge is not None and unit.gone == f"left {goal.edge}"
            brought += unit.figures if there else 0
        return brought / sum(unit.spec.figures for unit in own)

    def carried_off(self, goal: CarryOff) -> str | None:
        """The side that took the thing over the edge."""
        prize = self.battle.prizes[goal.object]
        return prize.taken_by if prize.taken_by and prize.edge == goal.edge else None

    def leader_lost(self, leader: str) -> bool:
        """He shares the fate of the unit that he is with."""
        unit = next((unit for unit in self.battle.units.values() if leader in unit.spec.leaders), None)
        return unit is not None and bool(unit.gone) and not unit.gone.startswith("left")


def decide(battle: Battle) -> str:
    """At the end of a turn, the reason why the battle ends with it; "" if it goes on."""
    scenario, standing = battle.scenario, PlainStanding(battle)
    settle(scenario, standing, battle.achieved)
    if decided(scenario, standing, battle.achieved) is not None:
        return "objectives"
    for side in scenario.sides:
        own = [unit for unit in battle.units.values() if unit.side == side]
        if not any(unit.id in battle.arrivals or (unit.at and battle.counts(battle, unit)) for unit in own):
            return "collapse"
    return "turn_limit" if battle.turn >= scenario.turns else ""
