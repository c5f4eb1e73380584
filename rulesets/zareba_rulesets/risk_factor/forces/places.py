"""Room for units: formations, free ground, and leaders next to their groups (RSK-005, RSK-007)."""

from __future__ import annotations

from collections.abc import Iterable

from zareba.space.bearings import direction
from zareba.space.field.bodies import Body, ranks
from zareba.space.geometry import Point, bounds_meet, is_inside, way_into
from zareba.space.moves.free_space import rings
from zareba_rulesets.risk_factor.book.numbers import RskBook
from zareba_rulesets.risk_factor.forces.battle import UnitSpec
from zareba_rulesets.risk_factor.ground.field import Field

__all__ = ["drawn_up", "find_room", "is_room_for", "place_close_behind", "radius_of"]

WIDTHS = {"mass": 6, "column": 3, "laager": 4}
OPEN_SPACING = 1.6
CLOSE_SPACING = 1.1


def radius_of(book: RskBook, spec: UnitSpec) -> float:
    """Return half the width of a figure's base (RSK-005)."""
    across: float = book.settings.bases_mounted_cm if spec.mounted else book.settings.bases_foot_cm
    return across / 2


def drawn_up(ground: Field, spec: UnitSpec, formation: str | None, at: Point, facing: float) -> Body:
    """A group in its formation round a point: two ranks unless the scenario says mass or column.

    On a table too small for that the group stands in more ranks, and in close order if it must.
    """
    usual_width = min(WIDTHS.get(formation or "", max(1, (spec.figures + 1) // 2)), spec.figures)
    spacings = (OPEN_SPACING, CLOSE_SPACING) if formation == "open_order" else (CLOSE_SPACING,)
    radius = radius_of(ground.book, spec)
    bodies = (ranks(at, facing, spec.figures, radius, w, s) for s in spacings for w in range(usual_width, 0, -1))
    widest = next(bodies)
    if _has_table_for(ground, widest):
        return widest
    return next((body for body in bodies if _has_table_for(ground, body)), widest)


def _has_table_for(ground: Field, body: Body) -> bool:
    """Return True if the table is as wide and as deep as a body."""
    west, south, east, north = body.box
    return east - west <= ground.width and north - south <= ground.depth


def find_room(
    ground: Field, occupied: Iterable[Body], body: Body, inside: tuple[Point, ...] = (), limit: float = 60.0
) -> Body:
    """Return the body shifted as little as needed to stand on the table, on no other base, and off closed terrain.

    It is first shifted onto the table. Further shifts are tried in rings 2 cm apart, up to `limit` cm. If there is no
    room, it stays there.
    """
    others = [other for other in occupied if len(other)]
    aside, along = way_into(body.box, (0.0, 0.0, ground.width, ground.depth))
    if aside or along:
        body = body.shifted(aside, along)
    if is_room_for(ground, others, body, inside):
        return body
    around = (body.shifted(dx, dy) for dx, dy in rings(2.0, limit, least=8, per=4.0))
    return next((moved for moved in around if is_room_for(ground, others, moved, inside)), body)


def is_room_for(ground: Field, others: list[Body], body: Body, inside: tuple[Point, ...]) -> bool:
    west, south, east, north = body.box
    if west < 0 or south < 0 or east > ground.width or north > ground.depth:
        return False
    if inside and not all(is_inside(point, inside) for point in body.at):
        return False
    for other in others:
        if body.circle_gap(other) <= 0 and ground.gaps[body, other].gap <= 0:
            return False
    if ground.hinders(body.box):
        for piece in ground.closed:
            if not bounds_meet(body.box, piece.box):
                continue
            if piece.is_area and any(piece.holds(point) for point in body.at):
                return False
            if not piece.is_area and any(piece.meets(body.centre, point) for point in body.at):
                return False
    return True


def place_close_behind(ground: Field, occupied: Iterable[Body], group: Body, facing: float, radius: float) -> Body:
    """Return a place for one figure close behind a group, or anywhere else within 5 cm of it."""
    others = list(occupied)
    back = (facing + 180) % 360
    reach = ground.book.lengths["with_group"]
    for cm in (0.5, 2.0, 3.5):
        for turn in (0, 20, -20, 40, -40, 60, -60, 90, -90, 120, -120, 150, -150, 180):
            dx, dy = direction(back + turn)
            far = max(group.at, key=lambda p: p[0] * dx + p[1] * dy)
            along = (far[0] - group.centre[0]) * dx + (far[1] - group.centre[1]) * dy + group.radius + radius + cm
            body = Body(((group.centre[0] + dx * along, group.centre[1] + dy * along),), radius)
            if ground.gaps[body, group].gap <= reach and is_room_for(ground, others, body, ()):
                return body
    return find_room(ground, others, Body((group.centre,), radius))
