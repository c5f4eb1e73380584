"""The odds of a choice in words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from zareba.game import Game, UnitChange
from zareba.odds.choices import ChoiceOdds

__all__ = ["by_unit", "changes_in_brief"]


def changes_in_brief(game: Game[Any], found: ChoiceOdds) -> str:
    """Return the changes to each unit in one line: the mean of numbers, the chances of the rest and of no change."""
    means: dict[tuple[str, str], tuple[UnitChange, float]] = {}
    chances: dict[UnitChange, Fraction] = {}
    for changes, p in found.outcomes.items():
        for change in changes:
            chances[change] = chances.get(change, Fraction(0)) + p
    for change, p in list(chances.items()):
        if p < 1 and not (isinstance(change.was, (bool, str)) or isinstance(change.now, (bool, str))):
            _, more = means.get((change.unit, change.what), (change, 0.0))
            means[change.unit, change.what] = change, more + float(p) * (change.now - change.was)
            del chances[change]
    told = [
        (
            one.unit,
            f"{game.narrator.describe_change(one._replace(now=round(float(one.was) + more, 2) + 0.0))} on average",
        )
        for one, more in means.values()
    ]
    told += [
        (one.unit, game.narrator.describe_change(one) + f" {float(p):.0%}" * (p < 1)) for one, p in chances.items()
    ]
    nothing = float(found.outcomes.get((), 0))
    return "; ".join(words for words in (by_unit(game, told), f"no change {nothing:.0%}" * bool(nothing)) if words)


def by_unit(game: Game[Any], told: Sequence[tuple[str, str]]) -> str:
    """Return the phrases grouped by unit, with each unit named once."""
    found: dict[str, list[str]] = {}
    for unit, words in told:
        found.setdefault(unit, []).append(words.removeprefix(f"{game.narrator.name_of(unit)}: "))
    return "; ".join(f"{game.narrator.name_of(unit)}: {', '.join(words)}" for unit, words in found.items())
