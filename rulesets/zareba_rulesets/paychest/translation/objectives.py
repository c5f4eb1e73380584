"""The objectives of a scenario as destinations. An aid for AI players, not a rule."""

from __future__ import annotations

from zareba.scenario import Scenario
from zareba.scenario.model import CaptureLeader, CarryOff, Destroy, Escort, Hold, Survive
from zareba.space import Point
from zareba.space.geometry import distance_to_path, middle_of
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.forces.battle import Goal
from zareba_rulesets.paychest.translation.plan import Plan

__all__ = ["goals_of"]


def goals_of(book: PaychestBook, scenario: Scenario, plan: Plan) -> tuple[Goal, ...]:
    """Return the objectives of a scenario that name a place, thing, leader, exit, or units to destroy or protect.

    A defender's units also get a goal to stay at their posts when they have no other.
    """
    found = []
    for key, goal in scenario.objectives.items():
        sides = goal.by or tuple(scenario.sides)
        if isinstance(goal, Hold):
            at, radius = _place_of(book, scenario, goal)
            found.append(Goal(key, "hold", sides, goal.points, at, radius, due=scenario.turns))
        elif isinstance(goal, CarryOff):
            found.append(
                Goal(key, "carry_off", sides, goal.points, thing=goal.object, edge=goal.edge, due=scenario.turns)
            )
        elif isinstance(goal, Escort):
            units = tuple(part for unit in goal.units for part in plan.parts.get(unit, ()))
            own = (scenario.units[goal.units[0]].side,)
            edge, radius = goal.edge or "", 0.0 if goal.edge else goal.radius
            due = scenario.turns
            found.append(Goal(key, "escort", own, goal.points, goal.at, radius, edge=edge, units=units, due=due))
        elif isinstance(goal, CaptureLeader):
            enemy = tuple(side for side in sides if side != scenario.leaders[goal.leader].side)
            found.append(Goal(key, "capture_leader", enemy, goal.points, leader=plan.leaders.get(goal.leader, "")))
        elif isinstance(goal, (Destroy, Survive)) and goal.units:
            units = tuple(part for unit in goal.units for part in plan.parts.get(unit, ()))
            enemy = tuple(side for side in scenario.sides if side != scenario.units[goal.units[0]].side)
            found.append(Goal(key, "destroy", enemy, goal.points, units=units))
    posted = tuple(key for key, side in scenario.sides.items() if side.role == "defender")
    return (*found, Goal("posts", "post", posted, 0))


def _place_of(book: PaychestBook, scenario: Scenario, goal: Hold) -> tuple[Point | None, float]:
    """Return the centre of the place to hold, and the distance from it within which a figure certainly holds it."""
    if goal.terrain is None:
        return goal.at, goal.radius
    piece = scenario.terrain[goal.terrain]
    points = piece.area or piece.line or ()
    at = middle_of(points)
    if piece.area is None:
        return at, book.held_within
    return at, distance_to_path(at, (*points, points[0])) + book.held_within
