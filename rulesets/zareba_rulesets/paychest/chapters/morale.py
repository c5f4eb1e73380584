"""Morale: the check at the end of the turn, the second roll and its results, and rallying (PAY-148 to PAY-171)."""

from __future__ import annotations

from zareba.chance import SumBands, at_least, named, rows
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.paychest.chapters.forced_moves import fall_back, flee_singly
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Unit

BEST_ROW = 6
"""The last row of the second morale table. Row 1 is the worst result (PAY-151)."""


def must_check(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit checks morale: it has hits this turn (PAY-148) and able figures (PAY-171).

    By default units of one (PAY-170) and routing units (PAY-168) are exempt.
    """
    settings = battle.book.settings
    if unit.hits < 1 or not unit.has_able_figures:
        return False
    if unit.spec.single and settings.single_figure_morale == "exempt":
        return False
    return not unit.rout or settings.routers_test


def morale_order(battle: Battle) -> list[str]:
    """Return the units in the order of their cards this turn, then those without a card in roster order (PAY-064)."""
    return list(dict.fromkeys([*battle.order, *battle.units]))


@procedure("morale.check")
def check_morale(table: Table, battle: Battle, unit: Unit) -> bool:
    """Roll 2d6: a result above this turn's hits passes, any other calls for the second roll (PAY-149).

    Return True if passed.
    """
    means = at_least(unit.hits + 1, "passes", "fails", by="the hits of this turn")
    rolled = table.roll(battle.book.file.morale.dice, 6, why="morale", rule="PAY-149", actor=unit.spec.id, means=means)
    passed: bool = rolled > battle.book.rules.number("morale", unit.hits, battle, unit, table=table)
    kind = "morale passed" if passed else "morale failed"
    table.emit(kind, "PAY-149", unit=unit.spec.id, rolled=rolled, hits=unit.hits)
    if not passed:
        second_roll(table, battle, unit)
    return passed


@procedure("morale.second_roll")
def second_roll(table: Table, battle: Battle, unit: Unit) -> str:
    """Roll a d6 on the column for the unit's kind (PAY-151) and carry out the result, unless a worse order applies.

    Return the result.
    """
    column = battle.book.second_morale[unit.spec.kind]
    means = rows({die: battle.book.results[column[die]].in_words() for die in range(1, 7)})
    rolled = table.roll(1, 6, why="second morale roll", rule="PAY-151", actor=unit.spec.id, means=means)
    result = column[rolled]
    void = _is_outranked(battle, unit, result)
    table.emit("second morale roll", "PAY-151", unit=unit.spec.id, rolled=rolled, result=result, void=void)
    carry_out(table, battle, unit, result)
    return result


def carry_out(table: Table, battle: Battle, unit: Unit, result: str) -> bool:
    """Carry out a result, unless the pending order or rout is worse (PAY-169). Return True if it was carried out."""
    if _is_outranked(battle, unit, result):
        return False
    row, entry = _row(battle, unit, result), battle.book.results[result]
    unit.clear_pending()
    unit.clear_rout()
    if entry.figures:
        flee_singly(table, battle, unit, entry.figures, dice=entry.dice, backs=entry.backs)
    elif entry.when == "next":
        unit.pending, unit.pending_row = result, row
    elif entry.dice:
        if entry.rout:
            unit.rout, unit.rout_row = result, row
            if not entry.rallies:
                _skip_card(battle, unit)
        fall_back(table, battle, unit, entry.dice, backs=entry.backs)
    return True


def _row(battle: Battle, unit: Unit, result: str) -> int:
    """Return the row of a result in the column for the unit's kind. Results not in the column count as the best row."""
    return battle.book.result_rows[unit.spec.kind].get(result, BEST_ROW)


def _is_outranked(battle: Battle, unit: Unit, result: str) -> bool:
    """Return True if the unit already has a worse order or rout than this result (PAY-169)."""
    return _row(battle, unit, result) > min(unit.pending_row, unit.rout_row, BEST_ROW)


def _skip_card(battle: Battle, unit: Unit) -> None:
    """Skip the card of a unit that has already run 4d6 this turn, if it is still to come (PAY-131)."""
    if unit.spec.id in battle.cards.pile:
        unit.mark("skip")


# --- Rallying: a routing unit rolls on its own card (PAY-158, PAY-167) ------------------------------------------------


@procedure("forced.rally")
def rally(table: Table, battle: Battle, unit: Unit) -> bool:
    """Roll to rally a routing unit on its own card, if its rout allows that. If it does not rally, it runs on.

    Return True if it has rallied.
    """
    result = battle.book.results[unit.rout]
    if result.rallies and rally_roll(table, battle, unit.spec.id):
        unit.clear_rout()
        table.emit("rallied", "PAY-167", unit=unit.spec.id)
        return True
    fall_back(table, battle, unit, result.dice, backs=result.backs)
    return False


def rally_roll(table: Table, battle: Battle, actor: str) -> bool:
    """Roll 2d6 and return True if the unit rallies, on 7 or more (PAY-158)."""
    rule = battle.book.file.rally
    passed = table.roll(
        rule.dice,
        6,
        SumBands((rule.passes_at,)),
        why="rally",
        rule="PAY-158",
        actor=actor,
        means=named("runs on", "rallies"),
    )
    return bool(passed)
