"""Numbers with their reasons, as `odds` and the `why` of a game show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from zareba.amounts import counted
from zareba.cli.output import plain_table
from zareba.cli.plain import clean
from zareba.rules import load_catalogue
from zareba.rules.face import RulesetFace
from zareba.session import Answered
from zareba.table import Roll
from zareba.tally import Number, Tally

__all__ = ["Reckoning", "reckonings", "tallies_data", "tallies_table", "thrown"]


@dataclass
class Reckoning:
    """Numbers of one kind, or throws of one kind, that were made one after the other.

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


def reckonings(numbers: Sequence[Tally | Answered]) -> list[Reckoning]:
    """Numbers and throws in their order, those that belong together as one."""
    found: list[Reckoning] = []
    for one in numbers:
        if not found or not found[-1].takes(one):
            found.append(Reckoning())
        if isinstance(one, Tally):
            found[-1].tallies.append(one)
        else:
            found[-1].throws.append(one)
    return found


def thrown(one: Answered) -> str:
    """The faces of a throw, and what several of them come to."""
    assert isinstance(one.question, Roll), "only dice have faces"
    faces, answer = " ".join(map(str, one.faces)), one.question.read.said(one.answer)
    total = "" if len(one.faces) < 2 or answer == ", ".join(map(str, one.faces)) else f", so {answer}"
    return f"{faces or answer}{total}"


def tallies_data(tallies: Sequence[Tally]) -> list[dict[str, Any]]:
    """The tallies as JSON-ready data."""
    return [
        {
            "tally": tally.rule.name,
            "rule": tally.rule.rule,
            "total": _number(tally.total),
            "unit": tally.rule.unit,
            "parts": [
                {
                    "id": part.id,
                    "rule": part.rule,
                    "change": part.change,
                    "running": _number(part.running),
                    "summary": part.summary,
                    "source": part.source,
                }
                for part in tally.parts()
            ],
        }
        for tally in tallies
    ]


def tallies_table(found: RulesetFace, tallies: Sequence[Tally]) -> RenderableType:
    """Each tally: its parts with what they change, the number after them, and what their rule says.

    Tallies of the same situation are shown once, with how many there are.
    """
    catalogue = load_catalogue(found.folder).rules
    shown: list[RenderableType] = []
    alike = Counter((tally.rule.name, tally.facts) for tally in tallies)
    for key, tally in {(tally.rule.name, tally.facts): tally for tally in tallies}.items():
        title = f"{tally.rule.name.replace('_', ' ')}: {counted(tally.total, tally.rule.unit)} ({tally.rule.rule})"
        title += f", {alike[key]} times" if alike[key] > 1 else ""
        rows = []
        for part in tally.parts():
            entry = catalogue.get(part.rule)
            rows.append(
                [part.change, str(part.running), part.rule, part.summary, entry.summary if entry else part.source]
            )
        heads = ("change", "gives", "rule", "because", "the rule says")
        shown += [Text(clean(title), style="bold"), plain_table(heads, rows, right=heads[:2])]
    return Group(*shown)


def _number(number: Number) -> int | float:
    return number if isinstance(number, int) else float(number)
