"""Men in cover: in line along works, or in the near part of rocks, dongas, bush and woods (RSK-007, RSK-107)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from zareba.base.exact import dist, total
from zareba.space.bearings import direction
from zareba.space.field.bases import Base, Crowd
from zareba.space.field.bodies import Body, crowd_of
from zareba.space.field.pieces import Piece
from zareba.space.geometry import Point, is_inside
from zareba_rulesets.risk_factor.book.numbers import Cover, Ground
from zareba_rulesets.risk_factor.ground.field import Field

__all__ = ["CLOSE_UP", "along_works", "in_cover_near", "is_mostly_in_cover"]

CLOSE_UP = 0.05  # cm from a base to the works that it stands at
SPACING = 1.1  # bases from one man to the next
ROWS = 3  # men who find no room at the works stand behind the others
SQUARE_ON = 0.5  # sine of the least angle between a front and works that lie before it
FAR = 60.0  # cm ahead, where the enemy is looked for
WORTH: dict[Cover, float] = {"open": 0.0, "soft": 0.5, "hard": 1.0}
SHIFT = 0.004  # what a cm of shift costs of the cover that it gains
BESIDE = 2.2  # steps from a man to the next, past one or two others
DEEPER = 2.0  # how much rather men stand side by side in an area than one behind another


def along_works(
    field: Field, taken: Iterable[Body], body: Body, facing: float, reach: float, zone: Sequence[Point]
) -> Body | None:
    """A unit in line along works within `reach` cm of its front; None without any, or if it has better cover as it is."""
    ahead = direction(facing)
    (x, y), front = body.centre, max(_along(at, ahead) for at in body.at) - _along(body.centre, ahead)
    far = front + body.radius + reach
    works = [piece for piece in field.fortified if not piece.is_area]
    if not any(piece.meets((x, y), (x + ahead[0] * far, y + ahead[1] * far)) for piece in works):
        return None
    near = [piece for piece in works if piece.distance((x, y)) <= far]  # walls go on beyond gates and corners
    parts = [_rows_along(piece, body.radius, ahead) for piece in near]
    rows = [[at for part in parts for at in part[row]] for row in range(ROWS)]
    return _best(field, taken, body, ahead, [rows], reach + 2 * body.reach, zone, least=0.0)


def in_cover_near(
    field: Field, taken: Iterable[Body], body: Body, facing: float, reach: float, zone: Sequence[Point]
) -> Body | None:
    """A unit in the best cover of its zone within `reach` cm; None where most of its men would find none, or no better.

    Buildings are not occupied in this way.
    """
    ahead, pieces = direction(facing), [piece for piece in field.covers if not piece.ground.blocks_sight]
    places = (
        _rows_in(field, p, body.radius, ahead) if p.is_area else _rows_along(p, body.radius, ahead) for p in pieces
    )
    return _best(field, taken, body, ahead, places, reach, zone, least=0.5)


def is_mostly_in_cover(field: Field, body: Body, facing: float) -> bool:
    """Whether most of a unit's men have cover against what is ahead of them."""
    return 2 * _cover(field, body, direction(facing))[1] > len(body)


def _best(
    field: Field,
    taken: Iterable[Body],
    body: Body,
    ahead: Point,
    places: Iterable[Sequence[Sequence[Point]]],
    reach: float,
    zone: Sequence[Point],
    least: float,
) -> Body | None:
    """The unit in those places, given by rows, that cover it best, and more than the `least` share of its men."""
    crowd, best, most = crowd_of(taken), None, _cover(field, body, ahead)[0]

    def is_free(at: Point) -> bool:
        return (not zone or is_inside(at, zone)) and _has_room(field, crowd, at, body.radius)

    for rows in places:
        line = _line_up(body, [list(filter(is_free, row)) for row in rows], ahead, reach)
        if line is None:
            continue
        cover, covered = _cover(field, line, ahead)
        worth = cover - SHIFT * dist(line.centre, body.centre)
        if covered > least * len(line) and worth > most:
            best, most = line, worth
    return best


def _cover(field: Field, body: Body, ahead: Point) -> tuple[float, int]:
    """The mean cover of a body's men against what is ahead, and how many of them have any."""
    found = [
        field.cover_of(body, index, (x + ahead[0] * FAR, y + ahead[1] * FAR)) for index, (x, y) in enumerate(body.at)
    ]
    return total(WORTH[cover] for cover in found) / len(found), sum(cover != "open" for cover in found)


def _along(at: Point, way: Point) -> float:
    return at[0] * way[0] + at[1] * way[1]


def _rows_along(piece: Piece[Ground], radius: float, ahead: Point) -> list[list[Point]]:
    """Rows of places behind a line, as seen from ahead, the first of them close up to it."""
    step = 2 * radius * SPACING
    found: list[list[Point]] = [[] for _ in range(ROWS)]
    for (ax, ay), (bx, by) in pairwise(piece.points):
        length = dist((ax, ay), (bx, by))
        ux, uy = (bx - ax) / length, (by - ay) / length
        square = uy * ahead[0] - ux * ahead[1]
        if abs(square) < SQUARE_ON:
            continue
        side = -1.0 if square > 0 else 1.0  # the normal (uy, -ux) points ahead, or back
        number = int((length - 2 * radius) / step) + 1
        for row, places in enumerate(found):
            off = side * (radius + CLOSE_UP + row * step)
            for k in range(number):
                along = length / 2 + (k - (number - 1) / 2) * step
                places.append((ax + ux * along + uy * off, ay + uy * along - ux * off))
    return found


def _rows_in(field: Field, piece: Piece[Ground], radius: float, ahead: Point) -> list[list[Point]]:
    """The first ranks along the front of an area, the places behind them in it, and those round it.

    Men farther back have their mates in their line of fire (RSK-106); of a wood they may use what one looks out of (RSK-152).
    """
    step, right, more = 2 * radius * SPACING, (ahead[1], -ahead[0]), ROWS - 1
    deep = [_along(at, ahead) for at in piece.points]
    wide = [_along(at, right) for at in piece.points]
    inside: list[list[Point]] = []
    outside: list[Point] = []
    for column in range(-more, int((max(wide) - min(wide)) / step) + 1 + more):
        x = min(wide) + radius + column * step
        file: list[Point] = []
        for row in range(-more, int((max(deep) - min(deep)) / step) + 1 + more):
            y = max(deep) - radius - row * step
            at = (x * right[0] + y * ahead[0], x * right[1] + y * ahead[1])
            (file if piece.holds(at) else outside).append(at)
        inside.append(_looking_out(field, piece, file, radius))
    ranks = field.book.counts["lining_ranks"]  # that can all shoot
    return [[at for file in inside for at in file[:ranks]], [at for file in inside for at in file[ranks:]], outside]


def _looking_out(field: Field, piece: Piece[Ground], places: list[Point], radius: float) -> list[Point]:
    """The places from which men look out of the piece in which they stand."""
    if not piece.ground.wood or not places:
        return places
    depths, looks = field.depths[Body(tuple(places), radius)], field.book.settings.woods_look_depth
    return [at for at, depth in zip(places, depths, strict=True) if depth is not None and depth[1] <= looks]


def _has_room(field: Field, crowd: Crowd, at: Point, radius: float) -> bool:
    x, y = at
    on_table = radius <= x <= field.width - radius and radius <= y <= field.depth - radius
    return on_table and not field.is_closed(at) and crowd.is_free(at, radius)


def _line_up(body: Body, rows: Sequence[Sequence[Point]], ahead: Point, reach: float) -> Body | None:
    """The body in these places, from the nearest of the first row on, each beside another; None without enough.

    Nobody stands in a row while there is a place left in one before it.
    """
    first = min(rows[0], key=lambda at: dist(at, body.centre), default=None)
    if first is None or dist(first, body.centre) > reach:
        return None
    right, step, crowd = (
        (ahead[1], -ahead[0]),
        2 * body.radius * SPACING,
        Crowd([Base(*first, body.radius)], square=8.0),
    )

    def off(at: Point) -> float:
        way = (at[0] - first[0], at[1] - first[1])
        return abs(_along(way, right)) + DEEPER * abs(_along(way, ahead))

    waiting = [at for row in rows for at in sorted(row, key=off)]
    chosen = [first]
    while len(chosen) < len(body):
        beside = (
            at for at in waiting if any(dist(at, o) <= BESIDE * step for o in chosen) and crowd.is_free(at, body.radius)
        )
        at = next(beside, None)
        if at is None:
            return None
        chosen.append(at)
        crowd.add(Base(*at, body.radius))
    return Body(tuple(sorted(chosen, key=lambda at: (-_along(at, ahead), _along(at, right)))), body.radius)
