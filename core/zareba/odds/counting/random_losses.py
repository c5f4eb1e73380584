"""Hits that fall on some men at random, each with a card: balls in boxes, where taking them one by one is too long.

The cards fall into four classes: they kill, knock out, wound, or do nothing. What a man comes to depends on how many of
each he draws, never on their order: dead with a card of the first; else down with one of the second, or with so many of
the third that he collapses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm
from typing import TypeAlias

from zareba.odds.counting.cards import Cards, card_counts
from zareba.odds.distribution import leading

__all__ = ["losses_at_random"]

Pair: TypeAlias = "tuple[int, int]"


@lru_cache(maxsize=65536)
def struck(men: int, balls: int, already: int = 0) -> Mapping[int, int]:
    """How many men are hit once some balls have fallen, when so many were hit before -> ways, of men ** balls."""
    if not balls:
        return {already: 1}
    found: dict[int, int] = {}
    for hit, ways in struck(men, balls - 1, already).items():
        for after, times in ((hit, hit), (hit + 1, men - hit)):
            if times:
                found[after] = found.get(after, 0) + ways * times
    return found


@lru_cache(maxsize=65536)
def spared(balls: int, boxes: int, least: int) -> int:
    """Ways to put different balls into different boxes with fewer than `least` in each."""
    if boxes == 0:
        return int(balls == 0)
    return sum(comb(balls, n) * spared(balls - n, boxes - 1, least) for n in range(min(balls, least - 1) + 1))


@lru_cache(maxsize=4096)
def _worn_down(men: int, wounds: int, collapse: int) -> Mapping[int, int]:
    """How many men have as many wounds as make them collapse (0: nobody ever) -> ways, of men ** wounds."""
    if not collapse:
        return {0: men**wounds}

    def keeping(some: int) -> int:
        """Ways in which these men all keep up, whatever becomes of the others."""
        others = men - some
        return sum(comb(wounds, n) * others ** (wounds - n) * spared(n, some, collapse) for n in range(wounds + 1))

    most = min(men, wounds // collapse)
    up = [keeping(men - down) for down in range(most + 1)]
    found = {}
    for down in range(most + 1):
        ways = comb(men, down) * sum((-1) ** n * comb(down, n) * up[down - n] for n in range(down + 1))
        if ways:
            found[down] = ways
    return found


@lru_cache(maxsize=4096)
def _down(deck: Cards, men: int, cards: int, collapse: int) -> Mapping[int, Fraction]:
    """How many men so many cards that knock out or wound put down, the dead among them; `deck`: these two classes."""
    shares = card_counts(deck, cards)
    whole = lcm(*(share.denominator for share in shares.values()))
    found: dict[int, int] = {}
    for (knocks, wounds), share in shares.items():
        copies = share.numerator * (whole // share.denominator)
        for worn, ways in _worn_down(men, wounds, collapse).items():
            for down, more in struck(men, knocks, worn).items():
                found[down] = found.get(down, 0) + copies * ways * more
    return {down: Fraction(ways, whole * men**cards) for down, ways in found.items()}


def losses_at_random(
    deck: Cards, men: int, hits: Mapping[int, Fraction], collapse: int
) -> dict[tuple[int, int], Fraction]:
    """(dead, down) among fresh men on whom this many hits fall at random; `hits`: number -> chance; `collapse`: wounds that put a man down, 0: none do.

    Whom the killing cards hit has nothing to do with whom the others hit; who is hit by both is dead.
    """
    kinds, others = deck.of((0,), (1, 2), (3,)), deck.of((1,), (2,))

    def both(dead: int, down: int) -> Iterator[tuple[Pair, Fraction]]:
        for one in range(max(0, dead + down - men), min(dead, down) + 1):
            yield (dead, down - one), Fraction(comb(dead, one) * comb(men - dead, down - one), comb(men, down))

    cards = leading(hits, lambda n: [(counts[:2], p) for counts, p in card_counts(kinds, n).items()])
    killed = leading(
        cards, lambda n: [((dead, n[1]), Fraction(w, men ** n[0])) for dead, w in struck(men, n[0]).items()]
    )
    apart = leading(killed, lambda n: [((n[0], down), p) for down, p in _down(others, men, n[1], collapse).items()])
    return dict(sorted(leading(apart, lambda n: both(*n)).items()))
