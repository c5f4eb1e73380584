"""Buildings (FBN-240 to FBN-260, FBN-275): damage and collapse, sections, doors, openings, watchtowers."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, hypot

from zareba.rules import procedure
from zareba.space.geometry import Point, is_inside
from zareba.table import Table
from zareba_rulesets.fixed_baynet.after_move import find_hidden
from zareba_rulesets.fixed_baynet.battle import Battle, Figure, Unit, boxes_near
from zareba_rulesets.fixed_baynet.dice import CRITICAL, d12_result
from zareba_rulesets.fixed_baynet.fire import ShotFacts, can_fire, shot_cost, turn_to, use_opening
from zareba_rulesets.fixed_baynet.glory import rise_to_attack
from zareba_rulesets.fixed_baynet.hits import strike
from zareba_rulesets.fixed_baynet.movement import allowance, can_move
from zareba_rulesets.fixed_baynet.pieces import Building, Opening
from zareba_rulesets.fixed_baynet.places import first_free, ruins
from zareba_rulesets.fixed_baynet.ranges import band_of, chest_sign
from zareba_rulesets.fixed_baynet.sight import in_arc, is_lit, sees_point, stand_point

__all__ = [
    "bash",
    "bash_roll",
    "buildings_at",
    "climb",
    "collapse",
    "crossings",
    "damage_building",
    "fire_at_building",
    "free_openings",
    "go_through",
    "hit_building",
    "house_shots",
    "house_targets",
    "houses_near",
    "is_open",
    "occupants",
    "post",
    "room_behind",
    "room_left",
]

DOORS = ("door", "inner", "stairs")
INDOORS = 9.0  # inches: more than the way of a man in a building to the opening at which he is posted
AT_HOUSE = 3.0  # inches about a building: more than a base, and than a door or ladder lies off its wall


# --- as targets --------------------------------------------------------------------------------------------------------


def buildings_at(battle: Battle, point: Point) -> list[str]:
    """The standing buildings over a point."""
    return [
        name
        for name, house in battle.field.buildings.items()
        if battle.houses[name].points > 0 and is_inside(point, house.points)
    ]


def occupants(battle: Battle, house: str, section: str = "") -> list[tuple[Unit, Figure]]:
    """The figures in a building, or in one of its sections."""
    return [
        (unit, figure)
        for unit in battle.units.values()
        for figure in unit.figures.values()
        if (figure.place == section if section else figure.place.startswith(f"{house}:"))
    ]


def house_targets(battle: Battle, unit: Unit, ready: list[Figure]) -> list[str]:
    """Standing buildings at which these men can fire: any in range and sight that no friend is in (FBN-247)."""
    if battle.book.settings.building_targets == "artillery" or not ready:
        return []
    longest = max([battle.book.bands[man.weapon][2] for man in ready]) + INDOORS
    found = []
    for name, house in battle.field.buildings.items():
        if battle.houses[name].points <= 0 or not boxes_near(unit.box, house.box, longest):
            continue
        if any(
            figure.place.startswith(f"{name}:")
            for home in battle.units.values()
            if home.spec.side == unit.spec.side and boxes_near(home.box, house.box, 1.0)
            for figure in home.figures.values()
        ):
            continue
        if any(_house_shot(battle, unit, house, man) is not None for man in ready):
            found.append(name)
    return found


def _face(battle: Battle, figure: Figure, house: Building) -> Point:
    """The middle of the building, at which a shot is aimed."""
    return (house.box[0] + house.box[2]) / 2, (house.box[1] + house.box[3]) / 2


def _wall_gap(battle: Battle, figure: Figure, house: Building) -> float:
    x, y = stand_point(battle, figure)
    piece = battle.field.by_name[house.id]
    return max(0.0, piece.distance((x, y)) - battle.radius(figure))


def _house_band(battle: Battle, figure: Figure, house: Building) -> str | None:
    return band_of(battle.book, figure.weapon, _wall_gap(battle, figure, house), "arm_light" in figure.locations)


def house_shots(
    battle: Battle, unit: Unit, house_id: str, men: Sequence[Figure]
) -> list[tuple[Figure, ShotFacts, int]]:
    """The shots of those men who reach and see a building, with the damage of each: its CV for DS (P15, FBN-247)."""
    house = battle.field.buildings[house_id]
    shots = [(figure, _house_shot(battle, unit, house, figure)) for figure in men]
    weapons = battle.book.weapons
    return [(figure, shot, weapons[figure.weapon].damage) for figure, shot in shots if shot is not None]


def _house_shot(battle: Battle, unit: Unit, house: Building, figure: Figure) -> ShotFacts | None:
    """One man's shot at a building; None if he cannot make it: men in square fire only where they look (FBN-063)."""
    band, face = _house_band(battle, figure, house), _face(battle, figure, house)
    if band is None or not can_fire(battle, figure, house.id):
        return None
    if unit.shape == "square" and not in_arc(figure, face, battle.book.fire_half_arc):
        return None
    if not sees_point(battle, figure, face):
        return None
    return ShotFacts(
        house.row.cv,
        band=band,  # type: ignore[arg-type]  # one of the three
        cs=figure.spec.cs + chest_sign(battle, figure),
        saddle=figure.mounted and not battle.book.weapons[figure.weapon].from_saddle,
        dark=battle.night and not is_lit(battle, face),
        sniper=figure.spec.sniper,
    )


@procedure("building.volley")
def fire_at_building(table: Table, battle: Battle, unit: Unit, house_id: str, ready: list[Figure]) -> None:
    """P15 with small arms: one shot each, until the building is down (FBN-247)."""
    for figure, situation, damage in house_shots(battle, unit, house_id, ready):
        if battle.houses[house_id].points <= 0:
            return
        if not can_fire(battle, figure, house_id):
            continue
        figure.ac -= shot_cost(battle, figure, house_id)
        rise_to_attack(figure)
        figure.attacks += 1
        figure.mark("fired", f"at {house_id}")
        if figure.place:
            use_opening(battle, figure)
        elif unit.shape != "square":
            turn_to(figure, _face(battle, figure, battle.field.buildings[house_id]))
        need = table.tally("fire", situation).total
        result = d12_result(table, need, why="shot", rule="FBN-247", actor=figure.spec.id)
        if result:
            origin = stand_point(battle, figure)
            damage_building(table, battle, house_id, damage, result == CRITICAL, False, unit, origin)


def hit_building(
    table: Table, battle: Battle, house: str, damage: int, shell: bool, critical: bool, by: Unit | None
) -> None:
    """An automatic hit by a round that came down on it (P13)."""
    damage_building(table, battle, house, damage, critical, shell, by)


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
    """FBN-248, FBN-249: a hit takes damage points; a critical does too and pierces the wall besides."""
    house = battle.houses[house_id]
    house.points = max(0, house.points - damage)
    table.tell("building hit", "FBN-249", building=house_id, left=house.points)
    if critical:
        pierce(table, battle, house_id, damage, shell, by, origin)
    if house.points == 0:
        collapse(table, battle, house_id)


def room_behind(battle: Battle, house_id: str, origin: Point | None) -> list[tuple[Unit, Figure]]:
    """The men in that section, of those that hold any, which a shot from a point comes to first (FBN-248)."""
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
    """FBN-248: one man of the section by lot, or with a shell all of it; an ordinary hit, by setting a bloody death."""
    struck = room_behind(battle, house_id, origin)
    if not shell and len(struck) > 1:
        names = {figure.spec.id: 1 for _, figure in struck}
        one = table.draw(names, why="who is hit inside", rule="FBN-248", actor=house_id)
        struck = [pair for pair in struck if pair[1].spec.id == one]
    death = battle.book.settings.building_critical == "bloody_death"
    for home, figure in struck:
        strike(table, battle, home, figure, death, damage, "fire", by)


@procedure("building.collapse")
def collapse(table: Table, battle: Battle, house_id: str) -> None:
    """FBN-250: the building is rubble; each occupant is attacked once, D12 against DS, and lies in the open."""
    table.tell("building down", "FBN-250", building=house_id)
    for home, figure in occupants(battle, house_id):
        figure.place, figure.post = "", ""
        battle.put(figure, *first_free(battle, figure.x, figure.y, battle.radius(figure), {figure.spec.id}))
        result = d12_result(table, figure.spec.ds, why="collapse", rule="FBN-250", actor=figure.spec.id)
        if result:
            strike(table, battle, home, figure, result == CRITICAL, 1, "other")
        home.measure()


# --- going in and out --------------------------------------------------------------------------------------------------


def houses_near(battle: Battle, unit: Unit, men: Sequence[Figure]) -> bool:
    """Whether some of these men of a unit are in a building, or the unit so near to one that a man might go in."""
    houses = battle.field.buildings
    if not houses:
        return False
    most = max([man.spec.sp for man in men], default=0) + AT_HOUSE
    return any(boxes_near(unit.box, house.box, most) for house in houses.values()) or any(man.place for man in men)


def room_left(battle: Battle, section: str, side: str) -> int:
    """Figures that still find room in a section (FBN-242), as far as a side knows who is in it."""
    taken = sum(
        figure.place == section
        for unit in battle.units.values()
        if unit.spec.side == side or "hidden" not in unit.marks
        for figure in unit.figures.values()
    )
    return battle.field.sections[section].capacity - taken


def is_open(battle: Battle, way: Opening) -> bool:
    """Light doors open freely; a heavy or locked one when somebody has opened or bashed it (FBN-251 to FBN-254)."""
    return way.kind in DOORS and (not way.heavy or way.id in battle.houses[way.id.partition(":")[0]].open_doors)


def crossings(battle: Battle, figure: Figure) -> list[tuple[Opening, str]]:
    """The boundaries a man can cross now with one movement action, and to which section, "" for outside (FBN-244)."""
    if figure.mounted or not can_move(battle, figure) or figure.attacks or figure.marks & {"prone", "healed"}:
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


def _entrances(battle: Battle, figure: Figure) -> list[tuple[Opening, str]]:
    """The doors through which a man out of doors can go in with one action; light ones cost nothing (FBN-252)."""
    most = allowance(battle, figure) + battle.radius(figure)
    here = (figure.x, figure.y, figure.x, figure.y)
    found = []
    for name, house in battle.field.buildings.items():
        if not boxes_near(here, house.box, most + 1) or battle.houses[name].points <= 0 or house.kind == "silo":
            continue
        for way in battle.field.doors[name]:
            away = hypot(figure.x - way.at[0], figure.y - way.at[1])
            if (
                away <= most
                and is_open(battle, way)
                and not battle.field.leg(figure.at, way.at, False, ruins(battle)).closed
                and room_left(battle, way.section, figure.spec.side) > 0
            ):
                found.append((way, way.section))
    return found


def _leads_to(way: Opening, place: str) -> str | None:
    """Where an opening leads from a section or from outside; None if it does not touch that place."""
    if place == way.section:
        return way.other
    if place == way.other and (place or way.kind == "door"):
        return way.section
    return None


def _walks(battle: Battle, figure: Figure, way: Opening) -> bool:
    """In an openable building men move by the normal rules; stairs cost the inches between the levels (FBN-241)."""
    up = float(battle.book.file.heights["floor"]) if way.kind == "stairs" else 0.0
    return hypot(figure.x - way.at[0], figure.y - way.at[1]) + up <= allowance(battle, figure)


@procedure("building.cross")
def go_through(table: Table, battle: Battle, unit: Unit, figure: Figure, way: Opening, to: str) -> None:
    """One boundary for one movement action; he may do nothing but move in this activation (FBN-244)."""
    figure.ac -= 1
    figure.moves += 1
    figure.mark("crossed", "moved")
    figure.post = ""
    enter(battle, unit, figure, way, to)
    find_hidden(table, battle, unit)
    table.tell("crossed", "FBN-244", unit=unit.spec.id, figure=figure.spec.id, section=to)


def enter(battle: Battle, unit: Unit, figure: Figure, way: Opening, to: str) -> None:
    figure.place = to
    if to:
        box = battle.field.sections[to].box
        number = battle.field.sections[to].capacity - room_left(battle, to, unit.spec.side)
        x = box[0] + 0.5 + (number % 5) * (box[2] - box[0] - 1) / 4
        y = box[1] + 0.5 + (number // 5 % 4) * (box[3] - box[1] - 1) / 3
        battle.put(figure, x, y)
    else:
        battle.put(figure, *first_free(battle, *_outside(battle, way), battle.radius(figure), {figure.spec.id}))
    unit.measure()


def _outside(battle: Battle, way: Opening) -> Point:
    """A spot a little away from the wall in front of an opening."""
    house = battle.field.buildings[way.id.partition(":")[0]]
    x, y = (house.box[0] + house.box[2]) / 2, (house.box[1] + house.box[3]) / 2
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
        posted = sum(
            other.post == way.id and other.place == figure.place
            for unit in battle.units.values()
            for other in unit.figures.values()
        )
        if way.kind == "rail" or posted < limit:
            found.append(way.id)
    return found


def post(figure: Figure, opening: str) -> None:
    """Post a man at an opening of his section: moving in it is free (FBN-243, FBN-275)."""
    figure.post = opening


# --- doors and towers -------------------------------------------------------------------------------------------------


def shut_doors(battle: Battle, figure: Figure) -> list[str]:
    """Heavy or locked doors within reach of a man (FBN-253)."""
    reach = battle.book.door_reach
    found = []
    for name in battle.field.buildings:
        state = battle.houses[name]
        for way in battle.field.heavy_doors[name] if state.points > 0 else ():
            if way.id in state.open_doors:
                continue
            if figure.place:
                near = figure.place in (way.section, way.other)
            else:
                near = (
                    not way.other and hypot(figure.x - way.at[0], figure.y - way.at[1]) - battle.radius(figure) <= reach
                )
            if near:
                found.append(way.id)
    return found


def open_door(table: Table, battle: Battle, figure: Figure, door: str) -> None:
    """FBN-253: his whole activation; the door is open at once, and stays so."""
    _spend_all(figure)
    _swing(battle, door)
    table.tell("door open", "FBN-253", figure=figure.spec.id, door=door)


def may_spend_all(battle: Battle, figure: Figure) -> bool:
    """Whether nothing of his activation is spent yet (FBN-253, FBN-260)."""
    return figure.ac >= 1 and figure.ac == figure.spec.ac - figure.spent and not figure.moves and not figure.attacks


def _spend_all(figure: Figure) -> None:
    figure.ac = 0
    figure.mark("served")


def _swing(battle: Battle, door: str) -> None:
    house = battle.houses[door.partition(":")[0]]
    house.open_doors = house.open_doors | {door}


@procedure("door.bash_roll")
def bash_roll(table: Table, cs: int, actor: str) -> bool:
    """FBN-254: a die + CS against DS 4; a 1 fails, the highest face succeeds."""
    faces = 12 if table.rules.settings["bash_die"] == "d12" else 6
    need = int(table.rules.book.door["ds"]) - cs  # type: ignore[attr-defined]  # the file model of these rules
    die = table.roll(1, faces, why="bash", rule="FBN-254", actor=actor)
    return die == faces or (die > 1 and die >= need)


@procedure("door.bash")
def bash(table: Table, battle: Battle, figure: Figure, door: str) -> bool:
    """1 AC; success removes the door (FBN-254)."""
    figure.ac -= 1
    success = bash_roll(table, figure.spec.cs + chest_sign(battle, figure), figure.spec.id)
    if success:
        _swing(battle, door)
        table.tell("door open", "FBN-254", figure=figure.spec.id, door=door)
    return success


def ladders(battle: Battle, figure: Figure) -> list[Opening]:
    """Watchtowers a man can climb, or the one he can leave: at the foot of the ladder, or up there (FBN-260)."""
    found = []
    for name, house in battle.field.buildings.items():
        if house.kind != "tower" or battle.houses[name].points <= 0 or figure.mounted:
            continue
        ladder = house.openings[f"{name}:ladder"]
        near = hypot(figure.x - ladder.at[0], figure.y - ladder.at[1]) - battle.radius(figure) <= float(
            battle.book.file.buildings["door_reach"]
        )
        if figure.place == ladder.section or (
            not figure.place and near and room_left(battle, ladder.section, figure.spec.side) > 0
        ):
            found.append(ladder)
    return found


@procedure("building.climb")
def climb(table: Table, battle: Battle, unit: Unit, figure: Figure, ladder: Opening) -> None:
    """FBN-260: up or down the ladder takes the whole activation; up there everybody stands at the rail."""
    _spend_all(figure)
    if figure.place:
        figure.post = ""
        enter(battle, unit, figure, ladder, "")
    else:
        enter(battle, unit, figure, ladder, ladder.section)
        figure.post = f"{ladder.id.partition(':')[0]}:rail"
    table.tell("climbed", "FBN-260", unit=unit.spec.id, figure=figure.spec.id)
