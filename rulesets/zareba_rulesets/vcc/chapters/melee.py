"""Melee (VCC-118 to VCC-136, VCC-165, VCC-170)."""

from __future__ import annotations

from typing import NamedTuple

from zareba.base.state import facts
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.vcc.book import Bases, Cover, Quality, roll_pool
from zareba_rulesets.vcc.chapters.casualties import apply_hits, is_alive, note_leader_check, resolve_checks
from zareba_rulesets.vcc.forces import Battle, Contact, Unit

NOBODY = "nobody"


@facts
class MeleeFacts:
    """The facts of a unit's melee roll. `bases`: bases, or gunners (VCC-165), without the leader base (VCC-118)."""

    bases: Bases
    leader: bool = False
    quality: Quality = "ordinary"
    charging: bool = False
    flank: bool = False
    lancers: bool = False
    enemy_broken: bool = False
    supporting: bool = False
    mounted: bool = False
    enemy_dervish_foot: bool = False
    broken: bool = False
    uphill: bool = False
    cover: Cover = "none"


class Blow(NamedTuple):
    """One unit's attack in the melee step: the enemy it strikes, and the lead unit it fights for (itself unless it
    supports; VCC-132).
    """

    unit: str
    enemy: str
    lead: str


@procedure("melee.step")
def melee(table: Table, battle: Battle) -> None:
    """Fight all melees: choices, then all rolls from the position at the start, then all hits, then leader checks.

    Melee is simultaneous: the losses of a unit do not weaken its own roll (VCC-134). There is no winner and no
    pursuit. Units that stay in contact fight again next turn (VCC-135).
    """
    mark_units_in_melee(battle)
    blows = choose_blows(table, battle)
    battle.dealt, battle.taken = {}, {}
    rolls = [roll_melee(table, battle, blow) for blow in blows]
    for blow, (hits, _) in zip(blows, rolls, strict=True):
        battle.dealt[blow.lead] = battle.dealt.get(blow.lead, 0) + hits
        battle.taken[blow.enemy] = battle.taken.get(blow.enemy, 0) + hits
    for enemy, hits in battle.taken.items():
        battle.unit(enemy).mark("hit")
        apply_hits(table, battle, battle.unit(enemy), hits, "melee")
    for blow, (hits, highest) in zip(blows, rolls, strict=True):
        note_leader_check(battle, battle.unit(blow.enemy), hits, highest, "close")  # VCC-110: melee counts as close
    resolve_checks(table, battle, "melee")


def mark_units_in_melee(battle: Battle) -> None:
    """Mark the units that are in contact as melee begins (VCC-136), and those that are flanked then (VCC-148)."""
    for contact in battle.contacts:
        battle.unit(contact.charger).mark("engaged")
        target = battle.unit(contact.charged)
        is_flanked = contact.flank and "square" not in target.marks
        target.mark("engaged", *(("flanked",) if is_flanked else ()))


@procedure("melee.roll")
def roll_melee(table: Table, battle: Battle, blow: Blow) -> tuple[int, bool]:
    """Roll one unit's melee dice. Return its hits, and True if a die showed its highest face (VCC-118)."""
    unit = battle.unit(blow.unit)
    dice = table.tally("melee_dice", melee_facts(battle, blow), unit, battle.unit(blow.enemy))
    hits, highest = roll_pool(
        table, battle.book, dice.total, unit.spec.melee_die, why="melee", rule="VCC-118", actor=blow.unit
    )
    table.emit("melee", "VCC-118", unit=blow.unit, target=blow.enemy, dice=dice.total, hits=hits)
    return hits, highest


def melee_facts(battle: Battle, blow: Blow) -> MeleeFacts:
    """Return the facts of an attack. A supporter that did not charge this enemy uses its lead's ground and side
    (VCC-170).
    """
    unit, enemy = battle.unit(blow.unit), battle.unit(blow.enemy)
    contact = _charge_of(battle, blow.unit, blow.enemy) or _charge_of(battle, blow.lead, blow.enemy)
    flank = contact is not None and contact.flank and "square" not in enemy.marks
    return MeleeFacts(
        bases=unit.bases,
        leader=unit.leader,
        quality=unit.spec.quality,
        charging="charged" in unit.marks,
        flank=flank,
        lancers=unit.spec.lancers and unit.mounted,
        enemy_broken="broken" in enemy.marks,
        supporting=blow.unit != blow.lead,
        mounted=unit.mounted,
        enemy_dervish_foot=enemy.dervish_foot,
        broken="broken" in unit.marks,
        uphill=contact is not None and contact.uphill,
        cover=contact.cover if contact is not None else "none",
    )


def _charge_of(battle: Battle, charger: str, charged: str) -> Contact | None:
    """Return the contact that one unit made by charging another, or None."""
    return next(
        (contact for contact in battle.contacts if contact.charger == charger and contact.charged == charged), None
    )


# --- the opponents of each unit ---------------------------------------------------------------------------------------


def choose_blows(table: Table, battle: Battle) -> list[Blow]:
    """Return the attacks of this step: opponents (VCC-133), then supports (VCC-132), the British side choosing
    first.
    """
    lead_chargers = _lead_chargers(battle)
    supporting_chargers = _supporting_chargers(battle, lead_chargers)
    leads: list[Blow] = []
    for side in battle.by_role:
        for unit in battle.side_units(side):
            enemies = _opponents(battle, unit, lead_chargers, supporting_chargers)
            if enemies:
                enemy = table.choose(side, enemies, why="fight", rule="VCC-133", actor=unit.spec.id)
                leads.append(Blow(unit.spec.id, enemy, unit.spec.id))
    supports: list[Blow] = []
    max_supports = battle.book.settings.max_supports
    for side in battle.by_role:
        own_blows = [blow for blow in leads if battle.unit(blow.unit).spec.side == side]
        for supporter, (lead, enemy) in supporting_chargers.items():
            if battle.unit(supporter).spec.side == side and sum(b.lead == lead for b in supports) < max_supports:
                supports.append(Blow(supporter, enemy, lead))
        for unit in battle.side_units(side):
            if _may_support(battle, unit, own_blows, supporting_chargers):
                open_leads = [
                    blow.unit
                    for blow in own_blows
                    if battle.unit(blow.unit).box == unit.box
                    and sum(b.lead == blow.unit for b in supports) < max_supports
                ]
                if open_leads:
                    chosen = table.choose(
                        side, [*open_leads, NOBODY], why="support", rule="VCC-132", actor=unit.spec.id
                    )
                    if chosen != NOBODY:
                        enemy = next(blow.enemy for blow in own_blows if blow.unit == chosen)
                        supports.append(Blow(unit.spec.id, enemy, chosen))
    return [*leads, *supports]


_LeadChargers = dict[tuple[str, bool], str]


def _lead_chargers(battle: Battle) -> _LeadChargers:
    """Return the unit that leads against each side of an enemy, by (enemy, True for its flank) (VCC-132)."""
    chargers: _LeadChargers = {}
    for contact in battle.contacts:
        chargers.setdefault((contact.charged, contact.flank), contact.charger)
    return chargers


def _supporting_chargers(battle: Battle, lead_chargers: _LeadChargers) -> dict[str, tuple[str, str]]:
    """Return the units that charged an enemy against which another unit leads: unit -> (its lead, the enemy) (VCC-132).

    Units that have a second enemy in contact are left out: they fight that one.
    """
    return {
        contact.charger: (lead, contact.charged)
        for contact in battle.contacts
        if (lead := lead_chargers[contact.charged, contact.flank]) != contact.charger
        and len(battle.contacts_of(battle.unit(contact.charger))) == 1
    }


def _opponents(
    battle: Battle, unit: Unit, lead_chargers: _LeadChargers, supporting_chargers: dict[str, tuple[str, str]]
) -> list[str]:
    """Return the enemies in contact that a unit may fight (VCC-133), except those against which another unit leads."""
    unit_id = unit.spec.id
    if unit_id in supporting_chargers:
        return []
    opponents: list[str] = []
    for contact in battle.contacts_of(unit):
        if contact.charger != unit_id:
            other = contact.charger
        elif lead_chargers[contact.charged, contact.flank] == unit_id:
            other = contact.charged
        else:
            continue
        if other not in supporting_chargers and other not in opponents:
            opponents.append(other)
    return opponents


def _may_support(
    battle: Battle, unit: Unit, leads: list[Blow], supporting_chargers: dict[str, tuple[str, str]]
) -> bool:
    """Return True if a unit may support: not prone, not broken and not itself in contact (VCC-132)."""
    return (
        bool(leads)
        and unit.spec.id not in supporting_chargers
        and not unit.marks & {"prone", "broken"}
        and not battle.is_in_contact(unit)
    )


def must_check_after_melee(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit checks morale in step 8 (VCC-136). Contact is judged as it was when melee began."""
    rule = battle.book.settings.melee_morale
    hits_taken = battle.taken.get(unit.spec.id, 0)
    if not is_alive(unit):
        return False
    if rule == "all_in_contact":
        return "engaged" in unit.marks
    if rule == "loser_only":
        return 0 < hits_taken >= battle.dealt.get(unit.spec.id, 0)
    return hits_taken > 0
