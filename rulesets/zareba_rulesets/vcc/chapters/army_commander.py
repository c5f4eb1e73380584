"""The Army Commander: moving and attaching him (VCC-056, VCC-163, VCC-171)."""

from __future__ import annotations

from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle, Commander

_ALONE = "alone"


def commander_boxes(battle: Battle, commander: Commander) -> list[int]:
    """Return the boxes that a commander may reach in his side's movement step: his own first, none with enemies."""
    field, side = battle.field, commander.side
    reached = {commander.box: None}
    frontier = [commander.box]
    for _ in range(battle.book.file.commander_allowance.boxes):
        boxes, frontier = frontier, []
        for box in boxes:
            for step in field.open_steps["mounted", box]:
                if step.box not in reached and not battle.has_enemy_in(step.box, side):
                    reached[step.box] = None
                    if not step.ends:
                        frontier.append(step.box)
    return list(reached)


@procedure("commander.move")
def move_commander(table: Table, battle: Battle, side: str) -> None:
    """Move the Army Commander up to 2 boxes (VCC-056), then attach him to a unit in his box or to none (VCC-171)."""
    commander = battle.commanders.get(side)
    if commander is None or commander.box == OFF_TABLE:
        return
    boxes = commander_boxes(battle, commander)
    box = table.choose(side, boxes, why="commander to", rule="VCC-056", actor=side)
    if box != commander.box:
        commander.box, commander.unit = box, ""
        table.emit("commander moved", "VCC-056", side=side, name=commander.name, box=box)
    units = [unit.spec.id for unit in battle.units_in(box, side)]
    if units:
        unit = table.choose(side, [*units, _ALONE], why="attach commander to", rule="VCC-171", actor=side)
        joined_unit = "" if unit == _ALONE else unit
        if joined_unit != commander.unit:
            commander.unit = joined_unit
            table.emit("commander attached", "VCC-171", side=side, name=commander.name, unit=joined_unit)
