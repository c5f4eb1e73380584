"""Machine guns (FBN-229 to FBN-233): salvos of six shots, jams and pinning."""

from __future__ import annotations

from collections.abc import Iterator

from zareba.base.exact import dist
from zareba.chance import AtLeast, named
from zareba.rules import procedure
from zareba.space.geometry import Point, box_gap, joint_box
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.dice import CRITICAL
from zareba_rulesets.fixed_baynet.chapters.buildings.building_damage import damage_building
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import target_figures
from zareba_rulesets.fixed_baynet.chapters.fire.fire import pin_unit, roll_to_hit
from zareba_rulesets.fixed_baynet.chapters.fire.hits import resolve_hit
from zareba_rulesets.fixed_baynet.chapters.guns.artillery import (
    building_facts,
    building_targets,
    gun_facts,
    gun_gap,
    gun_observer,
)
from zareba_rulesets.fixed_baynet.chapters.guns.crews import gun_targets_arc, is_manned, serve
from zareba_rulesets.fixed_baynet.chapters.morale.glory import PINNED
from zareba_rulesets.fixed_baynet.chapters.sight.sight import sees, stand_point
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.ranges import gun_limits
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit

__all__ = [
    "clear_jam",
    "fire_salvo",
    "fire_salvo_at_house",
    "may_salvo",
    "roll_for_jam",
    "salvo_aim",
    "salvo_aims",
    "salvo_houses",
    "salvo_targets",
]


def may_salvo(battle: Battle, unit: Unit, gun: Gun) -> bool:
    """Return True if a machine gun may fire: AC, crew, salvos left and no jam (FBN-229, FBN-232)."""
    return (
        gun.kind == "machine_gun"
        and gun.ac >= battle.book.settings.mg_salvo_ac
        and gun.jam != "jammed"
        and gun.salvos < battle.book.file.salvo.salvos
        and is_manned(battle, unit, gun)
    )


def salvo_targets(battle: Battle, unit: Unit, gun: Gun) -> Iterator[Unit]:
    """Yield the enemy units with a man in arc, range and sight (FBN-229)."""
    for target in battle.enemies(unit.spec.side):
        if salvo_aim(battle, unit, gun, target) is not None:
            yield target


def salvo_aim(battle: Battle, unit: Unit, gun: Gun, target: Unit) -> Figure | None:
    """Return the man of a unit who is the target of the next shot of a salvo (FBN-229)."""
    return next((man for man, _ in salvo_aims(battle, unit, gun, target)), None)


def salvo_aims(battle: Battle, unit: Unit, gun: Gun, target: Unit) -> Iterator[tuple[Figure, Point]]:
    """Yield the men of a unit the gun can aim at, nearest first, each with his position for ranges."""
    men = target_figures(battle, unit.spec.side, target)
    most = gun_limits(battle, unit, gun)[2]
    if not men or box_gap((*gun.at, *gun.at), target.box) > most + battle.book.gun_and_man + battle.book.at_openings:
        return
    eye = gun_observer(unit, gun)
    scene = battle.field.scene(joint_box((*gun.at, *gun.at), target.box))
    spots = [(man, stand_point(battle, man)) for man in men]
    for man, at in sorted(spots, key=lambda spot: dist(spot[1], gun.at)):
        if gun_gap(battle, gun, man, at) > most:
            return
        if gun_targets_arc(battle, gun, at) and sees(battle, eye, man, scene):
            yield man, at


@procedure("machine_gun.jam")
def roll_for_jam(table: Table, actor: str) -> bool:
    """Roll a D6 and return True if the gun jams, by default on a 6 (FBN-232)."""
    numbers = table.rules.book.jam
    if numbers.lowest == "never":
        return False
    read, means = AtLeast(numbers.lowest), named("it fires on", "it jams")
    return table.roll(1, numbers.die, read, why="jam", rule="FBN-232", actor=actor, means=means) > 0


def roll_jam_before_salvo(table: Table, battle: Battle, gun: Gun, actor: str) -> bool:
    """Roll for a jam before the first salvo of a turn, unless the setting puts the roll after firing.

    Return True if the gun jams now (FBN-232).
    """
    if battle.book.settings.jam_roll != "before_first_salvo" or gun.jam:
        return False
    gun.jam = "clear"
    if not roll_for_jam(table, actor):
        return False
    gun.jam, gun.jammed_in = "jammed", battle.turn
    return True


@procedure("machine_gun.salvo")
def fire_salvo(table: Table, battle: Battle, unit: Unit, gun: Gun, target: Unit) -> int:
    """Fire six shots at the men of one unit, choosing a new target as men fall.

    The unit is pinned at once. Return the number of hits.
    """
    actor = f"{unit.spec.id} gun"
    serve(battle, unit, gun, battle.book.settings.mg_salvo_ac, fires=True)
    if roll_jam_before_salvo(table, battle, gun, actor):
        table.emit("jammed", "FBN-232", unit=unit.spec.id)
        return 0
    gun.salvos += 1
    target = battle.change(target)
    hits: list[int] = []
    for shot in table.each(range(battle.book.file.salvo.shots), hits):
        aim = next(salvo_aims(battle, unit, gun, target), None)
        if aim is not None:
            man, at = aim
            situation = gun_facts(battle, unit, gun, target, man, at)
            if shot == 0:
                pin_by_salvo(
                    table, battle, target
                )  # the first shot is aimed before the unit takes fright, as in a volley
            result = roll_to_hit(table, situation, actor, target)
            if result:
                hits.append(result)
                damage = battle.book.guns[gun.kind].multiple
                resolve_hit(table, battle, target, man, result == CRITICAL, damage, "fire", unit)
    table.emit("salvo", "FBN-229", unit=unit.spec.id, target=target.spec.id, hits=len(hits))
    return len(hits)


def salvo_houses(battle: Battle, unit: Unit, gun: Gun) -> list[str]:
    """Return the buildings a machine gun can fire at, if every weapon may fire at buildings (FBN-247)."""
    return building_targets(battle, unit, gun) if battle.book.settings.building_targets == "any" else []


@procedure("machine_gun.at_building")
def fire_salvo_at_house(table: Table, battle: Battle, unit: Unit, gun: Gun, house: str) -> int:
    """Fire six shots at a building, until it is destroyed (FBN-229, FBN-247). Return the number of hits."""
    actor = f"{unit.spec.id} gun"
    situation = building_facts(battle, unit, gun, house)
    serve(battle, unit, gun, battle.book.settings.mg_salvo_ac, fires=True)
    if roll_jam_before_salvo(table, battle, gun, actor):
        table.emit("jammed", "FBN-232", unit=unit.spec.id)
        return 0
    gun.salvos += 1
    hits, damage = 0, battle.book.guns[gun.kind].multiple
    for _ in range(battle.book.file.salvo.shots):
        if battle.houses[house].points <= 0:
            break
        result = roll_to_hit(table, situation, actor)
        if result:
            hits += 1
            damage_building(table, battle, house, damage, result == CRITICAL, False, unit, gun.at)
    table.emit("salvo", "FBN-229", unit=unit.spec.id, target=house, hits=hits)
    return hits


def pin_by_salvo(table: Table, battle: Battle, target: Unit) -> None:
    """Pin a unit at once (FBN-230). The salvo also counts as being shot at for the next turn (FBN-144)."""
    if target.shot_turn != battle.turn:
        target.shot_run = target.shot_run + 1 if target.shot_turn == battle.turn - 1 else 1
        target.shot_turn = battle.turn
    if PINNED in target.events and battle.book.settings.same_event_per_turn == 1:
        target.mark("pinned")
    else:
        pin_unit(table, battle, target)


def roll_jam_after_firing(table: Table, battle: Battle, unit: Unit, gun: Gun) -> None:
    """With `jam_roll` after_firing, roll for a jam at the end of the activation of a gun that has fired.

    A jammed gun may not fire next turn (FBN-232).
    """
    if battle.book.settings.jam_roll == "after_firing" and gun.salvos and not gun.jam:
        gun.jam = "clear"
        if roll_for_jam(table, f"{unit.spec.id} gun"):
            gun.jam, gun.jammed_in = "jammed", battle.turn + 1
            table.emit("jammed", "FBN-232", unit=unit.spec.id)


def may_clear(battle: Battle, unit: Unit, gun: Gun) -> bool:
    """Return True if a jam is cleared by an action and the gun has crew and AC for it (FBN-232)."""
    return (
        battle.book.settings.jam_clears == "action_1ac"
        and gun.jam == "jammed"
        and gun.ac >= 1
        and is_manned(battle, unit, gun)
    )


def clear_jam(table: Table, battle: Battle, unit: Unit, gun: Gun) -> None:
    """With `jam_clears` action_1ac, clear a jam for 1 AC of the gun; until then the jam stays (FBN-232).

    A jam from this turn used up this turn's roll. After an older jam the gun rolls again.
    """
    serve(battle, unit, gun, 1)
    rolled = battle.book.settings.jam_roll == "before_first_salvo" and gun.jammed_in == battle.turn
    gun.jam = "clear" if rolled else ""
    table.emit("jam cleared", "FBN-232", unit=unit.spec.id)


def end_gun_turn(battle: Battle, gun: Gun) -> None:
    """Clear the jam of this turn, unless it must be cleared by the crew (FBN-232), and store the gaits (FBN-017)."""
    gun.salvos = 0
    gun.last_gait, gun.gait = gun.gait, 0
    if gun.jam == "jammed" and (battle.book.settings.jam_clears == "action_1ac" or gun.jammed_in > battle.turn):
        return
    gun.jam = ""
