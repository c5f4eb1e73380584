"""Charges on foot (FBN-041 to FBN-045, FBN-143): straight, into contact, and the last movement of an activation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from zareba.base.exact import atan2d, dist
from zareba.rules import procedure
from zareba.space.bearings import bearing_to
from zareba.space.geometry import Point, box_between, joint_box
from zareba.space.moves.contact import places_round
from zareba.table import Table
from zareba_rulesets.fixed_baynet.chapters.morale.glory import CHARGE, glory_event
from zareba_rulesets.fixed_baynet.chapters.movement.after_move import resolve_move
from zareba_rulesets.fixed_baynet.chapters.movement.manoeuvre import is_mover, movers, short_of_hidden
from zareba_rulesets.fixed_baynet.chapters.movement.movement import allowance, crowd_refusal, step_towards, way_refused
from zareba_rulesets.fixed_baynet.chapters.sight.contact import foes_in_reach, men_in_contact
from zareba_rulesets.fixed_baynet.chapters.sight.sight import sees
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.places import BESIDE, bases_near, open_ground
from zareba_rulesets.fixed_baynet.forces.units import Figure, FigureSpec, Unit, UnitSpec

__all__ = [
    "charge_targets",
    "charge_with_man",
    "charge_with_unit",
    "chargers",
    "contact_spot",
    "emit_charge",
    "may_charge_unit",
    "men_outdoors",
    "move_into_contact",
    "note_charge_gaps",
    "sort_by_distance",
    "spots_beside",
    "visible_contact_spot",
]

CONTACT_GAP = 0.001


def may_charge_unit(battle: Battle, unit: Unit) -> bool:
    """Return True if the unit may charge.

    A pinned unit may not by setting (FBN-231), nor one that falls back (FBN-160).
    """
    blocked = battle.book.settings.pinned_blocks_charge and "pinned" in unit.marks
    return not blocked and not unit.back


def chargers(battle: Battle, unit: Unit, near: float | None = None) -> list[Figure]:
    """Return the men who can charge: able to charge and not yet in contact.

    `near` is the distance to the nearest enemy in inches.
    """
    men = movers(battle, unit, charging=True)
    if not men:
        return men
    if near is None:
        near = min([away for away, _ in battle.foes(unit)], default=1e9)
    if near > (battle.book.indoors if battle.field.buildings else battle.book.in_touch):
        return men
    held = men_in_contact(battle, unit)
    return [man for man in men if man.spec.id not in held]


def charge_targets(
    battle: Battle, unit: Unit, foes: list[tuple[float, Unit]] | None = None, only: Figure | None = None
) -> Iterator[Unit]:
    """Yield the enemies a man on foot sees and can charge (FBN-041), not over dangerous ground (FBN-042).

    `foes` are the known enemies, if the caller has them. With `only`, ask for this man alone; he may leave an enemy in
    contact for another he can reach (FBN-051).
    """
    if not may_charge_unit(battle, unit):
        return
    foes = battle.foes(unit) if foes is None else foes
    men = chargers(battle, unit, min([away for away, _ in foes], default=1e9))
    touches = False
    if only is not None:
        touches = only.spec.id in men_in_contact(battle, unit)
        may_leave = not touches or battle.book.settings.leave_contact == "free"
        men = [only] if may_leave and is_mover(battle, only, charging=True) else []
    if not men:
        return
    reach = max([charge_reach(battle, man) for man in men]) + battle.book.between_men
    for away, target in foes:
        near = away <= reach and _in_charge_reach(battle, unit, men, target, reach)
        if near and (not touches or visible_contact_spot(battle, unit, men[0], target) is not None):
            yield target


def charge_reach(battle: Battle, man: Figure) -> int:
    """Return the inches a man may charge, in one movement action or, by setting, in all that he has left (FBN-041)."""
    inches = allowance(battle, man, charging=True)
    if battle.book.settings.charge_actions == 1:
        return inches
    return inches * min(man.ac, battle.book.moves_limit - man.moves)


def _in_charge_reach(battle: Battle, unit: Unit, men: Sequence[Figure], target: Unit, reach: float) -> bool:
    """Return True if one of these men sees a man of the target, out of doors and within reach."""
    scene = battle.field.view(joint_box(unit.box, target.box))
    outside = [foe for foe in target.figures.values() if not foe.place]
    square = reach * reach
    for man in men:
        x, y = man.x, man.y
        for foe in outside:
            dx, dy = foe.x - x, foe.y - y
            if dx * dx + dy * dy <= square and sees(battle, man, foe, scene) and _is_way_safe(battle, man, foe):
                return True
    return False


def _is_way_safe(battle: Battle, man: Figure, foe: Figure) -> bool:
    """Return True if some straight way into contact is clear of dangerous ground (FBN-042)."""
    if not battle.field.has_dangers:
        return True
    reach, towards = battle.radius(man) + battle.radius(foe), atan2d(man.x - foe.x, man.y - foe.y)
    return any(
        not battle.field.leg(man.at, spot, man.mounted).dangerous
        for spot in places_round(foe.at, reach, towards, BESIDE)
    )


def sort_by_distance(men: Sequence[Figure], target: Unit) -> list[Figure]:
    """Return the men sorted by their distance from the nearest man of the target."""
    foes = list(target.figures.values())
    return sorted(men, key=lambda man: min((dist(man.at, foe.at) for foe in foes), default=0.0))


@procedure("charge.unit")
def charge_with_unit(table: Table, battle: Battle, unit: Unit, target: Unit) -> int:
    """Charge a target with every man of the unit who can, nearest first. Return the number of men in contact.

    A charge of the whole unit keeps its formation. A charge that falls short still counts as a charge (FBN-044).
    """
    men = sort_by_distance(chargers(battle, unit), target)
    starts = [man.at for man in men]
    contacts = sum(charge_with_man(battle, unit, man, target) for man in men)
    unit.measure()
    if unit.shape in ("closed", "mass"):
        unit.mark("cluster")  # FBN-059
    note_charge_gaps(battle, unit, men)
    emit_charge(table, "FBN-041", battle, unit.spec, target, men, contacts)
    glory_event(table, battle, unit, CHARGE)
    still = [(man, start) for man, start in zip(men, starts, strict=True) if man.spec.id in unit.figures]
    resolve_move(table, battle, unit, [man for man, _ in still], [start for _, start in still])
    return contacts


def emit_charge(
    table: Table,
    rule: str,
    battle: Battle,
    who: UnitSpec | FigureSpec,
    target: Unit,
    men: Sequence[Figure],
    contacts: int,
) -> None:
    """Emit the event of a charge: the chargers, and how many are in contact or in weapon reach (FBN-103)."""
    reach = sum(bool(foes_in_reach(battle, man, who.side)) for man in men)
    table.emit(
        "charge",
        rule,
        unit=who.id,
        target=target.spec.id,
        contacts=contacts,
        men=len(men),
        reach=max(0, reach - contacts),
    )


def note_charge_gaps(battle: Battle, unit: Unit, men: Sequence[Figure]) -> None:
    """Mark the formation of a charging unit for a test.

    A charge keeps the formation unless men stayed behind or the unit was in square (FBN-060, FBN-272).
    """
    charging = {man.spec.id for man in men}
    stayed = {key for key, man in unit.figures.items() if man.steady and not man.place and key not in charging}
    if unit.shape == "square" or (stayed and not stayed <= men_in_contact(battle, unit)):
        unit.mark("loose")


def charge_with_man(battle: Battle, unit: Unit, man: Figure, target: Unit) -> bool:
    """Charge with one man: straight into contact with a man of the target, or as far as he gets (FBN-043, FBN-044).

    Return True if he makes contact.
    """
    foes = men_outdoors(man, target)
    spot = visible_contact_spot(battle, unit, man, target)
    if spot is not None:
        man.facing = bearing_to(man.at, spot)
        home = move_into_contact(battle, unit, man, spot)
        man.ac -= 1
        man.moves += 1
        man.mark("charged", "moved")
        return home
    if not foes or step_towards(battle, unit, man, foes[0].at, charging=True) == 0:
        man.ac -= 1  # hemmed in: he stays where he is, but the action is spent
        man.moves += 1
    man.mark("charged")
    return False


def move_into_contact(battle: Battle, unit: Unit, man: Figure, spot: Point) -> bool:
    """Put a charging man on his contact spot. Return False if hidden enemies stop him short of it."""
    way = spot[0] - man.x, spot[1] - man.y
    short = short_of_hidden(battle, unit, [man], *way)
    battle.put(man, *(spot if short == way else (man.x + short[0], man.y + short[1])))
    return short == way


def visible_contact_spot(battle: Battle, unit: Unit, man: Figure, target: Unit) -> Point | None:
    """Return where a man makes contact with the nearest enemy he sees and reaches, or None if he falls short."""
    scene = battle.field.view(joint_box(unit.box, target.box))
    seen = (foe for foe in men_outdoors(man, target) if sees(battle, man, foe, scene))
    return contact_spot(battle, unit, man, seen)


def men_outdoors(man: Figure, target: Unit) -> list[Figure]:
    """Return the men of a unit who are not in a building, nearest to a man first."""
    foes = [foe for foe in target.figures.values() if not foe.place]
    return sorted(foes, key=lambda foe: dist(man.at, foe.at))


def contact_spot(battle: Battle, unit: Unit, man: Figure, foes: Iterable[Figure]) -> Point | None:
    """Return the nearest free spot in contact with one of these enemies that a straight charge reaches, or None."""
    most = allowance(battle, man, charging=True)
    for foe in foes:
        for spot in spots_beside(battle, unit, man, foe, most):
            far = dist(spot, man.at) > most
            if not far and way_refused(battle, man, spot, charging=True) is None:
                return spot
    return None


def spots_beside(
    battle: Battle, unit: Unit, man: Figure, foe: Figure, most: float, sides: int | None = None
) -> Iterator[Point]:
    """Yield the free spots where a man who charges straight is in contact with an enemy, the near side first.

    Yields nothing if the enemy is more than `most` inches away or already in contact. `sides` limits the number of
    spots tried.
    """
    radius, start = battle.radius(man), man.at
    reach = radius + battle.radius(foe) + CONTACT_GAP
    away = dist(man.at, foe.at)
    if away - reach > most or away <= reach + battle.book.contact:
        return
    box = box_between(man.at, foe.at)
    beside = reach + radius + battle.book.between_bases / 2  # inches to the centre of a figure that blocks a spot
    bases = bases_near(battle, box, beside, {man.spec.id}, unit.spec.side)
    for spot in places_round(foe.at, reach, atan2d(man.x - foe.x, man.y - foe.y), BESIDE[:sides]):
        way = (spot[0] - man.x, spot[1] - man.y)
        refused = crowd_refusal(battle, unit.spec.side, [start], way, radius, bases, contact=True)
        if refused is None and open_ground(battle, *spot):
            yield spot
