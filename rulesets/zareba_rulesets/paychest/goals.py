"""What a unit may sensibly make for: its objective, the enemy, cover, its own edge (not a rule)."""

from __future__ import annotations

from itertools import pairwise
from math import dist

from zareba.scenario import Scenario
from zareba.scenario.model import CaptureLeader, CarryOff, Escort, Hold
from zareba.space import Point
from zareba.space.geometry import nearest_on_segment
from zareba_rulesets.paychest.battle import Battle, Goal, Unit
from zareba_rulesets.paychest.formation import wall_near
from zareba_rulesets.paychest.translation import Translation

__all__ = ["centre_of", "goals_of", "nearest_enemy", "objective_point", "suggestions", "to_edge"]


def goals_of(scenario: Scenario, plan: Translation) -> tuple[Goal, ...]:
    """The objectives of a scenario that name a place, a thing, a leader or a way out."""
    found = []
    for key, goal in scenario.objectives.items():
        sides = goal.by or tuple(scenario.sides)
        if isinstance(goal, Hold):
            at, radius = goal.at, goal.radius
            if goal.terrain is not None:
                piece = scenario.terrain[goal.terrain]
                points = piece.area or piece.line or ()
                at = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
            found.append(Goal(key, "hold", sides, goal.points, at, radius))
        elif isinstance(goal, CarryOff):
            found.append(Goal(key, "carry_off", sides, goal.points, thing=goal.object, edge=goal.edge))
        elif isinstance(goal, Escort):
            units = tuple(part for unit in goal.units for part in plan.parts.get(unit, ()))
            own = (scenario.units[goal.units[0]].side,)
            found.append(Goal(key, "escort", own, goal.points, goal.at, goal.radius, edge=goal.edge or "", units=units))
        elif isinstance(goal, CaptureLeader):
            enemy = tuple(side for side in sides if side != scenario.leaders[goal.leader].side)
            found.append(Goal(key, "capture_leader", enemy, goal.points, leader=plan.leaders.get(goal.leader, "")))
    return tuple(found)


def centre_of(unit: Unit) -> Point:
    """The middle of a unit's able figures' box."""
    west, south, east, north = unit.box
    return (west + east) / 2, (south + north) / 2


def to_edge(battle: Battle, at: Point, edge: str) -> Point:
    """The nearest point of an edge of the table."""
    width, depth = battle.field.table.extent
    return {"north": (at[0], depth), "south": (at[0], 0.0), "east": (width, at[1]), "west": (0.0, at[1])}[edge]


def objective_point(battle: Battle, unit: Unit) -> Point | None:
    """Where the objectives of its side call a unit: with a prize to its edge, else the dearest place or thing."""
    side, here = unit.spec.side, centre_of(unit)
    loaded = {thing.goal for thing in battle.things.values() if thing.carrier in unit.figures}
    best: tuple[float, Point] | None = None
    for goal in battle.goals:
        if side not in goal.sides or goal.id in battle.achieved:
            continue
        at = goal.at
        if goal.kind == "carry_off":
            if goal.thing in loaded:
                return to_edge(battle, here, goal.edge)
            lying = [t.at for t in battle.things.values() if t.goal == goal.thing and t.at is not None]
            at = min(lying, key=lambda spot: dist(spot, here), default=None)
        elif goal.kind == "escort":
            if unit.spec.id not in goal.units:
                continue
            at = to_edge(battle, here, goal.edge) if goal.edge else goal.at
        elif goal.kind == "capture_leader":
            at = battle.figure(goal.leader).at if goal.leader else None
        if at is not None:
            worth = dist(at, here) - 12.0 * goal.points
            if goal.kind == "escort":
                worth -= 1000.0
            if best is None or worth < best[0]:
                best = (worth, at)
    return best[1] if best is not None else None


def nearest_enemy(battle: Battle, unit: Unit) -> Point | None:
    """The centre of the nearest able figure of the nearest enemy unit."""
    x, y = centre_of(unit)
    best, found = 1e18, None
    for other in battle.enemies(unit.spec.side):
        west, south, east, north = other.box
        across = max(west - x, 0.0, x - east)
        along = max(south - y, 0.0, y - north)
        apart = across * across + along * along
        if apart < best:
            best, found = apart, other
    if found is None:
        return None
    spots = [f.at for f in found.able if f.at is not None]
    return min(spots, key=lambda at: (at[0] - x) ** 2 + (at[1] - y) ** 2)


def suggestions(battle: Battle, unit: Unit, here: Point, reach: float, column: str) -> list[Point]:
    """Points worth naming: towards the objective, the nearest enemy, the nearest wall; back; and where it stands."""
    ways = battle.ways
    found: list[Point] = []
    objective = objective_point(battle, unit)
    if objective is not None:
        found.append(ways.heading(here, objective, column))
    enemy = nearest_enemy(battle, unit)
    if enemy is not None:
        found.append(ways.heading(here, enemy, column))
    if column == "foot":
        wall = wall_near(battle, here, reach + 3.0)
        if wall is not None:
            found.append(_nearest_of(here, wall.points))
    edge = battle.field.home.get(unit.spec.side)
    if edge is not None:
        back = to_edge(battle, here, edge)
        found.append((here[0] + (back[0] - here[0]) * 0.5, here[1] + (back[1] - here[1]) * 0.5))
    elif enemy is not None:
        gap = dist(here, enemy) or 1.0
        width, depth = battle.field.table.extent
        away = (here[0] + (here[0] - enemy[0]) / gap * reach, here[1] + (here[1] - enemy[1]) / gap * reach)
        found.append((min(max(away[0], 0.0), width), min(max(away[1], 0.0), depth)))
    found.append(here)
    return [point for point in dict.fromkeys(found) if battle.field.can_stand(point, column)] or [here]


def _nearest_of(at: Point, line: tuple[Point, ...]) -> Point:
    spots = [nearest_on_segment(at, a, b) for a, b in pairwise(line)]
    return min(spots, key=lambda spot: dist(spot, at))
