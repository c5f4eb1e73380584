"""Hits that fall on some men at random, each with a card: balls in boxes, where taking them one by one is too long.

The cards fall into four classes: they kill, knock out, wound, or do nothing. What a man comes to depends on how many of
each he draws, never on their order: dead with a card of the first; else down with one of the second, or with so many of
the third that he collapses.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm

from zareba.odds.counting.cards import Cards, card_counts

__all__ = ["losses_at_random"]


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
    by_others: dict[int, dict[int, Fraction]] = {}  # cards that knock out or wound -> cards that kill -> chance
    for number, chance in hits.items():
        for (kills, others, _), share in card_counts(deck.of((0,), (1, 2), (3,)), number).items():
            by_kills = by_others.setdefault(others, {})
            by_kills[kills] = by_kills.get(kills, Fraction(0)) + chance * share
    apart: dict[tuple[int, int], Fraction] = {}  # dead, put down by other cards
    for others, by_kills in by_others.items():
        killed: dict[int, Fraction] = {}
        for kills, p in by_kills.items():
            for dead, ways in struck(men, kills).items():
                killed[dead] = killed.get(dead, Fraction(0)) + p * Fraction(ways, men**kills)
        for down, p in _down(deck.of((1,), (2,)), men, others, collapse).items():
            for dead, q in killed.items():
                apart[dead, down] = apart.get((dead, down), Fraction(0)) + p * q
    found: dict[tuple[int, int], Fraction] = {}
    for (dead, down), p in apart.items():
        for both in range(max(0, dead + down - men), min(dead, down) + 1):
            share = Fraction(comb(dead, both) * comb(men - dead, down - both), comb(men, down))
            found[dead, down - both] = found.get((dead, down - both), Fraction(0)) + p * share
    return {key: p for key, p in sorted(found.items()) if p}
