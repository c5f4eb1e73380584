"""Combat: the units that may battle, their targets and dice, and the battle of one unit (chapters 10 to 13)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from zareba.rules import procedure
from zareba.space.lazy import Lazy, LazyBetween
from zareba.table import Table
from zareba_rulesets.afriboria.chapters.exchange import (
    DiceFacts,
    Exchange,
    ExchangeFacts,
    answer_flags,
    attack,
    attack_commander,
    defend,
)
from zareba_rulesets.afriboria.chapters.losses import lose_commander, lose_figures
from zareba_rulesets.afriboria.chapters.retreat import (
    commander_withdrawals,
    may_withdraw,
    retreat,
    retreat_commander,
    withdraw,
)
from zareba_rulesets.afriboria.chapters.sight import sees
from zareba_rulesets.afriboria.forces.battle import Battle, reach_of, row_at
from zareba_rulesets.afriboria.forces.companies import company_pace, same_platoon
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Flier, Unit

# --- Eligibility for battle: which units may battle which targets, and with how many dice (chapter 10) ----------------


# --- who may battle ---------------------------------------------------------------------------------------------------


def may_battle(battle: Battle, unit: Unit) -> bool:
    """Return True if an ordered unit may battle this turn, whether or not it has a target (AFR-062, AFR-147, AFR-162,
    AFR-315).
    """
    marks = unit.marks
    if "done" in marks or "no_battle" in marks or "unexposed" in marks:
        return False
    limit = unit.profile.battle_move
    if "company" in marks:
        limit = min(limit, company_pace(battle, unit, to_battle=True))
    if unit.moved > limit or not unit.profile.dice:
        return False
    return "battle" in marks or _company_has_battle_left(battle, unit)


def _company_has_battle_left(battle: Battle, unit: Unit) -> bool:
    """Return True if the unit's company may still battle with it this turn (AFR-114, AFR-123).

    The card must have the colour of the unit, or of another unit in its platoon.
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


# --- targets ----------------------------------------------------------------------------------------------------------


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
    found_targets: list[tuple[str, Any]] = []
    distance, enemy = battle.field.distance, battle.field.enemy(side)
    reach, profile = reach_of(battle, unit), unit.profile
    distances_from = [(origin, distance[origin]) for origin in unit.hexes]
    for cell in battle.hexes_held_by(enemy):
        for origin, distances in distances_from:
            if min_distance <= distances[cell] <= reach and attackable_units(battle, unit, origin, cell, strikes):
                found_targets.append(("hex", cell))
                if first:
                    return found_targets
                break
    if profile.storms:
        for chief in battle.side_commanders(enemy):
            cell = chief.hex
            if cell not in battle.here and origin_of_attack(battle, unit, cell, min_distance) is not None:
                found_targets.append(("commander", chief.spec.id))
    return found_targets


def has_target_from(battle: Battle, unit: Unit, origin: int) -> bool:
    """Return True if a unit would have an enemy unit as a target from a hex, as the units stand now (AFR-162)."""
    distances, reach = battle.field.distance[origin], reach_of(battle, unit)
    return any(
        1 <= distances[cell] <= reach and attackable_units(battle, unit, origin, cell)
        for cell in battle.hexes_held_by(battle.field.enemy(unit.spec.side))
    )


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


def attacking_hex(battle: Battle, unit: Unit, cell: int) -> int:
    """Return the hex from which a unit attacks a lone piece in its present battle, which may be the second of a double
    fire.
    """
    origin = origin_of_attack(battle, unit, cell, min_distance=2 if unit.shots else 1)
    assert origin is not None, "a lone piece is a target only if it can be attacked"
    return origin


def attackable_units(battle: Battle, unit: Unit, origin: int, cell: int, strikes: Strikes | None = None) -> list[Unit]:
    """Return the enemy units in a hex that a unit may battle from `origin`.

    `strikes` caches the results of `may_strike`, if the caller has such a cache.
    """
    distance = battle.field.distance[origin][cell]
    if not (may_strike(battle, unit, origin, cell) if strikes is None else strikes[origin, cell]):
        return []
    is_far = distance >= 2
    same_target_allowed = battle.book.settings.double_fire_targets == "any"
    units = []
    for target in battle.units_in(cell):
        if (is_far and "engaged" in target.marks) or "unexposed" in target.marks:  # AFR-168, AFR-315
            continue
        if target.spec.id in unit.battled and not (is_far and same_target_allowed and unit.shots):  # AFR-164, AFR-166
            continue
        if not is_covered(battle, target):
            units.append(target)
    return units if units and dice_of(battle, unit, origin, cell) > 0 else []


def may_strike(battle: Battle, unit: Unit, origin: int, cell: int) -> bool:
    """Return True if sight, ground and the events in force allow an attack on a hex (AFR-134, AFR-152, AFR-159)."""
    is_far = battle.field.distance[origin][cell] >= 2
    if is_far and ("no_far" in unit.marks or battle.in_force("ev_sandstorm")):
        return False
    is_gun = battle.book.counts_as_gun(unit.profile)
    if battle.ground(cell).shelters(battle.field.distance[origin][cell], walks=unit.profile.walks, gun=is_gun):
        return False
    return not is_far or sees(battle, origin, cell, unit.spec.side if is_gun else "")


def is_covered(battle: Battle, target: Unit) -> bool:
    """Return True if heavy guns are protected by a unit of their platoon or company (AFR-320).

    The covering unit is in their hex, or adjacent where a hex holds one unit.
    """
    if not target.profile.covered:
        return False
    units_fill_hexes = battle.book.room == 1
    cells = (target.hex, *battle.field.neighbours[target.hex]) if units_fill_hexes else (target.hex,)
    for cell in cells:
        for other in battle.units_in(cell):
            if other.spec.side != target.spec.side or other.profile.covered:  # also skips the target itself
                continue
            company = battle.company_of(target)
            if company is not None and target.company == other.company:
                return True
            if same_platoon(battle, target, other):
                return True
    return False


def choose_target_unit(table: Table, battle: Battle, attacker: Unit | Flier, cell: int, options: list[Unit]) -> Unit:
    """Choose the unit that takes the attack (AFR-169).

    The attacker chooses between units of one type, the defender between units of different types.
    """
    if len(options) == 1:
        return options[0]
    of_one_type = len({target.profile.type for target in options}) == 1
    seat, actor = attacker.spec.side if of_one_type else options[0].spec.side, attacker.spec.id
    names = [target.spec.id for target in options]
    chosen = table.choose(seat, names, why="which unit is attacked", rule="AFR-169", actor=actor, about=(cell,))
    return battle.units[chosen]


# --- how many dice ----------------------------------------------------------------------------------------------------


def officer_lends(battle: Battle, unit: Unit, origin: int) -> bool:
    """Return True if the officer in this hex lends, or can still lend, the unit his die (AFR-124, AFR-183, AFR-302).

    He does so with or without an order (AFR-109). NCOs never do (AFR-125).
    """
    chief = battle.commander_in(origin)
    if chief is None or not chief.spec.officer or not chief.spec.bonus or chief.spec.side != unit.spec.side:
        return False
    return unit.profile.aided and chief.supports in ("", unit.spec.id)


def dice_lost_to_rain(battle: Battle, side: str, distance: int) -> int:
    """Return the dice that rain takes from a side's battles beyond the next hex (AFR-340)."""
    is_wet = distance >= 2 and battle.active == side and battle.in_force("ev_rain")
    return battle.book.file.events["ev_rain"].dice if is_wet else 0


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
    card = bonus - dice_lost_to_rain(battle, unit.spec.side, distance)
    own_ground = battle.ground(origin)
    return DiceFacts(
        row=row_at(profile.dice, distance),
        range=distance,
        lancers=unit.spec.lancers and unit.mounted,
        officer=origin in battle.chiefs and officer_lends(battle, unit, origin),
        hilltop=origin in battle.field.hilltops and not profile.no_hilltop and battle.book.counts_as_gun(profile),
        card=card,
        partly_armed=unit.partly_armed,
        ladders=unit.ladders,
        hampered=own_ground.hampers,
        cover=battle.ground(cell).cover[not profile.storms][own_ground.hill],
    )


def dice_of(battle: Battle, unit: Unit, origin: int, cell: int) -> int:
    """Return the number of dice of an attack on a hex; 0 if none are left (AFR-182)."""
    return battle.book.rules.tally("battle_dice", dice_facts(battle, unit, origin, cell), battle, unit).total


# --- The battle of one unit against a ground target: the attack, the defence, the consequences (chapters 11 to 13) ----


STAND, WITHDRAW = "make a stand", "retreat voluntarily"
_LEND, _KEEP = "lend the die", "keep the die"


def defence_facts(battle: Battle, target: Unit, cell: int, origin: int) -> DiceFacts | None:
    """Return the facts of a unit's defence dice against an attack from `origin`; None if it has no defence (AFR-208).

    There is none in fast play (AFR-016), none for a unit out of sight in a fort (AFR-315), and only one a turn. The
    attacker must be within the unit's own row and in sight. A depression shelters the attacker as it would in an
    attack (AFR-214).
    """
    distance = battle.field.distance[cell][origin]
    profile = target.profile
    if not battle.book.defends:
        return None
    if "defended" in target.marks or "unexposed" in target.marks or distance > reach_of(battle, target):
        return None
    is_gun = battle.book.counts_as_gun(profile)
    if distance >= 2 and not sees(battle, cell, origin, target.spec.side if is_gun else ""):
        return None
    ground = battle.ground(origin)
    if battle.book.settings.defence_terrain == "dice" and ground.shelters(distance, walks=profile.walks, gun=is_gun):
        return None
    return DiceFacts(
        row=battle.book.file.defence_dice[profile.troop].dice,
        range=distance,
        officer=officer_lends(battle, target, cell),
        ladders=target.ladders,
        hampered=battle.ground(cell).hampers,
        cover=ground.cover[not profile.storms][battle.ground(cell).hill],
    )


def exchange_facts(
    battle: Battle, unit: Unit, origin: int, target: Unit, cell: int, dice: int, stands: bool
) -> ExchangeFacts:
    """Return the facts of an attack on a unit whose dice are counted.

    Of a spread unit, only the section attacked can be hit (AFR-327), and it alone defends (AFR-326). Range 1 is close
    combat for all (AFR-180).
    """
    profile, book = unit.profile, battle.book
    distance = battle.field.distance[origin][cell]
    figures = unit.sections.get(origin, unit.figures)
    partly = unit.partly_armed and (distance >= 2 or book.settings.partial_firearms_scope == "all")
    return ExchangeFacts(
        dice=dice,
        hits=profile.hits,
        close=distance == 1,
        figures=target.sections.get(cell, target.figures),
        strength=target.figures,
        jams=profile.jams,
        cap=min(figures, unit.firearms) if partly else figures,
        steady_above=book.threshold(target.profile, is_steadied(battle, target)),
        stubborn=battle.has_intact_structure(cell),
        inspired="inspired" in target.marks,
        sandbags="sandbags" in battle.ground(cell).kinds,
        stands=stands,
        answer=defence_facts(battle, target, cell, origin) if stands else None,
        defender_hits=target.profile.hits,
        attacker_class=profile.troop,
        attackers=figures,
    )


def is_steadied(battle: Battle, unit: Unit) -> bool:
    """Return True if an officer with the unit lowers the number above which it ignores flags (AFR-230).

    He may be in its hex or with one of its sections.
    """
    chiefs = (battle.commander_in(cell) for cell in unit.hexes)
    return any(chief is not None and chief.spec.officer and chief.spec.bonus for chief in chiefs)


# --- the battle itself ------------------------------------------------------------------------------------------------


def lend_die(
    table: Table,
    battle: Battle,
    unit: Unit,
    origin: int,
    cell: int,
    *,
    has_dice_without: Callable[[], bool] | None = None,
) -> None:
    """Decide at a unit's first battle if the officer lends his die to it or to another unit this turn (AFR-183).

    He must lend it if the unit could not fight without it (AFR-182). `has_dice_without` returns True if the sections
    of a wall have dice without the officer's; it is called only if another unit could have the die.
    """
    chief = battle.commander_in(origin)
    if chief is None or chief.supports or not officer_lends(battle, unit, origin):
        return
    other_units = [
        other
        for other in battle.units_in(origin)
        if other is not unit and may_battle(battle, other) and officer_lends(battle, other, origin)
    ]

    def has_dice() -> bool:
        without_officer = replace(dice_facts(battle, unit, origin, cell), officer=False)
        return int(battle.book.rules.tally("battle_dice", without_officer, battle, unit).total) > 0

    if other_units and (has_dice_without or has_dice)():
        choice = table.choose(unit.spec.side, (_LEND, _KEEP), why="officer's die", rule="AFR-183", actor=unit.spec.id)
        chief.supports = unit.spec.id if choice == _LEND else other_units[0].spec.id
    else:
        chief.supports = unit.spec.id


@procedure("battle.fight")
def fight_unit(table: Table, battle: Battle, unit: Unit, cell: int, only: Unit | None = None) -> Unit | None:
    """Battle the units of a hex, with all dice at one of them (AFR-167) and losses before retreats (AFR-236).

    `only` is the one unit there that it may battle (AFR-255). Return the unit that was attacked if it stood and so may
    be followed up (AFR-240), else None.
    """
    origin = unit.hex
    options = [only] if only is not None else attackable_units(battle, unit, origin, cell)
    target = choose_target_unit(table, battle, unit, cell, options)
    lend_die(table, battle, unit, origin, cell)
    battle.book.rules.show_range(table, (("", unit.reach),), unit, unit.kind, "")
    dice = table.tally("battle_dice", dice_facts(battle, unit, origin, cell), unit, target).total
    stands = offer_withdrawal(table, battle, target, unit.spec.id, "hex", cell)
    facts = exchange_facts(battle, unit, origin, target, cell, dice, stands)
    exchange = Exchange(unit.spec.id, target.spec.id, target.spec.side, facts=facts)
    close = facts.close
    if close:
        target.mark("engaged")
    unit.battled = (*unit.battled, target.spec.id)
    unit.unmark("first", *(() if close else ("far",)))
    attack(table, battle.book, exchange)
    emit_attack(table, exchange, cell)
    lose_figures(table, battle, target, exchange.kills, "melee" if close else "fire", "AFR-196", cell)
    if battle.over:
        return None
    if target.hex != OFF:
        strike_back(table, battle, unit, target, exchange, cell)
    if battle.over or target.hex == OFF:
        return None if battle.over else target
    retreat_after_attack(table, battle, target, exchange, cell)
    return target if stands else None


def offer_withdrawal(table: Table, battle: Battle, target: Unit, attacker: str, verb: str, cell: int) -> bool:
    """Ask the defender before the dice for a voluntary retreat (AFR-207). Return True if it stands.

    The defender knows the attacker and the kind of attack: `verb` is "hex" or "bomb", `cell` the hex attacked.
    """
    if not may_withdraw(battle, target):
        return True
    about = (attacker, verb, cell)
    choice = table.choose(
        target.spec.side, (STAND, WITHDRAW), why="defender", rule="AFR-207", actor=target.spec.id, about=about
    )
    return choice == STAND


def strike_back(
    table: Table, battle: Battle, unit: Unit, target: Unit, exchange: Exchange, cell: int, origin: int | None = None
) -> None:
    """Roll the defence of a unit attacked in `cell`, after removal and before retreats (AFR-210).

    It uses up the unit's defence of the turn, and the die of an officer who lends it (AFR-183).
    """
    defend(table, battle.book, exchange)
    if exchange.defended:
        target.mark("defended")
        if battle.book.settings.officer_die_in_defence:
            chief = battle.commander_in(cell)
            if chief is not None and officer_lends(battle, target, cell):
                chief.supports = target.spec.id
    if exchange.losses:
        lose_figures(
            table, battle, unit, exchange.losses, "melee" if exchange.facts.close else "fire", "AFR-212", origin
        )


def retreat_after_attack(table: Table, battle: Battle, target: Unit, exchange: Exchange, cell: int) -> None:
    """Make the retreat of a unit that was attacked in `cell` and survived (AFR-236).

    It is the voluntary retreat that the owner has chosen, or else the retreat for its flags.
    """
    if not exchange.facts.stands:
        withdraw(table, battle, target)
        return
    answer_flags(table, battle.book, exchange)
    retreat(table, battle, target, exchange.retreat, cell)


def emit_attack(table: Table, exchange: Exchange, cell: int) -> None:
    """Emit the event of an attack with its result."""
    facts = exchange.facts
    table.emit(
        "battle",
        "AFR-196",
        unit=exchange.attacker,
        target=exchange.defender,
        hex=cell,
        dice=facts.dice,
        close=facts.close,
        hits=exchange.hits,
        kills=exchange.kills,
        flags=exchange.flags,
        jammed=exchange.jammed,
    )


@procedure("battle.fight_commander")
def fight_commander(table: Table, battle: Battle, unit: Unit, chief: Commander, origin: int) -> bool:
    """Attack a commander without a unit in his hex (AFR-220, AFR-221). Return True if his hex may be followed into.

    A commander never strikes back (AFR-219, AFR-224).
    """
    cell = chief.hex
    lend_die(table, battle, unit, origin, cell)
    dice = table.tally("battle_dice", dice_facts(battle, unit, origin, cell), unit).total
    close = battle.field.distance[origin][cell] == 1
    stands = True
    if commander_withdrawals(battle, chief):
        about = (unit.spec.id, "commander", cell)
        choice = table.choose(
            chief.spec.side, (STAND, WITHDRAW), why="defender", rule="AFR-223", actor=chief.spec.id, about=about
        )
        stands = choice == STAND
    sandbags = "sandbags" in battle.ground(cell).kinds
    facts = ExchangeFacts(
        dice, "modern", close, 1, 1, stubborn=battle.has_intact_structure(cell), sandbags=sandbags, stands=stands
    )
    exchange = Exchange(unit.spec.id, chief.spec.id, chief.spec.side, facts=facts)
    unit.battled = (*unit.battled, chief.spec.id)
    unit.unmark("first", *(() if close else ("far",)))
    attack_commander(table, battle.book, exchange)
    is_hit = exchange.kills
    exchange.kills = 0 if chief.spec.character else is_hit  # a character lives on (AFR-225)
    emit_attack(table, exchange, cell)
    if is_hit:
        lose_commander(table, battle, chief, "killed", "AFR-222", "melee" if close else "fire")
        if battle.over or chief.hex == OFF:
            return not battle.over
    if not stands:
        retreat_commander(table, battle, chief, 1, forced=False)
        return False
    answer_flags(table, battle.book, exchange)
    retreat_commander(table, battle, chief, exchange.retreat)
    return not battle.over
