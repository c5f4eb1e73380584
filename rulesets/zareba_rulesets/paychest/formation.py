"""Where the figures of a unit stand round its point: in a block, or along a wall (PAY-048, PAY-088)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import ceil, sqrt

from zareba.exact import cosd, dist, hypot, sind
from zareba.space import Point
from zareba.space.field.pieces import Piece
from zareba.space.geometry import Points, bounds, is_inside, nearest_on_segment
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.field import towards
from zareba_rulesets.paychest.tables import Ground
from zareba_rulesets.paychest.units import Box, Figure, Unit

__all__ = [
    "SLACK",
    "WIDEST",
    "Ring",
    "bases_near",
    "block",
    "clash",
    "clash_among",
    "depth_of",
    "form_up",
    "moved_into",
    "nearest_free",
    "obstacles_near",
    "rings_of",
    "room_aside",
    "wall_near",
    "wall_slots",
]

Ring = tuple[float, float, float, str]
"""A base that is in the way: its centre, its radius, and whose it is."""

ROOM = 0.15
WALL_REACH = 3.0
FAR = 30.0
"""Inches within which a man finds room when his unit forms up in a crowd."""
WIDEST = 1.6
"""Inches: more than half of the widest base."""
SLACK = 1e-6
"""Inches by which bases may overlap without standing on each other: room for rounding."""


@lru_cache(maxsize=4096)
def block(count: int, spacing: float) -> tuple[Point, ...]:
    """Offsets (aside, ahead) of `count` figures in ranks twice as wide as deep, the middle of the front first."""
    files = max(1, ceil(sqrt(2 * count)))
    ranks = ceil(count / files)
    found = []
    for rank in range(ranks):
        here = min(files, count - rank * files)
        asides = sorted((file - (here - 1) / 2 for file in range(here)), key=abs)
        found += [(aside * spacing, ((ranks - 1) / 2 - rank) * spacing) for aside in asides]
    return tuple(found)


def obstacles_near(battle: Battle, box: Box, skip: frozenset[str]) -> list[Ring]:
    """The bases of able figures and engines within an upright rectangle, without the figures of `skip`."""
    west, south, east, north = box
    return [
        ring
        for _, rings in bases_near(battle, box, skip)
        for ring in rings
        if west <= ring[0] <= east and south <= ring[1] <= north
    ]


def rings_of(battle: Battle, unit: Unit) -> list[Ring]:
    """The bases on which the men of a unit stand; kept with its standing, and found anew after every move and loss."""
    standing = unit.standing
    if standing.rings is None:
        foot, mounted = battle.book.bases["foot"], battle.book.bases["mounted"]
        standing.rings = [(x, y, mounted if figure.mount else foot, key) for x, y, key, figure in standing.bases]
    return standing.rings


def bases_near(battle: Battle, box: Box, skip: frozenset[str]) -> list[tuple[Box, list[Ring]]]:
    """The bases of the units that an upright rectangle meets, each with the unit's box, and of engines in it.

    Bodies block nothing (PAY-126); men on a conveyance stand on its base.
    """
    west, south, east, north = box
    skipped = {name.rpartition(".")[0] for name in skip}
    found: list[tuple[Box, list[Ring]]] = []
    for name, unit in battle.units.items():
        around = unit.box
        if around[2] < west or around[0] > east or around[3] < south or around[1] > north:
            continue
        rings = rings_of(battle, unit)
        if name in skipped:
            rings = [ring for ring in rings if ring[3] not in skip]
        if rings:
            found.append((around, rings))
    for key, engine in battle.engines.items():
        at = engine.at
        if at is None or engine.carrier or key in skip or engine.altitude:
            continue
        if west <= at[0] <= east and south <= at[1] <= north:
            found.append(((*at, *at), [(*at, battle.engine_radius(engine), key)]))
    return found


def clash(at: Point, radius: float, rings: Iterable[Ring]) -> bool:
    """Whether a base would stand on another (PAY-007)."""
    x, y = at
    room = radius - SLACK
    for other_x, other_y, other_radius, _ in rings:
        apart = room + other_radius
        across = x - other_x
        if -apart < across < apart:
            along = y - other_y
            if across * across + along * along < apart * apart:
                return True
    return False


def clash_among(at: Point, radius: float, groups: Iterable[tuple[Box, Sequence[Ring]]]) -> bool:
    """The same for bases that are given unit by unit, each with the unit's box."""
    x, y = at
    room = radius + WIDEST
    for (west, south, east, north), rings in groups:
        if x < west - room or x > east + room or y < south - room or y > north + room:
            continue
        if clash(at, radius, rings):
            return True
    return False


def nearest_free(
    battle: Battle,
    want: Point,
    radius: float,
    column: str,
    rings: Sequence[Ring],
    within: float = 12.0,
    zone: Points = (),
) -> Point | None:
    """The wanted place, or the nearest one round it where a base may stand; None if there is none within so far.

    With a `zone` its centre lies in that.
    """
    field = battle.field
    if not clash(want, radius, rings) and field.can_stand(want, column) and (not zone or is_inside(want, zone)):
        return want
    return _nearest_round(battle, want, radius, column, rings, within, zone)


def _nearest_round(
    battle: Battle,
    want: Point,
    radius: float,
    column: str,
    rings: Sequence[Ring],
    within: float,
    zone: Points = (),
) -> Point | None:
    """The first place where a base may stand on circles about a point, half an inch apart."""
    field = battle.field
    away = sorted([(dist(want, (ring[0], ring[1])), place) for place, ring in enumerate(rings)])
    far = [inches for inches, _ in away]
    apart = radius + max([ring[2] for ring in rings], default=0.0)
    for number in range(1, int(2 * within) + 1):
        reach = number * 0.5
        near = [rings[place] for _, place in away[bisect_left(far, reach - apart) : bisect_right(far, reach + apart)]]
        for aside, ahead in circle(reach):
            at = (want[0] + aside, want[1] + ahead)
            if not clash(at, radius, near) and field.can_stand(at, column) and (not zone or is_inside(at, zone)):
                return at
    return None


@lru_cache(maxsize=256)
def circle(reach: float) -> tuple[Point, ...]:
    """Offsets of points on a circle, about an inch apart, from the east round by the north."""
    steps = max(8, int(reach * 6))
    return tuple((reach * cosd(360 * step / steps), reach * sind(360 * step / steps)) for step in range(steps))


def wall_near(battle: Battle, at: Point, reach: float = WALL_REACH) -> Piece[Ground] | None:
    """The nearest wall or fence that gives hard cover, within reach of a point."""
    best, found = reach, None
    for piece in battle.field.lines.values():
        if piece.ground.cover == "hard":
            west, south, east, north = piece.box
            if not (west - best <= at[0] <= east + best and south - best <= at[1] <= north + best):
                continue
            for a, b in piece.legs:
                away = dist(at, nearest_on_segment(at, a, b))
                if away <= best:
                    best, found = away, piece
    return found


def wall_slots(piece: Piece[Ground], at: Point, count: int, radius: float, behind: Point) -> list[Point]:
    """Places against the leg of a wall nearest to a point, on the hand where `behind` lies, the nearest first.

    Along a high wall they are on top of it (PAY-089, PAY-091). Fewer than `count` where the leg is short.
    """
    a, b = min(piece.legs, key=lambda leg: dist(at, nearest_on_segment(at, *leg)))
    length = dist(a, b)
    if length <= SLACK:
        return []
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    left = ux * (behind[1] - a[1]) - uy * (behind[0] - a[0]) >= 0
    off = 0.0 if piece.ground.climb else radius
    nx, ny = (-uy * off, ux * off) if left else (uy * off, -ux * off)
    middle = (at[0] - a[0]) * ux + (at[1] - a[1]) * uy
    apart = 2 * radius + 0.05
    room = max(1, int(length / apart))
    marks = sorted((((k + 0.5) * length / room for k in range(room))), key=lambda mark: abs(mark - middle))
    return [(a[0] + mark * ux + nx, a[1] + mark * uy + ny) for mark in marks[:count]]


def depth_of(battle: Battle, figures: Sequence[Figure]) -> float:
    """From the middle of the block that figures form to the rear of their last rank, in inches."""
    radius = max(battle.radius(figure) for figure in figures)
    return radius - min(ahead for _, ahead in block(len(figures), 2 * radius + ROOM))


def room_aside(battle: Battle, figures: Sequence[Figure], at: Point, ahead: Point) -> Point:
    """The place with most room among others for a block of figures that faces `ahead`: a point, or the nearest on
    either hand of it."""
    radius = max(battle.radius(figure) for figure in figures)
    column = "mounted" if any(figure.mount for figure in figures) else "foot"
    dx, dy = ahead
    offsets = block(len(figures), 2 * radius + ROOM)
    box = (at[0] - 2 * FAR, at[1] - 2 * FAR, at[0] + 2 * FAR, at[1] + 2 * FAR)
    rings = obstacles_near(battle, box, frozenset())
    most, best = -1, at
    for number in range(2 * int(FAR)):
        by = (number + 1) // 2 * (1 if number % 2 else -1)
        here = at[0] + by * dy, at[1] - by * dx
        if not battle.field.can_stand(here, column):
            continue
        spots = [(here[0] + aside * dy + on * dx, here[1] - aside * dx + on * dy) for aside, on in offsets]
        free = sum(not clash(spot, radius, rings) for spot in spots)
        if free > most:
            most, best = free, here
        if free == len(offsets):
            break
    return best


def form_up(battle: Battle, unit: Unit, figures: Sequence[Figure], at: Point, ahead: Point, zone: Points = ()) -> None:
    """Set figures out round a point, facing `ahead` (a direction): along a wall close by, else in a block.

    Used when units are set up and when they arrive, never in play; nobody stands on another's base, or outside a `zone`
    that has room for him.
    """
    if not figures:
        return
    radius = max(battle.radius(figure) for figure in figures)
    column = "mounted" if any(figure.mount for figure in figures) else "foot"
    reach = hypot(*ahead) or 1.0
    dx, dy = ahead[0] / reach, ahead[1] / reach
    spacing = 2 * radius + ROOM
    wants = [(at[0] + aside * dy + on * dx, at[1] - aside * dx + on * dy) for aside, on in block(len(figures), spacing)]
    if zone:
        wants = moved_into(wants, zone, 0.0)
    if column == "foot":
        wall = wall_near(battle, at)
        if wall is not None:
            manned = wall_slots(wall, at, len(figures), radius, towards(at, (at[0] - dx, at[1] - dy), 1.0))
            wants = manned + wants[len(manned) :]
    box = (at[0] - 2 * FAR, at[1] - 2 * FAR, at[0] + 2 * FAR, at[1] + 2 * FAR)
    rings = obstacles_near(battle, box, frozenset(figure.spec.id for figure in figures))
    west, south, east, north = bounds(wants)
    room = radius + WIDEST
    close = [r for r in rings if west - room <= r[0] <= east + room and south - room <= r[1] <= north + room]
    mates: list[Point] = []
    for figure, want in zip(figures, wants, strict=True):
        base = battle.radius(figure)
        place = want
        outside = bool(zone) and not is_inside(want, zone)
        if outside or clash(want, base, close) or not battle.field.can_stand(want, column):
            place = _nearest_round(battle, want, base, column, rings, FAR, zone) or want
        if mates:
            away, near = min((dist(mate, place), mate) for mate in mates)
            if away > battle.book.file.cohesion_at_start.inches:
                place = nearest_free(battle, near, base, column, rings, FAR, zone) or place
        figure.at = place
        mates.append(place)
        rings.append((*place, base, figure.spec.id))
        close.append(rings[-1])
    unit.measure()


def moved_into(spots: Sequence[Point], zone: Points, room: float) -> list[Point]:
    """A block moved so far that it lies in the upright rectangle round a zone, `room` inches from its sides."""
    west, south, east, north = bounds(spots)
    first_x, first_y, last_x, last_y = bounds(zone)
    across = max(first_x + room - west, 0.0) + min(last_x - room - east, 0.0)
    along = max(first_y + room - south, 0.0) + min(last_y - room - north, 0.0)
    return [(x + across, y + along) for x, y in spots]
