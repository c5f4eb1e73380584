"""The odds of a choice in words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from zareba.base.grammar import amount
from zareba.game import Game, UnitChange
from zareba.game.parts.unit_change import MOVED
from zareba.odds.choices import ChoiceOdds

_LIKELY = Fraction(1, 6)
"""The share of outcomes left out at each end of a likely range; the range holds at least two thirds of them."""
_MOST_CHANCES = 3
"""The number of chances listed for a unit; the table of outcomes has all."""
_MOST_UNITS = 2
"""The number of units in the odds of one line."""


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
    parts = [
        (unit, _likely_range(game, spread))
        for (unit, what), spread in spreads.items()
        if what in game.narrator.counted_as or not _repeats_a_loss(game, unit, spread, spreads)
    ]
    listed: dict[str, int] = {}
    for change, p in sorted(chances.items(), key=lambda item: -item[1]):
        listed[change.unit] = listed.get(change.unit, 0) + 1
        if listed[change.unit] <= _MOST_CHANCES:
            words = _phrase(game, change)
            parts.append((change.unit, words if p == 1 else f"{words} ({percent(p)} chance)"))
    nothing = found.outcomes.get((), Fraction(0))
    unchanged = "no change" if nothing == 1 else f"no change ({percent(nothing)} chance)" if nothing else ""
    clauses = (unchanged, by_unit(game, parts)) if nothing > Fraction(1, 2) else (by_unit(game, parts), unchanged)
    return "; ".join(filter(None, clauses))


def _repeats_a_loss(
    game: Game[Any],
    unit: str,
    spread: Mapping[UnitChange, Fraction],
    spreads: Mapping[tuple[str, str], Mapping[UnitChange, Fraction]],
) -> bool:
    """Return True if a number changes exactly as the unit's figures do, such as its firearms."""

    def by_size(chances: Mapping[UnitChange, Fraction]) -> dict[float, Fraction]:
        return {float(change.now) - float(change.was): p for change, p in chances.items()}

    return any(by_size(spreads.get((unit, counted), {})) == by_size(spread) for counted in game.narrator.counted_as)


class OddsInShort(NamedTuple):
    """The odds of a choice in one line: the chances that the enemy and the own side have losses, and the likeliest
    changes in words, "" if there are none.
    """

    enemy: Fraction
    own: Fraction
    words: str


def odds_in_short(game: Game[Any], found: ChoiceOdds, own: Collection[str]) -> OddsInShort:
    """Return the odds in one line. `own` are the ids of the units of the side that chooses.

    The words are about the two units most likely to have losses or to change. Movement does not count as a change.
    """
    noted = next(iter(game.narrator.counted_as))
    lost: dict[bool, Fraction] = {True: Fraction(0), False: Fraction(0)}
    rank: dict[str, list[Fraction]] = {}
    of_change: dict[UnitChange, Fraction] = {}
    for changes, p in found.outcomes.items():
        notable = [change for change in changes if change.what != MOVED and change.unit not in game.seats]
        losing = {change.unit for change in notable if change.what == noted and change.now < change.was}
        for mine in {unit in own for unit in losing}:
            lost[mine] += p
        for unit in {change.unit for change in notable}:
            losses, any_change = rank.setdefault(unit, [Fraction(0), Fraction(0)])
            rank[unit] = [losses + (p if unit in losing else 0), any_change + p]
        for change in notable:
            of_change[change] = of_change.get(change, Fraction(0)) + p
    likeliest = sorted(rank, key=lambda unit: rank[unit], reverse=True)
    words = [phrase for unit in likeliest if (phrase := _unit_in_short(game, unit, of_change))]
    return OddsInShort(lost[False], lost[True], "; ".join(words[:_MOST_UNITS]))


def _unit_in_short(game: Game[Any], unit: str, chances: Mapping[UnitChange, Fraction]) -> str:
    """Return the likely loss of a unit and its likeliest new state: `Jezails 1 to 2 figures lost, 31% broken`.

    Return "" if neither is likely.
    """
    numbers: dict[str, dict[UnitChange, Fraction]] = {}
    states: dict[UnitChange, Fraction] = {}
    for change, p in chances.items():
        if change.unit == unit and not _is_number(change):
            states[change] = p
        elif change.unit == unit and change.what in game.narrator.counted_as:
            numbers.setdefault(change.what, {})[change] = p
    phrases: list[str] = []
    for what in [what for what in game.narrator.counted_as if what in numbers]:
        name, rows, words = _rows_and_words(game, numbers[what])
        if not name and not phrases and _quantile(sorted(rows), 1 - _LIKELY):
            phrases.append(_span(rows, words))
    for change, p in sorted(states.items(), key=lambda item: -item[1])[:1]:
        phrases.append(_phrase(game, change) if p == 1 else f"{percent(p)} {_phrase(game, change)}")
    return f"{game.narrator.name_of(unit)} {', '.join(phrases)}" if phrases else ""


def _is_number(change: UnitChange) -> bool:
    return not (isinstance(change.was, (bool, str)) or isinstance(change.now, (bool, str)))


def _likely_range(game: Game[Any], spread: Mapping[UnitChange, Fraction]) -> str:
    """Return the likely range of a number and its mean: `probably 2 to 3 figures lost (2.7 on average)`."""
    name, rows, words = _rows_and_words(game, spread)
    return name + _range(rows, words)


def _rows_and_words(
    game: Game[Any], spread: Mapping[UnitChange, Fraction]
) -> tuple[str, list[tuple[float, Fraction]], Callable[[float], str]]:
    """Return the values of a number with their chances, and the function that words a value, after the number's name.

    The name is "" if the function already names what is counted.
    """
    _, what, was, _ = next(iter(spread))
    start = float(was)
    rows = [(float(change.now) - start, p) for change, p in spread.items()] + [
        (0.0, 1 - sum(spread.values(), Fraction(0)))
    ]
    is_one_way = all(more >= 0 for more, _ in rows) or all(more <= 0 for more, _ in rows)
    if what not in game.narrator.counted_as or not is_one_way:
        return f"{what} ", [(start + more, p) for more, p in rows], "{:g}".format
    noun, fewer, back = game.narrator.counted_as[what]
    done = fewer if min(rows)[0] < 0 else back

    def lost_or_back(size: float) -> str:
        return f"{amount(size, noun).replace('0', 'no', 1) if size == 0 else amount(size, noun)} {done}"

    return "", [(abs(more), p) for more, p in rows], lost_or_back


def _range(rows: Sequence[tuple[float, Fraction]], words: Callable[[float], str]) -> str:
    """Return the likely range of a number, worded by `words`, and the mean."""
    return f"probably {_span(rows, words)} ({sum(float(p) * value for value, p in rows):.1f} on average)"


def _span(rows: Sequence[tuple[float, Fraction]], words: Callable[[float], str]) -> str:
    """Return the likely range of a number, worded by `words`."""
    rows = sorted(rows)
    low, high = _quantile(rows, _LIKELY), _quantile(rows, 1 - _LIKELY)
    return words(high) if low == high else f"at most {words(high)}" if low == 0 else f"{low:g} to {words(high)}"


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


def percent(p: Fraction) -> str:
    """Return a chance in whole percent; small ones as "under 1%" and large ones as "over 99%"."""
    return "under 1%" if p < Fraction(1, 100) else "over 99%" if p > Fraction(99, 100) else f"{float(p):.0%}"


def by_unit(game: Game[Any], phrases: Sequence[tuple[str, str]]) -> str:
    """Return the phrases grouped by unit, with each unit named once."""
    found: dict[str, list[str]] = {}
    for unit, words in phrases:
        found.setdefault(unit, []).append(words.removeprefix(f"{game.narrator.name_of(unit)}: "))
    return "; ".join(f"{game.narrator.name_of(unit)}: {', '.join(words)}" for unit, words in found.items())
