"""Terrain and structures of a scenario, hex by hex (chapter 8, AFR-304 to AFR-309, AFR-317)."""

from __future__ import annotations

from zareba.base.exact import dist
from zareba.scenario import Scenario, Terrain
from zareba.space import HexGrid, Raster
from zareba.space.geometry import EPSILON
from zareba_rulesets.afriboria.book.numbers import AfrBook
from zareba_rulesets.afriboria.ground.field import StructureSpec

__all__ = ["ground_kinds", "hexes_of", "structure_specs"]


def ground_kinds(book: AfrBook, scenario: Scenario, raster: Raster[HexGrid]) -> tuple[list[list[str]], frozenset[int]]:
    """Return the features of every hex, and the hexes of crests (AFR-151).

    An area counts where it covers half a hex (AFR-317), a line where it runs through a tenth of one. In a siege a low
    wall is a fieldwork (AFR-305).
    """
    kinds: list[list[str]] = [[] for _ in range(raster.grid.size)]
    crests: set[int] = set()
    mapping = book.file.mapping
    for piece in scenario.terrain.values():
        names = mapping.area_terrain.get(piece.kind, mapping.linear_terrain.get(piece.kind, []))
        if scenario.siege and piece.kind == "low_wall":
            names = ["fieldwork"]
        if scenario.siege and _is_structure(piece):
            names = []
        for cell in hexes_of(book, piece, raster):
            kinds[cell] += names
        if piece.crest is not None:
            crests |= {
                cell for cell, share in raster.coverage(piece.crest).items() if share >= mapping.shares.area - EPSILON
            }
    for cell, present in enumerate(kinds):
        if not {"river", "stream"} & set(present):
            kinds[cell] = [name for name in present if name not in ("ford", "bridge")]
    return kinds, frozenset(cell for cell in crests if "hill" in kinds[cell])


def hexes_of(book: AfrBook, piece: Terrain, raster: Raster[HexGrid]) -> list[int]:
    """Return the hexes in which a piece of terrain counts. A small tolerance keeps exact shares from being lost to
    rounding.
    """
    shares = book.file.mapping.shares
    if piece.area is not None:
        return [cell for cell, share in raster.coverage(piece.area).items() if share >= shares.area - EPSILON]
    min_length = raster.inches * shares.line
    return [cell for cell, inches in raster.crossed_by(piece.line or ()).items() if inches >= min_length]


def _is_structure(piece: Terrain) -> bool:
    return piece.kind in ("building", "village", "high_wall", "rampart")


def structure_specs(book: AfrBook, scenario: Scenario, raster: Raster[HexGrid], side: str) -> dict[int, StructureSpec]:
    """Return the structures of a siege: type by material, forts stronger (AFR-307, AFR-308), gates with their own type
    (AFR-336).

    A scenario may give other values (AFR-309).
    """
    values = book.settings.siege_values
    found: dict[int, StructureSpec] = {}
    for piece in scenario.terrain.values():
        if not _is_structure(piece):
            continue
        material = piece.material or ("stone" if piece.kind in ("high_wall", "rampart") else "adobe")
        kind = "stone_fort" if material == "stone" and piece.true_fortification else material
        inside = piece.area is not None and bool(piece.true_fortification)
        cells = hexes_of(book, piece, raster)
        gates = {
            min(
                cells, key=lambda cell: (dist(raster.to_table(cell), gate.at), raster.grid.from_middle(cell), cell)
            ): gate
            for gate in piece.gates.values()
            if cells
        }
        for cell in cells:
            gate = gates.get(cell)
            if gate is None:
                found.setdefault(cell, StructureSpec(kind, piece.strength or values[kind], side, inside))
            else:
                type_of_gate = book.file.gates[gate.kind].structure
                found[cell] = StructureSpec(type_of_gate, values[type_of_gate], side, gate=True)
    return found
