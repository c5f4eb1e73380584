"""Morale checks and the results of failing them (VCC-137 to VCC-158)."""

from __future__ import annotations

from zareba.base.state import facts
from zareba.chance import rows
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.vcc.book.tables import Bases, Quality
from zareba_rulesets.vcc.chapters.casualties.hits import is_alive, roll_hits
from zareba_rulesets.vcc.chapters.morale.retreat import retreat
from zareba_rulesets.vcc.forces.battle import Battle, Unit

__all__ = ["MoraleFacts", "check_morale", "checks_after_fire", "morale_facts", "next_to_check"]


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


def checks_after_fire(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit checks at the end of a fire step (VCC-037, VCC-139)."""
    marks = unit.marks
    if not marks:
        return False
    reason = "hit" if battle.book.settings.morale_trigger == "any_hit" else "lost_base"
    return (reason in marks or "rocketed" in marks) and is_alive(unit)


def next_to_check(table: Table, battle: Battle) -> Unit | None:
    """Return the next unit to check; its owner picks the order (VCC-038). None: all have checked."""
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
        falls_prone(unit)
    if failure.broken:
        unit.mark("broken")
    if failure.retreat:
        retreat(table, battle, unit, failure.retreat)
    return name


def falls_prone(unit: Unit) -> None:
    """Make a unit prone from morale: it leaves square (VCC-064) and no longer counts as lying down by choice
    (VCC-155).
    """
    unit.unmark("square", "lying")
    unit.mark("prone")
