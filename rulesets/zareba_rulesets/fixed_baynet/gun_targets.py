"""Guns as targets: a piece and each of its crew are aimed at separately (FBN-204)."""

from __future__ import annotations

from math import hypot

from zareba.rules import procedure
from zareba.space.geometry import Point
from zareba.table import Table
from zareba_rulesets.fixed_baynet.artillery import aim_gun, burst, fire_at_gun, fires_how, gun_damage, gunner, wreck
from zareba_rulesets.fixed_baynet.battle import Battle, Figure, Gun, Unit
from zareba_rulesets.fixed_baynet.crews import best_cs, gun_targets_arc, serve
from zareba_rulesets.fixed_baynet.fire import ShotFacts, can_fire, rise_to_fire, shot_at, shot_cost
from zareba_rulesets.fixed_baynet.ranges import band_of, band_within, chest_sign
from zareba_rulesets.fixed_baynet.sight import sees_point, stand_point

__all__ = ["fire_piece_at_gun", "gun_marks", "piece_marks", "volley_at_gun"]


def _enemy_guns(battle: Battle, side: str) -> list[tuple[Unit, int, Gun]]:
    return [
        (unit, number, gun)
        for unit in battle.units.values()
        if unit.guns and unit.spec.side != side and not unit.marks & {"away", "hidden"}
        for number, gun in enumerate(unit.guns)
        if gun.in_play
    ]


def _gap(battle: Battle, at: Point, gun: Gun, radius: float) -> float:
    return max(0.0, hypot(at[0] - gun.x, at[1] - gun.y) - battle.book.radius["gun"] - radius)


def _band(battle: Battle, figure: Figure, gun: Gun) -> str | None:
    away = _gap(battle, stand_point(battle, figure), gun, battle.radius(figure))
    band = band_of(battle.book, figure.weapon, away, "arm_light" in figure.locations)
    return band if band is not None and sees_point(battle, figure, gun.at) else None


def gun_marks(battle: Battle, unit: Unit, ready: list[Figure]) -> list[tuple[str, int]]:
    """The enemy pieces at which one of these men can fire, as unit and number."""
    return [
        (home.spec.id, number)
        for home, number, gun in _enemy_guns(battle, unit.spec.side)
        if any(_band(battle, figure, gun) is not None for figure in ready)
    ]


@procedure("fire.at_gun")
def volley_at_gun(table: Table, battle: Battle, unit: Unit, home: Unit, gun: Gun, ready: list[Figure]) -> None:
    """Every man who can fires once at a piece, DS 3; a critical is an ordinary hit (FBN-204)."""
    for figure in ready:
        band = _band(battle, figure, gun)
        if not gun.in_play or band is None or not can_fire(battle, figure, home.spec.id):
            continue
        figure.ac -= shot_cost(battle, figure, home.spec.id)
        figure.attacks += 1
        figure.mark("fired", f"at {home.spec.id}")
        rise_to_fire(battle, figure)
        shot_at(table, battle, home)
        skill = figure.spec.cs + chest_sign(battle, figure)
        damage = battle.book.weapons[figure.weapon].damage
        fire_at_gun(table, battle, home, gun, skill, band, 0, damage, figure.spec.id)


def piece_marks(battle: Battle, unit: Unit, piece: Gun) -> list[tuple[str, int]]:
    """The enemy pieces that lie in arc, range and sight of a piece that fires direct (FBN-215)."""
    if "direct" not in fires_how(battle, piece):
        return []
    most = battle.book.gun_range[piece.kind]
    eye = gunner(battle, unit, piece)
    return [
        (home.spec.id, number)
        for home, number, gun in _enemy_guns(battle, unit.spec.side)
        if _gap(battle, piece.at, gun, battle.book.radius["gun"]) <= most
        and gun_targets_arc(battle, piece, gun.at)
        and sees_point(battle, eye, gun.at)
    ]


@procedure("artillery.duel")
def fire_piece_at_gun(
    table: Table, battle: Battle, unit: Unit, piece: Gun, home: Unit, gun: Gun, ammunition: str
) -> None:
    """P11 against a piece: a hit takes wounds, and a shell bursts among its crew."""
    away = _gap(battle, piece.at, gun, battle.book.radius["gun"])
    band = band_within(battle.book.gun_bands[piece.kind], away) or "long"
    situation = ShotFacts(battle.book.guns[gun.kind].ds, band=band, cs=best_cs(battle, unit, piece))  # type: ignore[arg-type]  # a band
    serve(battle, unit, piece, int(battle.book.file.gun_costs["fire"]))
    shot_at(table, battle, home)
    strays = piece.odd or battle.book.settings.deviation_on == "always"
    actor = f"{unit.spec.id} {unit.guns.index(piece) + 1}"
    impact = aim_gun(table, situation, piece.at, gun.at, ammunition, strays, actor)
    if impact.direct:
        wreck(table, battle, home, gun, gun_damage(battle, piece, ammunition))
        if ammunition == "shot":
            return
    burst(table, battle, unit, piece, ammunition, impact, None)
