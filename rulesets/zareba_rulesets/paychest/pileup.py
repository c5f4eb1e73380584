"""Exact counting of casualty cards and of hits that pile up on a group, where taking them one by one is too long.

The cards of a deck fall into four classes: they kill, knock out, wound, or graze. What a man comes to depends on how
many of each he draws, never on their order (PAY-118): dead with a killing card; else unconscious with a card that
knocks out, or with too many wounds (PAY-119). So hits that fall on a group at random (PAY-105) are balls in boxes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm, prod

__all__ = ["DeckClasses", "card_counts", "counted_hits", "group_losses"]


@dataclass(frozen=True)
class DeckClasses:
    """Cards left in the pile and in the whole pack, each as counts by class; `again`: each card goes back at once."""

    left: tuple[int, ...]
    full: tuple[int, ...]
    again: bool = False


@lru_cache(maxsize=4096)
def card_counts(deck: DeckClasses, draws: int) -> Mapping[tuple[int, ...], Fraction]:
    """The chance of each count by class among `draws` cards; an empty pile is made anew from the pack (PAY-117)."""
    if deck.again:
        return _with_return(deck.full, draws)
    size = sum(deck.left)
    if draws <= size:
        return _without_return(deck.left, draws)
    found: dict[tuple[int, ...], Fraction] = {}
    packs, rest = divmod(draws - size, sum(deck.full))
    for counts, chance in _without_return(deck.full, rest).items():
        total = tuple(a + packs * b + c for a, b, c in zip(deck.left, deck.full, counts, strict=True))
        found[total] = chance
    return found


def _without_return(cards: Sequence[int], draws: int) -> dict[tuple[int, ...], Fraction]:
    whole = comb(sum(cards), draws)
    return {
        counts: Fraction(prod(comb(c, n) for c, n in zip(cards, counts, strict=True)), whole)
        for counts in _splits(draws, tuple(cards))
    }


def _with_return(cards: Sequence[int], draws: int) -> dict[tuple[int, ...], Fraction]:
    whole = sum(cards) ** draws
    found = {}
    for counts in _splits(draws, tuple(draws if card else 0 for card in cards)):
        ways, left = 1, draws
        for card, count in zip(cards, counts, strict=True):
            ways *= comb(left, count) * card**count
            left -= count
        found[counts] = Fraction(ways, whole)
    return found


def _splits(total: int, most: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All ways to make `total` of one number for each limit, none above it."""
    if len(most) == 1:
        return [(total,)] if total <= most[0] else []
    return [(first, *rest) for first in range(min(total, most[0]) + 1) for rest in _splits(total - first, most[1:])]


# --- balls in boxes -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _onto(balls: int, boxes: int) -> int:
    """Ways to put different balls into different boxes so that none stays empty."""
    return sum((-1) ** i * comb(boxes, i) * (boxes - i) ** balls for i in range(boxes + 1))


@lru_cache(maxsize=65536)
def _below(balls: int, boxes: int, collapse: int) -> int:
    """Ways to put different balls into different boxes with fewer than `collapse` in each (0: no limit)."""
    if not collapse:
        return int(boxes**balls)
    if boxes == 0:
        return int(balls == 0)
    total = 0
    for here in range(min(balls, collapse - 1) + 1):
        total += comb(balls, here) * _below(balls - here, boxes - 1, collapse)
    return total


def _spared(men: int, spared: int, knocks: int, wounds: int, collapse: int) -> int:
    """Ways in which `spared` given men draw no knock and fewer wounds than `collapse`."""
    others = men - spared
    total = sum(comb(wounds, j) * others ** (wounds - j) * _below(j, spared, collapse) for j in range(wounds + 1))
    return int(others**knocks * total)


@lru_cache(maxsize=65536)
def _knocked(men: int, knocks: int, wounds: int, collapse: int) -> Mapping[tuple[int, int], int]:
    """(dead, unconscious) -> ways for the rest of the cards, given which men are dead and which unconscious."""
    spared = [_spared(men, count, knocks, wounds, collapse) for count in range(men + 1)]
    most = knocks + (wounds // collapse if collapse else 0)
    found = {}
    for dead in range(men + 1):
        for out in range(min(men - dead, most) + 1):
            ways = sum((-1) ** i * comb(out, i) * spared[men - dead - out + i] for i in range(out + 1))
            if ways:
                found[dead, out] = ways
    return found


def group_losses(
    deck: DeckClasses, men: int, hits: Mapping[int, Fraction], collapse: int
) -> dict[tuple[int, int], Fraction]:
    """(killed, unconscious) among fresh men on whom this many hits fall at random; `hits`: number -> chance."""
    cards: dict[tuple[int, int], dict[int, Fraction]] = {}
    for number, chance in hits.items():
        for (kills, knocks, wounds, _), share in card_counts(deck, number).items():
            by_kills = cards.setdefault((knocks, wounds), {})
            by_kills[kills] = by_kills.get(kills, Fraction(0)) + chance * share
    whole = lcm(*(p.denominator for by_kills in cards.values() for p in by_kills.values()))
    top = max(knocks + wounds + max(by_kills) for (knocks, wounds), by_kills in cards.items())
    ways_to: dict[tuple[int, int], int] = {}
    for (knocks, wounds), by_kills in cards.items():
        weights = [0] * (men + 1)
        for kills, p in by_kills.items():
            scale = p.numerator * (whole // p.denominator) * men ** (top - kills - knocks - wounds)
            for dead in range(min(men, kills) + 1):
                weights[dead] += scale * _onto(kills, dead)
        for (dead, out), ways in _knocked(men, knocks, wounds, collapse).items():
            if weights[dead]:
                more = weights[dead] * comb(men, dead) * comb(men - dead, out) * ways
                ways_to[dead, out] = ways_to.get((dead, out), 0) + more
    bottom = whole * men**top
    return {key: Fraction(ways, bottom) for key, ways in sorted(ways_to.items()) if ways}


def counted_hits(deck: DeckClasses, shares: Sequence[Fraction], draws: int) -> dict[int, Fraction]:
    """How many of some hits count (PAY-187); `shares`: for each class of cards the chance that one of it counts."""
    found: dict[int, Fraction] = {}
    for counts, chance in card_counts(deck, draws).items():
        spread = {0: Fraction(1)}
        for number, share in zip(counts, shares, strict=True):
            following: dict[int, Fraction] = {}
            for before, p in spread.items():
                for more in range(number + 1):
                    here = p * comb(number, more) * share**more * (1 - share) ** (number - more)
                    if here:
                        following[before + more] = following.get(before + more, Fraction(0)) + here
            spread = following
        for total, p in spread.items():
            found[total] = found.get(total, Fraction(0)) + chance * p
    return dict(sorted(found.items()))
