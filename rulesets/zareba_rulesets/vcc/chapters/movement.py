"""Movement: steps from box to box, charges, formations and facing (VCC-040 to VCC-066)."""

from __future__ import annotations

from typing import Any

from zareba.base.tally import Tally
from zareba.rules import procedure
from zareba.space.grid.boxes import DIRECTIONS, E, N, S, W, is_corner, turn_direction
from zareba.table import Option, Table
from zareba_rulesets.vcc.chapters.sight import in_front
from zareba_rulesets.vcc.chapters.victory import capture_commanders, exit_edge, leave_table
from zareba_rulesets.vcc.forces import Battle, Contact, Unit

STAY, SQUARE, UNSQUARE = "stay", "form square", "leave square"
MOUNT, DISMOUNT, LIE_DOWN, GET_UP, EXIT = "mount", "dismount", "lie down", "get up", "leave the table"
GO, CHARGE = "go", "charge"
SIDES = (N, E, S, W)


def may_act(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit has a choice to make in its movement step (VCC-051, VCC-053, VCC-054, VCC-065, VCC-161)."""
    marks = unit.marks
    if unit.box < 0 or "broken" in marks or ("prone" in marks and "lying" not in marks):
        return False
    settings = battle.book.settings
    if "rallied" in marks and not settings.rally_then_move:
        return False
    if settings.contact_pins and battle.contacts and battle.is_in_contact(unit):
        return False
    return len(facings(unit)) > 1 or allowance(battle, unit) > 0


def allowance(battle: Battle, unit: Unit, tallies: list[Tally] | None = None) -> int:
    """Return the boxes that a unit may move in this step (VCC-040), fewer on the turn it arrives (VCC-169).

    A square may not move with `square_may_move` off (VCC-062). With `gun_move_memory` same_turn, a machine gun or
    rocket section that has fired may not move (VCC-045).
    """
    settings = battle.book.settings
    if "square" in unit.marks and not settings.square_may_move:
        return 0
    if settings.gun_move_memory == "same_turn" and "fired" in unit.marks and unit.troop in ("machine_gun", "rocket"):
        return 0
    base_allowance = battle.book.classes[unit.troop].allowance
    boxes: int = battle.book.rules.number("movement", base_allowance, battle, unit, seen=tallies)
    return max(0, boxes - battle.book.file.arrival.boxes) if "arrived" in unit.marks else boxes


def facings(unit: Unit) -> tuple[int, ...]:
    """Return the ways a unit may face: the sides of its box, corners too for crewed weapons; wagons have no facing
    (VCC-026).
    """
    if unit.spec.troop == "wagon":
        return (unit.facing,)
    return DIRECTIONS if unit.crewed else SIDES


@procedure("movement.unit")
def move_unit(table: Table, battle: Battle, unit: Unit) -> None:
    """Move one unit box by box up to its allowance, or take an action instead of moving."""
    start, boxes_left = unit.box, allowance(battle, unit, table.tallies)
    extra_boxes = _boxes_gained_by_mounting(battle, unit)
    footing_cost = battle.book.file.change_of_footing.boxes
    may_form, has_changed_footing = True, False
    while True:
        options = _options(battle, unit, boxes_left, may_form)
        if unit.box == start or battle.has_room(unit.box, unit):
            options.insert(0, STAY)
        if boxes_left + extra_boxes >= footing_cost and not has_changed_footing and STAY in options:
            options += changes_of_footing(battle, unit)
        choice = table.choose(unit.spec.side, options, why="move", rule="VCC-040", actor=unit.spec.id)
        may_form = False
        if isinstance(choice, tuple):
            way, goal = choice
            if way == CHARGE:
                charge(table, battle, unit, battle.unit(goal))
                return
            if _enter_box(table, battle, unit, goal):
                break
            boxes_left -= 1
        elif choice in (MOUNT, DISMOUNT):
            _change_footing(table, unit, choice)
            boxes_left += extra_boxes - footing_cost
            extra_boxes, has_changed_footing = 0, True
        elif choice == STAY:
            break
        else:
            _change_posture(table, battle, unit, choice)
            if choice in (LIE_DOWN, EXIT, GET_UP):
                return
            break
        if boxes_left <= 0 and (has_changed_footing or boxes_left + extra_boxes < footing_cost):
            break
    if unit.on_table:
        turn_unit(table, battle, unit)


def _options(battle: Battle, unit: Unit, boxes_left: int, may_form: bool) -> list[Option]:
    """Return what a unit may do at this point of its move, apart from staying and changing its footing."""
    marks = unit.marks
    if "lying" in marks:
        return [GET_UP]
    is_in_contact = bool(battle.contacts) and battle.is_in_contact(unit)
    options: list[Option] = []
    if boxes_left > 0:
        options += [(GO, box) for box in _enterable_boxes(battle, unit, boxes_left)]
        options += [(CHARGE, enemy.spec.id) for enemy in charge_targets(battle, unit)]
        if not is_in_contact and exit_edge(battle, unit):
            options.append(EXIT)
    if may_form and not is_in_contact:
        options += formations(battle, unit)
    return options


def formations(battle: Battle, unit: Unit) -> list[Option]:
    """Return the changes of formation that a unit may make instead of moving (VCC-061, VCC-066)."""
    options: list[Option] = []
    marks = unit.marks
    if "arrived" in marks:
        return options
    if unit.can_square:
        options.append(UNSQUARE if "square" in marks else SQUARE)
    if battle.book.settings.voluntary_prone == "yes" and unit.troop == "foot" and "square" not in marks:
        options.append(LIE_DOWN)
    return options


def changes_of_footing(battle: Battle, unit: Unit) -> list[Option]:
    """Return the option to mount or dismount, which costs one box of movement (VCC-024). A square cannot mount
    (VCC-064).
    """
    is_allowed = unit.spec.can_dismount and battle.book.settings.dismount == "allowed"
    if not is_allowed or unit.marks & {"lying", "square"} or (battle.contacts and battle.is_in_contact(unit)):
        return []
    return [MOUNT if "dismounted" in unit.marks else DISMOUNT]


def _enterable_boxes(battle: Battle, unit: Unit, boxes_left: int) -> list[int]:
    """Return the neighbouring boxes without enemies that a unit may enter and then end in or pass through (VCC-055)."""
    side, units_by_box, book = unit.spec.side, battle.here, battle.book
    fits_empty_box = book.classes[unit.spec.troop].stack <= book.settings.stack_points
    boxes = []
    for box, ends, _ in battle.field.open_steps[unit.troop, unit.box]:
        if box not in units_by_box and fits_empty_box:
            boxes.append(box)
        elif battle.has_enemy_in(box, side):
            continue
        elif battle.has_room(box, unit) or (boxes_left > 1 and not ends and _leads_on(battle, unit, box)):
            boxes.append(box)
    return boxes


def ends_move(battle: Battle, unit: Unit, box: int) -> bool:
    """Return True if a step into a neighbouring box ends the move of a unit (VCC-055)."""
    return any(step.box == box and step.ends for step in battle.field.open_steps[unit.troop, unit.box])


def _leads_on(battle: Battle, unit: Unit, box: int) -> bool:
    """Return True if a full box can be passed through: a box behind it has room, to move on or to charge (VCC-052)."""
    side = unit.spec.side
    return any(
        battle.has_room(next_box, unit)
        and (
            open_to_charge and _is_able_to_charge(battle, unit)
            if battle.has_enemy_in(next_box, side)
            else next_box != unit.box
        )
        for next_box, _, open_to_charge in battle.field.open_steps[unit.troop, box]
    )


def _is_able_to_charge(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit may charge: infantry, cavalry or camelry (`charges` of their class), not in square
    (VCC-049, VCC-050).

    It may not on the turn it arrives (VCC-169), in contact, or in the move that takes it out of contact (VCC-051).
    """
    if not battle.book.classes[unit.spec.troop].charges or unit.marks & {"square", "arrived", "withdrew"}:
        return False
    return not (battle.contacts and battle.is_in_contact(unit))


def charge_targets(battle: Battle, unit: Unit) -> list[Unit]:
    """Return the enemies that a unit may charge from its present box (VCC-049, VCC-050).

    They are in its own box, or in a neighbouring box that is open to a charge and has room.
    """
    if not _is_able_to_charge(battle, unit):
        return []
    side = unit.spec.side
    targets = [enemy for enemy in battle.units_in(unit.box) if enemy.spec.side != side]
    for box, _, open_to_charge in battle.field.open_steps[unit.troop, unit.box]:
        if box in battle.here and open_to_charge:
            enemies = [enemy for enemy in battle.units_in(box) if enemy.spec.side != side]
            if enemies and battle.has_room(box, unit):
                targets += enemies
    return targets


@procedure("movement.charge")
def charge(table: Table, battle: Battle, unit: Unit, enemy: Unit) -> None:
    """Charge an enemy: contact is made and records the side, uphill and cover (VCC-050, VCC-059, VCC-070, VCC-071).

    The charger faces the way it came in; with `charge_facing` kept it keeps its facing. The enemy may
    still fire at it in its step of small arms (VCC-094). The blows follow in step 7 (`melee`).
    """
    field = battle.field
    start, box = unit.box, enemy.box
    if start == box:
        contact = Contact(unit.spec.id, enemy.spec.id, False, False, "none", battle.turn)
    else:
        flank = enemy.spec.troop != "wagon" and not in_front(battle, enemy, start)
        uphill = field.level[start] < field.level[box]
        cover = field.cover[start, box]
        contact = Contact(unit.spec.id, enemy.spec.id, flank, uphill, cover, battle.turn)
        if battle.book.settings.charge_facing == "towards_enemy":
            direction = field.grid.direction(start, box)
            unit.facing = turn_direction(direction, 1) if is_corner(direction) else direction
        battle.move(unit, box)
        detach(battle, unit)
        unit.mark("moved")
    battle.contacts.append(contact)
    unit.mark("charged")
    table.emit("charge", "VCC-050", unit=unit.spec.id, target=enemy.spec.id, flank=contact.flank, box=box)


def _enter_box(table: Table, battle: Battle, unit: Unit, box: int) -> bool:
    """Move into a box. Return True if its ground ends the move (VCC-055)."""
    field = battle.field
    step = field.step(unit.troop, unit.box, field.grid.direction(unit.box, box))
    assert step is not None, "only open boxes are offered"
    if battle.contacts and battle.is_in_contact(unit):
        battle.end_contacts(unit)
        unit.mark("withdrew")
    battle.move(unit, box)
    detach(battle, unit)
    unit.mark("moved", *(("gun_moved",) if _keeps_gun_marks(battle, unit) else ()))
    table.emit("move", "VCC-040", unit=unit.spec.id, box=box)
    if unit.gun_box == box:
        unit.unmark("abandoned")  # VCC-157: the gun is manned again
        unit.gun_box = -1
        table.emit("gun manned", "VCC-157", unit=unit.spec.id)
    capture_commanders(table, battle)
    return step.ends


def detach(battle: Battle, unit: Unit) -> None:
    """Leave the Army Commander behind when the unit he is attached to moves or charges (VCC-171)."""
    commander = battle.attached_commander(unit)
    if commander is not None and commander.box != unit.box:
        commander.unit = ""


def _keeps_gun_marks(battle: Battle, unit: Unit) -> bool:
    """Return True if a move or pivot in the movement step spoils the next shot (VCC-041, VCC-042, VCC-045)."""
    return unit.crewed and battle.book.settings.gun_move_memory == "next_shot"


def _boxes_gained_by_mounting(battle: Battle, unit: Unit) -> int:
    """Return the extra boxes that a dismounted unit gains by mounting: it has a rider's two boxes in either order
    (VCC-024).
    """
    if "dismounted" not in unit.marks:
        return 0
    classes = battle.book.classes
    return classes[unit.spec.troop].allowance - classes[unit.troop].allowance


def _change_footing(table: Table, unit: Unit, choice: str) -> None:
    """Mount or dismount; the unit counts as moved (VCC-024, VCC-046)."""
    if choice == MOUNT:
        unit.unmark("dismounted")
    else:
        unit.mark("dismounted")
    unit.mark("moved")
    table.emit("formation", "VCC-024", unit=unit.spec.id, act=choice)


def _change_posture(table: Table, battle: Battle, unit: Unit, choice: Any) -> None:
    """Form or leave square (VCC-061, VCC-064), lie down or get up (VCC-066), or leave the table (VCC-057)."""
    if choice == SQUARE:
        unit.mark("square", "moved")
    elif choice == UNSQUARE:
        unit.unmark("square")
        unit.mark("moved")
    elif choice == LIE_DOWN:
        unit.mark("prone", "lying")
    elif choice == GET_UP:
        unit.unmark("prone", "lying")
        unit.mark("moved")
    elif choice == EXIT:
        leave_table(table, battle, unit)
        return
    rule = "VCC-061" if choice in (SQUARE, UNSQUARE) else "VCC-066"
    table.emit("formation", rule, unit=unit.spec.id, act=choice)


@procedure("movement.turn")
def turn_unit(table: Table, battle: Battle, unit: Unit) -> None:
    """Change facing freely at the end of the move (VCC-048). For crewed weapons this spoils the next shot.

    A pivot of a gun or machine gun halves its dice (VCC-043, VCC-044). A rocket section that turns counts as moved
    (VCC-047).
    """
    choices = facings(unit)
    if len(choices) == 1 or unit.marks & {"prone", "broken", "square"} or battle.is_in_contact(unit):
        return
    if unit.troop == "rocket" and allowance(battle, unit) == 0:
        return
    old_facing = unit.facing
    unit.facing = table.choose(unit.spec.side, choices, why="face", rule="VCC-048", actor=unit.spec.id)
    if unit.facing == old_facing:
        return
    if unit.troop == "rocket":
        unit.mark("moved", *(("gun_moved",) if _keeps_gun_marks(battle, unit) else ()))
    elif unit.troop in ("artillery", "machine_gun"):
        if _keeps_gun_marks(battle, unit) and "gun_moved" not in unit.marks:
            unit.mark("gun_pivoted")
    elif battle.book.settings.pivot_counts_as_move == "all":
        unit.mark("moved")  # VCC-046
