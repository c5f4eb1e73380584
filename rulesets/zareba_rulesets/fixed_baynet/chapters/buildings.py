"""Buildings: men in rooms, doors, and the effects of fire and shells on walls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zareba.base.exact import dist, hypot
from zareba.chance import at_least, random_draw
from zareba.rules import procedure
from zareba.space.bearings import bearing
from zareba.space.geometry import Point, box_gap, boxes_near, is_inside, joint_box, widen
from zareba.space.ground.buildings import Building, BuildingOpening
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.numbers import CRITICAL, d12_result
from zareba_rulesets.fixed_baynet.book.tables import TerrainRow
from zareba_rulesets.fixed_baynet.chapters.fire import ShotFacts, firer_facts, spend_shot
from zareba_rulesets.fixed_baynet.chapters.hits import resolve_hit
from zareba_rulesets.fixed_baynet.chapters.movement import (
    allowance,
    can_move,
    crowd_refusal,
    reveal_hidden,
    settle_contacts,
    way_refused,
)
from zareba_rulesets.fixed_baynet.chapters.sight import (
    Openings,
    band_of,
    chest_sign,
    is_room_at_opening,
    opening_to,
    sees_point,
)
from zareba_rulesets.fixed_baynet.chapters.targets import (
    Marksman,
    can_afford_shot,
    can_fire,
    lose_thrown_spear,
    marksmen,
)
from zareba_rulesets.fixed_baynet.forces.battle import (
    Battle,
    UnitSummary,
    bases_near,
    limits_of,
    longest_range,
    spot_near,
)
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

# --- Buildings as targets (FBN-246 to FBN-250): shots at walls, damage points, pierced walls and collapse -------------


def buildings_at(battle: Battle, point: Point) -> list[str]:
    """Return the standing buildings that cover a point."""
    return [
        name
        for name, building in battle.field.buildings.items()
        if battle.houses[name].points > 0 and is_inside(point, building.points)
    ]


def occupants(battle: Battle, building_id: str, section: str = "") -> list[tuple[Unit, Figure]]:
    """Return the figures in a building, or in one of its sections."""
    return [
        (unit, figure)
        for unit in battle.units.values()
        for figure in unit.figures.values()
        if (figure.place == section if section else figure.place.startswith(f"{building_id}:"))
    ]


def building_targets_of_men(battle: Battle, unit: Unit, men: Sequence[Marksman]) -> list[str]:
    """Return the standing buildings these men can fire at: in range, in sight and without friends inside (FBN-247)."""
    if battle.book.settings.building_targets == "artillery" or not men:
        return []
    reach = longest_range(battle, [man.figure for man in men]) + battle.book.to_opening
    names = []
    for name, building in battle.field.buildings.items():
        if battle.houses[name].points <= 0 or not boxes_near(unit.box, building.box, reach):
            continue
        if any(
            figure.place.startswith(f"{name}:")
            for friend in battle.units.values()
            if friend.spec.side == unit.spec.side and boxes_near(friend.box, building.box, 1.0)
            for figure in friend.figures.values()
        ):
            continue
        if any(
            _may_be_in_range(battle, man.figure, building) and _building_band(battle, building, man) is not None
            for man in men
        ):
            names.append(name)
    return names


def _may_be_in_range(battle: Battle, figure: Figure, building: Building[TerrainRow]) -> bool:
    """Return False if a building is certainly out of range of a man out of doors."""
    inches = limits_of(battle, figure).long + battle.radius(figure)
    return bool(figure.place) or box_gap((*figure.at, *figure.at), building.box) <= inches + 1e-6


def _building_band(battle: Battle, building: Building[TerrainRow], man: Marksman) -> str | None:
    """Return the range band of one man's shot at a building, or None if he cannot shoot at it.

    Men in square fire only where they face (FBN-063).
    """
    figure, face = man.figure, building.middle
    gap = max(0.0, battle.field.by_name[building.id].distance(man.at) - battle.radius(figure))
    band = band_of(battle, figure, gap)
    if band is None or not can_afford_shot(battle, figure, building.id) or not man.can_fire_towards(battle, face):
        return None
    return band if sees_point(battle, figure, face) and is_room_at_opening(battle, figure, face) else None


def planned_building_shots(
    battle: Battle, unit: Unit, building_id: str, men: Sequence[Figure]
) -> list[tuple[Marksman, ShotFacts, int]]:
    """Return the shots of the men who can hit a building, each with its damage.

    The building's CV replaces DS (FBN-247).
    """
    building = battle.field.buildings[building_id]
    bands = [(man, _building_band(battle, building, man)) for man in marksmen(battle, unit, men)]
    openings, weapons = Openings(battle), battle.book.weapons
    return [
        (
            man,
            ShotFacts(building.row.cv, **firer_facts(battle, man.figure, band, building.middle)),
            weapons[man.figure.weapon].damage,
        )
        for man, band in bands
        if band is not None and openings.has_room(man.figure, building.middle)
    ]


@procedure("building.volley")
def fire_at_building(table: Table, battle: Battle, unit: Unit, building_id: str, ready: list[Figure]) -> None:
    """Fire at a building with small arms: one shot per man until the building is destroyed (FBN-247)."""
    shots, face = 0, battle.field.buildings[building_id].middle
    for man, situation, damage in planned_building_shots(battle, unit, building_id, ready):
        figure = man.figure
        if battle.houses[building_id].points <= 0:
            break
        if not can_fire(battle, figure, building_id):
            continue
        spend_shot(battle, figure, building_id, face, opening_to(battle, figure, face), man.turns_at)
        need = table.tally("fire", situation, unit).total
        lose_thrown_spear(battle, figure)
        result = d12_result(table, need, why="shot", rule="FBN-247", actor=figure.spec.id)
        if result:
            damage_building(table, battle, building_id, damage, result == CRITICAL, False, unit, man.at)
        shots += 1
    table.emit("volley", "FBN-247", unit=unit.spec.id, target=building_id, shots=shots)


@procedure("building.damage")
def damage_building(
    table: Table,
    battle: Battle,
    building_id: str,
    damage: int,
    critical: bool,
    shell: bool,
    by: Unit | None,
    origin: Point | None = None,
) -> None:
    """Apply a hit to a building: it loses damage points (FBN-249), and a critical also pierces the wall (FBN-248)."""
    state = battle.houses.change(building_id)
    state.points = max(0, state.points - damage)
    table.emit("building hit", "FBN-249", building=building_id, left=state.points)
    if critical:
        pierce(table, battle, building_id, damage, shell, by, origin)
    if state.points == 0:
        collapse(table, battle, building_id, by)


def room_behind(battle: Battle, building_id: str, origin: Point | None) -> list[tuple[Unit, Figure]]:
    """Return the men in the occupied section that is nearest to the origin of a shot (FBN-248)."""
    inside = occupants(battle, building_id)
    rooms = sorted({figure.place for _, figure in inside})
    if origin is not None:
        at, sections = origin, battle.field.sections
        rooms.sort(key=lambda room: (dist(sections[room].middle, at), room))
    return [(occupant_unit, figure) for occupant_unit, figure in inside if figure.place == rooms[0]]


@procedure("building.pierce")
def pierce(
    table: Table, battle: Battle, building_id: str, damage: int, shell: bool, by: Unit | None, origin: Point | None
) -> None:
    """Hit one random man of the section, or all of them with a shell (FBN-248).

    It is an ordinary hit or, by setting, a bloody death.
    """
    men_hit = room_behind(battle, building_id, origin)
    if not shell and len(men_hit) > 1:
        names = {figure.spec.id: 1 for _, figure in men_hit}
        victim = table.draw(
            names,
            why="who is hit inside",
            rule="FBN-248",
            actor=building_id,
            means=random_draw("who is hit of those inside"),
        )
        men_hit = [(occupant_unit, man) for occupant_unit, man in men_hit if man.spec.id == victim]
    death = battle.book.settings.building_critical == "bloody_death"
    for occupant_unit, figure in men_hit:
        occupant_unit = battle.change(occupant_unit)
        resolve_hit(table, battle, occupant_unit, occupant_unit.figures[figure.spec.id], death, damage, "fire", by)


@procedure("building.collapse")
def collapse(table: Table, battle: Battle, building_id: str, by: Unit | None = None) -> None:
    """Collapse a building into rubble (FBN-250).

    Each occupant is attacked once, D12 against DS, and is then in the open. `by` is the unit that destroyed it. If a
    leader falls, it is that unit's deed (FBN-161).
    """
    table.emit("building down", "FBN-250", building=building_id)
    inside = f"{building_id}:"
    battle.fallen = tuple(
        replace(casualty, place="") if casualty.place.startswith(inside) else casualty for casualty in battle.fallen
    )
    for occupant_unit, figure in occupants(battle, building_id):
        occupant_unit = battle.change(occupant_unit)
        figure = occupant_unit.figures[figure.spec.id]
        figure.place, figure.post = "", ""
        battle.put(figure, *spot_near(battle, figure.x, figure.y, battle.radius(figure), {figure.spec.id}))
        need = figure.spec.ds + chest_sign(battle, figure)  # a chest wound changes CS and DS alike (FBN-130)
        result = d12_result(table, need, why="collapse", rule="FBN-250", actor=figure.spec.id, by="his DS")
        if result:
            resolve_hit(table, battle, occupant_unit, figure, result == CRITICAL, 1, "other", by)
        occupant_unit.measure()


# --- Entering and leaving buildings (FBN-240 to FBN-246, FBN-251, FBN-252, FBN-275): sections, openings and posts -----


_DOORS = ("door", "inner", "stairs")
_AT_DOOR = 2.0  # inches: more than half a base plus the reach for opening a door


def men_near_buildings(battle: Battle, unit: Unit, able: UnitSummary) -> list[Figure]:
    """Return the able men of a unit who are in a building, or near enough to use a door or ladder."""
    most = able.sp + _AT_DOOR
    west, south, east, north = widen(unit.box, most)
    ways = [(x, y) for x, y in battle.field.entrances if west <= x <= east and south <= y <= north]
    if not ways and not able.indoors:
        return []
    return [
        man
        for man in able.men
        if man.place or any(-most <= man.x - x <= most and -most <= man.y - y <= most for x, y in ways)
    ]


def room_left(battle: Battle, section: str, side: str) -> int:
    """Return the number of figures that still fit in a section (FBN-242), counting only occupants known to a side."""
    taken = sum(figure.place == section for unit in battle.known_to(side) for figure in unit.figures.values())
    return battle.field.sections[section].capacity - taken


def is_open(battle: Battle, opening: BuildingOpening) -> bool:
    """Return True if a door can be used.

    Light doors open freely; a heavy or locked one must have been opened or bashed (FBN-251 to FBN-254).
    """
    return opening.kind in _DOORS and (
        not opening.heavy or opening.id in battle.houses[opening.id.partition(":")[0]].open_doors
    )


def crossings(battle: Battle, figure: Figure) -> list[tuple[BuildingOpening, str]]:
    """Return the boundaries a man can cross with one action, each with the section beyond, "" for outside (FBN-244).

    A man can cross only if he has spent AC on nothing except movement.
    """
    if figure.mounted or not can_move(battle, figure) or "prone" in figure.marks:
        return []
    if figure.attacks or figure.spec.ac - figure.spent - figure.ac > figure.moves:
        return []
    if not figure.place:
        return _entrances(battle, figure)
    name = figure.place.partition(":")[0]
    building = battle.field.buildings[name]
    if battle.houses[name].points <= 0 or building.kind == "silo":
        return []
    boundaries = []
    for opening in building.openings.values():
        section = _leads_to(opening, figure.place)
        if section is None or not is_open(battle, opening):
            continue
        if section and room_left(battle, section, figure.spec.side) < 1:
            continue
        if building.kind != "openable" or _can_walk_to(battle, figure, opening):
            boundaries.append((opening, section))
    return boundaries


def _entrances(battle: Battle, figure: Figure) -> list[tuple[BuildingOpening, str]]:
    """Return the doors through which a man out of doors can enter with one action.

    A light door costs no extra movement (FBN-252).
    """
    reach = allowance(battle, figure) + battle.radius(figure)
    figure_box = (*figure.at, *figure.at)
    entrances = []
    for name, building in battle.field.buildings.items():
        if (
            not boxes_near(figure_box, building.box, reach + 1)
            or battle.houses[name].points <= 0
            or building.kind == "silo"
        ):
            continue
        for opening in battle.field.doors[name]:
            if (
                dist(figure.at, opening.at) <= reach
                and is_open(battle, opening)
                and _can_reach_door(battle, figure, opening.at)
                and room_left(battle, opening.section, figure.spec.side) > 0
            ):
                entrances.append((opening, opening.section))
    return entrances


def _can_reach_door(battle: Battle, figure: Figure, door: Point) -> bool:
    """Return True if a man's base can reach a door with one action and past no enemy (FBN-048, FBN-050)."""
    side, radius, (x, y) = figure.spec.side, battle.radius(figure), figure.at
    away = hypot(door[0] - x, door[1] - y)
    share = max(0.0, away - radius) / away if away else 0.0
    dx, dy = (door[0] - x) * share, (door[1] - y) * share
    if way_refused(battle, figure, (x + dx, y + dy)) is not None:
        return False
    near = bases_near(battle, joint_box((x, y, x, y), (*door, *door)), 2.0, (figure.spec.id,), side)
    foes = [base for base in near if base.side != side]
    return crowd_refusal(battle, side, [(x, y)], (dx, dy), radius, foes, contact=True) is None


def _leads_to(opening: BuildingOpening, place: str) -> str | None:
    """Return where an opening leads from a section or from outside, or None if it does not touch that place."""
    if place == opening.section:
        return opening.other
    if place == opening.other and (place or opening.kind == "door"):
        return opening.section
    return None


def _can_walk_to(battle: Battle, figure: Figure, opening: BuildingOpening) -> bool:
    """Return True if a man in an openable building reaches an opening by normal movement.

    Stairs cost extra inches for the difference in level (FBN-241).
    """
    up = float(battle.book.file.heights.floor) if opening.kind == "stairs" else 0.0
    return dist(figure.at, opening.at) + up <= allowance(battle, figure)


@procedure("building.cross")
def cross_opening(table: Table, battle: Battle, unit: Unit, figure: Figure, opening: BuildingOpening, to: str) -> None:
    """Move a man across one boundary for one movement action. He may only move in this activation (FBN-244)."""
    figure.ac -= 1
    figure.moves += 1
    figure.mark("crossed", "moved")
    figure.post = ""
    put_in_section(battle, unit, figure, opening, to)
    reveal_hidden(table, battle, unit)
    table.emit("crossed", "FBN-244", unit=unit.spec.id, figure=figure.spec.id, section=to)
    settle_contacts(table, battle, unit, [figure])


def put_in_section(battle: Battle, unit: Unit, figure: Figure, opening: BuildingOpening, to: str) -> None:
    """Put a man in a section, or outside if `to` is "", at the opening he went through."""
    figure.place = to
    if to:
        battle.put(figure, *_spot_inside(battle, unit, figure, opening))
    else:
        battle.put(figure, *spot_near(battle, *_outside(battle, opening), battle.radius(figure), {figure.spec.id}))
    unit.measure()


def _spot_inside(battle: Battle, unit: Unit, figure: Figure, opening: BuildingOpening) -> Point:
    """Return the position of a man who has just entered his section.

    With figures in the rooms, it is the free place nearest to the opening.
    """
    section = battle.field.sections[figure.place]
    w, s, e, n = section.box
    places = [(w + 0.5 + i * (e - w - 1) / 4, s + 0.5 + j * (n - s - 1) / 3) for j in range(4) for i in range(5)]
    number = section.capacity - room_left(battle, figure.place, unit.spec.side) - 1
    if battle.field.buildings[section.building].kind == "openable":
        taken = [
            other.at
            for occupant_unit in battle.units.values()
            for other in occupant_unit.figures.values()
            if other.place == figure.place and other is not figure
        ]
        free = [spot for spot in places if all(dist(spot, other) >= 2 * battle.radius(figure) for other in taken)]
        if free:
            return min(free, key=lambda spot: dist(spot, opening.at))
    return places[number % len(places)]


def _outside(battle: Battle, opening: BuildingOpening) -> Point:
    """Return a spot just outside the wall in front of an opening."""
    building = battle.field.buildings[opening.id.partition(":")[0]]
    x, y = building.middle
    away = hypot(opening.at[0] - x, opening.at[1] - y) or 1.0
    return opening.at[0] + (opening.at[0] - x) / away * 0.7, opening.at[1] + (opening.at[1] - y) / away * 0.7


def free_openings(battle: Battle, figure: Figure) -> list[str]:
    """Return the openings where a man can be posted: two men at each, no limit at a rail (FBN-245, FBN-275)."""
    if not figure.place:
        return []
    building = battle.field.buildings[figure.place.partition(":")[0]]
    if building.kind == "openable":
        return []
    limit = battle.book.users
    free_ids = []
    for opening in building.openings.values():
        if (
            opening.kind in ("ladder", "stairs")
            or figure.place not in (opening.section, opening.other)
            or opening.id == figure.post
        ):
            continue
        if opening.heavy and not is_open(battle, opening):
            continue  # a closed heavy door blocks the view
        posted = sum(
            other.post == opening.id and other.place == figure.place
            for unit in battle.units.values()
            for other in unit.figures.values()
        )
        if opening.kind == "rail" or posted < limit:
            free_ids.append(opening.id)
    return free_ids


def may_be_posted(figure: Figure) -> bool:
    """Return True if a man may still be posted at an opening: it is free, once per activation (FBN-275)."""
    return figure.able and "placed" not in figure.marks


def post_man(battle: Battle, figure: Figure, opening: str) -> None:
    """Post a man at an opening of his section, looking out.

    Moving and turning within a section are free (FBN-049, FBN-243, FBN-275).
    """
    figure.post = opening
    middle, at = battle.field.sections[figure.place].middle, battle.field.openings[opening].at
    if at != middle:  # a tower's rail has no direction: it runs all round
        figure.facing = bearing(middle, at)


# --- Doors and ladders (FBN-253, FBN-254, FBN-260): opening, bashing and climbing -------------------------------------


def closed_doors_near(battle: Battle, figure: Figure) -> list[str]:
    """Return the heavy or locked doors within reach of a man (FBN-253)."""
    reach = battle.book.door_reach
    door_ids = []
    for name in battle.field.buildings:
        state = battle.houses[name]
        for opening in battle.field.heavy_doors[name] if state.points > 0 else ():
            if opening.id in state.open_doors:
                continue
            if figure.place:
                is_near = figure.place in (opening.section, opening.other)
            else:
                is_near = not opening.other and dist(figure.at, opening.at) - battle.radius(figure) <= reach
            if is_near:
                door_ids.append(opening.id)
    return door_ids


def open_door(table: Table, battle: Battle, figure: Figure, door: str) -> None:
    """Open a door. It takes the man's whole activation; the door is open at once and stays open (FBN-253)."""
    spend_all(figure)
    _mark_open(battle, door)
    table.emit("door open", "FBN-253", figure=figure.spec.id, door=door)


def may_spend_all(figure: Figure) -> bool:
    """Return True if the man has spent no AC in this activation (FBN-253, FBN-260)."""
    return figure.ac >= 1 and figure.ac == figure.spec.ac - figure.spent


def spend_all(figure: Figure) -> None:
    """Take all AC of a man, who does nothing else in this activation."""
    figure.ac = 0
    figure.mark("served")


def _mark_open(battle: Battle, door: str) -> None:
    """Record that a door is open from now on."""
    state = battle.houses.change(door.partition(":")[0])
    state.open_doors = state.open_doors | {door}


@procedure("door.bash_roll")
def roll_bash(table: Table, cs: int, actor: str) -> bool:
    """Roll a die + CS against DS 4 and return True if the door gives way.

    A 1 fails and the highest face succeeds (FBN-254).
    """
    faces = 12 if table.rules.settings["bash_die"] == "d12" else 6
    need = table.rules.book.door.ds - cs
    least: int = min(max(need, 2), faces)
    means = at_least(least, "the door gives way", "the door holds", by="his CS")
    return table.roll(1, faces, why="bash", rule="FBN-254", actor=actor, means=means) >= least


@procedure("door.bash")
def bash_door(table: Table, battle: Battle, figure: Figure, door: str) -> bool:
    """Bash a door for 1 AC and return True if it gives way, which removes it (FBN-254)."""
    figure.ac -= 1
    success = roll_bash(table, figure.spec.cs + chest_sign(battle, figure), figure.spec.id)
    if success:
        _mark_open(battle, door)
        table.emit("door open", "FBN-254", figure=figure.spec.id, door=door)
    return success


def ladders(battle: Battle, figure: Figure) -> list[BuildingOpening]:
    """Return the ladders a man can climb or descend: he is at the foot or on the watchtower (FBN-260)."""
    near_ladders = []
    for name, building in battle.field.buildings.items():
        if building.kind != "tower" or battle.houses[name].points <= 0 or figure.mounted or figure.prone:
            continue
        ladder = building.openings[f"{name}:ladder"]
        is_near = dist(figure.at, ladder.at) - battle.radius(figure) <= float(battle.book.file.buildings.door_reach)
        if figure.place == ladder.section or (
            not figure.place and is_near and room_left(battle, ladder.section, figure.spec.side) > 0
        ):
            near_ladders.append(ladder)
    return near_ladders


@procedure("building.climb")
def climb_ladder(table: Table, battle: Battle, unit: Unit, figure: Figure, ladder: BuildingOpening) -> None:
    """Climb or descend a ladder, which takes the whole activation. Every man on a watchtower is at the rail
    (FBN-260).
    """
    spend_all(figure)
    if figure.place:
        figure.post = ""
        put_in_section(battle, unit, figure, ladder, "")
    else:
        put_in_section(battle, unit, figure, ladder, ladder.section)
        figure.post = f"{ladder.id.partition(':')[0]}:rail"
    table.emit("climbed", "FBN-260", unit=unit.spec.id, figure=figure.spec.id)
