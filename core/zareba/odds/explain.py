"""What goes into odds, for explanation: the numbers that are reckoned, and what is thrown and drawn, as plays show them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from zareba.table import Draw, Roll

if TYPE_CHECKING:
    from zareba.base.tally import Tally
    from zareba.odds.drivers.sampler import Sampler

__all__ = ["LOOKED_AT", "DiceUse", "ProcedureExplanation", "explain_procedure"]

LOOKED_AT = 20
"""Plays in which it is looked for."""


class DiceUse(NamedTuple):
    """A kind of throw or draw: its purpose and rule, the dice of one ("2d6", "" of a card), and what its answers mean."""

    why: str
    rule: str
    dice: str
    means: str


@dataclass(frozen=True)
class ProcedureExplanation:
    """The different tallies, those of one name together, and the different kinds of throws and draws, as they come first."""

    tallies: tuple[Tally, ...]
    chances: tuple[DiceUse, ...]


def explain_procedure(plays: Iterable[Sampler]) -> ProcedureExplanation:
    """What is found in these plays, each as it has been played to its end; of more of them what was not in those before."""
    tallies: dict[str, dict[Tally, None]] = {}
    chances: dict[Hashable, DiceUse] = {}
    for table in plays:
        found: dict[str, dict[Tally, None]] = {}
        for tally in table.tallies:
            found.setdefault(tally.rule.name, {})[tally] = None
        for name in sorted(found):
            tallies.setdefault(name, found[name])
        for asked in table.thrown:
            chances.setdefault((asked.why, asked.rule, asked.means), _told(asked))
    return ProcedureExplanation(tuple(tally for group in tallies.values() for tally in group), tuple(chances.values()))


def _told(asked: Roll | Draw) -> DiceUse:
    read = asked.read if isinstance(asked, Roll) else None
    dice = f"{asked.dice}d{asked.sides}" if isinstance(asked, Roll) else ""
    means = asked.means.whole(read) if asked.means is not None else f"read as {read.name}" if read else "a card"
    return DiceUse(asked.why, asked.rule, dice, means)
