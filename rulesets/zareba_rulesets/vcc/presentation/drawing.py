"""Turns the state of a battle into the board that players see."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from zareba.base.grammar import amount, with_note
from zareba.battle.carried_objects import objects_on_ground
from zareba.presentation.board import OBJECTIVE, Appearance, Board, BoardCell, BoardPiece, Kind, arrow, split_hidden
from zareba.scenario import Scenario
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle, Unit, UnitSpec
from zareba_rulesets.vcc.presentation.words import commander_line, unit_line, words

SYMBOLS = {"foot": "F", "mounted": "C", "artillery": "A", "machine_gun": "M", "rocket": "R", "wagon": "W"}
_KINDS: Mapping[str, Kind] = {
    "foot": "foot", "mounted": "horse", "artillery": "gun", "machine_gun": "machine_gun", "rocket": "rocket",
    "wagon": "wagon",
}  # fmt: skip


def draw_board(battle: Battle, scenario: Scenario, places: Mapping[str, frozenset[int]], headline: str) -> Board:
    """Draw all units, commanders, abandoned guns and objects, and every box that is an objective or not open ground."""
    field, grid = battle.field, battle.field.grid
    kinds = {id(ground): name for name, ground in battle.book.file.terrain.items()}
    walls: dict[int, list[str]] = {}
    for side, obstacle in field.obstacles.items():
        for box in grid.side_boxes(side):
            walls.setdefault(box, []).append(obstacle.title)
    cells, marks, tints = [], words().tables["marks"], words().tables["tints"]
    for box in range(grid.size):
        kind, level = kinds[id(field.ground[box])], field.level[box]
        notes = [field.ground[box].title] if kind != "open" else []
        notes += ["road"] if box in field.roads else []
        notes += sorted(set(walls.get(box, [])))
        goals = [scenario.objectives[key].name for key, boxes in places.items() if box in boxes]
        notes += [f"{OBJECTIVE}{name}" for name in goals]
        if notes or level:
            mark = "◎" if goals else marks.get(kind) or ("=" if box in field.roads else "#" if box in walls else "")
            cells.append(
                BoardCell(
                    *grid.column_row(box),
                    mark,
                    ", ".join(notes),
                    level,
                    (tints.get(kind, "rough"),) if kind != "open" else (),
                )
            )
    pieces = [
        BoardPiece(
            unit.spec.id,
            unit.spec.side,
            SYMBOLS[unit.troop] + ("□" if "square" in unit.marks else arrow(unit.facing * 45.0)),
            unit_line(battle, unit),
            *grid.column_row(unit.box),
            _appearance_of(unit),
        )
        for unit in battle.units.values()
        if unit.on_table
    ]
    for unit in battle.units.values():
        if unit.gun_box != OFF_TABLE and unit.on_table:
            text = f"the abandoned gun of {unit.spec.name}"
            pieces.append(
                BoardPiece(
                    _gun_id(unit.spec.id),
                    unit.spec.side,
                    SYMBOLS["artillery"],
                    text,
                    *grid.column_row(unit.gun_box),
                    Appearance("gun", unit.spec.id, unit.spec.name),
                )
            )
    for commander in battle.commanders.values():
        if commander.box != OFF_TABLE:
            text = commander_line(battle, commander)
            appearance = Appearance("leader", name=commander.name)
            at = grid.column_row(commander.box)
            pieces.append(BoardPiece(commander_id(commander.side), commander.side, "★", text, *at, appearance))
    pieces += objects_on_ground(
        battle.carried_objects, scenario, lambda carried_object: grid.column_row(carried_object.box)
    )
    roles = dict(zip(battle.by_role, ("British", "Native"), strict=True))
    sides = {
        side: entry.name if field.roles_are_rolled and not battle.drawn else with_note(entry.name, roles[side])
        for side, entry in scenario.sides.items()
    }
    inches = float(battle.book.settings.box_inches)
    return Board("boxes", grid.columns, grid.rows, "boxes", headline, tuple(cells), tuple(pieces), sides, inches=inches)


def _appearance_of(unit: Unit) -> Appearance:
    """Return the appearance of a unit: its bases, facing, marker of hits and state."""
    return Appearance(
        _KINDS[unit.spec.troop],
        name=unit.spec.name,
        strength=unit.strength,
        facing=unit.facing * 45.0,
        formation="square" if "square" in unit.marks else "",
        states=(*([amount(unit.hits, "hit")] if unit.hits else ()), *words().states(unit.marks)),
    )


def pieces_by_side(specs: Collection[UnitSpec], seats: Sequence[str], scenario: Scenario) -> dict[str, list[str]]:
    """Return all pieces that may be on the board: the units, the Army Commanders, the guns that may be left behind.

    The units that the scenario hides come last.
    """
    pieces: dict[str, list[str]] = {}
    for side in seats:
        unit_ids = [spec.id for spec in specs if spec.side == side]
        shown, hidden = split_hidden(unit_ids, lambda unit: scenario.units[unit].hidden)
        pieces[side] = [*shown, commander_id(side), *map(_gun_id, shown), *hidden, *map(_gun_id, hidden)]
    return pieces


def _gun_id(unit: str) -> str:
    """Return the id on the board of the gun that a unit has left."""
    return f"gun of {unit}"


def commander_id(side: str) -> str:
    """Return the id of the commander of a side on the board."""
    return f"commander {side}"
