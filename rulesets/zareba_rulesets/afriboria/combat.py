"""Battle of one unit against what stands on the ground (chapters 10 to 13): who may, at whom, how many dice, what follows."""

from __future__ import annotations

from typing import Any

from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.battle import OFF, Battle, Commander, Unit
from zareba_rulesets.afriboria.companies import pace
from zareba_rulesets.afriboria.exchange import (
    DiceFacts,
    Exchange,
    ExchangeFacts,
    answer_flags,
    attack,
    attack_commander,
    defend,
)
from zareba_rulesets.afriboria.losses import fall, lose
from zareba_rulesets.afriboria.retreat import commander_hexes, may_withdraw, retreat, retreat_commander, withdraw
from zareba_rulesets.afriboria.sight import counts_as_gun, sees

__all__ = [
    "STAND", "WITHDRAW", "candidates", "defence_facts", "dice_facts", "exchange_facts", "fight_commander", "fight_unit",
    "is_covered", "may_battle", "may_strike", "pick_defender", "spend_battle", "targets",
]  # fmt: skip

STAND, WITHDRAW = "make a stand", "retreat voluntarily"
LEND, KEEP = "lend the die", "keep the die"


# --- who may battle ---------------------------------------------------------------------------------------------------------


def may_battle(battle: Battle, unit: Unit) -> bool:
    """Whether an ordered unit may battle at all this turn, its targets apart (AFR-062, AFR-147, AFR-162, AFR-315)."""
    marks = unit.marks
    if unit.hex == OFF or "done" in marks or "no_battle" in marks or "unexposed" in marks:
        return False
    limit = unit.profile.battle_move
    if "company" in marks:
        limit = min(limit, pace(battle, unit, to_battle=True))
    if unit.moved > limit or not unit.profile.dice:
        return False
    return "battle" in marks or _company_right(battle, unit)


def _company_right(battle: Battle, unit: Unit) -> bool:
    """AFR-114: its company still has a battle left, for a unit of the card's colour."""
    if "company" not in unit.marks:
        return False
    company = battle.company_of(unit)
    colours = battle.book.cards[battle.card].orders if battle.card else {}
    return company is not None and company.rights > 0 and ("any" in colours or unit.spec.colour in colours)


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


def targets(battle: Battle, unit: Unit, second: bool = False) -> list[tuple[str, Any]]:
    """What a unit may battle now: ("hex", hex) of enemy units, ("commander", id), ("structure", hex).

    In range and sight (AFR-152, AFR-162, AFR-170), with at least one die (AFR-182). A `second` fire needs range 2 or
    more (AFR-165). A commander with a unit in his hex is no target (AFR-206). Aircraft are listed by the chapter on air.
    """
    side = unit.spec.side
    least = 2 if second else 1
    found: list[tuple[str, Any]] = []
    units, distance = battle.units, battle.field.distance
    reach = unit.reach
    for cell in sorted(battle.here):
        if units[battle.here[cell][0]].spec.side == side:
            continue
        for origin in unit.hexes:
            if least <= distance[origin, cell] <= reach and candidates(battle, unit, origin, cell):
                found.append(("hex", cell))
                break
    if unit.profile.storms:
        for chief in battle.side_commanders(battle.field.enemy(side)):
            cell = chief.hex
            if cell in battle.here or not least <= distance[unit.hex, cell] <= reach:
                continue
            if may_strike(battle, unit, unit.hex, cell) and _dice(battle, unit, unit.hex, cell) > 0:
                found.append(("commander", chief.spec.id))
    if unit.profile.bombards:
        found += [
            ("structure", cell)
            for cell in battle.structures
            if battle.standing(cell)
            and battle.field.structures[cell].side != side
            and least <= distance[unit.hex, cell] <= reach
            and may_strike(battle, unit, unit.hex, cell)
        ]
    return found


def candidates(battle: Battle, unit: Unit, origin: int, cell: int) -> list[Unit]:
    """The enemy units in a hex that a unit may battle from `origin` (P4 step 1)."""
    distance = battle.field.distance[origin, cell]
    if not may_strike(battle, unit, origin, cell):
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
    return found if found and _dice(battle, unit, origin, cell) > 0 else []


def may_strike(battle: Battle, unit: Unit, origin: int, cell: int) -> bool:
    """Sight, the ground and the events in force, whatever the target (AFR-134, AFR-152, AFR-159)."""
    far = battle.field.distance[origin, cell] >= 2
    if far and ("no_far" in unit.marks or battle.in_force("ev_sandstorm")):
        return False
    gun = counts_as_gun(battle, unit)
    if battle.ground(cell).infantry_only and not gun and (far or not unit.profile.walks):
        return False
    return not far or sees(battle, origin, cell, unit.spec.side if gun else "")


def is_covered(battle: Battle, target: Unit) -> bool:
    """Heavy guns are safe while a unit of their formation covers them: in their hex, or beside it where a hex holds one
    unit (AFR-320)."""
    if not target.profile.covered:
        return False
    apart = battle.book.settings.room == 1
    cells = (target.hex, *battle.field.near[target.hex]) if apart else (target.hex,)
    for cell in cells:
        for other in battle.units_in(cell):
            if other is target or other.spec.side != target.spec.side or other.profile.covered:
                continue
            company = battle.company_of(target)
            if company is not None and target.company == other.company:
                return True
            if target.hex in battle.chiefs or (apart and other.hex in battle.chiefs):
                return True
    return False


def pick_defender(table: Table, battle: Battle, unit: Unit, cell: int, found: list[Unit]) -> Unit:
    """AFR-169: of two units of different types the defender says which takes the attack, of one type the attacker."""
    if len(found) == 1:
        return found[0]
    alike = len({target.profile.type for target in found}) == 1
    seat = unit.spec.side if alike else found[0].spec.side
    names = [target.spec.id for target in found]
    chosen = table.choose(seat, names, why="which unit is attacked", rule="AFR-169", actor=unit.spec.id, about=(cell,))
    return battle.units[chosen]


# --- how many dice ------------------------------------------------------------------------------------------------------------


def _officer_die(battle: Battle, unit: Unit, origin: int) -> bool:
    """Whether the officer in this hex lends, or still can lend, the unit his die (AFR-124, AFR-183, AFR-302)."""
    chief = battle.commander_in(origin)
    if chief is None or not chief.spec.officer or not chief.spec.bonus or chief.spec.side != unit.spec.side:
        return False
    helps = unit.profile.arm in ("infantry", "mounted", "dismounted") and unit.profile.troop != "N"
    return helps and chief.supports in ("", unit.spec.id)


def _is_gun(unit: Unit) -> bool:
    return unit.profile.arm not in ("infantry", "mounted", "dismounted")


def dice_facts(battle: Battle, unit: Unit, origin: int, cell: int) -> DiceFacts:
    """The facts of the number of dice of an attack on a hex (Table 6); only the target's ground counts (AFR-145)."""
    distance = battle.field.distance[origin, cell]
    marks, profile = unit.marks, unit.profile
    if distance == 1:
        card = ("close" in marks) + ("first" in marks)
    else:
        card = ("far" in marks) + ("first" in marks) - (battle.in_force("ev_rain") and battle.active == unit.spec.side)
    return DiceFacts(
        row=profile.dice[distance - 1],
        range=distance,
        lancers=unit.spec.lancers and unit.mounted,
        officer=_officer_die(battle, unit, origin),
        hilltop=counts_as_gun(battle, unit) and not profile.no_hilltop and origin in battle.field.hilltops,
        card=card,
        partly_armed=unit.partly_armed,
        ladders=unit.ladders,
        hampered=battle.ground(origin).hampers,
        cover=battle.ground(cell).cover[_is_gun(unit), battle.ground(origin).hill],
    )


def _dice(battle: Battle, unit: Unit, origin: int, cell: int) -> int:
    return battle.book.rules.tally("battle_dice", dice_facts(battle, unit, origin, cell)).total


def defence_facts(battle: Battle, target: Unit, cell: int, origin: int) -> DiceFacts | None:
    """The facts of a unit's defence dice against an attack from `origin`; None where it may have none (AFR-208).

    Once a turn, against what its own row reaches and it sees; a depression shields as in attack (AFR-214); a unit out of
    sight inside a fort has none (AFR-315).
    """
    distance = battle.field.distance[cell, origin]
    profile = target.profile
    if "defended" in target.marks or "unexposed" in target.marks or distance > target.reach:
        return None
    gun = counts_as_gun(battle, target)
    if distance >= 2 and not sees(battle, cell, origin, target.spec.side if gun else ""):
        return None
    ground = battle.ground(origin)
    sheltered = ground.infantry_only and battle.book.settings.defence_terrain == "dice"
    if sheltered and not gun and (distance > 1 or not profile.walks):
        return None
    return DiceFacts(
        row=battle.book.file.defence_dice[profile.troop].dice,
        range=distance,
        officer=_officer_die(battle, target, cell),
        ladders=target.ladders,
        hampered=battle.ground(cell).hampers,
        cover=ground.cover[_is_gun(target), battle.ground(cell).hill],
    )


def exchange_facts(
    battle: Battle, unit: Unit, origin: int, target: Unit, cell: int, dice: int, stands: bool
) -> ExchangeFacts:
    """The facts of an attack on a unit whose dice are counted; of a spread unit only the section attacked can be hit
    (AFR-327)."""
    profile, book = unit.profile, battle.book
    distance = battle.field.distance[origin, cell]
    figures = unit.sections.get(origin, unit.figures)
    partly = unit.partly_armed and (distance >= 2 or book.settings.partial_firearms_scope == "all")
    answer = defence_facts(battle, target, cell, origin) if stands else None
    officer = _steadied(battle, target)
    return ExchangeFacts(
        dice=dice,
        hits=profile.hits,
        close=distance == 1,
        figures=target.sections.get(cell, target.figures),
        strength=target.figures,
        jams=profile.jams,
        cap=min(figures, unit.firearms) if partly else figures,
        steady_above=book.threshold(target.profile, officer),
        stubborn=battle.standing(cell) or "inspired" in target.marks,
        sandbags="sandbags" in battle.ground(cell).kinds,
        stands=stands,
        defence=book.rules.tally("defence_dice", answer).total if answer is not None else 0,
        defender_hits=target.profile.hits,
        attacker_class=profile.troop,
        attackers=figures,
    )


def _steadied(battle: Battle, unit: Unit) -> bool:
    """An officer in the hex lowers the number above which flags are ignored (AFR-230)."""
    chief = battle.commander_of(unit)
    return chief is not None and chief.spec.officer and chief.spec.bonus


# --- the battle itself --------------------------------------------------------------------------------------------------------


def lend_die(table: Table, battle: Battle, unit: Unit, origin: int) -> None:
    """The officer settles at its first battle whether this one of his two units has his die this turn (AFR-183)."""
    chief = battle.commander_in(origin)
    if chief is None or chief.supports or not _officer_die(battle, unit, origin):
        return
    rivals = [
        other
        for other in battle.units_in(origin)
        if other is not unit and may_battle(battle, other) and _officer_die(battle, other, origin)
    ]
    if rivals:
        choice = table.choose(unit.spec.side, (LEND, KEEP), why="officer's die", rule="AFR-183", actor=unit.spec.id)
        chief.supports = unit.spec.id if choice == LEND else rivals[0].spec.id
    else:
        chief.supports = unit.spec.id


@procedure("battle.fight")
def fight_unit(table: Table, battle: Battle, unit: Unit, cell: int) -> Unit | None:
    """P4 steps 2 to 11 against the units of a hex, all dice at one of them (AFR-167).

    Returns the unit that was attacked, if it stood and so may be followed up (AFR-240), else None.
    """
    origin = unit.hex
    target = pick_defender(table, battle, unit, cell, candidates(battle, unit, origin, cell))
    lend_die(table, battle, unit, origin)
    dice = table.tally("battle_dice", dice_facts(battle, unit, origin, cell)).total
    stands = offer_withdrawal(table, battle, target)
    facts = exchange_facts(battle, unit, origin, target, cell, dice, stands)
    exchange = Exchange(unit.spec.id, target.spec.id, target.spec.side, facts=facts)
    close = facts.close
    if close:
        target.mark("engaged")
    unit.battled = (*unit.battled, target.spec.id)
    unit.unmark("first", *(() if close else ("far",)))
    attack(table, battle.book, exchange)
    tell_attack(table, exchange, cell)
    lose(table, battle, target, exchange.kills, "melee" if close else "fire", "AFR-196", cell)
    if battle.over:
        return None
    if target.hex != OFF:
        strike_back(table, battle, unit, target, exchange)
    if battle.over or target.hex == OFF:
        return None if battle.over else target
    if not stands:
        withdraw(table, battle, target)
        return None
    answer_flags(table, battle.book, exchange)
    retreat(table, battle, target, exchange.retreat, cell)
    return target


def offer_withdrawal(table: Table, battle: Battle, target: Unit) -> bool:
    """Before the dice the defender stands or chooses a voluntary retreat (AFR-207); true if he stands."""
    if not may_withdraw(battle, target):
        return True
    choice = table.choose(target.spec.side, (STAND, WITHDRAW), why="defender", rule="AFR-207", actor=target.spec.id)
    return choice == STAND


def strike_back(
    table: Table, battle: Battle, unit: Unit, target: Unit, exchange: Exchange, origin: int | None = None
) -> None:
    """The defence dice, after removal and before retreats (AFR-210); they use up the unit's defence of the turn."""
    defend(table, battle.book, exchange)
    if exchange.defended:
        target.mark("defended")
    if exchange.losses:
        lose(table, battle, unit, exchange.losses, "melee" if exchange.facts.close else "fire", "AFR-212", origin)


def tell_attack(table: Table, exchange: Exchange, cell: int) -> None:
    """What the roll did."""
    facts = exchange.facts
    table.tell(
        "battle",
        "AFR-196",
        unit=exchange.attacker,
        target=exchange.defender,
        hex=cell,
        dice=facts.dice,
        kills=exchange.kills,
        flags=exchange.flags,
        jammed=exchange.jammed,
    )


@procedure("battle.fight_commander")
def fight_commander(table: Table, battle: Battle, unit: Unit, chief: Commander) -> bool:
    """P7: an attack on a commander without a unit in his hex (AFR-220, AFR-221); true if his hex may be followed into."""
    origin, cell = unit.hex, chief.hex
    lend_die(table, battle, unit, origin)
    dice = table.tally("battle_dice", dice_facts(battle, unit, origin, cell)).total
    close = battle.field.distance[origin, cell] == 1
    stands = True
    if commander_hexes(battle, chief):
        choice = table.choose(chief.spec.side, (STAND, WITHDRAW), why="defender", rule="AFR-223", actor=chief.spec.id)
        stands = choice == STAND
    sandbags = "sandbags" in battle.ground(cell).kinds
    facts = ExchangeFacts(dice, "modern", close, 1, 1, stubborn=battle.standing(cell), sandbags=sandbags, stands=stands)
    exchange = Exchange(unit.spec.id, chief.spec.id, chief.spec.side, facts=facts)
    unit.battled = (*unit.battled, chief.spec.id)
    unit.unmark("first", *(() if close else ("far",)))
    attack_commander(table, battle.book, exchange)
    tell_attack(table, exchange, cell)
    if exchange.kills:
        fall(table, battle, chief, "killed", "AFR-222", "melee" if close else "fire")
        if battle.over or chief.hex == OFF:
            return not battle.over
        exchange.kills = 0  # a character lives on (AFR-225)
    if not stands:
        retreat_commander(table, battle, chief, 1, forced=False)
        return False
    answer_flags(table, battle.book, exchange)
    retreat_commander(table, battle, chief, exchange.retreat)
    return not battle.over
