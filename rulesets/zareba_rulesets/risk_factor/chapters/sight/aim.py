"""Clear shots (RSK-106, RSK-107): whose whole base can be seen past the figures that stand between two units."""

from __future__ import annotations

from zareba.exact import hypot
from zareba.space.field.bodies import Body
from zareba.space.field.lanes import Eye, Obstacles, anybody_between
from zareba.space.geometry import EPSILON, Point
from zareba_rulesets.risk_factor.forces.battle import Battle, Unit
from zareba_rulesets.risk_factor.ground.field import Field
from zareba_rulesets.risk_factor.ground.views import facing_first

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
    return clear_line(battle.field, a, b, between.eye(a.at[i], a.radius), b.at[j], between)


def clear_line(field: Field, a: Body, b: Body, eye: Eye, there: Point, between: Obstacles) -> bool:
    """Whether a figure of one body sees the whole base of one of another."""
    line = eye.here, there
    clear = between.clear.get(line)
    if clear is None:
        hidden = between.screen(eye, there, b.radius)
        clear = between.clear[line] = not hidden and _ground_is_clear(field, a, b, eye.here, there)
    return clear


def _ground_is_clear(field: Field, a: Body, b: Body, here: Point, there: Point) -> bool:
    """Whether the ground lets a figure see the middle and both edges of a base."""
    screens = field.between(a, b)
    if not screens:
        return screens is not None
    dx, dy = there[0] - here[0], there[1] - here[1]
    length = hypot(dx, dy)
    if length <= a.radius + b.radius:
        return True
    across, along = b.radius * dx / length, b.radius * dy / length
    edges = (there, (there[0] - along, there[1] + across), (there[0] + along, there[1] - across))
    return all(field.line_clear(here, edge, screens) for edge in edges)


def sees_nearest_clearly(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether the figure of a unit that is nearest to a target sees the whole base of the nearest one there."""
    if battle.captives:
        return _nearest_is_clear(battle, unit, target, [*battle.bodies(), *(held.body for held in battle.captives)])
    everybody, key = battle.everybody(), ("nearest", unit.body, target.body)
    found = everybody.found.get(key)
    if found is None:
        found = everybody.found[key] = _nearest_is_clear(battle, unit, target, everybody.present)
    return found


def _nearest_is_clear(battle: Battle, unit: Unit, target: Unit, bodies: list[Body]) -> bool:
    a, b = unit.body, target.body
    near = battle.gap(unit, target)
    here, there = a.at[near.own], b.at[near.other]
    near_object, either = battle.book.lengths["near_object"] + EPSILON, battle.book.settings.los_near_object == "either"
    if anybody_between(bodies, here, a.radius, there, b.radius, near_object, either):
        return False
    return _ground_is_clear(battle.field, a, b, here, there)


def clearly_sees(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Whether some figure of a unit sees the whole base of one of a target that it has in sight (RSK-118)."""
    if sees_nearest_clearly(battle, unit, target):
        return True
    if battle.captives:
        return _any_is_clear(battle, unit, target)
    clear, key = battle.everybody().found, ("any", unit.body, target.body)
    found = clear.get(key)
    if found is None:
        found = clear[key] = _any_is_clear(battle, unit, target)
    return found


def _any_is_clear(battle: Battle, unit: Unit, target: Unit) -> bool:
    between = obstacles(battle, unit, target)
    ours, theirs = unit.body, target.body
    sought = facing_first(theirs, ours, range(len(theirs)))
    marks = [(point, theirs.radius) for point in theirs.at]
    for i in facing_first(ours, theirs, range(len(ours))):
        eye, place = between.eye(ours.at[i], ours.radius), 0
        while place < len(sought):
            if clear_line(battle.field, ours, theirs, eye, theirs.at[sought[place]], between):
                return True
            place = between.next_open(eye, marks, sought, place + 1)
    return False
