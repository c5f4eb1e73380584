"""Is it the rules? The primary comparisons once more between other commanders: what does not hold there belongs to the players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from zareba.analysis.statistics.estimates import SIGNIFICANCE, Column, Difference, compare_columns

__all__ = ["Holds", "robustness"]

Holds = Literal["holds under all", "not shown under all", "depends on the players"]


def robustness(claims: Sequence[Difference], others: Mapping[str, Sequence[Column]]) -> list[dict[str, Any]]:
    """Of each primary difference that was shown, what it is between other commanders, and whether it holds there.

    It holds under all where each of them shows it the same way round, and depends on the players where one of them shows it
    the other way round; otherwise it is not shown under all, which may be for want of games.
    """
    if not others:
        return []
    measured = {
        commander: {(one.metric, one.first, one.second): one for one in compare_columns(columns)}
        for commander, columns in others.items()
    }
    found = []
    for claim in claims:
        if not claim.primary or not claim.shown:
            continue
        key = (claim.metric, claim.first, claim.second)
        again = {commander: one[key] for commander, one in measured.items() if key in one}
        found.append(
            {
                "metric": claim.metric,
                "first": claim.first,
                "second": claim.second,
                "value": round(claim.value, 6),
                "under": {
                    commander: {"value": round(one.value, 6), "low": round(one.low, 6), "high": round(one.high, 6)}
                    for commander, one in again.items()
                },
                "holds": _holds(claim, list(again.values())),
            }
        )
    return found


def _holds(claim: Difference, again: Sequence[Difference]) -> Holds:
    shown = [one for one in again if one.p < SIGNIFICANCE]
    if any((one.value > 0) is not (claim.value > 0) for one in shown):
        return "depends on the players"
    return "holds under all" if len(shown) == len(again) else "not shown under all"
