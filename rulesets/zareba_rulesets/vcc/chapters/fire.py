"""Fire: small arms, guns, rockets, and machine guns that overheat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from zareba.base.state import facts
from zareba.chance import at_least, at_most, counts
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.vcc.book import Band, Bases, Cover, Quality, roll_pool
from zareba_rulesets.vcc.chapters.casualties import apply_hits, is_alive, note_leader_check
from zareba_rulesets.vcc.chapters.sight import (
    Visibility,
    band_of,
    in_front,
    range_key_of,
    visibility_between_boxes,
)
from zareba_rulesets.vcc.forces import GUN_MARKS, Battle, Unit

# --- Fire (VCC-074 to VCC-097): who may fire at which targets, the dice pool, and its hits ----------------------------


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
    return (spec.fire_die > 0 or spec.weapon == "rocket") and targets_despite_contact(battle, unit) != set()


def targets_despite_contact(battle: Battle, unit: Unit) -> set[str] | None:
    """Return the enemies that a unit in contact may fire at; None if contact makes no difference (VCC-094).

    A unit that has charged may fire at none while it is in contact (VCC-096).
    """
    rule = battle.book.settings.fire_into_contact
    if rule == "always" or not battle.contacts or not battle.is_in_contact(unit):
        return None
    if rule == "never" or "charged" in unit.marks:
        return set()
    unit_id = unit.spec.id
    return {
        contact.charger for contact in battle.contacts if contact.charged == unit_id and contact.turn == battle.turn
    }


def may_pivot(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit is a gun or machine gun that may pivot now: not prone, broken or in contact (VCC-043,
    VCC-044).
    """
    return (
        unit.troop in ("artillery", "machine_gun")
        and not unit.marks & {"prone", "broken"}
        and not battle.is_in_contact(unit)
    )


def targets(battle: Battle, unit: Unit, visibility: Visibility | None = None) -> list[Unit]:
    """Return the enemy units that a unit may fire at: in range, seen, in the front arc or reached by a pivot (VCC-093).

    `visibility` is shared line of sight, for callers that ask about several units in turn.
    """
    enemies = battle.side_units(battle.field.enemy(unit.spec.side))
    return list(_targets(battle, unit, visibility_between_boxes(battle) if visibility is None else visibility, enemies))


def has_target(battle: Battle, unit: Unit, visibility: Visibility, enemies: Iterable[Unit]) -> bool:
    """Return True if there is one among the enemies on the table that a unit may fire at (`targets`)."""
    return next(_targets(battle, unit, visibility, enemies), None) is not None


def _targets(battle: Battle, unit: Unit, visibility: Visibility, enemies: Iterable[Unit]) -> Iterator[Unit]:
    allowed_ids = targets_despite_contact(battle, unit)
    box = unit.box
    bands, range_key = battle.field.range_bands, range_key_of(battle, unit)
    ignores_contact = battle.book.settings.fire_into_contact == "always" or not battle.contacts
    for enemy in enemies:
        target_box = enemy.box
        if bands[range_key, box, target_box] is None:
            continue
        if allowed_ids is not None:
            if enemy.spec.id not in allowed_ids:
                continue
        elif not ignores_contact and battle.is_in_contact(enemy):
            continue
        if (in_front(battle, unit, target_box) or may_pivot(battle, unit)) and visibility[box, target_box]:
            yield enemy


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
        note_leader_check(battle, target, hits, highest, situation.band)


def end_fire_step(battle: Battle, side: str) -> None:
    """Clear the moves and pivots of crewed weapons at the end of their next fire step (VCC-045)."""
    for unit in battle.side_units(side):
        if unit.marks & GUN_MARKS:
            unit.unmark(*GUN_MARKS)


# --- Overheating of machine guns (VCC-103, VCC-104) -------------------------------------------------------------------


def check_all_overheating(table: Table, battle: Battle) -> None:
    """Check every machine gun for overheating at the end of a turn."""
    if battle.book.settings.mg_overheat == "off":
        return
    for unit in list(battle.units.values()):
        if unit.on_table and unit.spec.weapon == "machine_gun" and "wrecked" not in unit.marks:
            check_overheating(table, battle, unit)


@procedure("overheating.check")
def check_overheating(table: Table, battle: Battle, unit: Unit) -> None:
    """Check one machine gun: after k turns of fire in a row it overheats on a roll of k or less.

    The check begins at k = 2. The second overheating breaks the gun for good. A turn without a shot cools it and
    resets the count (VCC-104).
    """
    if "fired" not in unit.marks:
        unit.streak = 0
        unit.unmark("overheated")
        return
    unit.streak += 1
    rule = battle.book.file.overheating
    if unit.streak < rule.from_turn:
        return
    means = at_most(unit.streak, "overheats", "fires on", by="the turns fired in a row")
    if table.roll(1, rule.die, why="overheating", rule="VCC-103", actor=unit.spec.id, means=means) > unit.streak:
        return
    if "overheated" in unit.marks:
        unit.unmark("overheated")
        unit.mark("wrecked")
        table.emit("broken for good", "VCC-103", unit=unit.spec.id)
    else:
        unit.mark("overheated")
        table.emit("overheated", "VCC-103", unit=unit.spec.id)


# --- Rockets (VCC-098 to VCC-102) -------------------------------------------------------------------------------------


_EIGHTHS = counts("in eighths of a turn to the right, 1 straight on")
_BOXES = counts("boxes")


def rocket_target_boxes(battle: Battle, unit: Unit, visibility: Visibility | None = None) -> list[int]:
    """Return the boxes that a section may aim at: seen and in its front arc, or any box with `rocket_los_required` off
    (VCC-073).
    """
    boxes = range(battle.field.grid.size)
    if not battle.book.settings.rocket_los_required:
        return list(boxes)
    visibility = visibility_between_boxes(battle) if visibility is None else visibility
    return [box for box in boxes if in_front(battle, unit, box) and visibility[unit.box, box]]


@procedure("rockets.fire")
def fire_rocket(table: Table, battle: Battle, unit: Unit, box: int) -> None:
    """Fire one rocket at a box. Every unit where it lands checks morale at the end of the step (VCC-100).

    A rocket causes no hits and therefore no leader checks (VCC-101).
    """
    unit.mark("fired")
    landing = landing_box(table, battle, unit.spec.id, unit.box, unit.facing, box)
    table.emit("rocket", "VCC-098", unit=unit.spec.id, box=box, landing=landing)
    if landing is not None:
        mark_rocketed(battle, landing)


def landing_box(table: Table, battle: Battle, actor: str, start: int, facing: int, box: int) -> int | None:
    """Return the box where a rocket lands: the designated box on 5 or 6 (VCC-098), otherwise after drift (VCC-099).
    None: nowhere.
    """
    rocket, settings = battle.book.file.rocket, battle.book.settings
    means = at_least(rocket.on_target, "comes down in its box", "goes astray")
    if table.roll(1, rocket.die, why="rocket", rule="VCC-098", actor=actor, means=means) >= rocket.on_target:
        return box
    if settings.rocket_drift == "off":
        return None
    grid = battle.field.grid
    direction = grid.direction(start, box) if start != box else facing
    eighths = table.roll(
        1, rocket.drift_directions.die, why="drift direction", rule="VCC-099", actor=actor, means=_EIGHTHS
    )
    distance = table.roll(1, rocket.drift_distance.die, why="drift distance", rule="VCC-099", actor=actor, means=_BOXES)
    landing: int | None = box
    for _ in range(distance):
        landing = grid.neighbour(landing, (direction + eighths - 1) % 8) if landing is not None else None
    return landing


def mark_rocketed(battle: Battle, box: int) -> None:
    """Mark every unit of both sides in a box for the morale checks of this step (VCC-100 to VCC-102)."""
    for unit in battle.units_in(box):
        unit.mark("rocketed")
