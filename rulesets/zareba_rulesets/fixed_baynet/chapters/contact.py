"""Contact: bases, close-combat weapons, rooms and doorways (FBN-103, FBN-256, FBN-275)."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.base.exact import hypot
from zareba.space.field.bodies import touching_indices
from zareba.space.geometry import box_gap
from zareba.space.ground.buildings import OFF_WALL, BuildingOpening
from zareba_rulesets.fixed_baynet.forces.battle import Battle, bases_of
from zareba_rulesets.fixed_baynet.forces.units import Box, Figure, Unit

_MARGIN = 1e-6
"""Safety margin against rounding, in inches."""


def has_close_weapon(battle: Battle, figure: Figure) -> bool:
    """Return True if a man has a melee weapon or spear (FBN-113).

    On an entrenched table only heroes have one, including officers and NCOs (FBN-114, FBN-123).
    """
    if not figure.spec.close or "disarmed" in figure.marks:
        return False
    return not battle.field.entrenched or figure.spec.leads


def has_exact_position(battle: Battle, figure: Figure) -> bool:
    """Return True if the model's position counts: outdoors, or in rooms with figures (FBN-240, FBN-241)."""
    return not figure.place or battle.field.buildings[figure.place.partition(":")[0]].kind == "openable"


def may_be_in_contact(battle: Battle, a: Unit, b: Unit) -> bool:
    """Return True if men of two units may be in contact, judging by the units' bounding boxes.

    The boxes are not enough for men in buildings: a man in a section has no exact position, and a man at an opening
    counts as in front of the wall (FBN-275).
    """
    gap, book = box_gap(a.box, b.box), battle.book
    return gap <= book.in_touch or (gap <= book.indoors and (_is_indoors(battle, a) or _is_indoors(battle, b)))


def men_not_fighting(battle: Battle, unit: Unit, men: Sequence[Figure], side: str) -> Sequence[Figure]:
    """Return the men of a unit, out of `men`, who are not in a fight with a man of `side` (FBN-079)."""
    box = west, south, east, north = unit.box
    friends: list[Figure] = []
    touch, indoors = battle.book.bases_touch, battle.book.indoors
    reach, is_indoors = touch, False
    if _is_near_building(battle, box, indoors):
        reach, is_indoors = indoors, _is_indoors(battle, unit)
    for friend in battle.units.values():
        friend_box = friend.box
        if (
            friend_box[0] - east > reach
            or west - friend_box[2] > reach
            or friend_box[1] - north > reach
            or south - friend_box[3] > reach
            or friend.spec.side != side
        ):
            continue
        gap = box_gap(friend_box, box)
        if gap <= touch or (gap <= reach and (is_indoors or _is_indoors(battle, friend))):
            friends += friend.figures.values()
    if not friends:
        return men
    contact = battle.book.contact
    out_of_doors = [friend for friend in friends if not friend.place]
    fighting = set(touching_indices(bases_of(battle, men), bases_of(battle, out_of_doors), contact + 1e-9))
    inside = [friend for friend in friends if friend.place]
    are_men_inside = any(man.place for man in men)
    if not inside and not are_men_inside:
        return [man for index, man in enumerate(men) if index not in fighting]
    at_openings = [friend for friend in out_of_doors if _may_be_at_opening(battle, friend)] if are_men_inside else []
    return [
        man
        for index, man in enumerate(men)
        if (man.place or index not in fighting)
        and not any(
            _is_fighting(battle, man, friend, contact)
            for friend in (
                (*inside, *at_openings) if man.place else inside if inside and _may_be_at_opening(battle, man) else ()
            )
        )
    ]


def _may_be_at_opening(battle: Battle, man: Figure) -> bool:
    """Return True if a man out of doors is near enough to a building to be at one of its openings."""
    reach = battle.book.door_reach + battle.radius(man) + OFF_WALL + _MARGIN
    return _is_near_building(battle, (man.x, man.y, man.x, man.y), reach)


def _is_fighting(battle: Battle, man: Figure, friend: Figure, contact: float) -> bool:
    """Return True if two men are in contact and cannot shoot.

    In a section, contact is optional and does not prevent men from shooting at each other (FBN-275).
    """
    if man.place and man.place == friend.place and not has_exact_position(battle, man):
        return False
    return in_contact(battle, man, friend, contact)


def _is_indoors(battle: Battle, unit: Unit) -> bool:
    """Return True if a man of the unit is in a building."""
    return _is_near_building(battle, unit.box, 0.0) and any(man.place for man in unit.figures.values())


def _is_near_building(battle: Battle, box: Box, inches: float) -> bool:
    """Return True if some building is within `inches` of a rectangle along each axis."""
    west, south, east, north = box
    for building in battle.field.buildings.values():
        w, s, e, n = building.box
        if w - east <= inches and west - e <= inches and s - north <= inches and south - n <= inches:
            return True
    return False


def opening_between(battle: Battle, a: Figure, b: Figure) -> BuildingOpening | None:
    """Return the opening through which two men fight, or None.

    Each is posted at it, or is out of doors within an inch of it (FBN-275). In buildings with figures in the rooms,
    both must be within an inch of it (FBN-256).
    """
    if not (a.post or b.post):  # without a post, both must be near the opening
        apart = 2 * battle.book.door_reach + battle.radius(a) + battle.radius(b) + _MARGIN
        dx, dy = a.x - b.x, a.y - b.y
        if dx * dx + dy * dy > apart * apart:
            return None
    for man, opponent in ((a, b), (b, a)):
        if man.place and man.place != opponent.place and has_exact_position(battle, man):
            building = battle.field.buildings[man.place.partition(":")[0]]
            for opening in building.openings.values():
                if {opening.section, opening.other} == {man.place, opponent.place} and _are_at(
                    battle, opening, man, opponent
                ):
                    return opening
        if man.post and man.place != opponent.place:
            opening = battle.field.openings[man.post]
            if opponent.post == man.post:
                return opening
            reach = battle.book.door_reach
            if opponent.place or opening.other or opponent.z < man.z - reach:
                continue
            x, y = opening.at
            if abs(opponent.x - x) > battle.book.at_openings:  # out of reach whatever his base
                continue
            if hypot(opponent.x - x, opponent.y - y) - battle.radius(opponent) <= reach:
                return opening
    return None


def _are_at(battle: Battle, opening: BuildingOpening, first: Figure, second: Figure) -> bool:
    """Return True if two men are on one level, within an inch of an opening that is not a closed heavy door
    (FBN-253).
    """
    reach, (x, y) = battle.book.door_reach, opening.at
    if abs(first.z - second.z) > reach or (
        opening.heavy and opening.id not in battle.houses[opening.id.partition(":")[0]].open_doors
    ):
        return False
    return all(hypot(man.x - x, man.y - y) - battle.radius(man) <= reach for man in (first, second))


def in_contact(battle: Battle, a: Figure, b: Figure, reach: float) -> bool:
    """Return True if two figures are at most `reach` apart in the same room (FBN-255), or fight through one opening."""
    if a.place or b.place:
        if a.place != b.place:
            return opening_between(battle, a, b) is not None
        if not has_exact_position(battle, a):
            return True
    limit = reach + battle.radius(a) + battle.radius(b) + 1e-9
    dx, dy = a.x - b.x, a.y - b.y
    return dx * dx + dy * dy <= limit * limit


def foes_in_contact(battle: Battle, figure: Figure, side: str) -> list[Figure]:
    """Return the enemies in base contact with a figure."""
    return foes_within(battle, figure, side, battle.book.contact)


def foes_in_reach(battle: Battle, figure: Figure, side: str) -> list[Figure]:
    """Return the enemies a figure can strike: in contact or, with a close-combat weapon, within 1" (FBN-103)."""
    book = battle.book
    has_long_reach = book.settings.melee_reach == "one_inch" and has_close_weapon(battle, figure)
    return foes_within(battle, figure, side, book.close_reach if has_long_reach else book.contact)


def foes_within(battle: Battle, figure: Figure, side: str, reach: float) -> list[Figure]:
    """Return the known enemies within `reach` inches of a figure's base, or at the other side of its opening."""
    x, y, indoors = figure.x, figure.y, battle.book.indoors
    search_distance = indoors if figure.place else reach + 2.5
    search_box = (x - search_distance, y - search_distance, x + search_distance, y + search_distance)
    is_near_rooms = not figure.place and _is_near_building(battle, (x, y, x, y), indoors)
    foes: list[Figure] = []
    foot, mounted = battle.book.radii
    limits = [reach + battle.radius(figure) + radius + 1e-9 for radius in (foot, mounted)]
    on_foot, on_horse = [limit * limit for limit in limits]
    for unit in battle.units.values():
        if unit.spec.side == side or "hidden" in unit.marks:
            continue
        box = unit.box
        if box[0] > search_box[2] or box[2] < search_box[0] or box[1] > search_box[3] or box[3] < search_box[1]:
            if not is_near_rooms or box[0] - x > indoors or x - box[2] > indoors:
                continue
            if box_gap(box, (x, y, x, y)) > indoors or not any(other.place for other in unit.figures.values()):
                continue
        foes += [
            other
            for other in unit.figures.values()
            if (
                in_contact(battle, figure, other, reach)
                if other.place
                else -search_distance <= (across := other.x - x) <= search_distance
                and -search_distance <= (along := other.y - y) <= search_distance
                and (
                    in_contact(battle, figure, other, reach)
                    if figure.place
                    else across * across + along * along <= (on_horse if other.mounted else on_foot)
                )
            )
        ]
    return foes


def men_in_contact(battle: Battle, unit: Unit) -> set[str]:
    """Return the figures of a unit that are in contact with an enemy."""
    enemies = [enemy for enemy in battle.enemies(unit.spec.side) if may_be_in_contact(battle, unit, enemy)]
    if not enemies:
        return set()
    reach, men = battle.book.contact, list(unit.figures.values())
    foes = [foe for enemy in enemies for foe in enemy.figures.values()]
    indoors = [foe for foe in foes if foe.place]
    outdoors = bases_of(battle, [foe for foe in foes if not foe.place])
    out = [man for man in men if not man.place]
    touching = {out[index].spec.id for index in touching_indices(bases_of(battle, out), outdoors, reach + 1e-9)}
    return touching | {
        man.spec.id
        for man in men
        if man.spec.id not in touching
        and any(in_contact(battle, man, foe, reach) for foe in (foes if man.place else indoors))
    }


def men_held(battle: Battle, unit: Unit) -> set[str]:
    """Return the figures of a unit that, by setting, may not leave contact (FBN-051).

    Men in a section are never held, because contact there is optional and movement is free (FBN-243, FBN-275).
    """
    if battle.book.settings.leave_contact == "free":
        return set()
    return {key for key in men_in_contact(battle, unit) if has_exact_position(battle, unit.figures[key])}


def is_held(battle: Battle, unit: Unit, figure: Figure) -> bool:
    """Return True if one man of a unit may not leave contact."""
    return figure.spec.id in men_held(battle, unit)
