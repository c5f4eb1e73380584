"""Machine guns, and the targets of guns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zareba.base.exact import dist
from zareba.chance import AtLeast, named
from zareba.rules import procedure
from zareba.space.geometry import Point, box_gap, joint_box
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.numbers import CRITICAL, d12_result
from zareba_rulesets.fixed_baynet.chapters.artillery import (
    SHOT,
    Impact,
    Landed,
    aim_gun,
    always_deviates,
    building_facts,
    building_targets_of_gun,
    damage_gun,
    emit_round,
    fire_modes,
    gun_cover,
    gun_facts,
    gun_observer,
    gun_range_to,
    piece_facts,
    resolve_burst,
    roll_full_damage,
)
from zareba_rulesets.fixed_baynet.chapters.buildings import damage_building
from zareba_rulesets.fixed_baynet.chapters.crews import is_in_gun_arc, is_manned, serve
from zareba_rulesets.fixed_baynet.chapters.fire import (
    ShotFacts,
    firer_facts,
    pin_unit,
    record_shot_at,
    roll_to_hit,
    spend_shot,
)
from zareba_rulesets.fixed_baynet.chapters.hits import resolve_hit
from zareba_rulesets.fixed_baynet.chapters.morale import PINNED
from zareba_rulesets.fixed_baynet.chapters.sight import (
    Openings,
    band_of,
    is_room_at_opening,
    opening_to,
    sees,
    sees_piece,
    stand_point,
)
from zareba_rulesets.fixed_baynet.chapters.targets import (
    Marksman,
    can_afford_shot,
    can_fire,
    lose_thrown_spear,
    marksmen,
    target_figures,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle, gun_limits, longest_range
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit

# --- Machine guns (FBN-229 to FBN-233): salvos of six shots, jams and pinning -----------------------------------------


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
        if first_man_salvo_can_hit(battle, unit, gun, target) is not None:
            yield target


def first_man_salvo_can_hit(battle: Battle, unit: Unit, gun: Gun, target: Unit) -> Figure | None:
    """Return the man of a unit who is the target of the next shot of a salvo (FBN-229)."""
    return next((man for man, _ in men_salvo_can_hit(battle, unit, gun, target)), None)


def men_salvo_can_hit(battle: Battle, unit: Unit, gun: Gun, target: Unit) -> Iterator[tuple[Figure, Point]]:
    """Yield the men of a unit the gun can aim at, nearest first, each with his position for ranges."""
    men = target_figures(battle, unit.spec.side, target)
    most = gun_limits(battle, unit, gun).long
    if not men or box_gap((*gun.at, *gun.at), target.box) > most + battle.book.gun_and_man + battle.book.at_openings:
        return
    eye = gun_observer(unit, gun)
    scene = battle.field.scene(joint_box((*gun.at, *gun.at), target.box))
    spots = [(man, stand_point(battle, man)) for man in men]
    for man, at in sorted(spots, key=lambda spot: dist(spot[1], gun.at)):
        if gun_range_to(battle, gun, man, at) > most:
            return
        if is_in_gun_arc(battle, gun, at) and sees(battle, eye, man, scene):
            yield man, at


@procedure("machine_gun.jam")
def roll_for_jam(table: Table, actor: str) -> bool:
    """Roll a D6 and return True if the gun jams, by default on a 6 (FBN-232)."""
    numbers = table.rules.book.jam
    if numbers.lowest == "never":
        return False
    read, means = AtLeast(numbers.lowest), named("it fires on", "it jams")
    return table.roll(1, numbers.die, read, why="jam", rule="FBN-232", actor=actor, means=means) > 0


def _roll_jam_before_salvo(table: Table, battle: Battle, gun: Gun, actor: str) -> bool:
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
    if _roll_jam_before_salvo(table, battle, gun, actor):
        table.emit("jammed", "FBN-232", unit=unit.spec.id)
        return 0
    gun.salvos += 1
    target = battle.change(target)
    hits: list[int] = []
    for shot in table.each(range(battle.book.file.salvo.shots), hits):
        aim = next(men_salvo_can_hit(battle, unit, gun, target), None)
        if aim is not None:
            man, at = aim
            situation = gun_facts(battle, unit, gun, target, man, at)
            if shot == 0:
                table.emit("opens fire", "FBN-229", unit=unit.spec.id, target=target.spec.id)
                _pin_by_salvo(
                    table, battle, target
                )  # the first shot is aimed before the unit takes fright, as in a volley
            result = roll_to_hit(table, situation, actor, target)
            if result:
                hits.append(result)
                damage = battle.book.guns[gun.kind].multiple
                resolve_hit(table, battle, target, man, result == CRITICAL, damage, "fire", unit)
    table.emit("salvo", "FBN-229", unit=unit.spec.id, target=target.spec.id, hits=len(hits), opened=True)
    return len(hits)


def salvo_building_targets(battle: Battle, unit: Unit, gun: Gun) -> list[str]:
    """Return the buildings a machine gun can fire at, if every weapon may fire at buildings (FBN-247)."""
    return building_targets_of_gun(battle, unit, gun) if battle.book.settings.building_targets == "any" else []


@procedure("machine_gun.at_building")
def fire_salvo_at_building(table: Table, battle: Battle, unit: Unit, gun: Gun, building_id: str) -> int:
    """Fire six shots at a building, until it is destroyed (FBN-229, FBN-247). Return the number of hits."""
    actor = f"{unit.spec.id} gun"
    situation = building_facts(battle, unit, gun, building_id)
    serve(battle, unit, gun, battle.book.settings.mg_salvo_ac, fires=True)
    if _roll_jam_before_salvo(table, battle, gun, actor):
        table.emit("jammed", "FBN-232", unit=unit.spec.id)
        return 0
    gun.salvos += 1
    hits, damage = 0, battle.book.guns[gun.kind].multiple
    for _ in range(battle.book.file.salvo.shots):
        if battle.houses[building_id].points <= 0:
            break
        result = roll_to_hit(table, situation, actor)
        if result:
            hits += 1
            damage_building(table, battle, building_id, damage, result == CRITICAL, False, unit, gun.at)
    table.emit("salvo", "FBN-229", unit=unit.spec.id, target=building_id, hits=hits)
    return hits


def _pin_by_salvo(table: Table, battle: Battle, target: Unit) -> None:
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


# --- Guns as targets: a gun and each of its crew are separate targets (FBN-204) ---------------------------------------


def _enemy_guns(battle: Battle, side: str) -> list[tuple[Unit, int, Gun]]:
    """Return the guns in play of units that a side may know of, each with its unit and number."""
    return [
        (unit, number, gun)
        for unit in battle.units.values()
        if unit.guns and unit.spec.side != side and not unit.marks & {"away", "hidden"}
        for number, gun in enumerate(unit.guns)
        if gun.in_play
    ]


def _range_to_gun(battle: Battle, at: Point, gun: Gun, radius: float) -> float:
    """Return the inches from the edge of a base at a point to the edge of a gun (FBN-005)."""
    return max(0.0, dist(at, gun.at) - battle.book.radius["gun"] - radius)


def _range_band_to_gun(battle: Battle, man: Marksman, gun: Gun) -> str | None:
    """Return the range band of a man's shot at a gun, or None if he cannot shoot at it (FBN-204)."""
    figure = man.figure
    if not man.can_fire_towards(battle, gun.at):
        return None
    away = _range_to_gun(battle, man.at, gun, battle.radius(figure))
    band = band_of(battle, figure, away)
    if band is None or not sees_piece(battle, figure, gun.at):
        return None
    return band if is_room_at_opening(battle, figure, gun.at) else None


def gun_targets_of_men(battle: Battle, unit: Unit, men: Sequence[Marksman]) -> list[tuple[str, int]]:
    """Return the enemy guns that one of these men can fire at, as unit and number."""
    guns = _enemy_guns(battle, unit.spec.side)
    if not guns:
        return []
    longest = longest_range(battle, [man.figure for man in men]) + battle.book.at_openings
    able: dict[str, list[Marksman]] = {}
    targets = []
    for target_unit, number, gun in guns:
        if box_gap(unit.box, (*gun.at, *gun.at)) > longest:
            continue
        key = target_unit.spec.id
        if key not in able:
            able[key] = [man for man in men if can_afford_shot(battle, man.figure, key)]
        if any(_range_band_to_gun(battle, man, gun) is not None for man in able[key]):
            targets.append((key, number))
    return targets


def planned_gun_shots(battle: Battle, unit: Unit, gun: Gun, men: Sequence[Figure]) -> list[tuple[Marksman, ShotFacts]]:
    """Return the shots of the men who reach and see a gun. Men in square fire only where they face (FBN-063)."""
    bands = [(man, _range_band_to_gun(battle, man, gun)) for man in marksmen(battle, unit, men)]
    openings = Openings(battle)
    return [
        (man, gun_shot_facts(battle, man.figure, gun, band, man.at))
        for man, band in bands
        if band is not None and openings.has_room(man.figure, gun.at)
    ]


@procedure("fire.at_gun")
def volley_at_gun(table: Table, battle: Battle, unit: Unit, target_unit: Unit, gun: Gun, ready: list[Figure]) -> None:
    """Fire once at a gun with every man who can. It has DS 3, and a critical is an ordinary hit (FBN-204)."""
    shots = 0
    for man, situation in planned_gun_shots(battle, unit, gun, ready):
        figure = man.figure
        if not gun.in_play or not can_fire(battle, figure, target_unit.spec.id):
            continue
        spend_shot(battle, figure, target_unit.spec.id, gun.at, opening_to(battle, figure, gun.at), man.turns_at)
        record_shot_at(table, battle, target_unit)
        need = table.tally("fire", situation, unit, target_unit).total
        damage = battle.book.weapons[figure.weapon].damage
        lose_thrown_spear(battle, figure)
        if d12_result(table, need, why="shot", rule="FBN-204", actor=figure.spec.id):
            damage_gun(table, target_unit, gun, damage)
        shots += 1
    piece = f"gun {target_unit.guns.index(gun) + 1} of {target_unit.spec.name}"
    table.emit("volley", "FBN-204", unit=unit.spec.id, target=piece, shots=shots)


def gun_shot_facts(battle: Battle, figure: Figure, gun: Gun, band: str, at: Point | None = None) -> ShotFacts:
    """Return the facts of a man's shot at a gun: its DS and cover, and all modifiers of a shot at a man (FBN-204).

    `at` is the firer's position, if the caller has it.
    """
    cover = gun_cover(battle, at or stand_point(battle, figure), figure, gun)
    return ShotFacts(ds=battle.book.guns[gun.kind].ds, cv=cover, **firer_facts(battle, figure, band, gun.at))


def gun_targets_of_gun(battle: Battle, unit: Unit, piece: Gun) -> list[tuple[str, int]]:
    """Return the enemy guns in arc, range and sight of a gun that fires direct (FBN-215)."""
    if "direct" not in fire_modes(battle, piece):
        return []
    most = gun_limits(battle, unit, piece).long
    eye = gun_observer(unit, piece)
    return [
        (target_unit.spec.id, number)
        for target_unit, number, gun in _enemy_guns(battle, unit.spec.side)
        if _range_to_gun(battle, piece.at, gun, battle.book.radius["gun"]) <= most
        and is_in_gun_arc(battle, piece, gun.at)
        and sees_piece(battle, eye, gun.at)
    ]


def duel_facts(battle: Battle, unit: Unit, piece: Gun, gun: Gun) -> ShotFacts:
    """Return the facts of a gun's direct shot at another gun, with the best gunner's CS (FBN-204)."""
    radius, kind = battle.book.radius["gun"], battle.book.guns[gun.kind]
    cover = gun_cover(battle, piece.at, gun_observer(unit, piece), gun, radius)
    away = _range_to_gun(battle, piece.at, gun, radius)
    return ShotFacts(ds=kind.ds, cv=cover, **piece_facts(battle, unit, piece, away, gun.at))


@procedure("artillery.duel")
def fire_piece_at_gun(
    table: Table,
    battle: Battle,
    unit: Unit,
    piece: Gun,
    target_unit: Unit,
    gun: Gun,
    ammunition: str,
    landed: Landed | None = None,
) -> Impact:
    """Fire a gun at another gun: a hit takes wounds, and a shell bursts among its crew."""
    situation = duel_facts(battle, unit, piece, gun)
    serve(battle, unit, piece, battle.book.file.gun_costs.fire, fires=True)
    record_shot_at(table, battle, target_unit)
    actor = f"{unit.spec.id} {unit.guns.index(piece) + 1}"
    impact = aim_gun(table, situation, piece.at, gun.at, ammunition, always_deviates(battle, piece), actor, "FBN-204")
    emit_round(
        table, "FBN-204", unit, f"gun {target_unit.guns.index(gun) + 1} of {target_unit.spec.name}", ammunition, impact
    )
    if landed is not None:
        landed(impact)
    if impact.direct:
        need = battle.book.rules.tally("fire", situation, battle, unit, target_unit).total
        damage_gun(table, target_unit, gun, roll_full_damage(table, battle, piece, ammunition, need, actor))
    if not impact.direct or ammunition != SHOT:
        resolve_burst(table, battle, unit, piece, ammunition, impact, None, gun if impact.direct else None)
    return impact
