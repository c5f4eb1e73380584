"""Modifier breakdowns as tables and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from zareba.base.grammar import with_unit
from zareba.base.tally import Number, Tally
from zareba.cli.output import plain_table
from zareba.cli.sanitize import sanitize
from zareba.odds import DiceUse, ProcedureExplanation
from zareba.rules import load_catalogue
from zareba.rules.ruleset_info import RulesetInfo

__all__ = ["chances_data", "reckoned_table", "tallies_data", "tallies_table"]


def tallies_data(tallies: Sequence[Tally]) -> list[dict[str, Any]]:
    """Return the modifier breakdowns as JSON-ready data."""
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


def tallies_table(found: RulesetInfo, tallies: Sequence[Tally]) -> RenderableType:
    """Return each modifier breakdown as a table: its modifiers, the running total, and the text of each rule.

    Breakdowns of the same situation are shown once, with their number.
    """
    catalogue = load_catalogue(*found.folders).rules
    shown: list[RenderableType] = []
    alike = Counter((tally.rule.name, tally.facts) for tally in tallies)
    for key, tally in {(tally.rule.name, tally.facts): tally for tally in tallies}.items():
        title = f"{tally.rule.name.replace('_', ' ')}: {with_unit(tally.total, tally.rule.unit)} ({tally.rule.rule})"
        title += f", {alike[key]} times" if alike[key] > 1 else ""
        rows = []
        for part in tally.parts():
            entry = catalogue.get(part.rule)
            rows.append(
                [part.change, str(part.running), part.rule, part.summary, entry.summary if entry else part.source]
            )
        heads = ("change", "total", "rule", "reason", "text of the rule")
        shown += [Text(sanitize(title), style="bold"), plain_table(heads, rows, right=heads[:2])]
    return Group(*shown)


def chances_data(chances: Sequence[DiceUse]) -> list[dict[str, str]]:
    """Return the possible throws and draws as JSON-ready data."""
    return [chance._asdict() for chance in chances]


def reckoned_table(found: RulesetInfo, reckoned: ProcedureExplanation) -> RenderableType:
    """Return the modifier breakdowns, followed by the possible throws and draws with the meaning of their results."""
    rows = [
        [" ".join(filter(None, [chance.why, chance.dice])), chance.means, chance.rule] for chance in reckoned.chances
    ]
    shown: list[RenderableType] = [tallies_table(found, reckoned.tallies)] if reckoned.tallies else []
    return Group(*shown, *([plain_table(("thrown or drawn", "meaning", "rule"), rows)] if rows else []))


def _number(number: Number) -> int | float:
    return number if isinstance(number, int) else float(number)
