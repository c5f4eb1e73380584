"""Objectives, capture, and how the battle ends (P19; PAY-192 to PAY-194, PAY-215)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zareba.exact import dist
from zareba.scenario.model import CarryOff, Escort, Hold, Scenario
from zareba.scenario.scoring import decided, points, settle, winner
from zareba.space import Point
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.deployment import second_wave
from zareba_rulesets.paychest.translation import Plan
from zareba_rulesets.paychest.units import Figure

__all__ = ["PaychestStanding", "decide", "ends_early", "wiped_out"]


class PaychestStanding:
    """How a battle stands in a scenario's terms. `turn` is the turn that has just ended, 0 while one is being played.

    `final`: that was the last one; `last`: nobody comes any more, for there is no further turn.
    """

    def __init__(self, battle: Battle, scenario: Scenario, plan: Plan, *, turn_over: bool) -> None:
        self.battle = battle
        self.scenario = scenario
        self.plan = plan
        self.turn = battle.turn if turn_over else 0
        self.final = self.turn >= scenario.turns
        self.last = is_last(battle, scenario)

    def _figures(self, units: Sequence[str]) -> Iterator[tuple[str, Figure]]:
        for source in units:
            for part in self.plan.parts.get(source, (source,)):
                if part in self.battle.units:
                    yield from self.battle.units[part].figures.items()

    def _alone_at(self, near: Sequence[tuple[Point, float]]) -> str | None:
        """The side that alone has able figures within reach of any of some points."""
        sides = {
            unit.spec.side
            for unit in self.battle.units.values()
            for figure in unit.able
            if any(figure.at is not None and dist(figure.at, at) <= reach for at, reach in near)
        }
        return sides.pop() if len(sides) == 1 else None

    def holder(self, goal: Hold) -> str | None:
        """The side with the only able figures within 2 inches of the terrain, or within the radius of the point."""
        field = self.battle.field
        if goal.terrain is None:
            return self._alone_at([(goal.at, goal.radius)]) if goal.at is not None else None
        names = [n for n in (*field.areas, *field.lines) if n.partition("/")[0] == goal.terrain]
        reach = self.battle.book.held_within
        sides = {
            unit.spec.side
            for unit in self.battle.units.values()
            for figure in unit.able
            if figure.at is not None and any(field.table.distance_to_piece(figure.at, name) <= reach for name in names)
        }
        return sides.pop() if len(sides) == 1 else None

    def share_left(self, units: Sequence[str]) -> float:
        """Able figures on the table or still to come, and those who left of their own will, against all.

        Who will form again is still to come (PAY-197), while there is a turn for it.
        """
        battle = self.battle
        figures = list(self._figures(units))
        coming = {*battle.arrivals, *battle.waiting}
        again = {key for name in battle.returning for key in second_wave(battle, battle.unit(name))}
        left = sum(
            figure.fate == "left"
            or (figure.fate == "able" and (figure.at is not None or figure.spec.unit in coming))
            or (key in again and not self.last)
            for key, figure in figures
        )
        return left / len(figures) if figures else 0.0

    def share_brought(self, goal: Escort) -> float:
        """Figures that left by the named edge, or stand at the place."""
        if goal.edge is not None and goal.edge not in self.battle.exits.values():
            return 0.0
        figures = list(self._figures(goal.units))
        there = 0
        for key, figure in figures:
            if goal.edge is not None:
                there += figure.fate == "left" and self.battle.exits.get(key) == goal.edge
            elif goal.at is not None and figure.able and figure.at is not None:
                there += dist(figure.at, goal.at) <= goal.radius
        return there / len(figures) if figures else 0.0

    def carried_off(self, goal: CarryOff) -> str | None:
        """The side that took the thing, or enough of the mounts, over the edge; at the turn limit who stands by it alone.

        PAY-193, PAY-194.
        """
        things = [thing for thing in self.battle.prizes() if thing.goal == goal.object]
        for side in self.scenario.sides:
            taken = sum(thing.taken_by == side and thing.edge == goal.edge for thing in things)
            if things and taken >= self.battle.book.file.led_off.share * len(things) - 1e-9:
                return side
        if not self.final:
            return None
        reach = self.battle.book.held_within
        spots = [(at, reach) for thing in things if (at := place_of(self.battle, thing.carrier) or thing.at)]
        return self._alone_at(spots)

    def leader_lost(self, leader: str) -> bool:
        """Dead or unconscious."""
        name = self.plan.leaders.get(leader)
        return name is not None and self.battle.figure(name).fate in ("dead", "unconscious")


def place_of(battle: Battle, carrier: str) -> Point | None:
    return battle.figure(carrier).at if carrier else None


def is_last(battle: Battle, scenario: Scenario) -> bool:
    """Whether this is the last turn: whoever is not on the table comes no more."""
    return battle.turn >= scenario.turns


def wiped_out(battle: Battle, sides: Sequence[str], *, last: bool = False) -> list[str]:
    """The sides with no able figure on the table and none to come (PAY-192); in the `last` turn nobody is."""
    alive = {unit.spec.side for unit in battle.units.values() if unit.box[2] >= 0}
    late = () if last else (*battle.arrivals, *battle.returning)
    coming = {battle.unit(unit_id).spec.side for unit_id in late}
    return [side for side in sides if side not in alive and side not in coming]


def ends_early(scenario: Scenario) -> bool:
    """Whether an objective can end this battle at once: one that is decisive, or a quota of points."""
    decisive = any(goal.decisive and not isinstance(goal, Hold) for goal in scenario.objectives.values())
    return decisive or any(side.victory.quota is not None for side in scenario.sides.values())


def decide(battle: Battle, scenario: Scenario, plan: Plan, *, turn_over: bool) -> None:
    """P19, in this order: an objective met, a side wiped out or driven off, the turn limit (PAY-215)."""
    standing = PaychestStanding(battle, scenario, plan, turn_over=turn_over)
    settle(scenario, standing, battle.achieved)
    if ends_early(scenario):
        first = decided(scenario, standing, battle.achieved)
        if first is not None:
            battle.over, battle.ending, battle.winner = True, "objectives", first
            return
    lost = wiped_out(battle, list(scenario.sides), last=standing.last)
    if lost:
        left = [side for side in scenario.sides if side not in lost]
        battle.over, battle.ending, battle.winner = True, "collapse", left[0] if left else ""
        return
    if turn_over and battle.turn >= scenario.turns:
        scored = points(scenario, standing, battle.achieved)
        battle.over, battle.ending, battle.winner = True, "turn_limit", winner(scored) or ""
