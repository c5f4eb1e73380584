"""Night (FBN-234 to FBN-239): men who do not notice what they walk past; flares."""

from __future__ import annotations

from collections.abc import Iterable
from math import dist, hypot

from zareba.chance import AtLeast
from zareba.rules import procedure
from zareba.space.geometry import Point, distance_between_segments, edges, nearest_on_segment
from zareba.table import Table
from zareba_rulesets.fixed_baynet.battle import Battle, Flare
from zareba_rulesets.fixed_baynet.glory import lie_down
from zareba_rulesets.fixed_baynet.pieces import Piece
from zareba_rulesets.fixed_baynet.places import first_free
from zareba_rulesets.fixed_baynet.troops import Figure, Unit

__all__ = ["fire_flare", "notice", "notices"]

INSIDE = 0.05


@procedure("night.notice")
def notices(table: Table, figure: Figure) -> bool:
    """FBN-239: a D6 against his GL, which stays as it is."""
    return table.roll(1, 6, AtLeast(figure.gl), why="notice", rule="FBN-239", actor=figure.spec.id) > 0


def notice(table: Table, battle: Battle, unit: Unit, figure: Figure, start: Point) -> None:
    """P17: for each obstacle, river or hollow within 2" of a man's way that he does not enter; once for each of them.

    Who misses it goes to the nearest point inside its edge and lies there; his movement is over.
    """
    end = (figure.x, figure.y)
    reach = float(battle.book.file.night["notice"])
    box = (
        min(start[0], end[0]) - reach,
        min(start[1], end[1]) - reach,
        max(start[0], end[0]) + reach,
        max(start[1], end[1]) + reach,
    )
    for name, pieces in _features(battle.field.near(box)).items():
        mark = f"noticed {name}"
        if mark in figure.marks or "halted" in figure.marks or any(piece.meets(start, end) for piece in pieces):
            continue
        if min(_away(piece, start, end) for piece in pieces) > reach:
            continue
        figure.mark(mark)
        if not notices(table, figure):
            spot = min((_into(piece, end) for piece in pieces), key=lambda at: dist(at, end))
            battle.put(figure, *first_free(battle, *spot, battle.radius(figure), {figure.spec.id}))
            lie_down(battle, figure)
            figure.mark("halted")
            unit.mark("loose")
            unit.measure()
            table.tell("stumbled", "FBN-239", unit=unit.spec.id, figure=figure.spec.id, terrain=name)


def _features(pieces: Iterable[Piece]) -> dict[str, list[Piece]]:
    """What there is to be noticed: a river or wall of several legs is one thing."""
    found: dict[str, list[Piece]] = {}
    for piece in pieces:
        if piece.row.notice:
            found.setdefault(piece.name.partition(".")[0], []).append(piece)
    return found


def _sides(piece: Piece) -> list[tuple[Point, Point]]:
    if piece.is_area:
        return list(edges(piece.points))
    return list(zip(piece.points, piece.points[1:], strict=False))


def _away(piece: Piece, a: Point, b: Point) -> float:
    return min(distance_between_segments(a, b, c, d) for c, d in _sides(piece))


def _into(piece: Piece, point: Point) -> Point:
    """The nearest point just inside the edge of a piece, or just short of one that nobody can enter; on a line, the line itself."""
    near = min(
        (nearest_on_segment(point, c, d) for c, d in _sides(piece)),
        key=lambda at: hypot(at[0] - point[0], at[1] - point[1]),
    )
    away = hypot(near[0] - point[0], near[1] - point[1])
    if not piece.is_area or away == 0:
        return near
    share = (-INSIDE if piece.row.move == "closed" else INSIDE) / away
    return near[0] + (near[0] - point[0]) * share, near[1] + (near[1] - point[1]) * share


def fire_flare(table: Table, battle: Battle, figure: Figure, point: Point) -> None:
    """FBN-238: 1 AC; the ground about a point is lit until the end of the next turn."""
    figure.ac -= 1
    figure.flares -= 1
    battle.flares.append(Flare(point[0], point[1], battle.turn + 1))
    table.tell("flare", "FBN-238", figure=figure.spec.id, x=round(point[0], 1), y=round(point[1], 1))
