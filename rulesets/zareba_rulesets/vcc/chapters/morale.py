"""Morale checks, retreats and rallies."""

from __future__ import annotations

from zareba.base.state import facts
from zareba.chance import at_least, at_most, rows
from zareba.rules import procedure
from zareba.space.grid.boxes import opposite, turn_direction
from zareba.table import Table
from zareba_rulesets.vcc.book import Bases, Quality
from zareba_rulesets.vcc.chapters.casualties import is_alive, resolve_checks, roll_hits
from zareba_rulesets.vcc.chapters.fire import fire
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle, Commander, Unit

# --- Retreats (VCC-156, VCC-157, VCC-171) -----------------------------------------------------------------------------


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
    _leave_gun(unit)
    for _ in range(boxes):
        if not _retreat_one_box(table, battle, unit, commander):
            dice = battle.book.file.barred_retreat.hit_dice
            roll_hits(table, battle, unit, dice, "barred retreat", "VCC-156", "morale")
        if not is_alive(unit):
            return
    while not battle.has_room(unit.box, unit) and _retreat_one_box(table, battle, unit, commander):
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


def _leave_gun(unit: Unit) -> None:
    """Mark a gun as abandoned in its box when its crew falls back (VCC-157)."""
    if unit.spec.troop == "artillery" and "abandoned" not in unit.marks:
        unit.mark("abandoned")
        unit.gun_box = unit.box


def retreat_boxes(battle: Battle, unit: Unit) -> list[int]:
    """Return the next boxes of a retreat: straight back, else the two diagonals back; OFF_EDGE for its own edge
    (VCC-156).
    """
    home_edge = battle.field.home_edge[unit.spec.side]
    straight = _box_to_retreat_to(battle, unit, home_edge)
    if straight is not None:
        return [straight]
    diagonal_boxes = [_box_to_retreat_to(battle, unit, turn_direction(home_edge, eighths)) for eighths in (-1, 1)]
    return [box for box in diagonal_boxes if box is not None]


def room_behind(battle: Battle, unit: Unit, box: int) -> tuple[int, bool]:
    """Return the boxes that a unit could fall back from `box` as things stand, and True if its own edge comes next.

    The count stops at the longest possible retreat. Full boxes count.
    """
    probe = unit.copy()
    probe.box = box
    _leave_gun(probe)
    farthest = battle.book.farthest_retreat
    for room in range(farthest):
        boxes = retreat_boxes(battle, probe)
        if not boxes or boxes == [OFF_EDGE]:
            return room, bool(boxes)
        probe.box = boxes[0]
    return farthest, False


def _box_to_retreat_to(battle: Battle, unit: Unit, direction: int) -> int | None:
    """Return the box of a retreat in one direction, OFF_EDGE for the unit's own edge, or None if the way is barred."""
    field = battle.field
    box = field.grid.neighbour(unit.box, direction)
    if box is None:
        home_edge = field.home_edge[unit.spec.side]
        return OFF_EDGE if field.grid.neighbour(unit.box, home_edge) is None else None
    if battle.has_enemy_in(box, unit.spec.side):
        return None
    return box if field.step(unit.troop, unit.box, direction) is not None else None


def _retreat_one_box(table: Table, battle: Battle, unit: Unit, commander: Commander | None) -> bool:
    """Move a unit back one box, or off the table. Return False if its way is barred (VCC-156)."""
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


# --- Morale checks and the results of failing them (VCC-137 to VCC-158) -----------------------------------------------


@facts
class MoraleFacts:
    """The facts of a morale check. `bases`: living bases or gunners without the leader base (VCC-137)."""

    bases: Bases
    leader: bool = False
    quality: Quality = "ordinary"
    regular: bool = False
    mounted: bool = False
    square: bool = False
    commander: bool = False
    rocketed: bool = False
    flanked: bool = False
    jest: bool = False


def morale_facts(battle: Battle, unit: Unit) -> MoraleFacts:
    """Return the facts of a unit's check in its present state."""
    marks = unit.marks
    return MoraleFacts(
        bases=unit.bases,
        leader=unit.leader,
        quality=unit.spec.quality,
        regular=unit.regular,
        mounted=unit.mounted,
        square="square" in marks,
        commander=battle.commander_in(unit.box, unit.spec.side),
        rocketed="rocketed" in marks,
        flanked=is_flanked(battle, unit),
        jest="jest" in marks,
    )


def is_flanked(battle: Battle, unit: Unit) -> bool:
    """Return True if the unit counts as flanked for morale (VCC-148).

    It does if an enemy was in contact with its flank when melee began. With `melee_and_fire`, a shot from outside its
    front counts too.
    """
    if "flanked" in unit.marks:
        return True
    return battle.book.settings.flanked_by == "melee_and_fire" and "flank_shot" in unit.marks


def must_check_after_fire(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit checks at the end of a fire step (VCC-037, VCC-139)."""
    marks = unit.marks
    if not marks:
        return False
    reason = "hit" if battle.book.settings.morale_trigger == "any_hit" else "lost_base"
    return (reason in marks or "rocketed" in marks) and is_alive(unit)


def next_to_check(table: Table, battle: Battle) -> Unit | None:
    """Return the next unit to check; its owner picks the order (VCC-038). None if all have checked."""
    battle.waiting = [unit_id for unit_id in battle.waiting if is_alive(battle.unit(unit_id))]
    if not battle.waiting:
        return None
    side = battle.unit(battle.waiting[0]).spec.side
    own_units = [unit_id for unit_id in battle.waiting if battle.unit(unit_id).spec.side == side]
    chosen = table.choose(side, own_units, why="check morale of", rule="VCC-038", actor=side)
    battle.waiting.remove(chosen)
    return battle.unit(chosen)


@procedure("morale.check")
def check_morale(table: Table, battle: Battle, unit: Unit) -> str:
    """Check morale: 1d6 equal to or below the total passes (VCC-137, VCC-140). Return "passes" or the line of failure.

    The same die finds the line (VCC-150). No other unit reacts (VCC-158).
    """
    total = table.tally("morale", morale_facts(battle, unit), unit)
    unit.unmark("jest")  # VCC-111: used up by this check
    means = rows(
        {total.total: "passes"}
        | {total.total + line.missed_by: name.replace("_", " ") for name, line in battle.book.failures}
    )
    faces = battle.book.file.morale_die.faces
    die = table.roll(1, faces, why="morale", rule="VCC-137", actor=unit.spec.id, means=means)
    if die <= total.total:
        table.emit("morale passed", "VCC-137", unit=unit.spec.id, die=die, total=total.total)
        return "passes"
    name, failure = battle.book.failure(die - total.total)
    table.emit("morale failed", failure.rule, unit=unit.spec.id, die=die, total=total.total, result=name)
    if failure.hit_dice:
        roll_hits(table, battle, unit, failure.hit_dice, "hits from morale", failure.rule, "morale")
    if failure.prone:
        battle.end_contacts(unit)
        _fall_prone(unit)
    if failure.broken:
        unit.mark("broken")
    if failure.retreat:
        retreat(table, battle, unit, failure.retreat)
    return name


def _fall_prone(unit: Unit) -> None:
    """Make a unit prone from morale: it leaves square (VCC-064) and no longer counts as lying down by choice
    (VCC-155).
    """
    unit.unmark("square", "lying")
    unit.mark("prone")


# --- Fire out of turn, for house rules: one shot with the checks that follow it ---------------------------------------


def shoot_out_of_turn(table: Table, battle: Battle, unit: Unit, target: Unit) -> bool:
    """Fire once, as the unit's fire of this turn; leader checks and the morale check follow at once (VCC-028,
    VCC-037). Return True, because the unit has fired.
    """
    fire(table, battle, unit, target)
    resolve_checks(table, battle, "fire")
    if must_check_after_fire(battle, target):
        check_morale(table, battle, target)
    return True


# --- Rallying (VCC-159 to VCC-162) ------------------------------------------------------------------------------------


@facts
class RallyFacts:
    """The facts of a rally roll. `bases`: living bases or gunners without the leader base (VCC-160)."""

    bases: Bases
    leader: bool = False
    quality: Quality = "ordinary"
    commander: bool = False
    jest: bool = False


def must_rally(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit rolls to rally: prone from morale or broken, and not in contact (VCC-159)."""
    marks = unit.marks
    return ("broken" in marks or ("prone" in marks and "lying" not in marks)) and not battle.is_in_contact(unit)


def rally_side(table: Table, battle: Battle, side: str) -> None:
    """Roll once for every unit of the side that must rally; the rolls are compulsory."""
    for unit in list(battle.side_units(side)):
        if must_rally(battle, unit):
            rally(table, battle, unit)


@procedure("rally.roll")
def rally(table: Table, battle: Battle, unit: Unit) -> bool:
    """Roll to rally: 1d6 equal to or below the total, or 4+ with `rally_method` four_plus, ends prone and broken
    (VCC-160). Return True if the unit rallies.
    """
    roll, total = battle.book.file.rally_roll, None
    if battle.book.settings.rally_method != "four_plus":
        rally_facts = RallyFacts(
            bases=unit.bases,
            leader=unit.leader,
            quality=unit.spec.quality,
            commander=battle.commander_in(unit.box, unit.spec.side),
            jest="jest" in unit.marks,
        )
        total = table.tally("rally", rally_facts, unit).total
        unit.unmark("jest")
    success, failure = "rallies", "does not rally"
    means = at_least(roll.four_plus, success, failure) if total is None else at_most(total, success, failure)
    die = table.roll(1, roll.die, why="rally", rule="VCC-160", actor=unit.spec.id, means=means)
    has_rallied = die >= roll.four_plus if total is None else die <= total
    if has_rallied:
        unit.unmark("prone", "broken")
        unit.mark("rallied")
    table.emit("rallied" if has_rallied else "not rallied", "VCC-160", unit=unit.spec.id, die=die)
    return has_rallied
