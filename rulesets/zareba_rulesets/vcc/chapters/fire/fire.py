"""Fire (VCC-074 to VCC-097): who may fire at which targets, the dice pool, and its hits."""

from __future__ import annotations

from zareba.base.state import facts
from zareba.rules import procedure
from zareba.space.lazy import Lazy
from zareba.table import Table
from zareba_rulesets.vcc.book.dice import roll_pool
from zareba_rulesets.vcc.book.tables import Band, Bases, Cover, Quality
from zareba_rulesets.vcc.chapters.casualties.hits import apply_hits, is_alive
from zareba_rulesets.vcc.chapters.casualties.leaders import call_for_check
from zareba_rulesets.vcc.chapters.sight import Views, band_of, in_front, reach_of, views
from zareba_rulesets.vcc.forces.battle import GUN_MARKS, Battle, Unit

__all__ = [
    "FireFacts",
    "could_fire",
    "cover_against",
    "fire",
    "fire_facts",
    "may_fire",
    "may_pivot",
    "targets",
    "targets_out_of_turn",
]


@facts
class FireFacts:
    """The facts of a shot. `bases`: infantry bases or gunners of the firer, without the leader base (VCC-074)."""

    bases: Bases
    leader: bool = False
    quality: Quality = "ordinary"
    band: Band = "medium"
    moved: bool = False
    prone: bool = False
    square: bool = False
    target_mounted: bool = False
    target_prone: bool = False
    cover: Cover = "none"


def may_fire(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit may fire in the present fire phase, whether or not it has a target.

    The phase must be that of its weapon (VCC-036). Prone units may fire, broken units may not (VCC-095, VCC-154,
    VCC-162). Mounted units may not (VCC-076). Nor may weapons that are lost, left by their crew (VCC-157) or barred by
    a move (VCC-041, VCC-042, VCC-045).
    """
    return unit.spec.weapon in battle.book.fire_weapons[battle.phase] and could_fire(battle, unit)


def could_fire(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit may fire whatever the phase: `may_fire` without VCC-036, for fire out of turn."""
    spec, marks = unit.spec, unit.marks
    if unit.box < 0:
        return False
    if "broken" in marks or "wrecked" in marks or "abandoned" in marks or "fired" in marks:
        return False
    if "gun_moved" in marks or (unit.mounted and not battle.book.settings.mounted_fire):
        return False
    return (spec.fire_die > 0 or spec.weapon == "rocket") and contact_allows(battle, unit) != set()


def contact_allows(battle: Battle, unit: Unit) -> set[str] | None:
    """Return the enemies that a unit in contact may fire at; None if contact makes no difference (VCC-094).

    A unit that has charged may fire at none while it is in contact (VCC-096).
    """
    rule = battle.book.settings.fire_into_contact
    if rule == "always" or not battle.contacts or not battle.in_contact(unit):
        return None
    if rule == "never" or "charged" in unit.marks:
        return set()
    unit_id = unit.spec.id
    return {c.charger for c in battle.contacts if c.charged == unit_id and c.turn == battle.turn}


def may_pivot(unit: Unit, battle: Battle) -> bool:
    """Return True if a unit is a gun or machine gun that may pivot now: not prone, broken or in contact (VCC-043,
    VCC-044).
    """
    return (
        unit.troop in ("artillery", "machine_gun")
        and not unit.marks & {"prone", "broken"}
        and not battle.in_contact(unit)
    )


def targets(battle: Battle, unit: Unit, sight: Views | None = None) -> list[Unit]:
    """Return the enemy units that a unit may fire at: in range, seen, in the front arc or reached by a pivot (VCC-093).

    `sight` is shared line of sight, for callers that ask about several units in turn.
    """
    sight = views(battle) if sight is None else sight
    allowed_ids = contact_allows(battle, unit)
    turns_to_aim = may_pivot(unit, battle)
    box = unit.box
    bands, side, reach = battle.field.band, unit.spec.side, reach_of(battle, unit)
    open_fire = battle.book.settings.fire_into_contact == "always" or not battle.contacts
    can_aim_at: Lazy[int, bool] = Lazy(
        lambda target_box: (turns_to_aim or in_front(battle, unit, target_box)) and sight[box, target_box]
    )
    enemies = []
    for enemy in battle.side_units(battle.field.enemy(side)):
        target_box = enemy.box
        if bands[reach, box, target_box] is None:
            continue
        if allowed_ids is not None:
            if enemy.spec.id not in allowed_ids:
                continue
        elif not open_fire and battle.in_contact(enemy):
            continue
        if can_aim_at[target_box]:
            enemies.append(enemy)
    return enemies


def targets_out_of_turn(battle: Battle, unit: Unit) -> list[Unit]:
    """Return the enemies in the front arc at which a unit may fire (VCC-093); none for rockets, which fire at a box."""
    if unit.spec.weapon == "rocket" or not could_fire(battle, unit):
        return []
    return [enemy for enemy in targets(battle, unit) if in_front(battle, unit, enemy.box)]


def cover_against(battle: Battle, firer_box: int, target: Unit) -> Cover:
    """Return the better cover of a target against a shot from a box (VCC-068, VCC-069); none within one box."""
    return battle.field.cover[firer_box, target.box]


def fire_facts(battle: Battle, unit: Unit, target: Unit) -> FireFacts:
    """Return the facts of this shot; `moved` means moved or pivoted (VCC-046, VCC-088)."""
    marks = unit.marks
    band = band_of(battle, unit, target.box)
    assert band is not None, "targets() offers only units within reach"
    return FireFacts(
        bases=unit.bases,
        leader=unit.leader,
        quality=unit.spec.quality,
        band=band,
        moved="gun_pivoted" in marks or ("moved" in marks and unit.spec.troop in ("foot", "mounted")),
        prone="prone" in marks,
        square="square" in marks,
        target_mounted=target.mounted,
        target_prone="prone" in target.marks,
        cover=cover_against(battle, unit.box, target),
    )


@procedure("fire.shot")
def fire(table: Table, battle: Battle, unit: Unit, target: Unit) -> None:
    """Resolve one shot: count the dice, roll them, apply the hits at once, and note a leader check if one is due.

    The checks of leaders and morale follow when all units have fired (`Sequence.fire_leaders`, `Sequence.fire_morale`).
    """
    situation = fire_facts(battle, unit, target)
    weapon = unit.spec.weapon
    battle.book.rules.show_range(table, battle.book.bands.get(weapon, ()), unit, weapon, situation.band)
    shots = table.tally("fire_dice", situation, unit, target)
    actor = unit.spec.id
    hits, highest = roll_pool(
        table, battle.book, shots.total, unit.spec.fire_die, why="fire", rule="VCC-080", actor=actor
    )
    table.emit("fire", "VCC-080", unit=actor, target=target.spec.id, dice=shots.total, hits=hits, band=situation.band)
    unit.mark("fired")
    from_flank = not in_front(battle, target, unit.box) and target.spec.troop != "wagon"
    target.mark("hit", *(("flank_shot",) if from_flank else ()))
    apply_hits(table, battle, target, hits, "fire")
    if is_alive(target):
        call_for_check(battle, target, hits, highest, situation.band)


def end_fire_step(battle: Battle, side: str) -> None:
    """Clear the moves and pivots of crewed weapons at the end of their next fire step (VCC-045)."""
    for unit in battle.side_units(side):
        if unit.marks & GUN_MARKS:
            unit.unmark(*GUN_MARKS)
