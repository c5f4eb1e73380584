"""Draws the table as a board."""

from __future__ import annotations

from collections.abc import Mapping

from zareba.base.grammar import amount
from zareba.battle.carried_objects import objects_on_ground
from zareba.presentation.board import OBJECTIVE, Appearance, Board, BoardCell, BoardPiece, Kind
from zareba.scenario import Scenario
from zareba.space import Raster
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import OFF, Unit
from zareba_rulesets.afriboria.presentation.words import commander_line, flier_line, unit_line, words
from zareba_rulesets.afriboria.translation import hex_inches

SYMBOLS = {
    "infantry": "I", "dismounted": "D", "pack": "P", "mounted": "C", "artillery": "A", "machine_gun": "M", "vehicle": "V",
}  # fmt: skip
KINDS: Mapping[str, Kind] = {
    "infantry": "foot", "dismounted": "foot", "pack": "wagon", "mounted": "horse", "artillery": "gun",
    "machine_gun": "machine_gun", "vehicle": "vehicle",
}  # fmt: skip


def draw_board(battle: Battle, scenario: Scenario, headline: str) -> Board:
    """Draw every hex that is not open ground, and all units, commanders, fliers, ladders, objectives and objects."""
    grid, terrain = battle.field.grid, battle.book.file.terrain
    goals: dict[int, list[str]] = {}
    for key, hexes in battle.field.goals.items():
        for cell in hexes:
            goals.setdefault(cell, []).append(scenario.objectives[key].name)
    cells, marks, tints = [], words().tables["marks"], words().tables["tints"]
    for cell in grid.cells:
        ground = battle.ground(cell)
        notes = [terrain[kind].title for kind in ground.kinds]
        notes += ["hilltop"] if cell in battle.field.hilltops and ground.hill else []
        notes += _structure_notes(battle, cell)
        notes += [f"ladder from {grid.label(foot)}" for wall, foot in battle.ladders if wall == cell]
        notes += [f"{OBJECTIVE}{name}" for name in goals.get(cell, [])]
        if notes:
            mark = "◎" if cell in goals else marks.get(ground.kinds[-1], "^") if ground.kinds else marks["building"]
            looks = tuple(tints.get(kind, "rough") for kind in ground.kinds)
            cells.append(BoardCell(*grid.column_row(cell), mark, ", ".join(notes), int(ground.hill), looks))
    pieces = [
        BoardPiece(
            unit.spec.id,
            unit.spec.side,
            _symbol(battle, unit.spec.id),
            unit_line(battle, unit),
            *grid.column_row(cell),
            Appearance(
                KINDS[unit.profile.arm],
                name=unit.spec.name,
                strength=unit.sections.get(cell, unit.figures),
                states=words().states(unit.marks),
                meaning=_meaning(unit),
                badge=unit.spec.colour,
            ),
        )
        for unit in battle.units.values()
        if unit.hex != OFF
        for cell in unit.hexes
    ]
    for chief in battle.commanders.values():
        if chief.hex != OFF:
            symbol = "★" if chief.spec.officer else "☆"
            text = commander_line(battle, chief)
            look = Appearance("leader", name=chief.spec.name)
            pieces.append(BoardPiece(chief.spec.id, chief.spec.side, symbol, text, *grid.column_row(chief.hex), look))
    for flier in battle.fliers.values():
        if flier.hex != OFF:
            text = flier_line(battle, flier)
            look = Appearance("flyer", name=flier.spec.name, strength=flier.strength, badge=flier.spec.colour)
            pieces.append(BoardPiece(flier.spec.id, flier.spec.side, "✈", text, *grid.column_row(flier.hex), look))
    pieces += objects_on_ground(
        battle.carried_objects, scenario, lambda carried_object: grid.column_row(carried_object.hex)
    )
    sides = {side: entry.name for side, entry in scenario.sides.items()}
    inches, table = hex_inches(battle.book), scenario.table
    origin = Raster.centred(grid, inches, table.width, table.depth).origin
    return Board(
        "hexes", grid.columns, grid.rows, "hexes", headline, tuple(cells), tuple(pieces), sides,
        inches=inches, origin=origin, short_rows=grid.short_rows,
    )  # fmt: skip


def _structure_notes(battle: Battle, cell: int) -> list[str]:
    """Return the notes on the standing structure of a hex, if there is one."""
    if not battle.has_intact_structure(cell):
        return []
    spec, state = battle.field.structures[cell], battle.structures[cell]
    gate = f", gate {'open' if state.open else 'shut'}" if spec.gate else ""
    return [f"{battle.book.file.structures[spec.type].title} structure {state.value}{gate}"]


def _meaning(unit: Unit) -> str:
    """Return what the symbol of a unit says: its arm, its colour and its figures."""
    return f"{unit.profile.arm.replace('_', ' ')}, {unit.spec.colour}, {amount(unit.figures, 'figure')}"


def _symbol(battle: Battle, name: str) -> str:
    """Return the symbol of a unit on the text board: arm, first letter of its colour, figures."""
    unit = battle.units[name]
    return f"{SYMBOLS[unit.profile.arm]}{unit.spec.colour[0]}{unit.figures}"
