"""Initiative: the sides roll for their order."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.chance import Meaning
from zareba.table import Table


def roll_for_order(table: Table, sides: Sequence[str], die: int, *, why: str, rule: str, means: Meaning) -> list[str]:
    """Return the sides from the lowest roll to the highest. Sides with equal rolls roll again among themselves."""
    if len(sides) < 2:
        return list(sides)
    rolls = {side: table.roll(1, die, why=why, rule=rule, actor=side, means=means) for side in sides}
    order: list[str] = []
    for roll in sorted(set(rolls.values())):
        equal = [side for side in sides if rolls[side] == roll]
        order += roll_for_order(table, equal, die, why=why, rule=rule, means=means)
    return order
