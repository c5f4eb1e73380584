"""The odds of a choice in words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from zareba.base.grammar import amount, chance_in_percent, with_unit
from zareba.game import Game, UnitChange
from zareba.game.parts.display import MOVED
from zareba.odds.choices import ChoiceOdds

_LIKELY = Fraction(1, 6)
"""The share of outcomes left out at each end of a likely range; the range holds at least two thirds of them."""
_WORTH_NAMING = Fraction(1, 100)
"""The smallest chance that is named, except for losses; the table of outcomes has all."""
_MOST_CHANCES = 3
"""The number of numbers, and of states, listed for a unit; the table of outcomes has all."""
_MOST_UNITS = 2
"""The number of units in the odds of one line."""


def changes_in_brief(game: Game[Any], found: ChoiceOdds) -> str:
    """Return what will probably happen to each unit in one line, the likeliest losses first."""
    return "; ".join(clauses_in_brief(game, found))


def clauses_in_brief(game: Game[Any], found: ChoiceOdds) -> list[str]:
    """Return what will probably happen to each unit, one clause a unit, the likeliest losses first.

    Numbers come as their likely range and mean, everything else with its chance. One clause has the chance that nothing
    changes, if there is one.
    """
    changes: dict[str, dict[UnitChange, Fraction]] = {}
    for outcome, p in found.outcomes.items():
        for change in without_lost_units(game, outcome):
            of_unit = changes.setdefault(change.unit, {})
            of_unit[change] = of_unit.get(change, Fraction(0)) + p
    noted = next(iter(game.narrator.counted_as))
    loss = {
        unit: _chance(p for change, p in of_unit.items() if change.what == noted) for unit, of_unit in changes.items()
    }
    parts = [
        (unit, phrase)
        for unit in sorted(changes, key=lambda unit: -loss[unit])
        for phrase in _unit_in_brief(game, changes[unit])
    ]
    nothing = found.outcomes.get((), Fraction(0))
    unchanged = ["no change" if nothing == 1 else f"no change ({chance_in_percent(nothing)} chance)"] if nothing else []
    changed = _clauses_by_unit(game, parts)
    return [*unchanged, *changed] if nothing > Fraction(1, 2) else [*changed, *unchanged]


def without_lost_units(game: Game[Any], outcome: Iterable[UnitChange]) -> Iterator[UnitChange]:
    """Yield the changes of an outcome. Of a unit that has nothing left, they are only its losses and that fact."""
    changes = list(outcome)
    noted = next(iter(game.narrator.counted_as))
    lost = {change.unit for change in changes if change.what == noted and change.now == 0}
    yield from [change for change in changes if change.what == noted or change.unit not in lost]
    for unit in sorted(lost):
        yield UnitChange(unit, f"no {_plural(game.narrator.loss_noun)} left", False, True)


def _plural(noun: str) -> str:
    """Return the plural of a noun."""
    return amount(2, noun).removeprefix("2 ")


def _unit_in_brief(game: Game[Any], chances: Mapping[UnitChange, Fraction]) -> list[str]:
    """Return the probable changes of one unit as phrases: its losses, likely states, other numbers and unlikely
    states.
    """
    counted = list(game.narrator.counted_as)
    spreads: dict[str, dict[UnitChange, Fraction]] = {}
    states: dict[UnitChange, Fraction] = {}
    for change, p in chances.items():
        if _is_number(change):
            spreads.setdefault(change.what, {})[change] = p
        elif p >= _WORTH_NAMING:
            states[change] = p
    spreads = {
        what: spread
        for what, spread in spreads.items()
        if what == counted[0] or _chance(spread.values()) >= _WORTH_NAMING
    }

    def rank(what: str) -> int:
        return len(counted) + (what == MOVED) if what not in counted else counted.index(what)

    is_hurt = _chance(spreads.get(counted[0], {}).values()) >= Fraction(1, 2)
    numbers = [
        phrase
        for what in sorted(spreads, key=rank)
        if not _repeats_a_loss(game, what, spreads)
        and (phrase := _number_in_brief(game, spreads[what]) or ("" if is_hurt else _perhaps(game, spreads[what])))
    ][:_MOST_CHANCES]
    losses = 1 if counted[0] in spreads else 0
    likely = [change for change, p in states.items() if p >= Fraction(1, 2)]
    listed = sorted(states, key=lambda change: -states[change])[:_MOST_CHANCES]
    sure = [_with_chance(game, change, states[change]) for change in listed if change in likely]
    unsure = [_with_chance(game, change, states[change]) for change in listed if change not in likely]
    return [*numbers[:losses], *sure, *numbers[losses:], *unsure]


def _chance(chances: Iterable[Fraction]) -> Fraction:
    """Return the chance that one of several alternatives happens."""
    return sum(chances, Fraction(0))


def _repeats_a_loss(game: Game[Any], what: str, spreads: Mapping[str, Mapping[UnitChange, Fraction]]) -> bool:
    """Return True if a number changes exactly as the unit's figures do, such as its firearms or its dead, or counts
    what the unit has lost under that very name, such as "lost".
    """

    def by_size(chances: Mapping[UnitChange, Fraction]) -> dict[float, Fraction]:
        return {abs(float(change.now) - float(change.was)): p for change, p in chances.items()}

    noted, (_, fewer, _) = next(iter(game.narrator.counted_as.items()))
    return what == fewer or (what != noted and by_size(spreads.get(noted, {})) == by_size(spreads[what]))


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
    """Return the likely loss of a unit and its likeliest new state: `Jezails: 1 figure lost, perhaps broken (31 %)`.

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
        spread = numbers[what]
        if len(spread) == 1:
            ((change, p),) = spread.items()
            phrase = _with_chance(game, change, p, "")
        else:
            sizes, words = _sizes(spread), _counting_words(game, spread)
            phrase = _span(sizes, words) if words and _quantile(sizes, 1 - _LIKELY) else ""
        if phrase and not phrases:
            phrases.append(phrase)
    worth_naming = [(change, p) for change, p in states.items() if p >= _WORTH_NAMING]
    for change, p in sorted(worth_naming, key=lambda item: -item[1])[:1]:
        perhaps = "perhaps " if phrases and p < Fraction(1, 2) else ""
        phrases.append(f"{perhaps}{_with_chance(game, change, p, '')}")
    return f"{game.narrator.name_of(unit)}: {', '.join(phrases)}" if phrases else ""


def _with_chance(game: Game[Any], change: UnitChange, p: Fraction, word: str = " chance") -> str:
    """Return a change with its chance: `broken (31 % chance)`."""
    return _phrase(game, change) if p == 1 else f"{_phrase(game, change)} ({chance_in_percent(p)}{word})"


def _is_number(change: UnitChange) -> bool:
    return not (isinstance(change.was, (bool, str)) or isinstance(change.now, (bool, str)))


def _number_in_brief(game: Game[Any], spread: Mapping[UnitChange, Fraction]) -> str:
    """Return the likely range of a number and its mean: `probably 2 to 3 figures lost (2.7 on average)`.

    A number with one possible change has its chance instead. Return "" for a number that probably stays as it is,
    except for losses.
    """
    change, p = next(iter(spread.items()))
    if len(spread) == 1:
        return _with_chance(game, change, p)
    what, start = change.what, float(change.was)
    if words := _counting_words(game, spread):
        sizes = _sizes(spread)
        if _quantile(sizes, 1 - _LIKELY):
            return f"probably {_span(sizes, words)} ({_mean(sizes):.1f} on average)"
        is_loss = what == next(iter(game.narrator.counted_as)) and float(change.now) < start
        return (
            f"probably {words(0)} ({chance_in_percent(_chance(spread.values()))} chance of a loss)" if is_loss else ""
        )
    values = _values(spread)
    low, high = likely_range(values)
    if low == high == start:
        return ""
    if what == MOVED:
        return f"probably moved {_span(values, lambda inches: with_unit(int(inches), game.narrator.length))}"
    name = _counted_name(game, what)
    if start == 0:
        return f"{name} probably {_span(values, '{:g}'.format)} ({_mean(values):.1f} on average)"
    then = f"{low:g}" if low == high else f"{low:g} to {high:g}"
    return f"{name} now {start:g}, then probably {then} ({_mean(values):.1f} on average)"


def _perhaps(game: Game[Any], spread: Mapping[UnitChange, Fraction]) -> str:
    """Return the chance that a number that probably stays at 0 rises: `wounds of its leader 1 or more (12 % chance)`.

    Return "" for all others. Only for a unit that probably has no losses; else such numbers are a detail.
    """
    what, start = next(iter(spread)).what, float(next(iter(spread)).was)
    if start or what == MOVED or what in game.narrator.counted_as:
        return ""
    return f"{what} 1 or more ({chance_in_percent(_chance(spread.values()))} chance)"


def _values(spread: Mapping[UnitChange, Fraction]) -> list[tuple[float, Fraction]]:
    """Return the possible values of a number with their chances, from the smallest; the present one is among them."""
    values = [(float(change.now), p) for change, p in spread.items()]
    return sorted([*values, (float(next(iter(spread)).was), 1 - _chance(spread.values()))])


def _sizes(spread: Mapping[UnitChange, Fraction]) -> list[tuple[float, Fraction]]:
    """Return the possible sizes of a change with their chances, from none: the figures lost."""
    start = float(next(iter(spread)).was)
    return sorted((abs(value - start), p) for value, p in _values(spread))


def _mean(rows: Sequence[tuple[float, Fraction]]) -> float:
    """Return the mean of values with their chances."""
    return sum(float(p) * value for value, p in rows)


def _counting_words(game: Game[Any], spread: Mapping[UnitChange, Fraction]) -> Callable[[float], str] | None:
    """Return the function that words a number of things lost or back, such as `2 figures lost`.

    Return None if the ruleset does not count them so, or if they may become both more and fewer.
    """
    what = next(iter(spread)).what
    rises = {float(change.now) > float(change.was) for change in spread}
    if what not in game.narrator.counted_as or len(rises) > 1:
        return None
    noun, fewer, more = game.narrator.counted_as[what]
    done = more if rises == {True} else fewer

    def lost_or_back(size: float) -> str:
        return f"{amount(size, noun).replace('0', 'no', 1) if size == 0 else amount(size, noun)} {done}"

    return lost_or_back


def _counted_name(game: Game[Any], what: str) -> str:
    """Return the name of a number: its word in `condition`, or the things counted: `figures lying down`."""
    noun, _, more = game.narrator.counted_as.get(what, (what, "", ""))
    return what if what.startswith(noun) else f"{_plural(noun)} {more}"


def _span(rows: Sequence[tuple[float, Fraction]], words: Callable[[float], str]) -> str:
    """Return the likely range of a number, worded by `words`."""
    low, high = likely_range(rows)
    return words(high) if low == high else f"up to {words(high)}" if low == 0 else f"{low:g} to {words(high)}"


def likely_range(rows: Sequence[tuple[float, Fraction]]) -> tuple[float, float]:
    """Return the ends of the range that holds at least two thirds of the probability of some sorted values."""
    return _quantile(rows, _LIKELY), _quantile(rows, 1 - _LIKELY)


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


def by_unit(game: Game[Any], phrases: Sequence[tuple[str, str]]) -> str:
    """Return the phrases grouped by unit, with each unit named once."""
    return "; ".join(_clauses_by_unit(game, phrases))


def _clauses_by_unit(game: Game[Any], phrases: Sequence[tuple[str, str]]) -> list[str]:
    """Return a clause for each unit, with its phrases."""
    found: dict[str, list[str]] = {}
    for unit, words in phrases:
        found.setdefault(unit, []).append(words.removeprefix(f"{game.narrator.name_of(unit)}: "))
    return [f"{game.narrator.name_of(unit)}: {', '.join(words)}" for unit, words in found.items()]
