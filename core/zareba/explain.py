"""The numbers, throws and cards of an act, put together as people ask why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from zareba.base.amounts import counted
from zareba.base.tally import Tally
from zareba.session import Answered

__all__ = ["Explanation", "explanations"]


@dataclass
class Explanation:
    """Numbers of one kind, or throws or cards of one kind, that were made one after the other.

    A throw stands by itself: some numbers say how many dice are thrown, others are made of what they show.
    """

    tallies: list[Tally] = field(default_factory=list)
    throws: list[Answered] = field(default_factory=list)

    def takes(self, one: Tally | Answered) -> bool:
        """Whether a number or throw goes with these."""
        if isinstance(one, Tally):
            return bool(self.tallies) and self.tallies[-1].rule.name == one.rule.name
        last = self.throws[-1].question if self.throws else None
        return last is not None and (last.why, last.rule) == (one.question.why, one.question.rule)

    @property
    def title(self) -> str:
        """What was reckoned, with the totals and the rule; "" of dice."""
        if not self.tallies:
            return ""
        rule = self.tallies[0].rule
        *others, last = [one.total for one in self.tallies]
        totals = ", ".join([*map(str, others), counted(last, rule.unit)])
        return f"{rule.name.replace('_', ' ')}: {totals} ({rule.rule})"


def explanations(numbers: Sequence[Tally | Answered]) -> list[Explanation]:
    """Numbers and throws in their order, those that belong together as one."""
    found: list[Explanation] = []
    for one in numbers:
        if not found or not found[-1].takes(one):
            found.append(Explanation())
        if isinstance(one, Tally):
            found[-1].tallies.append(one)
        else:
            found[-1].throws.append(one)
    return found
