"""Units formed up where there is room (FBN-005, FBN-011, FBN-035, FBN-202): ranks, squares, guns with their crews."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import cos, radians, sin

from zareba.space.geometry import Point
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.formations import layout, square_facing
from zareba_rulesets.fixed_baynet.manoeuvre import box_of
from zareba_rulesets.fixed_baynet.places import (
    Disc,
    Rings,
    discs_near,
    first_free,
    free_spot,
    in_rings,
    open_ground,
    overlaps,
)
from zareba_rulesets.fixed_baynet.troops import Figure, Gun, Unit

__all__ = ["GUN_APART", "all_free", "form_up"]

GUN_APART = 4.25


def form_up(battle: Battle, unit: Unit, centre: Point, formation: str, facing: float) -> None:
    """Set a unit out about a point; men for whom there is no room in the ranks stand as near as they can."""
    if unit.guns:
        _set_out_guns(battle, unit, centre, facing)
        return
    men = list(unit.figures.values())
    radius = max(battle.radius(man) for man in men)
    spots = ranks_that_fit(battle, unit.figures, centre, formation, facing, radius)
    for man, (x, y) in zip(men, spots, strict=True):
        man.facing = square_facing(centre, (x, y)) if formation == "square" else facing
        battle.put(man, x, y)
    unit.formation = formation
    unit.measure()


def ranks_that_fit(
    battle: Battle,
    men: Mapping[str, Figure],
    centre: Point,
    formation: str,
    facing: float,
    radius: float,
) -> list[Point]:
    """The places of these men in a formation about a point, in as many ranks as find room; at worst man by man."""
    count = len(men)
    for ranks in (0, 3, 4, 5, 1):
        spots = [(centre[0] + x, centre[1] + y) for x, y in layout(formation, count, radius, facing, ranks)]
        if all_free(battle, spots, radius, men):
            return spots
    field = battle.field
    spots = [
        (
            min(max(centre[0] + x, radius), field.width - radius),
            min(max(centre[1] + y, radius), field.depth - radius),
        )
        for x, y in layout(formation, count, radius, facing)
    ]
    found: list[Point] = []
    discs = discs_near(battle, box_of(spots), 26.0, men)
    for x, y in spots:
        spot = in_rings(battle, x, y, radius, discs, _rings())
        found.append(spot)
        discs.append(Disc(*spot, radius, "", ""))
    return found


def all_free(battle: Battle, spots: list[Point], radius: float, men: Mapping[str, Figure], seat: str = "") -> bool:
    """Whether these men find room on all of these spots, as far as `seat` knows who stands about."""
    field, box = battle.field, box_of(spots)
    if box[0] < 0 or box[1] < 0 or box[2] > field.width or box[3] > field.depth:
        return False
    if not field.impassable.is_open(*box) and not all(open_ground(battle, x, y) for x, y in spots):
        return False
    discs = discs_near(battle, box, 2.0, men, seat)
    return not discs or not any(overlaps(x, y, radius, discs) for x, y in spots)


@lru_cache(maxsize=1)
def _rings() -> Rings:
    """Up to 24" away, a quarter of an inch apart, with the steps of each ring about the origin, from the north."""
    found = []
    for ring in range(97):
        away = ring / 4
        steps = max(1, int(away * 4))
        angles = [radians(360 * step / steps) for step in range(steps)]
        found.append((away, tuple([(away * sin(angle), away * cos(angle)) for angle in angles])))
    return tuple(found)


def _set_out_guns(battle: Battle, unit: Unit, centre: Point, facing: float) -> None:
    """Guns side by side, each with its crew round the trail in contact with it (FBN-202)."""
    east, north = sin(radians(facing)), cos(radians(facing))
    crew = list(unit.figures.values())
    per_gun = -(-len(crew) // len(unit.guns))
    for man in crew:
        man.x = man.y = -1000.0
    for gun in unit.guns:
        gun.x = gun.y = -1000.0
    unit.measure()
    for number, gun in enumerate(unit.guns):
        aside = (number - (len(unit.guns) - 1) / 2) * GUN_APART
        gun.x, gun.y = first_free(
            battle, centre[0] + aside * north, centre[1] - aside * east, battle.book.radius["gun"], unit.figures
        )
        gun.z, gun.bearing = battle.field.height(gun.at), facing
        unit.measure()
    for number, gun in enumerate(unit.guns):
        for place, man in enumerate(crew[number * per_gun : (number + 1) * per_gun]):
            man.facing = facing
            battle.put(man, *crew_spot(battle, unit, gun, place))
            unit.measure()
    unit.measure()


def crew_spot(battle: Battle, unit: Unit, gun: Gun, place: int) -> Point:
    """Where the gunner of that number stands: in contact with the piece, behind it and beside it, wherever there is room."""
    radius = battle.book.radius["foot"]
    reach = battle.book.radius["gun"] + radius + 0.01
    discs = discs_near(battle, (*gun.at, *gun.at), 4.0, ())
    for turn in (*(150, 210, 90, 270)[place % 4 :], 150, 210, 90, 270, 180, 120, 240, 60, 300, 30, 330, 0):
        angle = radians(gun.bearing + turn)
        spot = gun.x + reach * sin(angle), gun.y + reach * cos(angle)
        if free_spot(battle, *spot, radius, discs):
            return spot
    return first_free(battle, gun.x, gun.y, radius)
