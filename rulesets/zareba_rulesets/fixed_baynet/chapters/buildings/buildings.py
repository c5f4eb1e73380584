"""Entering and leaving buildings (FBN-240 to FBN-246, FBN-251, FBN-252, FBN-275): sections, openings and posts."""

from __future__ import annotations

from zareba.base.exact import dist, hypot
from zareba.rules import procedure
from zareba.space.bearings import bearing
from zareba.space.geometry import Point, boxes_near, joint_box, widen
from zareba.space.ground.buildings import BuildingOpening
from zareba.table import Table
from zareba_rulesets.fixed_baynet.chapters.movement.after_move import reveal_hidden, settle_contacts
from zareba_rulesets.fixed_baynet.chapters.movement.movement import allowance, can_move, crowd_refusal, way_refused
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.places import bases_near, spot_near
from zareba_rulesets.fixed_baynet.forces.unit_summary import UnitSummary
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = [
    "cross_opening",
    "crossings",
    "free_openings",
    "is_open",
    "may_be_posted",
    "post_man",
    "put_in_section",
    "room_left",
]

DOORS = ("door", "inner", "stairs")
AT_DOOR = 2.0  # inches: more than half a base plus the reach for opening a door


def men_near_houses(battle: Battle, unit: Unit, able: UnitSummary) -> list[Figure]:
    """Return the able men of a unit who are in a building, or near enough to use a door or ladder."""
    most = able.sp + AT_DOOR
    west, south, east, north = widen(unit.box, most)
    ways = [(x, y) for x, y in battle.field.ways_in if west <= x <= east and south <= y <= north]
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


def is_open(battle: Battle, way: BuildingOpening) -> bool:
    """Return True if a door can be used.

    Light doors open freely; a heavy or locked one must have been opened or bashed (FBN-251 to FBN-254).
    """
    return way.kind in DOORS and (not way.heavy or way.id in battle.houses[way.id.partition(":")[0]].open_doors)


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
    house = battle.field.buildings[name]
    found = []
    for way in house.openings.values() if battle.houses[name].points > 0 and house.kind != "silo" else ():
        to = _leads_to(way, figure.place)
        if to is None or not is_open(battle, way) or (to and room_left(battle, to, figure.spec.side) < 1):
            continue
        if house.kind != "openable" or _can_walk_to(battle, figure, way):
            found.append((way, to))
    return found


def _entrances(battle: Battle, figure: Figure) -> list[tuple[BuildingOpening, str]]:
    """Return the doors through which a man out of doors can enter with one action.

    A light door costs no extra movement (FBN-252).
    """
    most = allowance(battle, figure) + battle.radius(figure)
    here = (*figure.at, *figure.at)
    found = []
    for name, house in battle.field.buildings.items():
        if not boxes_near(here, house.box, most + 1) or battle.houses[name].points <= 0 or house.kind == "silo":
            continue
        for way in battle.field.doors[name]:
            if (
                dist(figure.at, way.at) <= most
                and is_open(battle, way)
                and _can_reach_door(battle, figure, way.at)
                and room_left(battle, way.section, figure.spec.side) > 0
            ):
                found.append((way, way.section))
    return found


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


def _leads_to(way: BuildingOpening, place: str) -> str | None:
    """Return where an opening leads from a section or from outside, or None if it does not touch that place."""
    if place == way.section:
        return way.other
    if place == way.other and (place or way.kind == "door"):
        return way.section
    return None


def _can_walk_to(battle: Battle, figure: Figure, way: BuildingOpening) -> bool:
    """Return True if a man in an openable building reaches an opening by normal movement.

    Stairs cost extra inches for the difference in level (FBN-241).
    """
    up = float(battle.book.file.heights.floor) if way.kind == "stairs" else 0.0
    return dist(figure.at, way.at) + up <= allowance(battle, figure)


@procedure("building.cross")
def cross_opening(table: Table, battle: Battle, unit: Unit, figure: Figure, way: BuildingOpening, to: str) -> None:
    """Move a man across one boundary for one movement action. He may only move in this activation (FBN-244)."""
    figure.ac -= 1
    figure.moves += 1
    figure.mark("crossed", "moved")
    figure.post = ""
    put_in_section(battle, unit, figure, way, to)
    reveal_hidden(table, battle, unit)
    table.emit("crossed", "FBN-244", unit=unit.spec.id, figure=figure.spec.id, section=to)
    settle_contacts(table, battle, unit, [figure])


def put_in_section(battle: Battle, unit: Unit, figure: Figure, way: BuildingOpening, to: str) -> None:
    """Put a man in a section, or outside if `to` is "", at the opening he went through."""
    figure.place = to
    if to:
        battle.put(figure, *_spot_inside(battle, unit, figure, way))
    else:
        battle.put(figure, *spot_near(battle, *_outside(battle, way), battle.radius(figure), {figure.spec.id}))
    unit.measure()


def _spot_inside(battle: Battle, unit: Unit, figure: Figure, way: BuildingOpening) -> Point:
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
            for home in battle.units.values()
            for other in home.figures.values()
            if other.place == figure.place and other is not figure
        ]
        free = [spot for spot in places if all(dist(spot, other) >= 2 * battle.radius(figure) for other in taken)]
        if free:
            return min(free, key=lambda spot: dist(spot, way.at))
    return places[number % len(places)]


def _outside(battle: Battle, way: BuildingOpening) -> Point:
    """Return a spot just outside the wall in front of an opening."""
    house = battle.field.buildings[way.id.partition(":")[0]]
    x, y = house.middle
    away = hypot(way.at[0] - x, way.at[1] - y) or 1.0
    return way.at[0] + (way.at[0] - x) / away * 0.7, way.at[1] + (way.at[1] - y) / away * 0.7


def free_openings(battle: Battle, figure: Figure) -> list[str]:
    """Return the openings where a man can be posted: two men at each, no limit at a rail (FBN-245, FBN-275)."""
    if not figure.place:
        return []
    house = battle.field.buildings[figure.place.partition(":")[0]]
    if house.kind == "openable":
        return []
    limit = battle.book.users
    found = []
    for way in house.openings.values():
        if way.kind in ("ladder", "stairs") or figure.place not in (way.section, way.other) or way.id == figure.post:
            continue
        if way.heavy and not is_open(battle, way):
            continue  # a closed heavy door blocks the view
        posted = sum(
            other.post == way.id and other.place == figure.place
            for unit in battle.units.values()
            for other in unit.figures.values()
        )
        if way.kind == "rail" or posted < limit:
            found.append(way.id)
    return found


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
