"""Who can strike whom: base contact, the reach of close-combat weapons, rooms and doorways (FBN-103, FBN-256, FBN-275)."""

from __future__ import annotations

from math import hypot

from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.pieces import Opening
from zareba_rulesets.fixed_baynet.troops import Figure, Unit, box_gap

__all__ = ["engaged", "foes_in_contact", "foes_in_reach", "has_close_weapon", "in_contact", "opening_between"]


def has_close_weapon(battle: Battle, figure: Figure) -> bool:
    """A melee weapon or spear (FBN-113); on an entrenched table only heroes have one, officers and NCOs among them (FBN-114, FBN-123)."""
    if not figure.spec.close or "disarmed" in figure.marks:
        return False
    return not battle.field.entrenched or figure.spec.leads


def opening_between(battle: Battle, a: Figure, b: Figure) -> Opening | None:
    """The opening through which two men fight: each posted at it, or out of doors within an inch of it (FBN-275)."""
    for one, other in ((a, b), (b, a)):
        if one.post and one.place != other.place:
            way = battle.field.openings[one.post]
            if other.post == one.post:
                return way
            reach = battle.book.door_reach
            away = hypot(other.x - way.at[0], other.y - way.at[1]) - battle.radius(other)
            if not other.place and not way.other and away <= reach and other.z >= one.z - reach:
                return way
    return None


def in_contact(battle: Battle, a: Figure, b: Figure, reach: float) -> bool:
    """Whether two figures are no more than `reach` apart, in the same room (FBN-255) or through one opening."""
    if a.place or b.place:
        if a.place != b.place:
            return opening_between(battle, a, b) is not None
        section = battle.field.sections[a.place]
        if battle.field.buildings[section.building].kind != "openable":
            return True
    limit = reach + battle.radius(a) + battle.radius(b) + 1e-9
    dx, dy = a.x - b.x, a.y - b.y
    return dx * dx + dy * dy <= limit * limit


def foes_in_contact(battle: Battle, figure: Figure, side: str) -> list[Figure]:
    """The enemies in base contact with a figure."""
    return _foes(battle, figure, side, battle.book.contact)


def foes_in_reach(battle: Battle, figure: Figure, side: str) -> list[Figure]:
    """The enemies whom a figure can strike: in contact, or within 1" with a close-combat weapon (FBN-103)."""
    book = battle.book
    long = book.settings.melee_reach == "one_inch" and has_close_weapon(battle, figure)
    return _foes(battle, figure, side, book.close_reach if long else book.contact)


def _foes(battle: Battle, figure: Figure, side: str, reach: float) -> list[Figure]:
    x, y = figure.x, figure.y
    spread = reach + 2.5
    here = (x - spread, y - spread, x + spread, y + spread)
    found = []
    for unit in battle.units.values():
        box = unit.box
        if box[0] > here[2] or box[2] < here[0] or box[1] > here[3] or box[3] < here[1]:
            continue
        if unit.spec.side != side and "hidden" not in unit.marks:
            found += [other for other in unit.figures.values() if in_contact(battle, figure, other, reach)]
    return found


def engaged(battle: Battle, unit: Unit) -> set[str]:
    """The figures of a unit that are in contact with an enemy."""
    others = [
        other
        for other in battle.units.values()
        if other.spec.side != unit.spec.side and box_gap(unit.box, other.box) <= 3.0 and "hidden" not in other.marks
    ]
    reach = battle.book.contact
    return {
        key
        for key, figure in unit.figures.items()
        if any(in_contact(battle, figure, foe, reach) for other in others for foe in other.figures.values())
    }
