"""The odds of a choice in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from zareba.base.grammar import amount
from zareba.game import Game, UnitChange
from zareba.odds.choices import ChoiceOdds

_LIKELY = Fraction(1, 6)
"""The share of outcomes left out at each end of a likely range; the range holds at least two thirds of them."""
_MOST_CHANCES = 3
"""The number of chances listed for a unit; the table of outcomes has all."""


def changes_in_brief(game: Game[Any], found: ChoiceOdds) -> str:
    """Return what will probably happen to each unit in one line.

    Numbers come as their likely range and mean, everything else with its chance, the likeliest first.
    """
    spreads: dict[tuple[str, str], dict[UnitChange, Fraction]] = {}
    chances: dict[UnitChange, Fraction] = {}
    for changes, p in found.outcomes.items():
        for change in changes:
            chances[change] = chances.get(change, Fraction(0)) + p
    for change, p in list(chances.items()):
        if p < 1 and not (isinstance(change.was, (bool, str)) or isinstance(change.now, (bool, str))):
            spreads.setdefault((change.unit, change.what), {})[change] = p
            del chances[change]
    told = [
        (unit, _likely_range(game, spread))
        for (unit, what), spread in spreads.items()
        if what in game.narrator.counted_as or not _repeats_a_loss(game, unit, spread, spreads)
    ]
    listed: dict[str, int] = {}
    for change, p in sorted(chances.items(), key=lambda item: -item[1]):
        listed[change.unit] = listed.get(change.unit, 0) + 1
        if listed[change.unit] <= _MOST_CHANCES:
            words = _phrase(game, change)
            told.append((change.unit, words if p == 1 else f"{words} ({_percent(p)} chance)"))
    nothing = found.outcomes.get((), Fraction(0))
    unchanged = "no change" if nothing == 1 else f"no change ({_percent(nothing)} chance)" if nothing else ""
    parts = (unchanged, by_unit(game, told)) if nothing > Fraction(1, 2) else (by_unit(game, told), unchanged)
    return "; ".join(filter(None, parts))


def _repeats_a_loss(
    game: Game[Any],
    unit: str,
    spread: Mapping[UnitChange, Fraction],
    spreads: Mapping[tuple[str, str], Mapping[UnitChange, Fraction]],
) -> bool:
    """Return True if a number changes exactly as the unit's figures do, such as its firearms."""

    def by_size(one: Mapping[UnitChange, Fraction]) -> dict[float, Fraction]:
        return {float(change.now) - float(change.was): p for change, p in one.items()}

    return any(by_size(spreads.get((unit, counted), {})) == by_size(spread) for counted in game.narrator.counted_as)


def _likely_range(game: Game[Any], spread: Mapping[UnitChange, Fraction]) -> str:
    """Return the likely range of a number and its mean: `probably 2 to 3 figures lost (2.7 on average)`."""
    _, what, was, _ = next(iter(spread))
    start = float(was)
    rows = [(float(change.now) - start, p) for change, p in spread.items()] + [
        (0.0, 1 - sum(spread.values(), Fraction(0)))
    ]
    is_one_way = all(more >= 0 for more, _ in rows) or all(more <= 0 for more, _ in rows)
    if what not in game.narrator.counted_as or not is_one_way:
        return f"{what} {_range([(start + more, p) for more, p in rows], '{:g}'.format)}"
    noun, fewer, back = game.narrator.counted_as[what]
    done = fewer if min(rows)[0] < 0 else back
    return _range(
        [(abs(more), p) for more, p in rows],
        lambda size: f"{amount(size, noun).replace('0', 'no', 1) if size == 0 else amount(size, noun)} {done}",
    )


def _range(rows: Sequence[tuple[float, Fraction]], words: Callable[[float], str]) -> str:
    """Return the likely range of a number, worded by `words`, and the mean."""
    rows = sorted(rows)
    low, high = _quantile(rows, _LIKELY), _quantile(rows, 1 - _LIKELY)
    said = words(high) if low == high else f"at most {words(high)}" if low == 0 else f"{low:g} to {words(high)}"
    return f"probably {said} ({sum(float(p) * value for value, p in rows):.1f} on average)"


def _quantile(rows: Sequence[tuple[float, Fraction]], share: Fraction) -> float:
    """Return the value at which the sorted `rows` reach a share of the probability."""
    reached = Fraction(0)
    for value, p in rows:
        reached += p
        if reached >= share:
            return value
    return rows[-1][0]


def _phrase(game: Game[Any], change: UnitChange) -> str:
    """Return a change in words, without the name of the unit."""
    return game.narrator.describe_change(change).removeprefix(f"{game.narrator.name_of(change.unit)}: ")


def _percent(p: Fraction) -> str:
    """Return a chance in whole percent; small ones as "under 1%" and large ones as "over 99%"."""
    return "under 1%" if p < Fraction(1, 100) else "over 99%" if p > Fraction(99, 100) else f"{float(p):.0%}"


def by_unit(game: Game[Any], told: Sequence[tuple[str, str]]) -> str:
    """Return the phrases grouped by unit, with each unit named once."""
    found: dict[str, list[str]] = {}
    for unit, words in told:
        found.setdefault(unit, []).append(words.removeprefix(f"{game.narrator.name_of(unit)}: "))
    return "; ".join(f"{game.narrator.name_of(unit)}: {', '.join(words)}" for unit, words in found.items())
