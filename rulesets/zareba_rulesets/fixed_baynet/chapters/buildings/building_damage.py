"""Buildings as targets (FBN-246 to FBN-250): shots at walls, damage points, pierced walls and collapse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zareba.base.exact import dist
from zareba.chance import lot
from zareba.rules import procedure
from zareba.space.geometry import Point, box_gap, boxes_near, is_inside
from zareba.space.ground.buildings import Building
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.dice import CRITICAL, d12_result
from zareba_rulesets.fixed_baynet.book.numbers import Row
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import Marksman, can_afford_shot, can_fire, marksmen
from zareba_rulesets.fixed_baynet.chapters.fire.counter_attack import lose_thrown_spear
from zareba_rulesets.fixed_baynet.chapters.fire.fire import ShotFacts, firer_facts, spend_shot
from zareba_rulesets.fixed_baynet.chapters.fire.hits import resolve_hit
from zareba_rulesets.fixed_baynet.chapters.sight.openings import Openings, is_room_at_opening, opening_to
from zareba_rulesets.fixed_baynet.chapters.sight.ranges import band_of, chest_sign
from zareba_rulesets.fixed_baynet.chapters.sight.sight import sees_point
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.places import spot_near
from zareba_rulesets.fixed_baynet.forces.ranges import limits_of, longest
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = [
    "buildings_at",
    "collapse",
    "damage_building",
    "fire_at_building",
    "house_shots",
    "house_targets",
    "occupants",
    "room_behind",
]


def buildings_at(battle: Battle, point: Point) -> list[str]:
    """Return the standing buildings that cover a point."""
    return [
        name
        for name, house in battle.field.buildings.items()
        if battle.houses[name].points > 0 and is_inside(point, house.points)
    ]


def occupants(battle: Battle, house: str, section: str = "") -> list[tuple[Unit, Figure]]:
    """Return the figures in a building, or in one of its sections."""
    return [
        (unit, figure)
        for unit in battle.units.values()
        for figure in unit.figures.values()
        if (figure.place == section if section else figure.place.startswith(f"{house}:"))
    ]


def house_targets(battle: Battle, unit: Unit, men: Sequence[Marksman]) -> list[str]:
    """Return the standing buildings these men can fire at: in range, in sight and without friends inside (FBN-247)."""
    if battle.book.settings.building_targets == "artillery" or not men:
        return []
    reach = longest(battle, [man.figure for man in men]) + battle.book.to_opening
    found = []
    for name, house in battle.field.buildings.items():
        if battle.houses[name].points <= 0 or not boxes_near(unit.box, house.box, reach):
            continue
        if any(
            figure.place.startswith(f"{name}:")
            for home in battle.units.values()
            if home.spec.side == unit.spec.side and boxes_near(home.box, house.box, 1.0)
            for figure in home.figures.values()
        ):
            continue
        if any(_may_reach(battle, man.figure, house) and _house_band(battle, house, man) is not None for man in men):
            found.append(name)
    return found


def _may_reach(battle: Battle, figure: Figure, house: Building[Row]) -> bool:
    """Return False if a building is certainly out of range of a man out of doors."""
    inches = limits_of(battle, figure)[2] + battle.radius(figure)
    return bool(figure.place) or box_gap((*figure.at, *figure.at), house.box) <= inches + 1e-6


def _house_band(battle: Battle, house: Building[Row], man: Marksman) -> str | None:
    """Return the range band of one man's shot at a building, or None if he cannot shoot at it.

    Men in square fire only where they face (FBN-063).
    """
    figure, face = man.figure, house.middle
    gap = max(0.0, battle.field.by_name[house.id].distance(man.at) - battle.radius(figure))
    band = band_of(battle, figure, gap)
    if band is None or not can_afford_shot(battle, figure, house.id) or not man.can_fire_towards(battle, face):
        return None
    return band if sees_point(battle, figure, face) and is_room_at_opening(battle, figure, face) else None


def house_shots(
    battle: Battle, unit: Unit, house_id: str, men: Sequence[Figure]
) -> list[tuple[Marksman, ShotFacts, int]]:
    """Return the shots of the men who can hit a building, each with its damage.

    The building's CV replaces DS (FBN-247).
    """
    house = battle.field.buildings[house_id]
    bands = [(man, _house_band(battle, house, man)) for man in marksmen(battle, unit, men)]
    openings, weapons = Openings(battle), battle.book.weapons
    return [
        (
            man,
            ShotFacts(house.row.cv, **firer_facts(battle, man.figure, band, house.middle)),
            weapons[man.figure.weapon].damage,
        )
        for man, band in bands
        if band is not None and openings.has_room(man.figure, house.middle)
    ]


@procedure("building.volley")
def fire_at_building(table: Table, battle: Battle, unit: Unit, house_id: str, ready: list[Figure]) -> None:
    """Fire at a building with small arms: one shot per man until the building is destroyed (FBN-247)."""
    shots, face = 0, battle.field.buildings[house_id].middle
    for man, situation, damage in house_shots(battle, unit, house_id, ready):
        figure = man.figure
        if battle.houses[house_id].points <= 0:
            break
        if not can_fire(battle, figure, house_id):
            continue
        spend_shot(battle, figure, house_id, face, opening_to(battle, figure, face), man.turns_at)
        need = table.tally("fire", situation, unit).total
        lose_thrown_spear(battle, figure)
        result = d12_result(table, need, why="shot", rule="FBN-247", actor=figure.spec.id)
        if result:
            damage_building(table, battle, house_id, damage, result == CRITICAL, False, unit, man.at)
        shots += 1
    table.emit("volley", "FBN-247", unit=unit.spec.id, target=house_id, shots=shots)


@procedure("building.damage")
def damage_building(
    table: Table,
    battle: Battle,
    house_id: str,
    damage: int,
    critical: bool,
    shell: bool,
    by: Unit | None,
    origin: Point | None = None,
) -> None:
    """Apply a hit to a building: it loses damage points (FBN-249), and a critical also pierces the wall (FBN-248)."""
    house = battle.houses.change(house_id)
    house.points = max(0, house.points - damage)
    table.emit("building hit", "FBN-249", building=house_id, left=house.points)
    if critical:
        pierce(table, battle, house_id, damage, shell, by, origin)
    if house.points == 0:
        collapse(table, battle, house_id, by)


def room_behind(battle: Battle, house_id: str, origin: Point | None) -> list[tuple[Unit, Figure]]:
    """Return the men in the occupied section that is nearest to the origin of a shot (FBN-248)."""
    inside = occupants(battle, house_id)
    rooms = sorted({figure.place for _, figure in inside})
    if origin is not None:
        at, sections = origin, battle.field.sections
        rooms.sort(key=lambda room: (dist(sections[room].middle, at), room))
    return [(home, figure) for home, figure in inside if figure.place == rooms[0]]


@procedure("building.pierce")
def pierce(
    table: Table, battle: Battle, house_id: str, damage: int, shell: bool, by: Unit | None, origin: Point | None
) -> None:
    """Hit one random man of the section, or all of them with a shell (FBN-248).

    It is an ordinary hit or, by setting, a bloody death.
    """
    struck = room_behind(battle, house_id, origin)
    if not shell and len(struck) > 1:
        names = {figure.spec.id: 1 for _, figure in struck}
        one = table.draw(
            names, why="who is hit inside", rule="FBN-248", actor=house_id, means=lot("who is hit of those inside")
        )
        struck = [pair for pair in struck if pair[1].spec.id == one]
    death = battle.book.settings.building_critical == "bloody_death"
    for home, figure in struck:
        home = battle.change(home)
        resolve_hit(table, battle, home, home.figures[figure.spec.id], death, damage, "fire", by)


@procedure("building.collapse")
def collapse(table: Table, battle: Battle, house_id: str, by: Unit | None = None) -> None:
    """Collapse a building into rubble (FBN-250).

    Each occupant is attacked once, D12 against DS, and is then in the open. `by` is the unit that destroyed it. If a
    leader falls, it is that unit's deed (FBN-161).
    """
    table.emit("building down", "FBN-250", building=house_id)
    inside = f"{house_id}:"
    battle.fallen = tuple(replace(one, place="") if one.place.startswith(inside) else one for one in battle.fallen)
    for home, figure in occupants(battle, house_id):
        home = battle.change(home)
        figure = home.figures[figure.spec.id]
        figure.place, figure.post = "", ""
        battle.put(figure, *spot_near(battle, figure.x, figure.y, battle.radius(figure), {figure.spec.id}))
        need = figure.spec.ds + chest_sign(battle, figure)  # a chest wound changes CS and DS alike (FBN-130)
        result = d12_result(table, need, why="collapse", rule="FBN-250", actor=figure.spec.id, by="his DS")
        if result:
            resolve_hit(table, battle, home, figure, result == CRITICAL, 1, "other", by)
        home.measure()
