"""Going in and out of buildings (FBN-240 to FBN-246, FBN-251, FBN-252, FBN-275): sections, openings, posts."""

from __future__ import annotations

from zareba.base.exact import dist, hypot
from zareba.rules import procedure
from zareba.space.bearings import bearing
from zareba.space.geometry import Point, boxes_near, joint_box, widened
from zareba.space.ground.buildings import BuildingOpening
from zareba.table import Table
from zareba_rulesets.fixed_baynet.chapters.movement.after_move import find_hidden, settle_contacts
from zareba_rulesets.fixed_baynet.chapters.movement.movement import allowance, can_move, crowd_refusal, way_refused
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.places import bases_near, spot_near
from zareba_rulesets.fixed_baynet.forces.unit_summary import UnitSummary
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["crossings", "enter", "free_openings", "go_through", "is_open", "may_be_posted", "post", "room_left"]

DOORS = ("door", "inner", "stairs")
AT_DOOR = 2.0  # inches: more than half a base and the reach of those who open a door


def men_near_houses(battle: Battle, unit: Unit, able: UnitSummary) -> list[Figure]:
    """The able men of a unit who are in a building, or so near to a door or ladder that they might use it."""
    most = able.sp + AT_DOOR
    west, south, east, north = widened(unit.box, most)
    ways = [(x, y) for x, y in battle.field.ways_in if west <= x <= east and south <= y <= north]
    if not ways and not able.indoors:
        return []
    return [
        man
        for man in able.men
        if man.place or any(-most <= man.x - x <= most and -most <= man.y - y <= most for x, y in ways)
    ]


def room_left(battle: Battle, section: str, side: str) -> int:
    """Figures that still find room in a section (FBN-242), as far as a side knows who is in it."""
    taken = sum(figure.place == section for unit in battle.known_to(side) for figure in unit.figures.values())
    return battle.field.sections[section].capacity - taken


def is_open(battle: Battle, way: BuildingOpening) -> bool:
    """Light doors open freely; a heavy or locked one when somebody has opened or bashed it (FBN-251 to FBN-254)."""
    return way.kind in DOORS and (not way.heavy or way.id in battle.houses[way.id.partition(":")[0]].open_doors)


def crossings(battle: Battle, figure: Figure) -> list[tuple[BuildingOpening, str]]:
    """The boundaries a man can cross now with one movement action, and to which section, "" for outside (FBN-244).

    Only who has spent his AC on nothing but movement crosses.
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
        if house.kind != "openable" or _walks(battle, figure, way):
            found.append((way, to))
    return found


def _entrances(battle: Battle, figure: Figure) -> list[tuple[BuildingOpening, str]]:
    """The doors through which a man out of doors can go in with one action; light ones cost nothing (FBN-252)."""
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
                and _comes_to(battle, figure, way.at)
                and room_left(battle, way.section, figure.spec.side) > 0
            ):
                found.append((way, way.section))
    return found


def _comes_to(battle: Battle, figure: Figure, door: Point) -> bool:
    """Whether the base of a man out of doors comes to a door with one action, by the ground and past no enemy (FBN-048, FBN-050)."""
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
    """Where an opening leads from a section or from outside; None if it does not touch that place."""
    if place == way.section:
        return way.other
    if place == way.other and (place or way.kind == "door"):
        return way.section
    return None


def _walks(battle: Battle, figure: Figure, way: BuildingOpening) -> bool:
    """In an openable building men move by the normal rules; stairs cost the inches between the levels (FBN-241)."""
    up = float(battle.book.file.heights.floor) if way.kind == "stairs" else 0.0
    return dist(figure.at, way.at) + up <= allowance(battle, figure)


@procedure("building.cross")
def go_through(table: Table, battle: Battle, unit: Unit, figure: Figure, way: BuildingOpening, to: str) -> None:
    """One boundary for one movement action; he may do nothing but move in this activation (FBN-244)."""
    figure.ac -= 1
    figure.moves += 1
    figure.mark("crossed", "moved")
    figure.post = ""
    enter(battle, unit, figure, way, to)
    find_hidden(table, battle, unit)
    table.tell("crossed", "FBN-244", unit=unit.spec.id, figure=figure.spec.id, section=to)
    settle_contacts(table, battle, unit, [figure])


def enter(battle: Battle, unit: Unit, figure: Figure, way: BuildingOpening, to: str) -> None:
    figure.place = to
    if to:
        battle.put(figure, *_spot_inside(battle, unit, figure, way))
    else:
        battle.put(figure, *spot_near(battle, *_outside(battle, way), battle.radius(figure), {figure.spec.id}))
    unit.measure()


def _spot_inside(battle: Battle, unit: Unit, figure: Figure, way: BuildingOpening) -> Point:
    """Where a man stands who has just come into his section: among figures the free place nearest to the opening."""
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
    """A spot a little away from the wall in front of an opening."""
    house = battle.field.buildings[way.id.partition(":")[0]]
    x, y = house.middle
    away = hypot(way.at[0] - x, way.at[1] - y) or 1.0
    return way.at[0] + (way.at[0] - x) / away * 0.7, way.at[1] + (way.at[1] - y) / away * 0.7


def free_openings(battle: Battle, figure: Figure) -> list[str]:
    """The openings of his section where a man can be posted, free: two to each, a rail takes all (FBN-245, FBN-275)."""
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
            continue  # nobody looks through a door that is shut fast
        posted = sum(
            other.post == way.id and other.place == figure.place
            for unit in battle.units.values()
            for other in unit.figures.values()
        )
        if way.kind == "rail" or posted < limit:
            found.append(way.id)
    return found


def may_be_posted(figure: Figure) -> bool:
    """Whether a man may still choose an opening in this activation, if his section has one: one, free (FBN-275)."""
    return figure.able and "placed" not in figure.marks


def post(battle: Battle, figure: Figure, opening: str) -> None:
    """Post a man at an opening of his section, looking out: moving and turning in it are free (FBN-049, FBN-243, FBN-275)."""
    figure.post = opening
    middle, at = battle.field.sections[figure.place].middle, battle.field.openings[opening].at
    if at != middle:  # the rail of a tower is all round
        figure.facing = bearing(middle, at)
