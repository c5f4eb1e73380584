"""Clear shots (RSK-106, RSK-107): whose whole base can be seen past the figures that stand between two units."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from math import hypot

from zareba.space.geometry import EPSILON, Point
from zareba_rulesets.risk_factor.battle import Battle, Unit
from zareba_rulesets.risk_factor.body import Body
from zareba_rulesets.risk_factor.field import Field
from zareba_rulesets.risk_factor.lanes import Obstacles, Standee, stands_between
from zareba_rulesets.risk_factor.views import facing_first

__all__ = ["clear_line", "clearly_sees", "obstacles", "sees_nearest_clearly", "whole_base"]


def obstacles(battle: Battle, unit: Unit, target: Unit) -> Obstacles:
    """The figures near the way from one unit to another, and their own."""
    a, b = unit.body, target.body
    (ax, ay), (bx, by) = a.centre, b.centre
    dx, dy = bx - ax, by - ay
    length = hypot(dx, dy) or 1.0
    dx, dy, wide = dx / length, dy / length, max(a.reach, b.reach)
    bodies = battle.bodies()
    if battle.captives:
        bodies = [*bodies, *(captives.body for captives in battle.captives)]
    others = []
    for body in bodies:
        x, y = body.centre
        x, y, margin = x - ax, y - ay, body.reach + wide
        if -margin <= y * dx - x * dy <= margin and -margin <= x * dx + y * dy <= length + margin:
            others.append(body)
    return battle.field.lanes[a, b, tuple([body for body in others if body is not a and body is not b])]


def whole_base(battle: Battle, unit: Unit, i: int, target: Unit, j: int, between: Obstacles) -> bool:
    """Whether figure i of a unit sees the whole base of figure j of another (RSK-106).

    The corridor from the centre of his base to both edges of the other's must be free of figures, except those within
    2 cm of the shooter, and with `los.near_object` either those within 2 cm of the target too (RSK-107).
    """
    a, b = unit.body, target.body
    return clear_line(battle.field, a, a.at[i], b, b.at[j], between)[0]


def clear_line(
    field: Field, a: Body, here: Point, b: Body, there: Point, between: Obstacles, guess: Standee | None = None
) -> tuple[bool, Standee | None]:
    """Whether a figure of one body sees the whole base of one of another, and who stood in the way of the last line.

    `guess` is that figure of the line before: whoever hides one man often hides his neighbour too.
    """
    line = here, there
    clear = between.clear.get(line)
    if clear is None:
        screen = between.screen(here, a.radius, there, b.radius, guess)
        clear = between.clear[line] = screen is None and _ground_is_clear(field, a, b, here, there)
        guess = screen or guess
    return clear, guess


def _ground_is_clear(field: Field, a: Body, b: Body, here: Point, there: Point) -> bool:
    """Whether the ground lets a figure see the middle and both edges of a base."""
    blockers = field.between[a, b]
    if not blockers:
        return True
    dx, dy = there[0] - here[0], there[1] - here[1]
    length = hypot(dx, dy)
    if length <= a.radius + b.radius:
        return True
    across, along = b.radius * dx / length, b.radius * dy / length
    edges = (there, (there[0] - along, there[1] + across), (there[0] + along, there[1] - across))
    return all(field.line_clear(here, edge, blockers) for edge in edges)


def sees_nearest_clearly(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether the figure of a unit that is nearest to a target sees the whole base of the nearest one there."""
    a, b = unit.body, target.body
    near = battle.gap(unit, target)
    here, there = a.at[near.own], b.at[near.other]
    figures = _figures_near(battle, here, there, b.radius)
    near_object, either = battle.book.lengths["near_object"] + EPSILON, battle.book.settings.los_near_object == "either"
    hidden = stands_between(figures, here, a.radius, there, b.radius, near_object, either)
    return hidden is None and _ground_is_clear(battle.field, a, b, here, there)


def clearly_sees(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether some figure of a unit sees the whole base of one of a target that it has in sight (RSK-118)."""
    if sees_nearest_clearly(battle, unit, target):
        return True
    between = obstacles(battle, unit, target)
    ours, theirs = unit.body, target.body
    eyes, sought = facing_first(ours, theirs, range(len(ours))), facing_first(theirs, ours, range(len(theirs)))
    marks = [(point, theirs.radius) for point in theirs.at]
    for here in [ours.at[i] for i in eyes]:
        place = 0
        while place < len(sought):
            there = theirs.at[sought[place]]
            clear, screen = clear_line(battle.field, ours, here, theirs, there, between)
            if clear:
                return True
            place += 1
            if screen is not None:
                place = between.past(screen, here, ours.radius, marks, sought, place)
    return False


def _figures_near(battle: Battle, here: Point, there: Point, wide: float) -> Iterator[Standee]:
    """The figures of all units that come near the line between two points."""
    west, east = (here[0], there[0]) if here[0] < there[0] else (there[0], here[0])
    south, north = (here[1], there[1]) if here[1] < there[1] else (there[1], here[1])
    west, south, east, north = west - wide, south - wide, east + wide, north + wide
    for body in chain(battle.bodies(), [captives.body for captives in battle.captives]):
        box = body.box
        if box[0] <= east and box[2] >= west and box[1] <= north and box[3] >= south:
            radius = body.radius
            for x, y in body.at:
                if west <= x + radius and x - radius <= east and south <= y + radius and y - radius <= north:
                    yield 0.0, x, y, radius
