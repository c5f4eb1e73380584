"""Terrain in boxes: the kind of each box, and the obstacles between boxes (VCC-167)."""

from __future__ import annotations

from collections.abc import Mapping

from zareba.scenario import Scenario, Terrain
from zareba.space.grid.boxes import BoxGrid
from zareba.space.grid.terrain import HALF, Raster, distance_to_side, sides_along
from zareba_rulesets.vcc.book.numbers import VccBook
from zareba_rulesets.vcc.book.tables import Obstacle

__all__ = ["ground_of_boxes", "obstacles_between"]


def ground_of_boxes(
    book: VccBook, scenario: Scenario, raster: Raster[BoxGrid]
) -> tuple[list[str], tuple[int, ...], frozenset[int]]:
    """Return kind and level of every box, and the boxes with a road. A piece counts where it covers at least half a
    box.
    """
    size = raster.grid.size
    kind, coverage = ["open"] * size, [0.0] * size
    level = [0] * size
    roads: set[int] = set()
    for piece in scenario.terrain.values():
        word = _word(book, piece)
        if piece.area is not None:
            for box, share in raster.coverage(piece.area).items():
                if word == "road":
                    roads.add(box)
                elif share >= HALF and word == "hill":
                    level[box] += 1 if piece.crest else (piece.levels or 1)
                elif share >= HALF and share > coverage[box]:
                    kind[box], coverage[box] = _water(piece, word), share
            if piece.crest is not None:
                for box, share in raster.coverage(piece.crest).items():
                    if share >= HALF and level[box]:
                        level[box] += (piece.levels or 2) - 1
        elif piece.line is not None:
            crossed = raster.crossed_by(piece.line)
            if word == "road":
                roads |= set(crossed)
            elif word in ("river", "water"):
                for box in _filled_boxes(crossed, raster):
                    kind[box] = _water(piece, "river")
    for piece in scenario.terrain.values():
        if piece.kind in ("ford", "bridge"):
            for box in _boxes_of(piece, raster):
                if kind[box] in ("closed", "ford"):
                    kind[box] = "ford" if piece.kind == "ford" else "open"
                if piece.kind == "bridge":
                    roads.add(box)
    return kind, tuple(level), frozenset(roads)


def _word(book: VccBook, piece: Terrain) -> str:
    mapping = book.file.mapping
    return mapping.area_terrain.get(piece.kind) or mapping.linear_terrain[piece.kind]


def _water(piece: Terrain, word: str) -> str:
    if word != "river":
        return word
    return "closed" if piece.depth == "deep" or (piece.kind == "river" and piece.depth is None) else "ford"


def _filled_boxes(crossed: Mapping[int, float], raster: Raster[BoxGrid]) -> set[int]:
    """Return the boxes that a water crosses for at least half a box, and boxes that join two of these diagonally."""
    crossed_boxes = {box for box, inches in crossed.items() if inches >= raster.inches * 0.5}
    order, grid = list(crossed), raster.grid
    joints = {
        box
        for previous, box, following in zip(order, order[1:], order[2:], strict=False)
        if {previous, following} <= crossed_boxes and following not in grid.neighbours(previous, diagonal=False)
    }
    return crossed_boxes | joints


def _boxes_of(piece: Terrain, raster: Raster[BoxGrid]) -> list[int]:
    if piece.area is not None:
        return list(raster.coverage(piece.area))
    return list(raster.crossed_by(piece.line or ()))


def obstacles_between(
    book: VccBook, scenario: Scenario, raster: Raster[BoxGrid]
) -> tuple[dict[int, Obstacle], frozenset[int]]:
    """Return the obstacles on the sides of boxes, and the gates in them: walls, fences, and water that does not fill
    boxes.

    A ford makes deep water on a side passable; a bridge removes it.
    """
    by_side: dict[int, Obstacle] = {}
    gates: set[int] = set()
    obstacles = book.file.obstacles
    for piece in scenario.terrain.values():
        if piece.line is None or piece.kind in ("road", "ford", "bridge"):
            continue
        word = _word(book, piece)
        sides = sides_along(raster, piece.line)
        if word in ("river", "water"):
            word = "deep_water" if _water(piece, "river") == "closed" else "water"
            filled_boxes = _filled_boxes(raster.crossed_by(piece.line), raster)
            sides = tuple(side for side in sides if not filled_boxes.intersection(raster.grid.side_boxes(side)))
        by_side.update(dict.fromkeys(sides, obstacles[word]))
        for gate in piece.gates.values():
            at = raster.to_grid(gate.at)
            gates.add(min(sides, key=lambda side: distance_to_side(raster.grid, side, at)))
    for piece in scenario.terrain.values():
        if piece.kind in ("ford", "bridge"):
            for side in _sides_between(raster.grid, _boxes_of(piece, raster)):
                if by_side.get(side) in (obstacles["deep_water"], obstacles["water"]):
                    by_side[side] = obstacles["water"]
                    if piece.kind == "bridge":
                        del by_side[side]
    return by_side, frozenset(gates)


def _sides_between(grid: BoxGrid, boxes: list[int]) -> set[int]:
    """Return the sides that neighbouring boxes of a list share."""
    box_set = set(boxes)
    return {side for box in boxes for side in grid.sides(box) if box_set.issuperset(grid.side_boxes(side))}
