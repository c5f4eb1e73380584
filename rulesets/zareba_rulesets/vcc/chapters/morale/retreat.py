"""Retreats (VCC-156, VCC-157, VCC-171)."""

from __future__ import annotations

from zareba.space.grid.boxes import opposite, turn_direction
from zareba.table import Table
from zareba_rulesets.vcc.chapters.casualties.hits import is_alive, roll_hits
from zareba_rulesets.vcc.forces.battle import OFF_TABLE, Battle, Commander, Unit

__all__ = ["OFF_EDGE", "retreat", "retreat_boxes", "room_behind"]

OFF_EDGE = -2


def retreat(table: Table, battle: Battle, unit: Unit, boxes: int) -> None:
    """Move a unit back towards its home edge, box by box, with 1d6 hits for each box that is barred (VCC-156).

    If the last box is over the box limit (VCC-007), the unit goes on until the limit is kept or its way is barred. It
    ends facing away from its home edge. A crew that stays with its weapon keeps its facing, since a prone crew may not
    pivot (VCC-044). Retreating gunners leave their gun behind (VCC-157). An attached Army Commander goes along
    (VCC-171).
    """
    start = unit.box
    commander = battle.attached_commander(unit)
    is_manned = "abandoned" not in unit.marks
    leaves_gun(unit)
    for _ in range(boxes):
        if not _back_one(table, battle, unit, commander):
            dice = battle.book.file.barred_retreat.hit_dice
            roll_hits(table, battle, unit, dice, "barred retreat", "VCC-156", "morale")
        if not is_alive(unit):
            return
    while not battle.has_room(unit.box, unit) and _back_one(table, battle, unit, commander):
        if not is_alive(unit):
            return
    if unit.box == unit.gun_box:  # the retreat was barred, or ended at the gun again
        unit.unmark("abandoned")
        unit.gun_box = OFF_TABLE
        if not is_manned:
            table.emit("gun manned", "VCC-157", unit=unit.spec.id)
    elif is_manned and "abandoned" in unit.marks:
        table.emit("gun abandoned", "VCC-157", unit=unit.spec.id, box=unit.gun_box)
    if unit.box != start or not unit.crewed:
        unit.facing = opposite(battle.field.home_edge[unit.spec.side])


def leaves_gun(unit: Unit) -> None:
    """Mark a gun as abandoned in its box when its crew falls back (VCC-157)."""
    if unit.spec.troop == "artillery" and "abandoned" not in unit.marks:
        unit.mark("abandoned")
        unit.gun_box = unit.box


def retreat_boxes(battle: Battle, unit: Unit) -> list[int]:
    """Return the next boxes of a retreat: straight back, else the two diagonals back; OFF_EDGE for its own edge
    (VCC-156).
    """
    home_edge = battle.field.home_edge[unit.spec.side]
    straight = _legal(battle, unit, home_edge)
    if straight is not None:
        return [straight]
    diagonal_boxes = [_legal(battle, unit, turn_direction(home_edge, eighths)) for eighths in (-1, 1)]
    return [box for box in diagonal_boxes if box is not None]


def room_behind(battle: Battle, unit: Unit, box: int) -> tuple[int, bool]:
    """Return the boxes that a unit could fall back from `box` as things stand, and True if its own edge comes next.

    The count stops at the longest possible retreat. Full boxes count.
    """
    probe = unit.copy()
    probe.box = box
    leaves_gun(probe)
    farthest = battle.book.farthest_retreat
    for room in range(farthest):
        boxes = retreat_boxes(battle, probe)
        if not boxes or boxes == [OFF_EDGE]:
            return room, bool(boxes)
        probe.box = boxes[0]
    return farthest, False


def _legal(battle: Battle, unit: Unit, direction: int) -> int | None:
    field = battle.field
    box = field.grid.neighbour(unit.box, direction)
    if box is None:
        home_edge = field.home_edge[unit.spec.side]
        return OFF_EDGE if field.grid.neighbour(unit.box, home_edge) is None else None
    if battle.enemies_in(box, unit.spec.side):
        return None
    return box if field.step(unit.troop, unit.box, direction) is not None else None


def _back_one(table: Table, battle: Battle, unit: Unit, commander: Commander | None) -> bool:
    options = retreat_boxes(battle, unit)
    if not options:
        return False
    side = unit.spec.side
    box = table.choose(side, options, why="retreat to", rule="VCC-156", actor=unit.spec.id)
    if box == OFF_EDGE:
        table.emit("routed", "VCC-156", unit=unit.spec.id)
        table.emit("loss", "VCC-156", unit=unit.spec.id, side=side, lost=unit.strength, left=0, cause="morale")
        battle.remove(unit, "routed")
        if commander is not None:
            commander.box = OFF_TABLE
            table.emit("commander routed", "VCC-171", side=side, name=commander.name)
        return True
    battle.move(unit, box)
    table.emit("retreat", "VCC-156", unit=unit.spec.id, box=box)
    if commander is not None:
        commander.box = box
        table.emit("commander moved", "VCC-171", side=side, name=commander.name, box=box)
    return True
