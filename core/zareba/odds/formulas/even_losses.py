"""Losses from hits that are spread evenly over figures, with a card for each hit.

No figure takes a second hit before all have one, so some figures take one hit more than the rest. Each hit is a slot
that a card fills. The killing cards are dealt first, then those that knock out, then those that wound. A figure that a
card has put down is out of the calculation; of the rest, only the number with each number of slots matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm
from typing import NamedTuple

from zareba.odds.distribution import after_step, binomial
from zareba.odds.formulas.cards import Cards, card_counts

__all__ = ["losses_evenly"]


class _Standing(NamedTuple):
    """Figures that no card has put down: `more` of them have `slots` + 1 slots, `fewer` have `slots`."""

    more: int
    fewer: int
    slots: int

    @property
    def free(self) -> int:
        """The slots of all of them."""
        return self.more * (self.slots + 1) + self.fewer * self.slots


def losses_evenly(
    deck: Cards, men: int, hits: Mapping[int, Fraction], collapse: int
) -> dict[tuple[int, int], Fraction]:
    """Return the chances of (dead, down) among fresh figures, with hits spread evenly (see `losses_at_random`)."""
    count = _with_return if deck.again else _from_the_pile

    def fall(number: int) -> Iterable[tuple[tuple[int, int], Fraction]]:
        slots, more = divmod(number, men)
        return count(deck, _Standing(more, men - more, slots), collapse).items()

    return dict(sorted(after_step(hits, fall).items()))


def _with_return(deck: Cards, men: _Standing, collapse: int) -> dict[tuple[int, int], Fraction]:
    """Return the losses if each card is returned at once, so that the cards of figures are independent."""
    more, fewer = _fates_of(deck, men.slots + 1, collapse, men.more), _fates_of(deck, men.slots, collapse, men.fewer)
    return after_step(more, lambda one: [((one[0] + dead, one[1] + out), p) for (dead, out), p in fewer.items()])


def _fates_of(deck: Cards, slots: int, collapse: int, men: int) -> dict[tuple[int, int], Fraction]:
    """Return the losses among figures with `slots` cards each from a pack that is always full."""
    kills = out = Fraction(0)
    for (killing, knocks, wounds, _), p in card_counts(deck, slots).items():
        if killing:
            kills += p
        elif knocks or (collapse and wounds >= collapse):
            out += p
    return {
        (dead, down): p * q
        for dead, p in binomial(men, kills).items()
        for down, q in binomial(men - dead, out / (1 - kills) if kills < 1 else Fraction(0)).items()
    }


def _from_the_pile(deck: Cards, men: _Standing, collapse: int) -> dict[tuple[int, int], Fraction]:
    whole = men.more + men.fewer
    dealt: dict[
        int, dict[tuple[int, _Standing], Fraction]
    ] = {}  # slots without a card -> (dead, figures standing) -> probability
    for (kills, knocks, others), chance in card_counts(deck.of((0,), (1,), (2, 3)), men.free).items():
        each = chance / (comb(men.free, kills) * comb(men.free - kills, knocks))
        here: dict[tuple[int, _Standing], int] = {}
        for alive, ways in _spared(men, men.free, kills, 1).items():
            dead = whole - alive.more - alive.fewer
            for standing, times in _spared(alive, men.free - kills, knocks, 1).items():
                here[dead, standing] = here.get((dead, standing), 0) + ways * times
        left = dealt.setdefault(others, {})
        for key, ways in here.items():
            left[key] = left.get(key, Fraction(0)) + each * ways
    found: dict[tuple[int, int], Fraction] = {}
    wounding = deck.of((2,), (3,))
    for cards, left in dealt.items():
        scale = lcm(*(p.denominator for p in left.values()))
        fates: dict[tuple[int, int], int] = {}
        for (dead, standing), p in left.items():
            copies = p.numerator * (scale // p.denominator)
            for up, ways in _up(wounding, standing, cards, collapse).items():
                fate = dead, whole - dead - up
                fates[fate] = fates.get(fate, 0) + copies * ways
        every = scale * _last_cards(wounding, cards)[0]
        for fate, ways in fates.items():
            found[fate] = found.get(fate, Fraction(0)) + Fraction(ways, every)
    return found


@lru_cache(maxsize=4096)
def _last_cards(deck: Cards, cards: int) -> tuple[int, Mapping[int, int]]:
    """Return a denominator, and how many of the last cards wound -> numerator of the chance of one choice of slots."""
    shares = {wounds: p / comb(cards, wounds) for (wounds, _), p in card_counts(deck, cards).items()}
    whole = lcm(*(p.denominator for p in shares.values()))
    return whole, {wounds: p.numerator * (whole // p.denominator) for wounds, p in shares.items()}


@lru_cache(maxsize=65536)
def _up(deck: Cards, men: _Standing, cards: int, collapse: int) -> Mapping[int, int]:
    """Return how many figures are still up after the last cards, which wound or graze -> ways."""
    found: dict[int, int] = {}
    for wounds, copies in _last_cards(deck, cards)[1].items():
        for standing, ways in _spared(men, cards, wounds, collapse or cards + 1).items():
            up = standing.more + standing.fewer
            found[up] = found.get(up, 0) + copies * ways
    return found


@lru_cache(maxsize=65536)
def _spared(men: _Standing, free: int, cards: int, least: int) -> Mapping[_Standing, int]:
    """Return the figures with fewer than `least` of the cards; `free` counts their slots and those of other figures.

    Each maps to its ways, out of the binomial coefficient of `free` over `cards`.
    """
    found: dict[_Standing, int] = {}
    others = free - men.free
    for here in range(min(cards, men.more * (men.slots + 1)) + 1):
        more = _reached(men.more, men.slots + 1, here, least)
        for there in range(max(0, cards - here - others), min(cards - here, men.fewer * men.slots) + 1):
            elsewhere = comb(others, cards - here - there)
            for other, times in _reached(men.fewer, men.slots, there, least).items():
                for hit, ways in more.items():
                    standing = _Standing(men.more - hit, men.fewer - other, men.slots)
                    found[standing] = found.get(standing, 0) + ways * times * elsewhere
    return found


@lru_cache(maxsize=65536)
def _reached(men: int, slots: int, cards: int, least: int) -> Mapping[int, int]:
    """Return how many figures with `slots` slots each get `least` or more of the cards -> ways.

    Each is a coefficient of a product of two powers of polynomials. The polynomials are computed as integers in a base
    above all coefficients.
    """
    base = men * slots + 1
    hit = sum(comb(slots, n) << base * n for n in range(least, slots + 1))
    spared = sum(comb(slots, n) << base * n for n in range(min(least, slots + 1)))
    found = {}
    for reached in range(min(men, cards // least) + 1):
        ways = (hit**reached * spared ** (men - reached)) >> (base * cards) & ((1 << base) - 1)
        if ways:
            found[reached] = comb(men, reached) * ways
    return found
