"""Units in cover: in line along works, or in the near part of rocks, dongas, bush and woods (RSK-007, RSK-107)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from zareba.base.exact import dist, total
from zareba.space.bearings import direction
from zareba.space.field.bases import Crowd
from zareba.space.field.bodies import Body, crowd_of
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, is_inside
from zareba.space.moves.line_formation import LineFormation, offset_along
from zareba.space.outlines import TerrainArea, TerrainLine
from zareba_rulesets.risk_factor.book.numbers import Cover, Ground
from zareba_rulesets.risk_factor.ground.field import Field

__all__ = ["CLOSE_UP", "along_works", "in_cover_near", "is_mostly_in_cover"]

CLOSE_UP = 0.05  # cm between a base and the works it lines
LINING = LineFormation(spacing=1.1, rows=3, close_up=CLOSE_UP, square_on=0.5, beside=2.2, deeper=2.0)
FAR = 60.0  # cm ahead where an enemy is assumed
WORTH: dict[Cover, float] = {"open": 0.0, "soft": 0.5, "hard": 1.0}
SHIFT = 0.004  # cost of 1 cm of shift, in units of WORTH


def along_works(
    field: Field, occupied: Iterable[Body], body: Body, facing: float, reach: float, zone: Sequence[Point]
) -> Body | None:
    """Return a unit in line along works within `reach` cm of its front. None if there are no works, or if its present
    cover is better.
    """
    ahead = direction(facing)
    (x, y), front = body.centre, max(offset_along(at, ahead) for at in body.at) - offset_along(body.centre, ahead)
    far = front + body.radius + reach
    works = [piece for piece in field.fortified if not piece.is_area]
    if not any(piece.meets((x, y), (x + ahead[0] * far, y + ahead[1] * far)) for piece in works):
        return None
    near = [piece for piece in works if piece.distance((x, y)) <= far]  # walls may continue beyond gates and corners
    parts = [LINING.rows_along(piece.points, body.radius, facing) for piece in near]
    rows = [[at for part in parts for at in part[row]] for row in range(LINING.rows)]
    return _best_line(field, occupied, body, facing, [rows], reach + 2 * body.reach, zone, min_share=0.0)


def in_cover_near(
    field: Field, occupied: Iterable[Body], body: Body, facing: float, reach: float, zone: Sequence[Point]
) -> Body | None:
    """Return a unit in the best cover of its zone within `reach` cm. None if most of its men would have no cover, or no
    better cover than now.

    Buildings are not occupied in this way.
    """
    places = (
        LINING.rows_along(piece.points, body.radius, facing)
        if isinstance(piece.shape, TerrainLine)
        else _rows_in(field, piece, piece.shape, body.radius, facing)
        for piece in field.covers
        if not piece.ground.blocks_sight
    )
    return _best_line(field, occupied, body, facing, places, reach, zone, min_share=0.5)


def is_mostly_in_cover(field: Field, body: Body, facing: float) -> bool:
    """Return True if most of a unit's men have cover from the front."""
    return 2 * _cover(field, body, direction(facing))[1] > len(body)


def _best_line(
    field: Field,
    occupied: Iterable[Body],
    body: Body,
    facing: float,
    places: Iterable[Sequence[Sequence[Point]]],
    reach: float,
    zone: Sequence[Point],
    min_share: float,
) -> Body | None:
    """Return the unit in the places that cover it best, or None if they cover no more than the `min_share` share of its
    men. `places` are given by rows.
    """
    crowd, best, best_share = crowd_of(occupied), None, _cover(field, body, direction(facing))[0]

    def is_free(at: Point) -> bool:
        return (not zone or is_inside(at, zone)) and _has_room(field, crowd, at, body.radius)

    for rows in places:
        line = LINING.lined_up(body, [list(filter(is_free, row)) for row in rows], facing, reach)
        if line is None:
            continue
        cover, covered = _cover(field, line, direction(facing))
        worth = cover - SHIFT * dist(line.centre, body.centre)
        if covered > min_share * len(line) and worth > best_share:
            best, best_share = line, worth
    return best


def _cover(field: Field, body: Body, ahead: Point) -> tuple[float, int]:
    """Return the mean cover of a body from the front, and how many of its men have any."""
    found = [
        field.cover_of(body, index, (x + ahead[0] * FAR, y + ahead[1] * FAR)) for index, (x, y) in enumerate(body.at)
    ]
    return total(WORTH[cover] for cover in found) / len(found), sum(cover != "open" for cover in found)


def _rows_in(
    field: Field, piece: TerrainPiece[Ground], area: TerrainArea, radius: float, facing: float
) -> list[list[Point]]:
    """Return three rows of places: the first ranks along the front of an area, the places behind them, and those round
    the area.

    Men farther back have their mates in their line of fire (RSK-106). In a wood, only places from which figures can
    look out are used (RSK-152).
    """
    files, outside = LINING.files_in(area, radius, facing)
    inside = [_looking_out(field, piece, file, radius) for file in files]
    ranks = field.book.counts["lining_ranks"]  # ranks in which all figures can shoot
    return [[at for file in inside for at in file[:ranks]], [at for file in inside for at in file[ranks:]], outside]


def _looking_out(field: Field, piece: TerrainPiece[Ground], places: list[Point], radius: float) -> list[Point]:
    """Return the places from which figures can look out of the piece they are in."""
    if not piece.ground.wood or not places:
        return places
    depths, looks = field.depths[Body(tuple(places), radius)], field.book.settings.woods_look_depth
    return [at for at, depth in zip(places, depths, strict=True) if depth is not None and depth[1] <= looks]


def _has_room(field: Field, crowd: Crowd, at: Point, radius: float) -> bool:
    x, y = at
    on_table = radius <= x <= field.width - radius and radius <= y <= field.depth - radius
    return on_table and not field.is_closed(at) and crowd.is_free(at, radius)
