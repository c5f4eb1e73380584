"""The reasons why a box or a unit is not an option. A player sees the reason by pointing at the box or unit."""

from __future__ import annotations

from zareba.base.grammar import amount, in_a_sentence, join_with_and, with_unit
from zareba.table import Choose
from zareba_rulesets.vcc.chapters.fire import may_pivot, targets_despite_contact
from zareba_rulesets.vcc.chapters.movement import allowance
from zareba_rulesets.vcc.chapters.sight import band_of, in_front, sees, sight_blockers
from zareba_rulesets.vcc.forces import Battle, Unit

_DEPLOYMENT = ("deploy in", "arrive in")
_TROOPS = {
    "foot": "foot", "mounted": "mounted troops", "artillery": "guns", "machine_gun": "machine guns",
    "rocket": "rocket sections", "wagon": "wagons",
}  # fmt: skip


def why_not_box(battle: Battle, question: Choose, box: int) -> str:
    """Return why a box is not an option of a question, in one sentence; "" if these rules have no special reason."""
    unit, label = battle.units.get(question.actor), battle.field.grid.label(box)
    if unit is None:
        return f"{label} cannot be chosen now ({question.rule})."
    name = unit.spec.name
    if question.why in _DEPLOYMENT:
        if not battle.has_room(box, unit):
            return f"{label} has no room for {name} (VCC-007)."
        return f"{name} cannot start in {label}: it is outside the area for this unit ({question.rule})."
    if question.why != "move" or not unit.on_table:
        return f"{name} cannot go to {label} now ({question.rule})."
    if box == unit.box:
        return f"{name} is in {label} already."
    enemies = [other for other in battle.units_in(box) if other.spec.side != unit.spec.side]
    if enemies:
        return why_not_charged(battle, unit, enemies[0])
    return _why_not_entered(battle, unit, box)


def _why_not_entered(battle: Battle, unit: Unit, box: int) -> str:
    """Return why a unit cannot step into a box without enemies (VCC-040, VCC-055)."""
    field, name = battle.field, unit.spec.name
    label, start_label = field.grid.label(box), field.grid.label(unit.box)
    may_move = allowance(battle, unit)
    if "lying" in unit.marks:
        return f"{name} is lying down and must get up first, which is its whole move (VCC-066)."
    if not may_move:
        return f"{name} may not move this turn (VCC-040)."
    apart = _steps_apart(battle, unit.box, box)
    if apart > 1:
        return (
            f"{label} is {apart} boxes from {start_label}, and units move one box at a time, "
            f"{with_unit(may_move, 'boxes')} a turn for {name} (VCC-040)."
        )
    if all(to != box for to, _, _ in field.open_steps[unit.troop, unit.box]):
        return f"{name} cannot go from {start_label} to {label}: {_barrier(battle, unit, box)} (VCC-055)."
    if not battle.has_room(box, unit):
        names = join_with_and([other.spec.name for other in battle.units_in(box)])
        return f"{label} has no room for {name}: {names} fill it (VCC-007)."
    return f"{name} has no movement left for {label}: it may move {with_unit(may_move, 'boxes')} a turn (VCC-040)."


def _steps_apart(battle: Battle, start: int, end: int) -> int:
    """Return the number of steps from one box to another; a diagonal step counts as one."""
    (x, y), (to_x, to_y) = battle.field.grid.column_row(start), battle.field.grid.column_row(end)
    return max(abs(x - to_x), abs(y - to_y))


def _barrier(battle: Battle, unit: Unit, box: int) -> str:
    """Return the ground or obstacle that closes the step into a neighbouring box."""
    field, column = battle.field, battle.book.classes[unit.troop].ground
    pieces = [
        field.ground[box],
        *(field.obstacles[s] for s in field.grid.sides_crossed(unit.box, box) if s in field.obstacles),
    ]
    closed = [piece.title for piece in pieces if piece.difficulty(column) == "no"]
    needs_road = [piece.title for piece in pieces if piece.difficulty(column) == "road"]
    if closed:
        return f"{in_a_sentence(join_with_and(closed))} is closed to {_TROOPS[unit.troop]}"
    if needs_road:
        return f"{in_a_sentence(join_with_and(needs_road))} can be crossed only on a road"
    return "the way is closed"


def why_not_unit(battle: Battle, question: Choose, other: Unit) -> str:
    """Return why a unit is not an option of a question, in one sentence."""
    actor, name = battle.units.get(question.actor), other.spec.name
    if other.spec.side == question.seat:
        return _why_not_own(battle, question, other)
    if actor is None:
        return f"{name} is an enemy; first choose a unit of your own."
    if question.why == "move":
        return why_not_charged(battle, actor, other)
    if question.why == "fire at":
        return _why_not_fired_at(battle, actor, other)
    return f"{name} cannot be chosen now ({question.rule})."


def _why_not_own(battle: Battle, question: Choose, unit: Unit) -> str:
    """Return why a unit of the player's own is not an option."""
    name, marks = unit.spec.name, unit.marks
    if unit.spec.id == question.actor:
        return f"{name} is the unit that you are asked about."
    reasons = {
        "is broken": "broken" in marks,
        "is prone": "prone" in marks and "lying" not in marks,
        "has moved or charged this turn": bool(marks & {"moved", "charged"}) and question.why == "move with",
        "has fired": "fired" in marks and question.why == "fire with",
        "is in contact with the enemy": bool(battle.contacts) and battle.is_in_contact(unit),
    }
    reason = next((words for words, holds in reasons.items() if holds), "")
    if question.why in ("move with", "fire with"):
        verb = "move" if question.why == "move with" else "fire"
        return f"{name} {reason}, so it cannot {verb} now." if reason else f"{name} cannot {verb} now, or has done so."
    return f"{name} cannot be chosen now ({question.rule})."


def why_not_charged(battle: Battle, unit: Unit, enemy: Unit) -> str:
    """Return why a unit may not charge an enemy from its present box (VCC-049 to VCC-051, VCC-169)."""
    name, target, field = unit.spec.name, enemy.spec.name, battle.field
    where = field.grid.label(enemy.box)
    if not battle.book.classes[unit.spec.troop].charges:
        return f"{name} cannot charge {target} in {where}: only foot and mounted troops charge (VCC-049)."
    states = {
        "it is in square (VCC-050)": "square" in unit.marks,
        "it arrived this turn (VCC-169)": "arrived" in unit.marks,
        "it left contact in this move (VCC-051)": "withdrew" in unit.marks,
        "it is in contact already (VCC-051)": bool(battle.contacts) and battle.is_in_contact(unit),
        "it is lying down (VCC-066)": "lying" in unit.marks,
    }
    for reason, holds in states.items():
        if holds:
            return f"{name} cannot charge {target}: {reason}."
    if _steps_apart(battle, unit.box, enemy.box) > 1:
        boxes = amount(_steps_apart(battle, unit.box, enemy.box), "box", "boxes")
        return f"{name} cannot charge {target} yet: {where} is {boxes} away, and a charge goes into the next box (VCC-049)."
    if all(to != enemy.box or not is_open for to, _, is_open in field.open_steps[unit.troop, unit.box]):
        return f"{name} cannot charge {target} in {where}: {_barrier(battle, unit, enemy.box)} (VCC-050)."
    if not battle.has_room(enemy.box, unit):
        return f"{name} cannot charge {target}: {where} has no room for it (VCC-007)."
    return f"{name} has no movement left to charge {target} (VCC-040)."


def _why_not_fired_at(battle: Battle, unit: Unit, enemy: Unit) -> str:
    """Return why a unit may not fire at an enemy (VCC-072, VCC-081, VCC-093, VCC-094)."""
    name, target = unit.spec.name, enemy.spec.name
    if band_of(battle, unit, enemy.box) is None:
        return f"{target} is out of range of {name} (VCC-081)."
    if not sees(battle, unit.box, enemy.box):
        hidden_by = [
            battle.units[obstacle].spec.name if obstacle in battle.units else obstacle
            for obstacle in sight_blockers(battle, unit.box, enemy.box)
        ]
        return f"{name} cannot see {target}: {join_with_and(hidden_by) if hidden_by else 'the line'} blocks the line of sight (VCC-072)."
    if not in_front(battle, unit, enemy.box) and not may_pivot(battle, unit):
        return f"{target} is outside the field of fire of {name}, which cannot turn now (VCC-058)."
    allowed = targets_despite_contact(battle, unit)
    if allowed is not None and enemy.spec.id not in allowed:
        return f"{name} is in contact and may fire only at units that have just charged it (VCC-094)."
    if battle.is_in_contact(enemy):
        return f"{target} is in contact with your troops and may not be fired at (VCC-094)."
    return f"{target} cannot be fired at by {name} now (VCC-093)."
