"""The Army Commander: moving, attaching (VCC-056, VCC-163, VCC-171)."""

from __future__ import annotations

from zareba.rules import procedure
from zareba.space.routes import Step
from zareba.table import Table
from zareba_rulesets.vcc.battle import OFF_TABLE, Battle, Commander

__all__ = ["commander_boxes", "move_commander"]

ALONE = "alone"


def commander_boxes(battle: Battle, commander: Commander) -> list[int]:
    """The boxes that a commander may reach in his side's movement step, his own among them, never one with enemies."""
    field, side = battle.field, commander.side

    def cost(box: int, to: int, direction: int) -> Step | None:
        step = field.step("mounted", box, direction)
        return None if step is None or battle.enemies_in(to, side) else Step(1, step.ends)

    reached = field.grid.reachable(commander.box, battle.book.file.commander_allowance.boxes, cost)
    return sorted(reached, key=lambda box: (box != commander.box, box))


@procedure("commander.move")
def move_commander(table: Table, battle: Battle, side: str) -> None:
    """VCC-056: up to 2 boxes; then he is attached to a unit in his box, or to none (VCC-171)."""
    commander = battle.commanders.get(side)
    if commander is None or commander.box == OFF_TABLE:
        return
    boxes = commander_boxes(battle, commander)
    box = table.choose(side, boxes, why="commander to", rule="VCC-056", actor=side)
    if box != commander.box:
        commander.box, commander.unit = box, ""
    own = [unit.spec.id for unit in battle.in_box(box, side)]
    if own:
        unit = table.choose(side, [*own, ALONE], why="attach commander to", rule="VCC-171", actor=side)
        commander.unit = "" if unit == ALONE else unit
