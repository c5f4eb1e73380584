"""Explanations of odds: the modifier breakdowns, rolls and draws that occur in some plays."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from zareba.table import Draw, Roll

if TYPE_CHECKING:
    from zareba.base.tally import Tally
    from zareba.odds.drivers.sampler import Sampler


EXPLAINED_PLAYS = 20
"""The number of plays from which an explanation is drawn."""


class DiceUse(NamedTuple):
    """A kind of roll or draw: its purpose and rule, its dice ("2d6"; "" for a card), and the meaning of its results."""

    why: str
    rule: str
    dice: str
    means: str


@dataclass(frozen=True)
class ProcedureExplanation:
    """The different modifier breakdowns, grouped by name, and the different kinds of rolls and draws, in order.

    `counted_for` are the breakdowns again, each with the unit that the number belongs to (a record or an id).
    """

    tallies: tuple[Tally, ...]
    chances: tuple[DiceUse, ...]
    counted_for: tuple[tuple[Tally, Any], ...] = ()


def explain_procedure(plays: Iterable[Sampler]) -> ProcedureExplanation:
    """Return the explanation from some finished plays. A play adds only names and rolls that are new."""
    tallies: dict[str, dict[Tally, None]] = {}
    chances: dict[Hashable, DiceUse] = {}
    counted_for: list[tuple[Tally, Any]] = []
    for table in plays:
        of_play: dict[str, dict[Tally, None]] = {}
        for tally in table.tallies:
            of_play.setdefault(tally.rule.name, {})[tally] = None
        for name in sorted(of_play):
            tallies.setdefault(name, of_play[name])
        counted_for += table.counted_for
        for question in table.thrown:
            chances.setdefault((question.why, question.rule, question.means), _dice_use(question))
    return ProcedureExplanation(
        tuple(tally for group in tallies.values() for tally in group), tuple(chances.values()), tuple(counted_for)
    )


def _dice_use(question: Roll | Draw) -> DiceUse:
    read = question.read if isinstance(question, Roll) else None
    dice = f"{question.dice}d{question.sides}" if isinstance(question, Roll) else ""
    means = (
        question.means.describe_all(read)
        if question.means is not None
        else f"read as {read.name}"
        if read
        else "a card"
    )
    return DiceUse(question.why, question.rule, dice, means)
