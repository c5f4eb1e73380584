"""Eligibility for battle: which units may battle which targets, and with how many dice (chapter 10)."""

from __future__ import annotations

from functools import partial
from typing import Any, TypeAlias

from zareba.space.lazy import Lazy, LazyBetween
from zareba.table import Table
from zareba_rulesets.afriboria.chapters.battle.exchange import DiceFacts
from zareba_rulesets.afriboria.chapters.sight.sight import sees
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.companies import pace
from zareba_rulesets.afriboria.forces.pieces import Flier, Unit
from zareba_rulesets.afriboria.forces.platoons import same_platoon
from zareba_rulesets.afriboria.forces.weapon_range import reach_of, row_at

__all__ = [
    "Strikes",
    "bonus_dice",
    "candidates",
    "dice_facts",
    "dice_of",
    "is_covered",
    "may_battle",
    "may_strike",
    "nearest_attacker",
    "officer_lends",
    "origin_of_attack",
    "pick_defender",
    "rained_off",
    "spend_battle",
    "strikes_of",
    "targets",
]


# --- who may battle ---------------------------------------------------------------------------------------------------------


def may_battle(battle: Battle, unit: Unit) -> bool:
    """Return True if an ordered unit may battle this turn, whether or not it has a target (AFR-062, AFR-147, AFR-162,
    AFR-315).
    """
    marks = unit.marks
    if "done" in marks or "no_battle" in marks or "unexposed" in marks:
        return False
    limit = unit.profile.battle_move
    if "company" in marks:
        limit = min(limit, pace(battle, unit, to_battle=True))
    if unit.moved > limit or not unit.profile.dice:
        return False
    return "battle" in marks or _company_right(battle, unit)


def _company_right(battle: Battle, unit: Unit) -> bool:
    """Return True if its company has a battle left for a unit of the card's colour, or a platoon with one (AFR-114,
    AFR-123).
    """
    if "company" not in unit.marks:
        return False
    company = battle.company_of(unit)
    if company is None or company.rights <= 0:
        return False
    colours = battle.book.cards[battle.card].orders if battle.card else {}
    if "any" in colours or unit.spec.colour in colours:
        return True
    if unit.hex != battle.commanders[company.officer].hex:
        return False
    return any(other.company == unit.company and other.spec.colour in colours for other in battle.units_in(unit.hex))


def spend_battle(battle: Battle, unit: Unit) -> None:
    """Use up the right to battle; a company's right serves a whole platoon of its officer (AFR-114, AFR-123)."""
    if "battle" not in unit.marks:
        company = battle.company_of(unit)
        assert company is not None, "only a company gives a battle to a unit without one"
        company.rights -= 1
        if unit.hex == battle.commanders[company.officer].hex:
            for other in battle.units_in(unit.hex):
                if other.company == unit.company and other is not unit:
                    other.mark("battle")
    unit.mark("done")


# --- at whom -----------------------------------------------------------------------------------------------------------------


Strikes: TypeAlias = Lazy[tuple[int, int], bool]
"""True for a pair of hexes if a unit may strike from the first at the second, whatever is there."""


def strikes_of(battle: Battle, unit: Unit) -> Strikes:
    """Return the hexes at which a unit may strike, computed when a pair is first looked up."""
    return LazyBetween(partial(may_strike, battle, unit))


def targets(
    battle: Battle, unit: Unit, second: bool = False, *, first: bool = False, strikes: Strikes | None = None
) -> list[tuple[str, Any]]:
    """Return the targets that a unit may battle now: ("hex", hex) of enemy units, ("commander", id).

    They are in range and sight (AFR-152, AFR-162, AFR-170), with at least one die (AFR-182). A `second` fire needs
    range 2 or more (AFR-165). `first`: stop at the first hex found. A commander with a unit in his hex is not a target
    (AFR-206). The chapters on sieges and air list structures and aircraft.
    """
    side = unit.spec.side
    min_distance = 2 if second else 1
    found: list[tuple[str, Any]] = []
    distance, enemy = battle.field.distance, battle.field.enemy(side)
    reach, profile = reach_of(battle, unit), unit.profile
    rows = [(origin, distance[origin]) for origin in unit.hexes]
    for cell in battle.cells_of(enemy):
        for origin, hex_distance in rows:
            if min_distance <= hex_distance[cell] <= reach and candidates(battle, unit, origin, cell, strikes):
                found.append(("hex", cell))
                if first:
                    return found
                break
    if profile.storms:
        for chief in battle.side_commanders(enemy):
            cell = chief.hex
            if cell not in battle.here and origin_of_attack(battle, unit, cell, min_distance) is not None:
                found.append(("commander", chief.spec.id))
    return found


def origin_of_attack(battle: Battle, unit: Unit, cell: int, min_distance: int = 1) -> int | None:
    """Return the hex from which a unit attacks a lone piece: its own, or that of the nearest section that can
    (AFR-322).
    """
    distance = battle.field.distance[cell]
    for origin in sorted(unit.hexes, key=lambda hex: distance[hex]):
        is_in_reach = min_distance <= distance[origin] <= reach_of(battle, unit)
        if is_in_reach and may_strike(battle, unit, origin, cell) and dice_of(battle, unit, origin, cell) > 0:
            return origin
    return None


def nearest_attacker(battle: Battle, unit: Unit, cell: int) -> int:
    """Return the same for a battle in progress, which may be the second of a double fire."""
    origin = origin_of_attack(battle, unit, cell, min_distance=2 if unit.shots else 1)
    assert origin is not None, "who is alone in a hex is a target only where he can be attacked from"
    return origin


def candidates(battle: Battle, unit: Unit, origin: int, cell: int, strikes: Strikes | None = None) -> list[Unit]:
    """Return the enemy units in a hex that a unit may battle from `origin`; `strikes` is its line of fire, if already
    known.
    """
    distance = battle.field.distance[origin][cell]
    if not (may_strike(battle, unit, origin, cell) if strikes is None else strikes[origin, cell]):
        return []
    far = distance >= 2
    again = battle.book.settings.double_fire_targets == "any"
    found = []
    for target in battle.units_in(cell):
        if (far and "engaged" in target.marks) or "unexposed" in target.marks:  # AFR-168, AFR-315
            continue
        if target.spec.id in unit.battled and not (far and again and unit.shots):  # AFR-164, AFR-166
            continue
        if not is_covered(battle, target):
            found.append(target)
    return found if found and dice_of(battle, unit, origin, cell) > 0 else []


def may_strike(battle: Battle, unit: Unit, origin: int, cell: int) -> bool:
    """Return True if sight, ground and the events in force allow an attack on a hex (AFR-134, AFR-152, AFR-159)."""
    far = battle.field.distance[origin][cell] >= 2
    if far and ("no_far" in unit.marks or battle.in_force("ev_sandstorm")):
        return False
    gun = battle.book.counts_as_gun(unit.profile)
    if battle.ground(cell).shelters(battle.field.distance[origin][cell], walks=unit.profile.walks, gun=gun):
        return False
    return not far or sees(battle, origin, cell, unit.spec.side if gun else "")


def is_covered(battle: Battle, target: Unit) -> bool:
    """Return True if heavy guns are protected by a unit of their platoon or company (AFR-320).

    The covering unit is in their hex, or adjacent where a hex holds one unit.
    """
    if not target.profile.covered:
        return False
    units_fill_hexes = battle.book.room == 1
    cells = (target.hex, *battle.field.near[target.hex]) if units_fill_hexes else (target.hex,)
    for cell in cells:
        for other in battle.units_in(cell):
            if other.spec.side != target.spec.side or other.profile.covered:  # itself among them
                continue
            company = battle.company_of(target)
            if company is not None and target.company == other.company:
                return True
            if same_platoon(battle, target, other):
                return True
    return False


def pick_defender(table: Table, battle: Battle, attacker: Unit | Flier, cell: int, found: list[Unit]) -> Unit:
    """Choose the unit that takes the attack: of different types the defender chooses, of one type the attacker
    (AFR-169).
    """
    if len(found) == 1:
        return found[0]
    alike = len({target.profile.type for target in found}) == 1
    seat, actor = attacker.spec.side if alike else found[0].spec.side, attacker.spec.id
    names = [target.spec.id for target in found]
    chosen = table.choose(seat, names, why="which unit is attacked", rule="AFR-169", actor=actor, about=(cell,))
    return battle.units[chosen]


# --- how many dice ------------------------------------------------------------------------------------------------------------


def officer_lends(battle: Battle, unit: Unit, origin: int) -> bool:
    """Return True if the officer in this hex lends, or can still lend, the unit his die (AFR-124, AFR-183, AFR-302).

    He does so with or without an order (AFR-109). NCOs never do (AFR-125).
    """
    chief = battle.commander_in(origin)
    if chief is None or not chief.spec.officer or not chief.spec.bonus or chief.spec.side != unit.spec.side:
        return False
    return unit.profile.aided and chief.supports in ("", unit.spec.id)


def rained_off(battle: Battle, side: str, distance: int) -> int:
    """Return the dice that rain takes from a side's battles beyond the next hex (AFR-340)."""
    wet = distance >= 2 and battle.active == side and battle.in_force("ev_rain")
    return battle.book.file.events["ev_rain"].dice if wet else 0


def bonus_dice(battle: Battle, unit: Unit, kind: str) -> int:
    """Return the extra dice of the card in play for a battle of a kind, "close" or "far" (AFR-342).

    New ammunition adds dice to the unit's first battle of any kind.
    """
    marks = unit.marks
    dice = battle.book.cards[battle.card].dice if kind in marks else 0
    return dice + battle.book.file.events["ev_ammunition"].dice if "first" in marks else dice


def dice_facts(battle: Battle, unit: Unit, origin: int, cell: int) -> DiceFacts:
    """Return the facts for the number of dice of an attack on a hex (Table 6).

    Only the target's ground counts (AFR-145, AFR-188); losses do not (AFR-181).
    """
    distance = battle.field.distance[origin][cell]
    profile = unit.profile
    bonus = bonus_dice(battle, unit, "close" if distance == 1 else "far")
    card = bonus - rained_off(battle, unit.spec.side, distance)
    here = battle.ground(origin)
    return DiceFacts(
        row=row_at(profile.dice, distance),
        range=distance,
        lancers=unit.spec.lancers and unit.mounted,
        officer=origin in battle.chiefs and officer_lends(battle, unit, origin),
        hilltop=origin in battle.field.hilltops and not profile.no_hilltop and battle.book.counts_as_gun(profile),
        card=card,
        partly_armed=unit.partly_armed,
        ladders=unit.ladders,
        hampered=here.hampers,
        cover=battle.ground(cell).cover[not profile.storms][here.hill],
    )


def dice_of(battle: Battle, unit: Unit, origin: int, cell: int) -> int:
    """Return the number of dice of an attack on a hex; 0 if none are left (AFR-182)."""
    return battle.book.rules.tally("battle_dice", dice_facts(battle, unit, origin, cell), battle, unit).total
