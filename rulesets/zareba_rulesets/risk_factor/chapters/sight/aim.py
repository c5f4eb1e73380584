"""Clear shots: which figures show their whole base past the figures between two units (RSK-106, RSK-107)."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.base.exact import hypot
from zareba.space.field.blockers import FigureBlockers, any_figure_between
from zareba.space.field.bodies import Body
from zareba.space.geometry import Point
from zareba_rulesets.risk_factor.forces.battle import Battle, Unit
from zareba_rulesets.risk_factor.ground.field import Field
from zareba_rulesets.risk_factor.ground.sight_lines import facing_first

__all__ = ["Lines", "clearly_sees", "lines_of_fire", "sees_nearest_clearly"]


class Lines:
    """The lines of fire from one unit to another. Each line is worked out on first use and then cached."""

    __slots__ = ("_between", "_field")

    def __init__(self, field: Field, between: FigureBlockers) -> None:
        self._field = field
        self._between = between

    def has(self, a: Body, b: Body, start: Point, end: Point) -> bool:
        """Return True if the figure of body `a` at `start` sees the whole base of the figure of body `b` at `end`
        (RSK-106).

        The corridor from the shooter's centre to both edges of the target base must be free of figures. Figures within
        2 cm of the shooter are ignored, and with `los.near_object` set to either those within 2 cm of the target too
        (RSK-107).
        """
        kept = self._between.clear
        clear = kept.get((start, end))
        if clear is None:
            hidden = self._between.hide(start, a.radius, end, b.radius)
            clear = kept[start, end] = not hidden and _ground_is_clear(self._field, a, b, start, end)
        return clear


def lines_of_fire(battle: Battle, unit: Unit, target: Unit) -> Lines:
    """Return the lines of fire from one unit to another, past the figures near the way. They are cached until a figure
    moves.
    """
    a, b = unit.body, target.body
    if battle.captives:
        bodies = [*battle.bodies(), *(captives.body for captives in battle.captives)]
        return Lines(battle.field, _look_between(battle, a, b, bodies))
    everybody, key = battle.everybody(), ("between", a, b)
    found: FigureBlockers | None = everybody.found.get(key)
    if found is None:
        found = everybody.found[key] = _look_between(battle, a, b, everybody.present)
    return Lines(battle.field, found)


def _look_between(battle: Battle, a: Body, b: Body, bodies: Sequence[Body]) -> FigureBlockers:
    (ax, ay), (bx, by) = a.centre, b.centre
    dx, dy = bx - ax, by - ay
    length = hypot(dx, dy) or 1.0
    dx, dy, wide = dx / length, dy / length, max(a.reach, b.reach)
    between = [a, b]
    for body in bodies:
        if body is a or body is b:
            continue
        x, y = body.centre
        x, y, margin = x - ax, y - ay, body.reach + wide
        if -margin <= y * dx - x * dy <= margin and -margin <= x * dx + y * dy <= length + margin:
            between.append(body)
    return battle.field.lanes[tuple(between)]


def _ground_is_clear(field: Field, a: Body, b: Body, start: Point, end: Point) -> bool:
    """Return True if the terrain lets a figure see the centre and both edges of a base."""
    screens = field.between(a, b)
    if not screens:
        return screens is not None
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy)
    if length <= a.radius + b.radius:
        return True
    across, along = b.radius * dx / length, b.radius * dy / length
    edges = (end, (end[0] - along, end[1] + across), (end[0] + along, end[1] - across))
    return all(field.line_clear(start, edge, screens) for edge in edges)


def sees_nearest_clearly(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Return True if, of the closest pair of figures of a unit and a target, the one sees the whole base of the
    other.
    """
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
    start, end = a.at[near.own], b.at[near.other]
    near_object, either = battle.book.lengths["near_object"], battle.book.settings.los_near_object == "either"
    if any_figure_between(bodies, start, a.radius, end, b.radius, near_object, either):
        return False
    return _ground_is_clear(battle.field, a, b, start, end)


def clearly_sees(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Return True if any figure of a unit sees the whole base of any figure of a target in sight (RSK-118)."""
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
    lines = lines_of_fire(battle, unit, target)
    ours, theirs = unit.body, target.body
    sought = facing_first(theirs, ours, range(len(theirs)))
    return any(
        lines.has(ours, theirs, ours.at[i], theirs.at[j])
        for i in facing_first(ours, theirs, range(len(ours)))
        for j in sought
    )
