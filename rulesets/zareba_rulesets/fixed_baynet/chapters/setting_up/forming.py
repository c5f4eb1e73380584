"""Forming up a unit where there is room (FBN-005, FBN-011, FBN-035, FBN-202)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from zareba.space.bearings import direction
from zareba.space.field.bases import SLACK, Base, Crowd, stands_on
from zareba.space.field.formations import drawn_up, in_ranks
from zareba.space.geometry import Point, bounds
from zareba.space.moves.contact import places_round
from zareba.space.moves.free_space import first_free, rings
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.formations import layout, square_facing
from zareba_rulesets.fixed_baynet.forces.places import bases_near, is_free, open_ground, spot_near
from zareba_rulesets.fixed_baynet.forces.units import Box, Figure, Gun, Unit

__all__ = ["bases_around", "form_up", "free_spots", "gun_spots", "ranks_that_fit", "room_near"]

GUN_APART = 4.25
NEIGHBOURS = 2.0  # inches: more than two bases
RANKS = (0, 3, 4, 5, 1)  # numbers of ranks to try where space is short; 0 is the usual number
FAR, DIRECTIONS = 24.0, 16
AROUND = rings(0.25, 24.0, least=1, per=4.0)


def form_up(battle: Battle, unit: Unit, centre: Point, formation: str, facing: float) -> int | None:
    """Set a unit up around a point. Men with no room in the ranks are placed as near as possible.

    Return the number of ranks (0: the usual number), or None if the unit is not in ranks. Guns never are.
    """
    if unit.guns:
        _set_out_guns(battle, unit, centre, facing)
        return None
    men = list(unit.figures.values())
    radius = max(battle.radius(man) for man in men)
    spots, ranks = ranks_that_fit(battle, unit.figures, centre, formation, facing, radius)
    for man, (x, y) in zip(men, spots, strict=True):
        man.facing = square_facing(centre, (x, y)) if formation == "square" else facing
        battle.put(man, x, y)
    unit.formation = formation
    unit.measure()
    return ranks


def ranks_that_fit(
    battle: Battle,
    men: Mapping[str, Figure],
    centre: Point,
    formation: str,
    facing: float,
    radius: float,
    wary: str = "",
) -> tuple[list[Point], int | None]:
    """Return the places of these men in a formation around a point, and the number of ranks (0: the usual number).

    If no number of ranks fits, each man is placed separately and the ranks are None. `wary` is their side if they must
    keep out of contact with its enemies (FBN-270).
    """
    count = len(men)
    for ranks in RANKS:
        places = layout(formation, count, radius, facing, battle.book.open_gap, ranks)
        crowd = bases_around(battle, centre, places, men, wary=wary) if wary else None
        spots = free_spots(battle, centre, places, radius, men, crowd=crowd)
        if spots is not None:
            return spots, ranks
    places = layout(formation, count, radius, facing, battle.book.open_gap)
    spots = [battle.field.table.onto((centre[0] + x, centre[1] + y), radius) for x, y in places]
    found: list[Point] = []
    crowd = Crowd(_enlarge_enemies(battle, bases_near(battle, bounds(spots), 26.0, men), wary))
    for wanted_spot in spots:
        spot = first_free(wanted_spot, radius, crowd, AROUND, lambda at: open_ground(battle, *at)) or wanted_spot
        found.append(spot)
        crowd.add(Base(*spot, radius))
    return found, None


def room_near(battle: Battle, unit: Unit, centre: Point, formation: str, facing: float) -> Point | None:
    """Return the nearest point where a unit has room, with all men on one side of every wall (FBN-011).

    The usual number of ranks is tried first. Returns None if there is no room within 24 inches.
    """
    men, field = unit.figures, battle.field
    radius = max(battle.radius(man) for man in men.values())
    for ranks in RANKS:
        places = layout(formation, len(men), radius, facing, battle.book.open_gap, ranks)
        crowd, extent = bases_around(battle, centre, places, men, FAR), bounds(places)
        # Try spots on either side of the figures there, then spots behind them.
        for dx, dy in ((0.0, 0.0), *rings(1.0, FAR, least=DIRECTIONS, first=facing + 90)):
            at = centre[0] + dx, centre[1] + dy
            spots = free_spots(battle, at, places, radius, men, crowd=crowd, extent=extent)
            if spots is not None and (at == centre or not any(field.leg(centre, spot, True).closed for spot in spots)):
                return at
    return None


def bases_around(
    battle: Battle,
    centre: Point,
    places: Sequence[Point],
    men: Mapping[str, Figure],
    far: float = 0.0,
    seat: str = "",
    wary: str = "",
) -> Crowd:
    """Return the bases in the way of men who form up at these places, up to `far` inches from `centre`.

    `wary` is a side; its enemies get extra clearance.
    """
    (w, s, e, n), (x, y) = bounds(places), centre
    wide = x + w - far, y + s - far, x + e + far, y + n + far
    return Crowd(_enlarge_enemies(battle, bases_near(battle, wide, NEIGHBOURS, men, seat), wary))


def _enlarge_enemies(battle: Battle, bases: list[Base], wary: str) -> list[Base]:
    """Return the bases with a side's enemies enlarged, so that a figure placed beside one is not in contact."""
    if not wary:
        return bases
    more = battle.book.contact + 2 * SLACK
    return [base if base.side == wary else base._replace(radius=base.radius + more) for base in bases]


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
    bases = bases_near(battle, box, NEIGHBOURS, men, seat) if crowd is None else crowd.within(box, NEIGHBOURS)
    spots = [(x + dx, y + dy) for dx, dy in places]
    if bases and any(stands_on(spot, radius, bases) for spot in spots):
        return None
    if not field.impassable.is_open(*box) and not all(open_ground(battle, *spot) for spot in spots):
        return None
    return spots


def gun_spots(unit: Unit, centre: Point, facing: float) -> list[Point]:
    """Return the positions of a unit's guns, side by side around a point (FBN-202)."""
    number = len(unit.guns)
    return drawn_up(in_ranks(number, number, GUN_APART), centre, direction(facing))


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
        for place, man in enumerate(crew[number * per_gun : (number + 1) * per_gun]):
            man.facing = facing
            battle.put(man, *crew_spot(battle, gun, place))
            unit.measure()
    unit.measure()


def crew_spot(battle: Battle, gun: Gun, place: int) -> Point:
    """Return the position of a gunner by his number: in contact with the gun, wherever there is room."""
    radius = battle.book.radius["foot"]
    reach = battle.book.radius["gun"] + radius + 0.01
    bases = bases_near(battle, (*gun.at, *gun.at), 4.0, ())
    turns = (*(150, 210, 90, 270)[place % 4 :], 150, 210, 90, 270, 180, 120, 240, 60, 300, 30, 330, 0)
    for spot in places_round(gun.at, reach, gun.bearing, turns):
        if is_free(battle, spot, radius, bases):
            return spot
    return spot_near(battle, gun.x, gun.y, radius)
