"""Orders for guns and machine guns (FBN-204 to FBN-233), including guesses and plots that only their owner knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from zareba.base.exact import dist
from zareba.battle.legal_actions import LegalActions
from zareba.chance import counts
from zareba.space.geometry import Point
from zareba.table import Option, Table
from zareba_rulesets.fixed_baynet.chapters.guns.artillery import (
    aims_of_gun,
    ammunition_of,
    building_targets,
    direct_targets,
    fire_direct,
    fire_gun_at_building,
    fires_how,
    may_fire_gun,
)
from zareba_rulesets.fixed_baynet.chapters.guns.bursts import Impact
from zareba_rulesets.fixed_baynet.chapters.guns.crews import (
    crew_of,
    gun_targets_arc,
    is_manned,
    turn_gun,
    turns_open,
)
from zareba_rulesets.fixed_baynet.chapters.guns.gun_targets import fire_piece_at_gun, piece_marks
from zareba_rulesets.fixed_baynet.chapters.guns.hauling import (
    haul,
    haul_cost,
    haul_points,
    haul_refused,
    haulers,
)
from zareba_rulesets.fixed_baynet.chapters.guns.indirect import fire_indirect, guess_limits, may_aim_indirect
from zareba_rulesets.fixed_baynet.chapters.guns.machine_guns import (
    clear_jam,
    may_clear,
    may_salvo,
    salvo,
    salvo_at_house,
    salvo_houses,
    salvo_targets,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Gun, Unit

__all__ = ["ACTS", "gunners_guess", "offer_gun_acts"]

GUN_FIRE, GUN_MOVE, SALVO = "gun fire", "gun move", "salvo"
GUNNER = "the gunner's guess"


def offer_gun_acts(menu: LegalActions, battle: Battle, unit: Unit, gun: Gun, number: int) -> None:
    """Add the legal acts of one gun to the menu.

    Its crew may turn or move it even if it is too small to fire it (FBN-206).
    """
    if not crew_of(battle, unit, gun):
        return
    costs = battle.book.file.gun_costs
    if gun.kind == "machine_gun":
        if may_salvo(battle, unit, gun):
            menu.offer((SALVO, number), _salvos(battle, unit, gun, number))
        if may_clear(battle, unit, gun):
            menu.add(("clear jam", number))
    elif may_fire_gun(battle, unit, gun):
        menu.offer((GUN_FIRE, number), _rounds(battle, unit, gun, number))
        if "indirect" in fires_how(battle, gun):
            menu.add(("gun indirect", number), lambda: _indirect_open(battle, unit, gun))
    if gun.kind == "trench_mortar" and is_manned(battle, unit, gun) and (not gun.plot or gun.plot[3] < battle.turn):
        menu.add(("plot", number), lambda: bool(plot_points(battle, unit, gun)))
    if gun.ac >= costs.turn:
        menu.add(("gun turn", number))
    if gun.ac >= costs.move and not gun.moved:
        menu.add((GUN_MOVE, number), lambda: _may_haul(battle, unit, gun))


def _may_haul(battle: Battle, unit: Unit, gun: Gun) -> bool:
    pullers = haulers(battle, unit, gun)
    return pullers is not None and bool(haul_points(battle, unit, gun, pullers))


def _salvos(battle: Battle, unit: Unit, gun: Gun, number: int) -> Iterator[Option]:
    for target in salvo_targets(battle, unit, gun):
        yield (SALVO, number, target.spec.id)
    for house in salvo_houses(battle, unit, gun):
        yield ("salvo at house", number, house)


def _rounds(battle: Battle, unit: Unit, gun: Gun, number: int) -> Iterator[Option]:
    """Yield the targets of direct fire: units, guns and buildings."""
    for target, _ in direct_targets(battle, unit, gun):
        yield (GUN_FIRE, number, target.spec.id)
    for mark in piece_marks(battle, unit, gun):
        yield ("gun at gun", number, *mark)
    for house in building_targets(battle, unit, gun):
        yield ("gun at house", number, house)


def _indirect_open(battle: Battle, unit: Unit, gun: Gun) -> bool:
    """Return True if indirect fire is possible.

    A mortar needs a plot from an earlier turn (FBN-227), other guns a point that an observer sees (FBN-224).
    """
    if gun.kind == "trench_mortar":
        return bool(gun.plot) and gun.plot[3] < battle.turn and gun_targets_arc(battle, gun, (gun.plot[0], gun.plot[1]))
    return bool(plot_points(battle, unit, gun))


def plot_points(battle: Battle, unit: Unit, gun: Gun) -> list[Point]:
    """Return points worth aiming at: one per enemy unit, in arc and in sight of an observer (FBN-224)."""
    found = []
    for target in battle.enemies(unit.spec.side):
        points = dict.fromkeys([target.middle, *(man.at for man in target.figures.values())])
        seen = (point for point in points if may_aim_indirect(battle, unit, gun, point))
        found += list(islice(seen, 1))
    return found


def _gun_fire(table: Table, battle: Battle, unit: Unit, number: int, target_id: str) -> Impact:
    gun = unit.guns[number]
    target = battle.change(battle.unit(target_id))
    aims = [man.spec.id for man in aims_of_gun(battle, unit, gun, target)]
    actor = f"{unit.spec.id} {number + 1}"
    man = target.figures[table.choose(unit.spec.side, aims, why="aim the gun at", rule="FBN-215", actor=actor)]
    ammunition = _load(table, unit, gun, number)
    return fire_direct(table, battle, unit, gun, target, man, ammunition)


def _load(table: Table, unit: Unit, gun: Gun, number: int) -> str:
    """Ask for the ammunition: shot or shell, chosen for each shot (FBN-214)."""
    return table.choose(
        unit.spec.side, ammunition_of(gun), why="load", rule="FBN-214", actor=f"{unit.spec.id} {number + 1}"
    )


def _gun_at_house(table: Table, battle: Battle, unit: Unit, number: int, house: str) -> Impact:
    gun = unit.guns[number]
    return fire_gun_at_building(table, battle, unit, gun, house, _load(table, unit, gun, number))


def _gun_at_gun(table: Table, battle: Battle, unit: Unit, number: int, target: str, other: int) -> Impact:
    gun, home = unit.guns[number], battle.change(battle.unit(target))
    return fire_piece_at_gun(table, battle, unit, gun, home, home.guns[other], _load(table, unit, gun, number))


def _aim_point(table: Table, battle: Battle, unit: Unit, gun: Gun, number: int) -> tuple[Point, int]:
    """Ask for a point in sight, then for a guess in inches.

    The question does not reveal the distance (FBN-006, FBN-222).
    """
    actor = f"{unit.spec.id} {number + 1}"

    def legal(point: Point) -> str | None:
        seen = battle.field.on_table(*point) and may_aim_indirect(battle, unit, gun, point)
        return None if seen else "no observer of the gun sees that point (FBN-224)"

    point = table.place(
        unit.spec.side, plot_points(battle, unit, gun), legal, why="aim at point", rule="FBN-222", actor=actor
    )
    least, most = guess_limits(battle, unit, gun)
    options: list[int | str] = [GUNNER, *range(max(1, least), most + 1)]
    guess = table.choose(unit.spec.side, options, why="guess the range", rule="FBN-222", actor=actor)
    if isinstance(guess, str):
        guess = gunners_guess(table, battle, unit, gun, point, actor)
    return point, guess


def gunners_guess(table: Table, battle: Battle, unit: Unit, gun: Gun, point: Point, actor: str) -> int:
    """Return the gunner's guess (FBN-225): the true inches plus a D6, minus a D6, within the limits (FBN-226)."""
    faces = battle.book.file.guess.die
    true = round(dist(gun.at, point))
    guess = true + table.roll(1, faces, why="guess long", rule="FBN-225", actor=actor, means=counts("inches too long"))
    guess -= table.roll(1, faces, why="guess short", rule="FBN-225", actor=actor, means=counts("inches too short"))
    least, most = guess_limits(battle, unit, gun)
    return min(max(guess, least, 1), most)


def _gun_indirect(table: Table, battle: Battle, unit: Unit, number: int) -> None:
    gun = unit.guns[number]
    if gun.kind == "trench_mortar":
        x, y, guess, _ = gun.plot
        fire_indirect(table, battle, unit, gun, (x, y), guess, "shell")
        return
    point, inches = _aim_point(table, battle, unit, gun, number)
    fire_indirect(table, battle, unit, gun, point, inches, _load(table, unit, gun, number))


def _plot(table: Table, battle: Battle, unit: Unit, number: int) -> None:
    """Record a mortar's plot in secret and free of AC, to be fired in a later turn. A new plot starts again (FBN-227)."""
    gun = unit.guns[number]
    point, guess = _aim_point(table, battle, unit, gun, number)
    gun.plot = (point[0], point[1], float(guess), float(battle.turn))


def _gun_turn(table: Table, battle: Battle, unit: Unit, number: int) -> None:
    gun = unit.guns[number]
    ways = turns_open(battle, gun)
    way = table.choose(
        unit.spec.side,
        [int(way) for way in ways],
        why="turn gun to",
        rule="FBN-208",
        actor=f"{unit.spec.id} {number + 1}",
    )
    turn_gun(table, battle, unit, gun, float(way))


def _gun_move(table: Table, battle: Battle, unit: Unit, number: int) -> None:
    gun = unit.guns[number]
    pullers = haulers(battle, unit, gun)
    assert pullers is not None, "only pieces with movers are offered"
    point = table.place(
        unit.spec.side,
        haul_points(battle, unit, gun, pullers),
        lambda at: haul_refused(battle, unit, gun, pullers, at),
        why="haul to",
        rule="FBN-207",
        actor=f"{unit.spec.id} {number + 1}",
        cost=partial(haul_cost, battle, gun, pullers),
    )
    haul(table, battle, unit, gun, pullers, point)


ACTS: dict[str, Callable[..., Any]] = {
    "gun fire": _gun_fire,
    "gun at gun": _gun_at_gun,
    "gun at house": _gun_at_house,
    "gun indirect": _gun_indirect,
    "gun turn": _gun_turn,
    GUN_MOVE: _gun_move,
    "plot": _plot,
    "salvo": lambda table, battle, unit, number, target: salvo(
        table, battle, unit, unit.guns[number], battle.unit(target)
    ),
    "salvo at house": lambda table, battle, unit, number, house: salvo_at_house(
        table, battle, unit, unit.guns[number], house
    ),
    "clear jam": lambda table, battle, unit, number: clear_jam(table, battle, unit, unit.guns[number]),
}
