"""Casualties: the effect of hits on bases and on leaders."""

from __future__ import annotations

from zareba.base.state import facts
from zareba.chance import SumBands, counts, named
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.vcc.book import Band
from zareba_rulesets.vcc.forces import OFF_TABLE, Battle, Commander, LeaderCheck, Unit

# --- Hits and base losses (VCC-105 to VCC-108) ------------------------------------------------------------------------


HITS = counts("hits")


@procedure("hits.apply")
def apply_hits(table: Table, battle: Battle, unit: Unit, hits: int, cause: str) -> None:
    """Add `hits` to the unit's marker and remove a base for every full `hits_per_base`, the leader base last.

    Left-over hits stay on the marker (VCC-106). A unit without bases is destroyed, and surplus hits are lost (VCC-107,
    VCC-108). `cause` is fire, melee or morale.
    """
    per_base = battle.book.settings.hits_per_base  # VCC-105
    lost = 0
    unit.hits += hits
    while unit.hits >= per_base and unit.strength:
        unit.hits -= per_base
        if unit.bases:
            unit.bases -= 1
        else:
            unit.leader = False
        lost += 1
    if lost:
        unit.mark("lost_base")
        table.emit(
            "loss", "VCC-105", unit=unit.spec.id, side=unit.spec.side, lost=lost, left=unit.strength, cause=cause
        )
    if not unit.strength:
        destroy(table, battle, unit, cause)


def destroy(table: Table, battle: Battle, unit: Unit, cause: str) -> None:
    """Remove a unit without bases; surplus hits are lost (VCC-108)."""
    unit.hits = 0
    table.emit("destroyed", "VCC-108", unit=unit.spec.id, box=unit.box, cause=cause)
    battle.remove(unit, "destroyed")


def roll_hits(table: Table, battle: Battle, unit: Unit, dice: int, why: str, rule: str, cause: str) -> None:
    """Roll a number of dice of hits on a unit and apply them (VCC-151, VCC-156). They cause no further check."""
    hits = table.roll(dice, battle.book.file.hit_die.faces, why=why, rule=rule, actor=unit.spec.id, means=HITS)
    apply_hits(table, battle, unit, hits, cause)


def is_alive(unit: Unit) -> bool:
    """Return True if a unit is on the table with at least one base."""
    return unit.box != OFF_TABLE and unit.strength > 0


# --- Leader hits (VCC-109 to VCC-117), and the Army Commander under fire (VCC-163) ------------------------------------


@facts
class LeaderHitFacts:
    """The facts of a roll to hit a leader on two dice: the `printed` number needed at the band (VCC-110)."""

    printed: int
    band: Band = "close"


def note_leader_check(battle: Battle, target: Unit, hits: int, highest_shown: bool, band: Band) -> None:
    """Note a leader check if a dice pool causes one and the target has a leader or commander to hit (VCC-109,
    VCC-163).
    """
    trigger = battle.book.settings.leader_hit_trigger
    has_enough_hits = hits >= battle.book.file.leader_check_hits.hits
    triggers = {"max_face": highest_shown, "five_hits": has_enough_hits, "either": highest_shown or has_enough_hits}
    is_due = triggers[trigger]
    if is_due and is_alive(target) and (target.leader or battle.attached_commander(target) is not None):
        battle.checks.append(LeaderCheck(target.spec.id, band))


def resolve_checks(table: Table, battle: Battle, cause: str) -> None:
    """Roll all noted leader checks in the order in which they were caused (VCC-038)."""
    checks, battle.checks = battle.checks, []
    for check in checks:
        leader_check(table, battle, battle.unit(check.unit), check.band, cause)


@procedure("leaders.check")
def leader_check(table: Table, battle: Battle, unit: Unit, band: Band, cause: str) -> None:
    """Check the unit's leader, then with `commander_at_risk` the commander attached to the unit (VCC-163)."""
    dies_at = battle.book.file.leader_dies_at.wounds  # VCC-115
    if is_alive(unit) and unit.leader:
        effect, wounds = check_leader(table, battle, unit, band, unit.spec.id)
        if effect == "jest":
            unit.mark("jest")  # VCC-111: at most one waits
            table.emit("leader jests", "VCC-111", unit=unit.spec.id)
        unit.wounds += wounds
        if 0 < wounds < dies_at:  # a hit that kills at once emits only the event of his death
            table.emit("leader wounded", "VCC-112", unit=unit.spec.id, wounds=wounds)
        if unit.wounds >= dies_at:
            leader_dies(table, battle, unit, cause)
    commander = battle.attached_commander(unit)
    if commander is not None and battle.book.settings.commander_at_risk == "attached_unit":
        _check_commander(table, battle, unit, commander, band)


def check_leader(table: Table, battle: Battle, unit: Unit, band: Band, actor: str) -> tuple[str, int]:
    """Roll 2d6 to hit the leader of `unit` by band (VCC-110), then 2d6 for the effect. Return its name ("missed",
    "jest", ...) and the wounds.
    """
    book, check = battle.book, battle.book.file.leader_hits
    situation = LeaderHitFacts(getattr(check.hit_on, band), band)
    needed = table.tally("leader_hit", situation, unit).total
    meanings = named("he is missed", "he is hit", by=f"at {band} range")
    if not table.roll(
        check.dice, check.die, SumBands((needed,)), why="leader hit", rule="VCC-110", actor=actor, means=meanings
    ):
        return "missed", 0
    row = table.roll(
        check.dice,
        check.die,
        book.leader_effect_rows,
        why="effect of leader hit",
        rule="VCC-111",
        actor=actor,
        means=named(*[name.replace("_", " ") for name, _ in book.leader_effects]),
    )
    return book.leader_effects[row]


def leader_dies(table: Table, battle: Battle, unit: Unit, cause: str) -> None:
    """Remove a dead leader: his base is lost, or stays as an ordinary one (VCC-116). A waiting jest is lost with him
    (VCC-111).
    """
    unit.leader = False
    unit.unmark("jest")
    unit.mark("lost_base")
    table.emit("leader killed", "VCC-114", unit=unit.spec.id, name=unit.spec.leader_name)
    if not battle.book.settings.leader_death_removes_base:
        unit.bases += 1
    else:
        table.emit("loss", "VCC-116", unit=unit.spec.id, side=unit.spec.side, lost=1, left=unit.strength, cause=cause)
    if not unit.strength:
        destroy(table, battle, unit, cause)


def _check_commander(table: Table, battle: Battle, unit: Unit, commander: Commander, band: Band) -> None:
    """Check the Army Commander attached to a unit, like its leader (VCC-163)."""
    side, name = commander.side, commander.name
    dies_at = battle.book.file.leader_dies_at.wounds
    effect, wounds = check_leader(table, battle, unit, band, f"commander of {side}")
    if effect == "jest" and is_alive(unit):
        unit.mark("jest")
        table.emit("commander jests", "VCC-111", side=side, name=name, unit=unit.spec.id)
    commander.wounds += wounds
    if 0 < wounds < dies_at:
        table.emit("commander wounded", "VCC-163", side=side, name=name, wounds=wounds)
    if commander.wounds >= dies_at:
        table.emit("commander killed", "VCC-163", side=side, name=name)
        commander.box, commander.unit = OFF_TABLE, ""
