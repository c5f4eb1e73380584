"""What one body has of another in sight, by ground alone (RSK-126, RSK-152 to RSK-155)."""

from __future__ import annotations

from math import dist, inf
from typing import TYPE_CHECKING, NamedTuple

from zareba.space.geometry import Point, distance_to_polygon
from zareba_rulesets.risk_factor.body import Body

if TYPE_CHECKING:
    from zareba_rulesets.risk_factor.field import Field

__all__ = ["View", "lookouts", "view_between"]

LOOKOUTS = 6


class View(NamedTuple):
    """What bodies alone settle about looking from one unit at another (P6).

    `plain`: a figure stands in plain sight of one that can look. `edge`: the least distance of a clear line to a
    concealed figure near the edge of its cover. `deep`: the same for one at the depth to which one may shoot.
    """

    plain: bool
    edge: float
    deep: float


PLAIN = View(True, inf, inf)


def view_between(field: Field, a: Body, b: Body) -> View:
    """What body a has of body b (P6 steps 1 to 4; the throws and marks of steps 5 to 7 come on top)."""
    blockers = field.between[a, b]
    own, other = field.depths[a], field.depths[b]
    if not blockers and not any(own) and not any(other):
        return PLAIN
    if not any(own) and not any(other) and field.line_clear(*_foremost(a, b), blockers):
        return PLAIN
    look_depth, fire_depth = field.book.settings.woods_look_depth, field.book.settings.woods_fire_depth
    lip, wood_sight = field.book.lengths["donga_lip"], field.book.lengths["wood_sight"]
    edge = deep = inf
    sought = lookouts(b, a)
    for i in lookouts(a, b):
        mine = own[i]
        looks_out = mine is None or mine[1] <= look_depth or not field.pieces[mine[0]].ground.wood
        for j in sought:
            theirs = other[j]
            here, there = a.at[i], b.at[j]
            length = max(0.0, dist(here, there) - a.radius - b.radius)
            if mine is not None and theirs is not None and mine[0] == theirs[0]:
                if length <= wood_sight:
                    return PLAIN
                continue
            if not looks_out or (blockers and not field.line_clear(here, there, blockers)):
                continue
            if theirs is None:
                return PLAIN
            piece = field.pieces[theirs[0]]
            if piece.ground.sunken and distance_to_polygon(here, piece.points) <= lip:
                return PLAIN
            if theirs[1] <= look_depth:
                edge = min(edge, length)
            if theirs[1] <= max(fire_depth, look_depth):
                deep = min(deep, length)
    return View(False, edge, deep)


def _foremost(a: Body, b: Body) -> tuple[Point, Point]:
    """The figure of each of two bodies that is foremost towards the other."""
    dx, dy = b.centre[0] - a.centre[0], b.centre[1] - a.centre[1]
    ahead = [x * dx + y * dy for x, y in a.at]
    back = [x * dx + y * dy for x, y in b.at]
    return a.at[ahead.index(max(ahead))], b.at[back.index(min(back))]


def lookouts(body: Body, other: Body) -> list[int]:
    """The figures of a large unit that look and are looked for: the nearest ones and those on its flanks."""
    count = len(body.at)
    if count <= LOOKOUTS:
        return list(range(count))
    (ax, ay), (bx, by) = body.centre, other.centre
    dx, dy = bx - ax, by - ay
    ahead = [-(x * dx + y * dy) for x, y in body.at]
    aside = [x * dy - y * dx for x, y in body.at]
    along = sorted(range(count), key=ahead.__getitem__)
    across = sorted(range(count), key=aside.__getitem__)
    chosen = [along[0], across[0], across[-1], across[count // 2], along[1], along[-1]]
    return list(dict.fromkeys(chosen))
