"""The nearest threat to a unit, and the cover it can fall back to (RSK-136, RSK-140, RSK-193)."""

from __future__ import annotations

from zareba.base.exact import dist, hypot
from zareba.space.field.bodies import Body
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Bounds, Point, nearest_leg, nearest_on, nearest_on_segment, towards
from zareba.space.lazy import Lazy
from zareba_rulesets.risk_factor.book.numbers import Ground
from zareba_rulesets.risk_factor.chapters.movement.paths import can_walk, full_move
from zareba_rulesets.risk_factor.chapters.sight.sight import nearest_visible, sees
from zareba_rulesets.risk_factor.forces.battle import Battle, Unit

__all__ = ["ARRIVED", "keeps_off", "nearest_cover", "threat_point"]

ARRIVED = 3.0  # a unit has arrived if its centre is within this many cm of the place
SHIFT = 0.1  # cm; for shorter shifts rounding errors could decide


def threat_point(battle: Battle, unit: Unit) -> Point | None:
    """Return the nearest figure of an enemy in sight, otherwise the nearest place where an enemy was last seen
    (RSK-193).
    """
    found = nearest_visible(battle, unit)
    if found is not None:
        return found[0].body.at[found[1].other]
    side, centre = unit.spec.side, unit.body.centre
    known = [body for name, body in battle.known.items() if name in battle.units and battle.units[name].side != side]
    return min((point for body in known for point in body.at), key=lambda at: dist(at, centre), default=None)


def nearest_cover(battle: Battle, unit: Unit, farther: bool) -> Point | None:
    """Return the nearest cover that a unit can reach in one move and that brings it no nearer to a visible enemy, or
    None.

    With `farther` the cover must be farther from every enemy unit in sight than the unit is now. Cover that the unit
    is already in does not qualify (RSK-140). Without `farther` it must only not be nearer (RSK-136).
    """
    centre, reach = unit.body.centre, full_move(battle, unit)
    enemies = battle.against(unit.spec.side)
    threat, seen = threat_point(battle, unit), Lazy[str, bool](lambda name: sees(battle, unit, battle.units[name]))
    best: Point | None = None
    for piece in battle.field.covers:
        if (piece.ground.closed and piece.is_area) or _far_off(piece.box, centre) > reach + 2 * unit.body.radius:
            continue
        spot = _spot_behind(piece, unit.body, threat)
        distance = dist(centre, spot)
        if distance > reach or not battle.field.on_table(spot) or (best is not None and distance >= dist(centre, best)):
            continue
        if farther and distance <= ARRIVED:
            continue
        if not can_walk(battle, unit, all(unit.hurt), (centre, spot), 0.0):
            continue
        moved_body = unit.body.shifted(spot[0] - centre[0], spot[1] - centre[1])
        if all(keeps_off(battle, unit, moved_body, e, farther) or not seen[e.spec.id] for e in enemies):
            best = spot
    return best


def keeps_off(battle: Battle, unit: Unit, moved_body: Body, enemy: Unit, farther: bool) -> bool:
    """Return True if shifting the body of a unit brings it no nearer to an enemy, or with `farther`, takes it farther
    away.

    All figures shift alike. If the circles round both units show that the shift leads away from the whole enemy unit,
    or closer to it, the nearest figures need not be found.
    """
    (x, y), (nx, ny), (ex, ey) = unit.body.centre, moved_body.centre, enemy.body.centre
    dx, dy = nx - x, ny - y
    length = hypot(dx, dy)
    if length > SHIFT:
        progress = dx * (x - ex) + dy * (y - ey)
        spare = length * (unit.body.reach + enemy.body.reach)
        if progress > spare or progress < -spare - length * length:
            return progress > 0
    new_gap, present_gap = battle.field.gaps[moved_body, enemy.body].gap, battle.gap(unit, enemy).gap
    return new_gap > present_gap if farther else new_gap >= present_gap - 1e-9


def _far_off(box: Bounds, point: Point) -> float:
    """Return the least distance that a point can be from a rectangle, measured along one axis."""
    west, south, east, north = box
    return max(west - point[0], point[0] - east, south - point[1], point[1] - north)


def _spot_behind(piece: TerrainPiece[Ground], body: Body, threat: Point | None) -> Point:
    """Return where a unit's centre goes to be inside an area, or behind a line as seen from the threat."""
    centre = body.centre
    if piece.is_area:
        return _spot_inside(piece, body)
    a, b = nearest_leg(centre, piece.legs)
    point = nearest_on_segment(centre, a, b)
    length = dist(a, b)
    nx, ny = -(b[1] - a[1]) / length, (b[0] - a[0]) / length
    if threat is not None and (threat[0] - point[0]) * nx + (threat[1] - point[1]) * ny > 0:
        nx, ny = -nx, -ny
    deep = 2 * body.radius
    return point[0] + nx * deep, point[1] + ny * deep


def _spot_inside(piece: TerrainPiece[Ground], body: Body) -> Point:
    """Return where a unit's centre goes to be just inside the near side of an area. A unit already inside stays where
    it is.
    """
    centre = body.centre
    if piece.holds(centre):
        return centre
    near = nearest_on(centre, piece.legs)
    distance = dist(centre, near) or 1.0
    ahead = ((near[0] - centre[0]) / distance, (near[1] - centre[1]) / distance)
    behind = max((centre[0] - x) * ahead[0] + (centre[1] - y) * ahead[1] for x, y in body.at) + body.radius
    deep = (towards(centre, near, distance + behind * share) for share in (1.0, 0.75, 0.5, 0.25))
    return next((spot for spot in deep if piece.holds(spot)), near)
