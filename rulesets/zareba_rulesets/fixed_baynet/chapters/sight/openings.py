"""Windows and doors: sight and fire through them, and how many men may use one per turn (FBN-245, FBN-253, FBN-275)."""

from __future__ import annotations

from zareba.space.geometry import Point
from zareba.space.ground.buildings import Building
from zareba_rulesets.fixed_baynet.book.numbers import Row
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure

__all__ = [
    "Openings",
    "inner_door",
    "is_room_at_opening",
    "lets_through",
    "may_use_opening",
    "opening_to",
    "use_opening",
]

AT_OPENING = 0.5  # inches: half the width of a door or window


def opening_to(battle: Battle, figure: Figure, point: Point, place: str = "") -> str:
    """Return the window or door through which a man in a building shoots at a point (FBN-245).

    `place` is the section of the point, if it is in one. The result is "" for a shot within a section, or by a man out
    of doors. In a section it is the opening where he is posted; in a room with figures it is the opening that the line
    passes through.
    """
    if not figure.place or place == figure.place:
        return ""
    if battle.field.is_sectioned(figure.place):
        return figure.post
    house = battle.field.buildings[figure.place.partition(":")[0]]
    if place.partition(":")[0] == house.id:
        return inner_door(battle, figure, point, place)
    level, opened = battle.field.sections[figure.place].level, battle.houses[house.id].open_doors.__contains__
    return next((way.id for way in house.ways_through(level, figure.at, point, AT_OPENING, opened)), "")


def inner_door(battle: Battle, figure: Figure, point: Point, place: str) -> str:
    """Return the door through which a man looks into the next room at a point there, or ""."""
    house = battle.field.buildings[place.partition(":")[0]]
    return house.inner_way(figure.place, place, figure.at, point, AT_OPENING)


def lets_through(battle: Battle, house: Building[Row], level: int, p: Point, q: Point) -> bool:
    """Return True if a line into or out of rooms passes only through windows and doors (FBN-245, FBN-253)."""
    return house.lets_through(level, p, q, AT_OPENING, battle.houses[house.id].open_doors.__contains__)


def may_use_opening(battle: Battle, figure: Figure, way: str, others: int = 0) -> bool:
    """Return True if a man may shoot through an opening.

    Two men may use each window or door per turn; a rail has no limit (FBN-245, FBN-275). `others` is the number of men
    who will use it before him. `way` is "" for a shot through no opening.
    """
    if not way or battle.field.openings[way].kind == "rail" or f"used {way}" in figure.marks:
        return True
    return battle.houses[way.partition(":")[0]].used.get(way, 0) + others < battle.book.users


def is_room_at_opening(battle: Battle, figure: Figure, point: Point) -> bool:
    """Return True if the window or door that a man needs for a shot at a point still has room for him."""
    return not figure.place or may_use_opening(battle, figure, opening_to(battle, figure, point))


def use_opening(battle: Battle, figure: Figure, way: str) -> None:
    """Record that a man has used an opening this turn. Each man counts once (FBN-245)."""
    if way and f"used {way}" not in figure.marks:
        house = battle.houses.change(way.partition(":")[0])
        house.used[way] = house.used.get(way, 0) + 1
        figure.mark(f"used {way}")


class Openings:
    """Counts the uses of windows and doors by planned shots of several men, before the shots are made (FBN-245)."""

    __slots__ = ("_battle", "_users")

    def __init__(self, battle: Battle) -> None:
        self._battle = battle
        self._users: dict[str, int] = {}

    def has_room(self, figure: Figure, point: Point, place: str = "") -> bool:
        """Return True and count the man if one more man may shoot at this point."""
        way = opening_to(self._battle, figure, point, place)
        if not may_use_opening(self._battle, figure, way, self._users.get(way, 0)):
            return False
        if way and f"used {way}" not in figure.marks:
            self._users[way] = self._users.get(way, 0) + 1
        return True
