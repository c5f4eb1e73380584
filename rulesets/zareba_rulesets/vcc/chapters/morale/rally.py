"""Rallying (VCC-159 to VCC-162)."""

from __future__ import annotations

from zareba.base.state import facts
from zareba.chance import at_least, at_most
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.vcc.book.tables import Bases, Quality
from zareba_rulesets.vcc.forces.battle import Battle, Unit

__all__ = ["RallyFacts", "must_rally", "rally", "rally_side"]


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
    return ("broken" in marks or ("prone" in marks and "lying" not in marks)) and not battle.in_contact(unit)


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
        situation = RallyFacts(
            bases=unit.bases,
            leader=unit.leader,
            quality=unit.spec.quality,
            commander=battle.commander_in(unit.box, unit.spec.side),
            jest="jest" in unit.marks,
        )
        total = table.tally("rally", situation, unit).total
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
