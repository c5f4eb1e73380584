"""Guns as targets: a gun and each of its crew are separate targets (FBN-204)."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.base.exact import dist
from zareba.rules import procedure
from zareba.space.geometry import Point, box_gap
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.dice import d12_result
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import Marksman, can_afford_shot, can_fire, marksmen
from zareba_rulesets.fixed_baynet.chapters.fire.counter_attack import lose_thrown_spear
from zareba_rulesets.fixed_baynet.chapters.fire.fire import ShotFacts, firer_facts, record_shot_at, spend_shot
from zareba_rulesets.fixed_baynet.chapters.guns.artillery import (
    aim_gun,
    always_deviates,
    fire_modes,
    gun_observer,
    piece_facts,
)
from zareba_rulesets.fixed_baynet.chapters.guns.bursts import (
    SHOT,
    Impact,
    damage_gun,
    emit_round,
    gun_cover,
    resolve_burst,
    roll_full_damage,
)
from zareba_rulesets.fixed_baynet.chapters.guns.crews import gun_targets_arc, serve
from zareba_rulesets.fixed_baynet.chapters.sight.openings import Openings, is_room_at_opening, opening_to
from zareba_rulesets.fixed_baynet.chapters.sight.ranges import band_of
from zareba_rulesets.fixed_baynet.chapters.sight.sight import sees_piece, stand_point
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.ranges import gun_limits, longest
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit

__all__ = [
    "duel_facts",
    "fire_piece_at_gun",
    "gun_marks",
    "gun_shot_facts",
    "piece_marks",
    "planned_gun_shots",
    "volley_at_gun",
]


def _enemy_guns(battle: Battle, side: str) -> list[tuple[Unit, int, Gun]]:
    """Return the guns in play of units that a side may know of, each with its unit and number."""
    return [
        (unit, number, gun)
        for unit in battle.units.values()
        if unit.guns and unit.spec.side != side and not unit.marks & {"away", "hidden"}
        for number, gun in enumerate(unit.guns)
        if gun.in_play
    ]


def _gap(battle: Battle, at: Point, gun: Gun, radius: float) -> float:
    return max(0.0, dist(at, gun.at) - battle.book.radius["gun"] - radius)


def _band(battle: Battle, man: Marksman, gun: Gun) -> str | None:
    """Return the range band of a man's shot at a gun, or None if he cannot shoot at it (FBN-204)."""
    figure = man.figure
    if not man.can_fire_towards(battle, gun.at):
        return None
    away = _gap(battle, man.at, gun, battle.radius(figure))
    band = band_of(battle, figure, away)
    if band is None or not sees_piece(battle, figure, gun.at):
        return None
    return band if is_room_at_opening(battle, figure, gun.at) else None


def gun_marks(battle: Battle, unit: Unit, men: Sequence[Marksman]) -> list[tuple[str, int]]:
    """Return the enemy guns that one of these men can fire at, as unit and number."""
    guns = _enemy_guns(battle, unit.spec.side)
    if not guns:
        return []
    most = longest(battle, [man.figure for man in men]) + battle.book.at_openings
    able: dict[str, list[Marksman]] = {}
    found = []
    for home, number, gun in guns:
        if box_gap(unit.box, (*gun.at, *gun.at)) > most:
            continue
        key = home.spec.id
        if key not in able:
            able[key] = [man for man in men if can_afford_shot(battle, man.figure, key)]
        if any(_band(battle, man, gun) is not None for man in able[key]):
            found.append((key, number))
    return found


def planned_gun_shots(battle: Battle, unit: Unit, gun: Gun, men: Sequence[Figure]) -> list[tuple[Marksman, ShotFacts]]:
    """Return the shots of the men who reach and see a gun. Men in square fire only where they face (FBN-063)."""
    bands = [(man, _band(battle, man, gun)) for man in marksmen(battle, unit, men)]
    openings = Openings(battle)
    return [
        (man, gun_shot_facts(battle, man.figure, gun, band, man.at))
        for man, band in bands
        if band is not None and openings.has_room(man.figure, gun.at)
    ]


@procedure("fire.at_gun")
def volley_at_gun(table: Table, battle: Battle, unit: Unit, home: Unit, gun: Gun, ready: list[Figure]) -> None:
    """Fire once at a gun with every man who can. It has DS 3, and a critical is an ordinary hit (FBN-204)."""
    shots = 0
    for man, situation in planned_gun_shots(battle, unit, gun, ready):
        figure = man.figure
        if not gun.in_play or not can_fire(battle, figure, home.spec.id):
            continue
        spend_shot(battle, figure, home.spec.id, gun.at, opening_to(battle, figure, gun.at), man.turns_at)
        record_shot_at(table, battle, home)
        need = table.tally("fire", situation, unit, home).total
        damage = battle.book.weapons[figure.weapon].damage
        lose_thrown_spear(battle, figure)
        if d12_result(table, need, why="shot", rule="FBN-204", actor=figure.spec.id):
            damage_gun(table, home, gun, damage)
        shots += 1
    piece = f"gun {home.guns.index(gun) + 1} of {home.spec.name}"
    table.emit("volley", "FBN-204", unit=unit.spec.id, target=piece, shots=shots)


def gun_shot_facts(battle: Battle, figure: Figure, gun: Gun, band: str, at: Point | None = None) -> ShotFacts:
    """Return the facts of a man's shot at a gun: its DS and cover, and all modifiers of a shot at a man (FBN-204).

    `at` is the firer's position, if the caller has it.
    """
    cover = gun_cover(battle, at or stand_point(battle, figure), figure, gun)
    return ShotFacts(ds=battle.book.guns[gun.kind].ds, cv=cover, **firer_facts(battle, figure, band, gun.at))


def piece_marks(battle: Battle, unit: Unit, piece: Gun) -> list[tuple[str, int]]:
    """Return the enemy guns in arc, range and sight of a gun that fires direct (FBN-215)."""
    if "direct" not in fire_modes(battle, piece):
        return []
    most = gun_limits(battle, unit, piece)[2]
    eye = gun_observer(unit, piece)
    return [
        (home.spec.id, number)
        for home, number, gun in _enemy_guns(battle, unit.spec.side)
        if _gap(battle, piece.at, gun, battle.book.radius["gun"]) <= most
        and gun_targets_arc(battle, piece, gun.at)
        and sees_piece(battle, eye, gun.at)
    ]


def duel_facts(battle: Battle, unit: Unit, piece: Gun, gun: Gun) -> ShotFacts:
    """Return the facts of a gun's direct shot at another gun, with the best gunner's CS (FBN-204)."""
    radius, kind = battle.book.radius["gun"], battle.book.guns[gun.kind]
    cover = gun_cover(battle, piece.at, gun_observer(unit, piece), gun, radius)
    away = _gap(battle, piece.at, gun, radius)
    return ShotFacts(ds=kind.ds, cv=cover, **piece_facts(battle, unit, piece, away, gun.at))


@procedure("artillery.duel")
def fire_piece_at_gun(
    table: Table, battle: Battle, unit: Unit, piece: Gun, home: Unit, gun: Gun, ammunition: str
) -> Impact:
    """Fire a gun at another gun: a hit takes wounds, and a shell bursts among its crew."""
    situation = duel_facts(battle, unit, piece, gun)
    serve(battle, unit, piece, battle.book.file.gun_costs.fire, fires=True)
    record_shot_at(table, battle, home)
    actor = f"{unit.spec.id} {unit.guns.index(piece) + 1}"
    impact = aim_gun(table, situation, piece.at, gun.at, ammunition, always_deviates(battle, piece), actor, "FBN-204")
    emit_round(table, "FBN-204", unit, f"gun {home.guns.index(gun) + 1} of {home.spec.name}", ammunition, impact)
    if impact.direct:
        need = battle.book.rules.tally("fire", situation, battle, unit, home).total
        damage_gun(table, home, gun, roll_full_damage(table, battle, piece, ammunition, need, actor))
    if not impact.direct or ammunition != SHOT:
        resolve_burst(table, battle, unit, piece, ammunition, impact, None, gun if impact.direct else None)
    return impact
