"""Group the numbers, rolls and cards of an action for the answer to "why?"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from zareba.base.grammar import with_unit
from zareba.base.tally import Tally
from zareba.session import Answered


@dataclass
class Explanation:
    """Numbers of one kind, or rolls or draws of one kind, that directly follow each other.

    Rolls form separate groups, because some numbers say how many dice are rolled and others are made from the result.
    """

    tallies: list[Tally] = field(default_factory=list)
    throws: list[Answered] = field(default_factory=list)

    def takes(self, recorded: Tally | Answered) -> bool:
        """Return True if a number or roll belongs to this group."""
        if isinstance(recorded, Tally):
            return bool(self.tallies) and self.tallies[-1].rule.name == recorded.rule.name
        last = self.throws[-1].question if self.throws else None
        return last is not None and (last.why, last.rule) == (recorded.question.why, recorded.question.rule)

    @property
    def is_chart(self) -> bool:
        """True for several numbers that no modifier changes, such as the rows of a chart; the throws say the rest."""
        return len(self.tallies) > 1 and all(len(tally.parts()) == 1 for tally in self.tallies)

    @property
    def title(self) -> str:
        """The name of the number with its totals and rule; "" for dice."""
        if not self.tallies:
            return ""
        rule = self.tallies[0].rule
        *others, last = [tally.total for tally in self.tallies]
        totals = ", ".join([*map(str, others), with_unit(last, rule.unit)])
        return f"{rule.name.replace('_', ' ')}: {totals} ({rule.rule})"


def by_kind(found: Sequence[Explanation]) -> list[Explanation]:
    """Return one group for each kind of number and each kind of roll, in the order of their first occurrence."""
    kinds: list[Explanation] = []
    for number in found:
        first = (number.tallies or number.throws)[0]
        same = next((kind for kind in kinds if kind.takes(first)), None)
        if same is None:
            kinds.append(same := Explanation())
        same.tallies += number.tallies
        same.throws += number.throws
    return kinds


def explanations(numbers: Sequence[Tally | Answered]) -> list[Explanation]:
    """Return numbers and rolls in order, grouped."""
    found: list[Explanation] = []
    for number in numbers:
        if not found or not found[-1].takes(number):
            found.append(Explanation())
        if isinstance(number, Tally):
            found[-1].tallies.append(number)
        else:
            found[-1].throws.append(number)
    return found
