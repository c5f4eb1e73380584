"""Mounted charges (FBN-180, FBN-181): at canter or gallop, straight from the last turn, into contact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from zareba.base.exact import asind, atan2d, hypot
from zareba.rules import procedure
from zareba.space.bearings import angle_between, bearing_to
from zareba.space.geometry import Point, joint_box
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.numbers import CANTER
from zareba_rulesets.fixed_baynet.chapters.cavalry.cavalry import raise_ridden_at, spend_ride
from zareba_rulesets.fixed_baynet.chapters.cavalry.gaits import (
    FRESH,
    Ridden,
    allowed_gaits,
    most_of,
    ride_refused,
    turn_cost,
)
from zareba_rulesets.fixed_baynet.chapters.melee.charges import (
    CONTACT_GAP,
    emit_charge,
    men_outdoors,
    move_into_contact,
    note_charge_gaps,
    sort_by_distance,
    spots_beside,
)
from zareba_rulesets.fixed_baynet.chapters.morale.glory import CHARGE, glory_event
from zareba_rulesets.fixed_baynet.chapters.movement.after_move import resolve_move
from zareba_rulesets.fixed_baynet.chapters.sight.sight import sees
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["charge_spot", "mounted_charge", "ride_targets"]

NEAREST, SIDES = 2, 5


def ride_targets(
    battle: Battle, unit: Unit, men: Sequence[Figure], foes: list[tuple[float, Unit]] | None = None
) -> Iterator[tuple[Unit, int]]:
    """Yield the enemy units a rider can charge, each with the gait: canter or gallop (FBN-180).

    `foes` are the known enemies, if the caller has them.
    """
    if not men or (battle.book.settings.pinned_blocks_charge and "pinned" in unit.marks) or unit.back:
        return
    gaits = sorted({gait for man in men for gait in allowed_gaits(battle.book, man) if gait >= CANTER})
    if not gaits:
        return
    reach = most_of(battle.book, gaits[-1], 0, True) + 3
    for away, foe in battle.foes(unit) if foes is None else foes:
        if away <= reach:
            for gait in gaits:
                if any(charge_spot(battle, unit, man, foe, gait) is not None for man in men):
                    yield foe, gait


def charge_spot(
    battle: Battle, unit: Unit, man: Figure, target: Unit, gait: int, ridden: Ridden = FRESH
) -> Point | None:
    """Return a free spot in contact that a straight ride at this gait reaches, or None (FBN-180, FBN-181)."""
    start, most = man.at, most_of(battle.book, gait, 0, True)
    near = (foe for foe in men_outdoors(man, target) if _is_in_reach(battle, man, foe, gait, most, ridden))
    foes = list(islice(near, NEAREST))
    if not foes:
        return None
    scene = battle.field.scene(joint_box(unit.box, target.box))
    for foe in foes:
        if sees(battle, man, foe, scene):
            for spot in spots_beside(battle, unit, man, foe, most, SIDES):
                if ride_refused(battle, man, (start, spot), gait, charging=True, ridden=ridden) is None:
                    return spot
    return None


def _is_in_reach(battle: Battle, man: Figure, foe: Figure, gait: int, most: float, ridden: Ridden) -> bool:
    """Return True if some ride into contact fits the limits of a gait (FBN-174, FBN-175, FBN-181)."""
    book = battle.book
    across, along = foe.x - man.x, foe.y - man.y
    away, touch = hypot(across, along), battle.radius(man) + battle.radius(foe) + CONTACT_GAP
    if away <= touch:
        return False
    if ridden.inches + away + touch < book.gaits[gait].least and not book.settings.contact_excuses_minimum:
        return False
    aside = asind(touch / away)  # a rider can touch him while passing his centre by at most this angle
    turn = angle_between(man.facing, atan2d(across, along)) - aside
    price = turn_cost(book, gait, [turn]) if turn > 0 else 0.0
    return ridden.inches + ridden.turns + away - touch + price <= most + 1e-6


@procedure("cavalry.charge")
def mounted_charge(
    table: Table,
    battle: Battle,
    unit: Unit,
    men: Sequence[Figure],
    target: Unit,
    gait: int,
    ridden: Ridden = FRESH,
) -> int:
    """Charge with each rider who reaches a man of the target, and return the number of riders in contact (FBN-180)."""
    contacts, moved, starts = 0, [], []
    for man in sort_by_distance(men, target):
        spot = charge_spot(battle, unit, man, target, gait, ridden)
        if spot is None:
            continue
        start = man.at
        way = bearing_to(man.at, spot)
        contacts += move_into_contact(battle, unit, man, spot)
        spend_ride(man, gait, way)
        man.mark("charged")
        moved.append(man)
        starts.append(start)
        unit.measure()
    if moved:
        if unit.shape in ("closed", "mass") and len(men) > 1:
            unit.mark("cluster")  # a single rider is no cluster, as on foot (FBN-059)
        note_charge_gaps(battle, unit, moved)
        emit_charge(table, "FBN-180", battle, unit.spec, target, moved, contacts)
        glory_event(table, battle, unit, CHARGE)
        resolve_move(table, battle, unit, moved, starts)
        raise_ridden_at(table, battle, unit)
    return contacts
