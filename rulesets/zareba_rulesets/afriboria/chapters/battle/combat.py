"""The battle of one unit against a ground target: the attack, the defence, the consequences (chapters 11 to 13)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.afriboria.chapters.battle.eligibility import (
    candidates,
    dice_facts,
    may_battle,
    officer_lends,
    pick_defender,
)
from zareba_rulesets.afriboria.chapters.battle.exchange import (
    DiceFacts,
    Exchange,
    ExchangeFacts,
    answer_flags,
    attack,
    attack_commander,
    defend,
)
from zareba_rulesets.afriboria.chapters.losses import fall, lose
from zareba_rulesets.afriboria.chapters.retreat import (
    commander_withdrawals,
    may_withdraw,
    retreat,
    retreat_commander,
    withdraw,
)
from zareba_rulesets.afriboria.chapters.sight.sight import sees
from zareba_rulesets.afriboria.forces.battle import Battle
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Unit
from zareba_rulesets.afriboria.forces.weapon_range import reach_of

__all__ = [
    "STAND",
    "WITHDRAW",
    "defence_facts",
    "emit_attack",
    "exchange_facts",
    "fight_commander",
    "fight_unit",
    "give_way",
    "is_steadied",
    "lend_die",
    "offer_withdrawal",
    "strike_back",
]

STAND, WITHDRAW = "make a stand", "retreat voluntarily"
LEND, KEEP = "lend the die", "keep the die"


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
    gun = battle.book.counts_as_gun(profile)
    if distance >= 2 and not sees(battle, cell, origin, target.spec.side if gun else ""):
        return None
    ground = battle.ground(origin)
    if battle.book.settings.defence_terrain == "dice" and ground.shelters(distance, walks=profile.walks, gun=gun):
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
        stubborn=battle.standing(cell),
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


# --- the battle itself --------------------------------------------------------------------------------------------------------


def lend_die(
    table: Table, battle: Battle, unit: Unit, origin: int, cell: int, *, spared: Callable[[], bool] | None = None
) -> None:
    """Settle at the unit's first battle if the officer lends it his die this turn rather than his other unit (AFR-183).

    He must lend it if the unit could not fight without it (AFR-182). `spared` returns True if the sections of a wall
    have dice without the officer's; it is called only if another unit could have the die.
    """
    chief = battle.commander_in(origin)
    if chief is None or chief.supports or not officer_lends(battle, unit, origin):
        return
    rivals = [
        other
        for other in battle.units_in(origin)
        if other is not unit and may_battle(battle, other) and officer_lends(battle, other, origin)
    ]

    def has_dice() -> bool:
        without_officer = replace(dice_facts(battle, unit, origin, cell), officer=False)
        return int(battle.book.rules.tally("battle_dice", without_officer, battle, unit).total) > 0

    if rivals and (spared or has_dice)():
        choice = table.choose(unit.spec.side, (LEND, KEEP), why="officer's die", rule="AFR-183", actor=unit.spec.id)
        chief.supports = unit.spec.id if choice == LEND else rivals[0].spec.id
    else:
        chief.supports = unit.spec.id


@procedure("battle.fight")
def fight_unit(table: Table, battle: Battle, unit: Unit, cell: int, only: Unit | None = None) -> Unit | None:
    """Battle the units of a hex, with all dice at one of them (AFR-167) and losses before retreats (AFR-236).

    `only` is the one unit there that it may battle (AFR-255). Return the unit that was attacked if it stood and so may
    be followed up (AFR-240), else None.
    """
    origin = unit.hex
    found = [only] if only is not None else candidates(battle, unit, origin, cell)
    target = pick_defender(table, battle, unit, cell, found)
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
    lose(table, battle, target, exchange.kills, "melee" if close else "fire", "AFR-196", cell)
    if battle.over:
        return None
    if target.hex != OFF:
        strike_back(table, battle, unit, target, exchange, cell)
    if battle.over or target.hex == OFF:
        return None if battle.over else target
    give_way(table, battle, target, exchange, cell)
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
        lose(table, battle, unit, exchange.losses, "melee" if exchange.facts.close else "fire", "AFR-212", origin)


def give_way(table: Table, battle: Battle, target: Unit, exchange: Exchange, cell: int) -> None:
    """Make the retreat of a unit that was attacked in `cell` and survived: a voluntary one, else one for its flags
    (AFR-236).
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
    facts = ExchangeFacts(dice, "modern", close, 1, 1, stubborn=battle.standing(cell), sandbags=sandbags, stands=stands)
    exchange = Exchange(unit.spec.id, chief.spec.id, chief.spec.side, facts=facts)
    unit.battled = (*unit.battled, chief.spec.id)
    unit.unmark("first", *(() if close else ("far",)))
    attack_commander(table, battle.book, exchange)
    is_hit = exchange.kills
    exchange.kills = 0 if chief.spec.character else is_hit  # a character lives on (AFR-225)
    emit_attack(table, exchange, cell)
    if is_hit:
        fall(table, battle, chief, "killed", "AFR-222", "melee" if close else "fire")
        if battle.over or chief.hex == OFF:
            return not battle.over
    if not stands:
        retreat_commander(table, battle, chief, 1, forced=False)
        return False
    answer_flags(table, battle.book, exchange)
    retreat_commander(table, battle, chief, exchange.retreat)
    return not battle.over
