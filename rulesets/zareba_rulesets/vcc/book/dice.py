"""Dice pools of d6, d3 and substitutes for a d3 (VCC-012 to VCC-014)."""

from __future__ import annotations

from zareba.chance import SUM_AND_HIGHEST, counts
from zareba.table import Table
from zareba_rulesets.vcc.book.numbers import VccBook

__all__ = ["roll_pool"]


def roll_pool(table: Table, book: VccBook, dice: int, die: int, *, why: str, rule: str, actor: str) -> tuple[int, bool]:
    """Roll a pool of d6 or d3 (VCC-012). Return the hits, and True if a die showed its highest face (VCC-080, VCC-109).

    With `d3_method` half_total, roll d6 instead of d3, halve their total and round it up. A 5 or 6 then counts as the
    highest face (VCC-014).
    """
    if die == 3 and book.settings.d3_method == "half_total":
        halved = book.file.half_total
        means = counts("before halving", f"on the highest die ({halved.highest_from} or more may hit the leader)")
        total, highest = table.roll(dice, halved.die, SUM_AND_HIGHEST, why=why, rule=rule, actor=actor, means=means)
        return (total + 1) // 2, highest >= halved.highest_from
    means = counts("hits (the sum of the dice)", f"on the highest die ({die} may hit the leader)")
    total, highest = table.roll(dice, die, SUM_AND_HIGHEST, why=why, rule=rule, actor=actor, means=means)
    return total, highest == die
