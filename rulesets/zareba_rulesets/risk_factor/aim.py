"""Clear shots (RSK-106, RSK-107): whose whole base can be seen past the figures that stand between two units."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import chain
from math import hypot

from zareba.space.geometry import Point, distance_to_segment
from zareba_rulesets.risk_factor.battle import Battle, Unit
from zareba_rulesets.risk_factor.body import Body
from zareba_rulesets.risk_factor.sight import lookouts

__all__ = ["Obstacles", "clearly_sees", "obstacles", "whole_base"]


class Obstacles:
    """The figures that could stand between two units, sorted across the line from one to the other."""

    __slots__ = ("_across", "_figures", "_left", "_widest")

    def __init__(self, a: Body, b: Body, others: list[Body]) -> None:
        dx, dy = b.centre[0] - a.centre[0], b.centre[1] - a.centre[1]
        length = hypot(dx, dy) or 1.0
        lx, ly = self._left = (-dy / length, dx / length)
        figures = [(x * lx + y * ly, x, y, body.radius) for body in (a, b, *others) for x, y in body.at]
        figures.sort()
        self._figures = figures
        self._across = [figure[0] for figure in figures]
        self._widest = max([body.radius for body in (a, b, *others)])

    def near(self, start: Point, end: Point, wide: float) -> list[tuple[float, float, float, float]]:
        """The figures whose bases may reach the lane between two points, as (across, x, y, radius)."""
        lx, ly = self._left
        one, other = start[0] * lx + start[1] * ly, end[0] * lx + end[1] * ly
        margin = self._widest + wide
        if one > other:
            one, other = other, one
        across = self._across
        return self._figures[bisect_left(across, one - margin) : bisect_right(across, other + margin)]


def obstacles(battle: Battle, unit: Unit, target: Unit) -> Obstacles:
    """The figures near the way from one unit to another, and their own."""
    a, b = unit.body, target.body
    (ax, ay), (bx, by) = a.centre, b.centre
    wide = max(a.reach, b.reach)
    west, east = (ax, bx) if ax < bx else (bx, ax)
    south, north = (ay, by) if ay < by else (by, ay)
    west, south, east, north = west - wide, south - wide, east + wide, north + wide
    bodies = [battle.standing(side).bodies for side in battle.order]
    near = []
    for body in chain(*bodies, [captives.body for captives in battle.captives]):
        x, y = body.centre
        reach = body.reach
        if x + reach < west or x - reach > east or y + reach < south or y - reach > north or body is a or body is b:
            continue
        if distance_to_segment(body.centre, a.centre, b.centre) <= reach + wide:
            near.append(body)
    return Obstacles(a, b, near)


def whole_base(battle: Battle, unit: Unit, i: int, target: Unit, j: int, between: Obstacles) -> bool:
    """Whether figure i of a unit sees the whole base of figure j of another (RSK-106).

    The corridor from the centre of his base to both edges of the other's must be free of figures, except those within
    2 cm of the shooter, and with `los.near_object` either those within 2 cm of the target too (RSK-107).
    """
    here, there = unit.body.at[i], target.body.at[j]
    (sx, sy), (tx, ty) = here, there
    dx, dy = tx - sx, ty - sy
    length = (dx * dx + dy * dy) ** 0.5
    own, wide = unit.body.radius, target.body.radius
    if length <= own + wide:
        return True
    ux, uy = dx / length, dy / length
    near = battle.book.lengths["near_object"]
    either = battle.book.settings.los_near_object == "either"
    for _, x, y, radius in between.near(here, there, wide):
        px, py = x - sx, y - sy
        ahead = px * ux + py * uy
        if ahead <= 0.0 or ahead >= length - 1e-6:
            continue
        beside = abs(px * uy - py * ux)
        if beside >= radius + wide * ahead / length - 1e-6:
            continue
        if (px * px + py * py) ** 0.5 - own - radius <= near + 1e-9:
            continue
        if either and ((x - tx) ** 2 + (y - ty) ** 2) ** 0.5 - wide - radius <= near + 1e-9:
            continue
        return False
    field = battle.field
    blockers = field.between[unit.body, target.body]
    if not blockers:
        return True
    edges = (there, (tx - uy * wide, ty + ux * wide), (tx + uy * wide, ty - ux * wide))
    return all(field.line_clear(here, edge, blockers) for edge in edges)


def clearly_sees(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether some figure of a unit sees the whole base of one of a target that it has in sight (RSK-118)."""
    between = obstacles(battle, unit, target)
    near = battle.gap(unit, target)
    if whole_base(battle, unit, near.own, target, near.other, between):
        return True
    theirs = lookouts(target.body, unit.body)
    pairs = ((i, j) for i in lookouts(unit.body, target.body) for j in theirs)
    return any(whole_base(battle, unit, i, target, j, between) for i, j in pairs)
