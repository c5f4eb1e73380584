"""What a unit may sensibly make for: its objective, the enemy, cover, its own edge (not a rule)."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, dist, sqrt
from typing import NamedTuple

from zareba.scenario import Scenario
from zareba.scenario.model import CaptureLeader, CarryOff, Destroy, Escort, Hold, Survive
from zareba.space import Point
from zareba.space.geometry import nearest_on_segment
from zareba_rulesets.paychest.battle import Battle, Goal
from zareba_rulesets.paychest.claims import claim_of, strangers_at
from zareba_rulesets.paychest.translation import Translation
from zareba_rulesets.paychest.units import Figure, Unit

__all__ = [
    "Purpose",
    "centre_of",
    "enemy_to_drive_out",
    "goals_of",
    "nearest_enemy",
    "objective_point",
    "purpose_of",
    "to_edge",
]

NEAR = 2.0
"""Inches within which a man counts as being at a place (PAY-194)."""
HEAVY_PACE = 5.0
"""Inches a turn at which a prize comes home, heavy or light."""
WORTH_A_TURN = 12.0
"""Inches within which a dearer prize is fetched before the one in hand is brought home."""


class Purpose(NamedTuple):
    """Where a unit is wanted: a point with a radius in inches, and the turn at whose end it counts (0: at any time)."""

    at: Point
    radius: float
    due: int
    kind: str


def goals_of(scenario: Scenario, plan: Translation) -> tuple[Goal, ...]:
    """The objectives of a scenario that name a place, a thing, a leader, a way out, or men to beat or keep.

    The units of a defender stand by their posts when nothing calls them.
    """
    found = []
    for key, goal in scenario.objectives.items():
        sides = goal.by or tuple(scenario.sides)
        if isinstance(goal, Hold):
            at, radius = _place_of(scenario, goal)
            found.append(Goal(key, "hold", sides, goal.points, at, radius, due=scenario.turns))
        elif isinstance(goal, CarryOff):
            found.append(
                Goal(key, "carry_off", sides, goal.points, thing=goal.object, edge=goal.edge, due=scenario.turns)
            )
        elif isinstance(goal, Escort):
            units = tuple(part for unit in goal.units for part in plan.parts.get(unit, ()))
            own = (scenario.units[goal.units[0]].side,)
            found.append(Goal(key, "escort", own, goal.points, goal.at, goal.radius, edge=goal.edge or "", units=units))
        elif isinstance(goal, CaptureLeader):
            enemy = tuple(side for side in sides if side != scenario.leaders[goal.leader].side)
            found.append(Goal(key, "capture_leader", enemy, goal.points, leader=plan.leaders.get(goal.leader, "")))
        elif isinstance(goal, (Destroy, Survive)) and goal.units:
            units = tuple(part for unit in goal.units for part in plan.parts.get(unit, ()))
            enemy = tuple(side for side in scenario.sides if side != scenario.units[goal.units[0]].side)
            found.append(Goal(key, "destroy", enemy, goal.points, units=units))
    posted = tuple(key for key, side in scenario.sides.items() if side.role == "defender")
    return (*found, Goal("posts", "post", posted, 0))


def _place_of(scenario: Scenario, goal: Hold) -> tuple[Point | None, float]:
    """The middle of what is to be held, and how far from it a man still holds it for certain."""
    if goal.terrain is None:
        return goal.at, goal.radius
    piece = scenario.terrain[goal.terrain]
    points = piece.area or piece.line or ()
    at = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
    if piece.area is None:
        return at, NEAR
    ring = (*points, points[0])
    return at, min(dist(at, nearest_on_segment(at, a, b)) for a, b in pairwise(ring)) + NEAR


def centre_of(unit: Unit) -> Point:
    """The middle of those of a unit who can walk."""
    return unit.standing.middle


def to_edge(battle: Battle, at: Point, edge: str) -> Point:
    """The nearest point of an edge of the table."""
    width, depth = battle.field.table.extent
    return {"north": (at[0], depth), "south": (at[0], 0.0), "east": (width, at[1]), "west": (0.0, at[1])}[edge]


def objective_point(battle: Battle, unit: Unit) -> Point | None:
    """Where the objectives of its side call a unit; None where nothing does."""
    purpose = purpose_of(battle, unit)
    return purpose.at if purpose is not None and purpose.kind != "post" else None


def purpose_of(battle: Battle, unit: Unit) -> Purpose | None:
    """With a prize to its edge, at the end to the place that it is to stand on, else where it is ordered (PAY-033).

    Without any of these to the dearest place or thing not too far off. One unit keeps a place that is held.
    """
    side, here = unit.spec.side, centre_of(unit)
    home = _way_home(battle, unit, here)
    if home is not None:
        return home
    best: tuple[float, Purpose] | None = None
    ordered = battle.orders.get(unit.spec.id)
    if ordered is not None:
        best = (0.0, Purpose(ordered, NEAR, 0, "order"))
    else:
        claim = claim_of(battle, unit)
        if claim is not None and claim.at is not None:
            best = (-500.0, Purpose(claim.at, claim.radius, claim.due, "claim"))
    for goal in battle.goals:
        if side not in goal.sides or goal.id in battle.achieved:
            continue
        at = _calls(battle, unit, goal, here)
        if at is None or (ordered is not None and goal.kind != "escort"):
            continue
        worth = dist(at, here) - 12.0 * goal.points
        if goal.kind == "escort":
            worth -= 1000.0
        elif goal.kind == "post":
            worth += 1000.0
        if best is None or worth < best[0]:
            due = goal.due
            if goal.kind == "carry_off":
                due = max(1, due - ceil(dist(at, to_edge(battle, at, goal.edge)) / HEAVY_PACE))
            kept = goal.kind == "hold" and _keeper(battle, side, goal) == unit.spec.id
            best = (worth, Purpose(at, goal.radius, due, "keep" if kept else goal.kind))
    return best[1] if best is not None else None


def _way_home(battle: Battle, unit: Unit, here: Point) -> Purpose | None:
    """The edge for a unit with a prize, unless a dearer one lies close by."""
    loaded = {thing.goal for thing in battle.prizes() if thing.carrier in unit.figures}
    if not loaded:
        return None
    wanted = [g for g in battle.goals if g.kind == "carry_off" and unit.spec.side in g.sides]
    own = max((g for g in wanted if g.thing in loaded), key=lambda goal: goal.points, default=None)
    if own is None or own.id in battle.achieved:
        return None
    dearer = {goal.thing for goal in wanted if goal.points > own.points and goal.id not in battle.achieved}
    if any(t.goal in dearer and t.at is not None and dist(t.at, here) <= WORTH_A_TURN for t in battle.prizes()):
        return None
    return Purpose(to_edge(battle, here, own.edge), 0.0, 0, "prize")


def _calls(battle: Battle, unit: Unit, goal: Goal, here: Point) -> Point | None:
    """The point at which a goal wants this unit, if it does."""
    if goal.kind == "hold":
        keeper = _keeper(battle, unit.spec.side, goal)
        return goal.at if keeper in ("", unit.spec.id) else None
    if goal.kind == "carry_off":
        lying = [t.at for t in battle.prizes() if t.goal == goal.thing and t.at is not None]
        return min(lying, key=lambda spot: dist(spot, here), default=None)
    if goal.kind == "escort":
        if unit.spec.id not in goal.units:
            return None
        return to_edge(battle, here, goal.edge) if goal.edge else goal.at
    if goal.kind == "capture_leader":
        return battle.figure(goal.leader).at if goal.leader else None
    if goal.kind == "destroy":
        left = [centre_of(battle.unit(key)) for key in goal.units if battle.unit(key).box[2] >= 0]
        return min(left, key=lambda spot: dist(spot, here), default=None)
    return here


def _keeper(battle: Battle, side: str, goal: Goal) -> str:
    """The unit that keeps a place which its side has to itself; "" while anybody else disputes it."""
    assert goal.at is not None, "a place to hold has a middle"
    reach = goal.radius + NEAR
    x, y = goal.at
    best, name, far = reach, "", reach + 4.0
    for key, unit in battle.units.items():
        west, south, east, north = unit.box
        across = (west + east) / 2 - x
        if east < 0 or not -far <= across <= far:
            continue
        along = (south + north) / 2 - y
        away = sqrt(across * across + along * along)
        if unit.spec.side != side:
            if away <= far:
                return ""
        elif not unit.rout and (away < best or (away == best and (not name or key < name))):
            best, name = away, key
    return name


def nearest_enemy(battle: Battle, unit: Unit) -> Figure | None:
    """The nearest able figure of the nearest enemy unit; for riders of those whom they can ride at, if there are any."""
    x, y = centre_of(unit)

    def gap(other: Unit) -> float:
        west, south, east, north = other.box
        across = west - x if x < west else x - east if x > east else 0.0
        along = south - y if y < south else y - north if y > north else 0.0
        return across * across + along * along

    def away(figure: Figure) -> float:
        assert figure.at is not None, "able figures are on the table"
        return (figure.at[0] - x) ** 2 + (figure.at[1] - y) ** 2

    enemies = list(battle.enemies(unit.spec.side))
    if any(figure.mount for figure in unit.able):
        for other in sorted(enemies, key=gap):
            ahead = [f for f in other.able if f.at is not None and battle.field.can_stand(f.at, "mounted")]
            if ahead:
                return min(ahead, key=away)
    return min(min(enemies, key=gap).able, key=away) if enemies else None


def enemy_to_drive_out(battle: Battle, unit: Unit) -> Figure | None:
    """The nearest enemy on the place that a unit is to stand on at the end; None where nobody disputes it."""
    claim, here = claim_of(battle, unit), centre_of(unit)
    if claim is None:
        return None
    spots = strangers_at(battle, unit.spec.side, claim)
    return min(spots, key=lambda spot: dist(spot[0], here))[1] if spots else None
