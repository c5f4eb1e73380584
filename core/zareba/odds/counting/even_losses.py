"""Hits that fall on some men evenly, each with a card: nobody has a second before everybody has one.

Then some men take one hit more than the others, and each hit is a slot that a card fills. The killing cards are dealt
first, then those that knock out, then those that wound: whom a card has put down is out of the reckoning, and of the
others it matters only how many are left of either sort.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm
from typing import NamedTuple

from zareba.odds.counting.cards import Cards, card_counts
from zareba.odds.distribution import leading, several

__all__ = ["losses_evenly"]


class _Standing(NamedTuple):
    """Men whom no card has put down: with a slot more than the others, and with `slots` alone."""

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
    """(dead, down) among fresh men on whom this many hits fall evenly; the arguments as of `losses_at_random`."""
    count = _with_return if deck.again else _from_the_pile

    def fall(number: int) -> Iterable[tuple[tuple[int, int], Fraction]]:
        slots, more = divmod(number, men)
        return count(deck, _Standing(more, men - more, slots), collapse).items()

    return dict(sorted(leading(hits, fall).items()))


def _with_return(deck: Cards, men: _Standing, collapse: int) -> dict[tuple[int, int], Fraction]:
    """Where each card goes back at once, no man's hand bears on another's."""
    more, fewer = _fates_of(deck, men.slots + 1, collapse, men.more), _fates_of(deck, men.slots, collapse, men.fewer)
    return leading(more, lambda one: [((one[0] + dead, one[1] + out), p) for (dead, out), p in fewer.items()])


def _fates_of(deck: Cards, slots: int, collapse: int, men: int) -> dict[tuple[int, int], Fraction]:
    """Fates of men who have so many cards each, of a pack that is always full."""
    kills = out = Fraction(0)
    for (killing, knocks, wounds, _), p in card_counts(deck, slots).items():
        if killing:
            kills += p
        elif knocks or (collapse and wounds >= collapse):
            out += p
    return {
        (dead, down): p * q
        for dead, p in several(men, kills).items()
        for down, q in several(men - dead, out / (1 - kills) if kills < 1 else Fraction(0)).items()
    }


def _from_the_pile(deck: Cards, men: _Standing, collapse: int) -> dict[tuple[int, int], Fraction]:
    whole = men.more + men.fewer
    dealt: dict[int, dict[tuple[int, _Standing], Fraction]] = {}  # slots without a card -> dead, who stands -> chance
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
    """How many of the last cards wound -> ways for each choice of their slots; first the ways of all together."""
    shares = {wounds: p / comb(cards, wounds) for (wounds, _), p in card_counts(deck, cards).items()}
    whole = lcm(*(p.denominator for p in shares.values()))
    return whole, {wounds: p.numerator * (whole // p.denominator) for wounds, p in shares.items()}


@lru_cache(maxsize=65536)
def _up(deck: Cards, men: _Standing, cards: int, collapse: int) -> Mapping[int, int]:
    """How many men are still up when the last cards, that wound or graze, are dealt -> ways."""
    found: dict[int, int] = {}
    for wounds, copies in _last_cards(deck, cards)[1].items():
        for standing, ways in _spared(men, cards, wounds, collapse or cards + 1).items():
            up = standing.more + standing.fewer
            found[up] = found.get(up, 0) + copies * ways
    return found


@lru_cache(maxsize=65536)
def _spared(men: _Standing, free: int, cards: int, least: int) -> Mapping[_Standing, int]:
    """Who is dealt fewer than `least` of these cards, when they fall on some of the free slots, theirs and others'.

    -> ways, of `free` over `cards`.
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
    """How many men with so many slots have `least` or more of the cards in them -> ways.

    A coefficient of the product of two powers of polynomials, which are numbers written to a base above all coefficients.
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
