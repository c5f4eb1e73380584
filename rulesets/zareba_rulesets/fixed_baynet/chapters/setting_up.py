"""Setting up: the first state of a battle, formations in their deployment zones, and arrivals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zareba.base.exact import hypot
from zareba.base.state import CopyOnWrite, blank
from zareba.battle.initiative import roll_for_order
from zareba.chance import AtLeast, named, remark
from zareba.rules import procedure
from zareba.scenario import Scenario
from zareba.space.bearings import direction, offset
from zareba.space.field.bodies import SLACK, Base, Crowd, overlaps_any
from zareba.space.field.free_table import place_formation, rank_positions
from zareba.space.geometry import Point, bounds
from zareba.space.moves import first_free, points_around, rings
from zareba.space.outlines import OPPOSITE, WINDS, TerrainArea, bearing_of
from zareba.table import LazyOptions, Table
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.chapters.buildings import free_openings, post_man
from zareba_rulesets.fixed_baynet.chapters.movement import move_carried_objects
from zareba_rulesets.fixed_baynet.forces.battle import (
    Battle,
    BuildingState,
    ScenarioObject,
    bases_near,
    is_free,
    open_ground,
    spot_near,
)
from zareba_rulesets.fixed_baynet.forces.formations import (
    allowed_formations,
    is_formed,
    is_layout_formed,
    layout,
    square_facing,
)
from zareba_rulesets.fixed_baynet.forces.units import Box, Figure, Gun, Unit
from zareba_rulesets.fixed_baynet.translation import Plan, Squad

# --- Forming up a unit where there is room (FBN-005, FBN-011, FBN-035, FBN-202) ---------------------------------------


_GUN_APART = 4.25  # inches between the middles of two guns of a battery
_NEIGHBOURS = 2.0  # inches: more than two bases
_RANKS = (0, 3, 4, 5, 1)  # numbers of ranks to try where space is short; 0 is the usual number
_FARTHEST, _DIRECTIONS = 24.0, 16  # the search for room for a unit: inches and number of directions
_AROUND = rings(0.25, 24.0, least=1, per=4.0)


def form_up(battle: Battle, unit: Unit, centre: Point, formation: str, facing: float) -> int | None:
    """Set a unit up around a point. Men with no room in the ranks are placed as near as possible.

    Return the number of ranks (0: the usual number), or None if the unit is not in ranks. Guns never are.
    """
    if unit.guns:
        _set_out_guns(battle, unit, centre, facing)
        return None
    men = list(unit.figures.values())
    radius = max(battle.radius(man) for man in men)
    spots, ranks = fitting_ranks(battle, unit.figures, centre, formation, facing, radius)
    for man, (x, y) in zip(men, spots, strict=True):
        man.facing = square_facing(centre, (x, y)) if formation == "square" else facing
        battle.put(man, x, y)
    unit.formation = formation
    unit.measure()
    return ranks


def fitting_ranks(
    battle: Battle,
    men: Mapping[str, Figure],
    centre: Point,
    formation: str,
    facing: float,
    radius: float,
    cautious_side: str = "",
) -> tuple[list[Point], int | None]:
    """Return the places of these men in a formation around a point, and the number of ranks (0: the usual number).

    If no number of ranks fits, each man is placed separately and the ranks are None. `cautious_side` is their side if
    they must keep out of contact with its enemies (FBN-270).
    """
    count = len(men)
    for ranks in _RANKS:
        places = layout(formation, count, radius, facing, battle.book.open_gap, ranks)
        crowd = bases_around(battle, centre, places, men, cautious_side=cautious_side) if cautious_side else None
        spots = free_spots(battle, centre, places, radius, men, crowd=crowd)
        if spots is not None:
            return spots, ranks
    places = layout(formation, count, radius, facing, battle.book.open_gap)
    spots = [battle.field.table.nearest_point_inside((centre[0] + x, centre[1] + y), radius) for x, y in places]
    single_spots: list[Point] = []
    crowd = Crowd(_enlarge_enemies(battle, bases_near(battle, bounds(spots), 26.0, men), cautious_side))
    for wanted_spot in spots:
        spot = first_free(wanted_spot, radius, crowd, _AROUND, lambda at: open_ground(battle, *at)) or wanted_spot
        single_spots.append(spot)
        crowd.add(Base(*spot, radius))
    return single_spots, None


def room_near(battle: Battle, unit: Unit, centre: Point, formation: str, facing: float) -> Point | None:
    """Return the nearest point where a unit has room, with all men on one side of every wall (FBN-011).

    The usual number of ranks is tried first. Returns None if there is no room within 24 inches.
    """
    men, field = unit.figures, battle.field
    radius = max(battle.radius(man) for man in men.values())
    for ranks in _RANKS:
        places = layout(formation, len(men), radius, facing, battle.book.open_gap, ranks)
        crowd, extent = bases_around(battle, centre, places, men, _FARTHEST), bounds(places)
        # Try spots on either side of the figures there, then spots behind them.
        for dx, dy in ((0.0, 0.0), *rings(1.0, _FARTHEST, least=_DIRECTIONS, first=facing + 90)):
            at = centre[0] + dx, centre[1] + dy
            spots = free_spots(battle, at, places, radius, men, crowd=crowd, extent=extent)
            if spots is not None and (
                at == centre or not any(field.straight_move(centre, spot, True).closed for spot in spots)
            ):
                return at
    return None


def bases_around(
    battle: Battle,
    centre: Point,
    places: Sequence[Point],
    men: Mapping[str, Figure],
    far: float = 0.0,
    seat: str = "",
    cautious_side: str = "",
) -> Crowd:
    """Return the bases in the way of men who form up at these places, up to `far` inches from `centre`.

    `cautious_side` is a side; its enemies get extra clearance.
    """
    (w, s, e, n), (x, y) = bounds(places), centre
    wide = x + w - far, y + s - far, x + e + far, y + n + far
    return Crowd(_enlarge_enemies(battle, bases_near(battle, wide, _NEIGHBOURS, men, seat), cautious_side))


def _enlarge_enemies(battle: Battle, bases: list[Base], cautious_side: str) -> list[Base]:
    """Return the bases with a side's enemies enlarged, so that a figure placed beside one is not in contact."""
    if not cautious_side:
        return bases
    more = battle.book.contact + 2 * SLACK
    return [base if base.side == cautious_side else base._replace(radius=base.radius + more) for base in bases]


def free_spots(
    battle: Battle,
    centre: Point,
    places: Sequence[Point],
    radius: float,
    men: Mapping[str, Figure],
    seat: str = "",
    crowd: Crowd | None = None,
    extent: Box | None = None,
) -> list[Point] | None:
    """Return the spots of these men around a point, or None if one has no room as far as `seat` knows.

    `crowd` holds the bases around the spots and `extent` is the rectangle around the places, if the caller has them.
    """
    field, (x, y), (w, s, e, n) = battle.field, centre, extent or bounds(places)
    box = x + w, y + s, x + e, y + n
    if box[0] < 0 or box[1] < 0 or box[2] > field.width or box[3] > field.depth:
        return None
    bases = bases_near(battle, box, _NEIGHBOURS, men, seat) if crowd is None else crowd.within(box, _NEIGHBOURS)
    spots = [(x + dx, y + dy) for dx, dy in places]
    if bases and any(overlaps_any(spot, radius, bases) for spot in spots):
        return None
    if not field.impassable.is_open(*box) and not all(open_ground(battle, *spot) for spot in spots):
        return None
    return spots


def gun_spots(unit: Unit, centre: Point, facing: float) -> list[Point]:
    """Return the positions of a unit's guns, side by side around a point (FBN-202)."""
    number = len(unit.guns)
    return place_formation(rank_positions(number, number, _GUN_APART), centre, direction(facing))


def _set_out_guns(battle: Battle, unit: Unit, centre: Point, facing: float) -> None:
    """Place the guns side by side, each with its crew in contact around the trail (FBN-202)."""
    crew = list(unit.figures.values())
    per_gun = -(-len(crew) // len(unit.guns))
    for man in crew:
        man.x = man.y = -1000.0
    for gun in unit.guns:
        gun.x = gun.y = -1000.0
    unit.measure()
    for gun, spot in zip(unit.guns, gun_spots(unit, centre, facing), strict=True):
        gun.x, gun.y = spot_near(battle, *spot, battle.book.radius["gun"], unit.figures)
        gun.z, gun.bearing = battle.field.height(gun.at), facing
        unit.measure()
    for number, gun in enumerate(unit.guns):
        for index, man in enumerate(crew[number * per_gun : (number + 1) * per_gun]):
            man.facing = facing
            battle.put(man, *_crew_spot(battle, gun, index))
            unit.measure()
    unit.measure()


def _crew_spot(battle: Battle, gun: Gun, place: int) -> Point:
    """Return the position of a gunner by his number: in contact with the gun, wherever there is room."""
    radius = battle.book.radius["foot"]
    reach = battle.book.radius["gun"] + radius + 0.01
    bases = bases_near(battle, (*gun.at, *gun.at), 4.0, ())
    turns = (*(150, 210, 90, 270)[place % 4 :], 150, 210, 90, 270, 180, 120, 240, 60, 300, 30, 330, 0)
    for spot in points_around(gun.at, reach, gun.bearing, turns):
        if is_free(battle, spot, radius, bases):
            return spot
    return spot_near(battle, gun.x, gun.y, radius)


# --- Deployment -------------------------------------------------------------------------------------------------------
# Before play and arrivals: initiative (FBN-008, FBN-009), deployment (FBN-011), and units that come later (FBN-037).


_INITIATIVE = {
    "last": remark("the highest roll activates last (ties roll again)"),
    "first": remark("the highest roll activates first (ties roll again)"),
    "chooses": remark("the highest roll chooses to activate first or last (ties roll again)"),
}

_ALONG_ZONE = (0.0, -6.0, 6.0, -12.0, 12.0)  # inches to the east of the starting point, or west of it if negative
_INWARD = (0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0)  # inches inwards from the starting point


def first_state(book: FbnBook, scenario: Scenario, plan: Plan, phase: str) -> Battle:
    """Return the battle before the first step, set up as the scenario says, with mounts at a halt (FBN-011)."""
    numbers = book.file.damage_points
    battle = blank(
        Battle,
        turn=1,
        phase=phase,
        order=list(scenario.sides),
        houses=CopyOnWrite(
            (name, BuildingState(building.row.cv - numbers.minus + numbers.per_section * building.size))
            for name, building in plan.field.buildings.items()
        ),
        night=plan.night,
        fog=plan.fog,
        book=book,
        field=plan.field,
        specs={man.id: man for squad in plan.squads.values() for man in squad.men},
    )
    for unit_id, squad in sorted(plan.squads.items(), key=lambda entry: entry[1].hidden):  # they find what room is left
        unit = _create_unit(book, squad, plan.facing[unit_id])
        battle.units[unit_id] = unit
        if unit_id in plan.entries:
            unit.mark("away")
            battle.arrivals[unit_id] = plan.entries[unit_id][0]
        elif unit_id in plan.inside:
            _fill_building(battle, unit, plan.inside[unit_id])
        else:
            form_near(battle, unit, plan.spots[unit_id], unit.formation, plan.facing[unit_id])
    battle.waiting = [unit_id for unit_id in battle.units if unit_id in plan.zones]
    battle.units = CopyOnWrite((unit_id, battle.units[unit_id]) for unit_id in plan.squads)
    battle.arrivals = {unit_id: battle.arrivals[unit_id] for unit_id in plan.squads if unit_id in battle.arrivals}
    battle.left = {unit_id: len(unit.figures) for unit_id, unit in battle.units.items()}
    _place_objects(battle, scenario)
    return battle


def _create_unit(book: FbnBook, squad: Squad, facing: float) -> Unit:
    """Return a unit as it starts the battle, with all men and guns still at one point."""
    figures = {
        man.id: Figure(
            0.0, 0.0, 0.0, facing, man.gl, man.weapon, wounds=book.file.wounds.man, mounted=man.rides,
            flares=man.flares, spec=man,
        )
        for man in squad.men
    }  # fmt: skip
    guns = [
        Gun(kind, 0.0, 0.0, 0.0, facing, book.guns[kind].wounds, team=squad.team, odd=squad.rockets,
            shells=squad.shells, solid=squad.solid)
        for kind in squad.guns
    ]  # fmt: skip
    marks = frozenset({"hidden"} if squad.hidden else ())
    return Unit(squad.formation, len(figures), figures, guns, marks, spec=squad.spec)


def form_near(battle: Battle, unit: Unit, spot: Point, formation: str, facing: float) -> None:
    """Set a unit up in its formation where there is room.

    If the formation does not fit, the unit is unformed (FBN-011, FBN-272).
    """
    if not unit.guns:
        spot = room_near(battle, unit, spot, formation, facing) or spot
    ranks = form_up(battle, unit, spot, formation, facing)
    on_foot = {not man.mounted for man in unit.figures.values()}
    if ranks is not None and len(on_foot) == 1:
        formed = is_layout_formed(battle, formation, len(unit.figures), ranks, False in on_foot)
    else:
        formed = bool(unit.guns) or is_formed(battle, unit)
    if not formed:
        unit.mark("unformed")


def _fill_building(battle: Battle, unit: Unit, building_id: str) -> None:
    """Fill the sections of a building in order, with two men at each opening.

    Men without room are placed outside (FBN-242, FBN-245).
    """
    building = battle.field.buildings[building_id]
    rooms = list(building.sections.values())
    taken: dict[str, int] = {}
    for other in battle.units.values():
        for figure in other.figures.values():
            if figure.place:
                taken[figure.place] = taken.get(figure.place, 0) + 1
    for figure in unit.figures.values():
        room = next((room for room in rooms if taken.get(room.id, 0) < room.capacity), None)
        if room is None:
            battle.put(figure, *spot_near(battle, *building.points[0], battle.radius(figure), {figure.id}))
            unit.measure()
            continue
        number = taken.get(room.id, 0)
        taken[room.id] = number + 1
        figure.place, figure.mounted = room.id, False
        west, south, east, north = room.box
        column, row = number % 5, number // 5
        x = west + 0.5 + column * (east - west - 1) / 4
        y = south + 0.5 + row * (north - south - 1) / 3
        battle.put(figure, x, y)
        if building.kind != "openable":
            outer = (opening for opening in free_openings(battle, figure) if not building.openings[opening].other)
            if (opening := next(outer, "")) != "":
                post_man(battle, figure, opening)
    unit.measure()
    if not is_formed(battle, unit):
        unit.mark("unformed")


def _place_objects(battle: Battle, scenario: Scenario) -> None:
    """Put the objects of the scenario on the table or with their carriers (FBN-265)."""
    for key, thing in scenario.objects.items():
        carrier = thing.carrier
        unit = battle.units.get(carrier or "") or battle.units.get(f"{carrier}.1")
        if unit is not None:
            battle.carried_objects[key] = ScenarioObject(*unit.middle, unit.id)
        elif thing.position is not None:
            battle.carried_objects[key] = ScenarioObject(*thing.position)


@procedure("initiative.roll")
def roll_initiative(table: Table, battle: Battle) -> None:
    """Roll a D6 for each side and re-roll ties. The highest roll activates last by default (FBN-008, FBN-009)."""
    die = table.rules.book.initiative.die
    reading = battle.book.settings.initiative_highest
    order = roll_for_order(table, battle.order, die, why="initiative", rule="FBN-008", means=_INITIATIVE[reading])
    if reading == "first":
        order = order[-1:] + order[:-1]
    elif reading == "chooses":
        highest = order[-1]
        if table.choose(highest, ["last", "first"], why="activate", rule="FBN-008", actor=highest) == "first":
            order = order[-1:] + order[:-1]
    battle.order = order
    table.emit("initiative", "FBN-008", order=tuple(order))


def set_up_next_unit(table: Table, battle: Battle, plan: Plan, side: str) -> None:
    """Set up one unit: its owner chooses formation, facing and a point in its zone (FBN-011)."""
    unit = battle.change(battle.unit(next(u for u in battle.waiting if battle.units[u].spec.side == side)))
    battle.waiting.remove(unit.id)
    zone, spot = plan.zones[unit.id], plan.spots[unit.id]
    for figure in unit.figures.values():
        figure.x = figure.y = -1000.0
    for gun in unit.guns:
        gun.x = gun.y = -1000.0
    unit.measure()
    formation = unit.formation
    options = allowed_formations(battle, unit)
    if len(options) > 1:
        order = [formation, *(name for name in options if name != formation)]
        formation = table.choose(side, order, why="deploy as", rule="FBN-011", actor=unit.id)
    facing = plan.facing[unit.id]
    facings = [facing, *(wind * 45.0 for wind in range(8) if wind * 45.0 != facing)]
    winds = [WINDS[int(bearing // 45) % 8] for bearing in facings]
    chosen_wind = table.choose(side, winds, why="deploy facing", rule="FBN-011", actor=unit.id)
    facing = facings[winds.index(chosen_wind)]

    area = TerrainArea(zone)

    def refuse(point: Point) -> str | None:
        if not area.holds(point):
            return "that is outside the deployment area (FBN-011)"
        has_room = _has_room(battle, unit, point, formation, facing)
        return None if has_room else "there is no room for the formation (FBN-011)"

    def refuse_if_men_outside(point: Point) -> str | None:
        room = area.holds(point) and _has_room_inside(battle, unit, point, formation, facing, area)
        return None if room else "some of its men would stand outside the deployment area (FBN-011)"

    def refuse_with_best_reason(point: Point) -> str | None:
        men_outside = refuse_if_men_outside(point)
        return None if men_outside is None else refuse(point) or men_outside

    west, south, east, north = bounds(zone)
    dx, dy = (west + east) / 2 - spot[0], (south + north) / 2 - spot[1]
    shares = [inches / max(inches, hypot(dx, dy), 1.0) for inches in _INWARD]
    # First points with room for all men, from the starting point inwards. If there are none, room for the middle is
    # enough.
    tries = [
        ((spot[0] + dx * share, spot[1] + dy * share), refuse_if_men_outside, refuse_with_best_reason)
        for share in shares
    ]
    for (x, y), refuse_suggestion, refuse_answer in (*tries, (spot, refuse, refuse)):
        suggestions = LazyOptions.among([(x + along, y) for along in _ALONG_ZONE], refuse_suggestion)
        if suggestions:
            spot = table.place(side, suggestions, refuse_answer, why="deploy at", rule="FBN-011", actor=unit.id)
            break
    form_near(battle, unit, spot, formation, facing)
    move_carried_objects(battle, unit)
    if "hidden" not in unit.marks:
        table.emit("deployed", "FBN-011", unit=unit.id, x=round(spot[0], 1), y=round(spot[1], 1))


def _has_room_inside(
    battle: Battle, unit: Unit, point: Point, formation: str, facing: float, zone: TerrainArea
) -> bool:
    """Return True if a unit in its usual ranks has room around a point with every man inside a zone.

    For guns only the middle counts.
    """
    if unit.guns:
        return _has_room(battle, unit, point, formation, facing)
    radius = max(battle.radius(man) for man in unit.figures.values())
    places = layout(formation, len(unit.figures), radius, facing, battle.book.open_gap)
    if not all(zone.holds((point[0] + x, point[1] + y)) for x, y in places):
        return False
    return free_spots(battle, point, places, radius, unit.figures, seat=unit.spec.side) is not None


def _has_room(battle: Battle, unit: Unit, point: Point, formation: str, facing: float) -> bool:
    """Return True if a unit has room around a point in some number of ranks."""
    if unit.guns:
        radius = battle.book.radius["gun"] + 2 * battle.book.radius["foot"]
        spots = gun_spots(unit, point, facing)
        reach = radius + max(battle.book.radius.values())
        bases = bases_near(battle, bounds(spots), reach, unit.figures, unit.spec.side)
        return all(is_free(battle, (x, y), radius, bases) for x, y in spots)
    radius = max(battle.radius(man) for man in unit.figures.values())
    men = unit.figures
    gap = battle.book.open_gap
    layouts = [layout(formation, len(men), radius, facing, gap, ranks) for ranks in (0, 3, 4, 5)]
    crowd = bases_around(battle, point, [place for places in layouts for place in places], men, seat=unit.spec.side)
    return any(free_spots(battle, point, places, radius, men, crowd=crowd) is not None for places in layouts)


def roll_for_event(table: Table, die: int | None, at_least: int | None, actor: str) -> bool:
    """Return True if a scenario event occurs. An event that depends on a die is rolled for (FBN-037)."""
    if die is None or at_least is None:
        return True
    read, means = AtLeast(at_least), named("not this turn", "it comes about", by="the scenario")
    return table.roll(1, die, read, why="arrival", rule="FBN-037", actor=actor, means=means) > 0


def bring_on_arrivals(table: Table, battle: Battle, scenario: Scenario, plan: Plan) -> None:
    """Bring on the units due by this turn. If the scenario names a die for a unit, the roll must succeed (FBN-037)."""
    for unit_id, turn in list(battle.arrivals.items()):
        if not 0 <= turn <= battle.turn:
            continue
        arrival = getattr(scenario.units.get(battle.units[unit_id].spec.source), "arrival", None)
        if arrival is None or roll_for_event(table, arrival.die, arrival.at_least, unit_id):
            _bring_on_unit(battle, plan, battle.units[unit_id])
            table.emit("arrived", "FBN-037", unit=unit_id)


def _bring_on_unit(battle: Battle, plan: Plan, unit: Unit) -> None:
    """Place a unit at its edge of arrival in a legal formation (FBN-037)."""
    _, (x, y), edge = plan.entries[unit.id]
    unit = battle.change(unit)
    unit.unmark("away")
    inward = bearing_of(OPPOSITE[edge])
    inches_in = 3.0 + (2.0 if any(figure.mounted for figure in unit.figures.values()) else 0.0)
    at = offset((x, y), inward, inches_in)
    form_near(battle, unit, at, unit.formation, inward)
    for figure in unit.figures.values():
        figure.facing = inward if unit.formation != "square" else figure.facing
    battle.arrivals.pop(unit.id, None)
    unit.measure()
