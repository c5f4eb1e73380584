"""Night (FBN-234 to FBN-239): men stumble over terrain that they fail to notice, and flares light the ground."""

from __future__ import annotations

from collections.abc import Iterable

from zareba.chance import AtLeast, named
from zareba.rules import procedure
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, box_between, widen
from zareba.space.outlines import ClosestApproach, closest_approach
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.tables import TerrainRow
from zareba_rulesets.fixed_baynet.chapters.morale import lie_down
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Flare, spot_near
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

_INSIDE_EDGE = 0.05
"""Distance in inches from the edge of a piece of terrain at which a man falls."""
_AT_EDGE = 0.1
"""A man within this distance in inches of a piece of terrain has already found it."""


@procedure("night.notice")
def roll_to_notice(table: Table, figure: Figure) -> bool:
    """Roll a D6 against a man's GL and return True if he notices the terrain. His GL stays the same (FBN-239)."""
    die = table.rules.book.glory.die
    read, means = AtLeast(figure.gl), named("he notices nothing", "he notices it", by="his GL")
    return table.roll(1, die, read, why="notice", rule="FBN-239", actor=figure.spec.id, means=means) > 0


def notice_terrain(table: Table, battle: Battle, unit: Unit, figure: Figure, start: Point) -> None:
    """Test if a man notices each obstacle, river or hollow that his path passes within 2" without entering it.

    He meets them in order and tests once for each. If he fails, he leaves his path where it is nearest to the terrain
    and falls prone just inside the edge. His movement is over.
    """
    end = figure.at
    reach = float(battle.book.file.night.notice)
    box = widen(box_between(start, end), reach)
    unnoticed: list[tuple[ClosestApproach, TerrainPiece[TerrainRow], str]] = []
    for name, pieces in _noticeable_pieces(battle.field.near(box)).items():
        if f"noticed {name}" in figure.marks or any(piece.meets(start, end) for piece in pieces):
            continue
        approach, nearest_piece = min(
            ((closest_approach(piece.legs, start, end), piece) for piece in pieces), key=lambda pair: pair[0].gap
        )
        has_reached_it = min(closest_approach(piece.legs, start, start).gap for piece in pieces) <= _AT_EDGE
        if approach.gap <= reach and not has_reached_it:
            unnoticed.append((approach, nearest_piece, name))
    for approach, piece, name in sorted(unnoticed, key=lambda pair: pair[0].along):
        if "halted" in figure.marks:
            return
        figure.mark(f"noticed {name}")
        if not roll_to_notice(table, figure):
            fall_spot = _spot_of_fall(piece, approach)
            battle.put(figure, *spot_near(battle, *fall_spot, battle.radius(figure), {figure.spec.id}))
            lie_down(battle, figure)
            figure.mark("halted")
            unit.mark("loose")
            unit.measure()
            table.emit("stumbled", "FBN-239", unit=unit.spec.id, figure=figure.spec.id, terrain=name)


def _noticeable_pieces(pieces: Iterable[TerrainPiece[TerrainRow]]) -> dict[str, list[TerrainPiece[TerrainRow]]]:
    """Return the pieces of terrain that can be noticed, by name. A river or wall of several segments has one name."""
    pieces_by_name: dict[str, list[TerrainPiece[TerrainRow]]] = {}
    for piece in pieces:
        if piece.ground.notice:
            pieces_by_name.setdefault(piece.name.partition(".")[0], []).append(piece)
    return pieces_by_name


def _spot_of_fall(piece: TerrainPiece[TerrainRow], approach: ClosestApproach) -> Point:
    """Return where a man falls: just inside the edge, just short of impassable ground, or on the line of a wall."""
    on_path, on_leg = approach.on_path, approach.on_leg
    if not piece.is_area or approach.gap == 0:
        return on_leg
    share = (-_INSIDE_EDGE if piece.ground.move == "closed" else _INSIDE_EDGE) / approach.gap
    return on_leg[0] + (on_leg[0] - on_path[0]) * share, on_leg[1] + (on_leg[1] - on_path[1]) * share


def fire_flare(table: Table, battle: Battle, figure: Figure, point: Point) -> None:
    """Fire a flare for 1 AC: the ground around a point is lit until the end of the next turn (FBN-238)."""
    figure.ac -= 1
    figure.flares -= 1
    battle.flares.append(Flare(point[0], point[1], battle.turn + 1))
    table.emit("flare", "FBN-238", figure=figure.spec.id, x=round(point[0], 1), y=round(point[1], 1))
