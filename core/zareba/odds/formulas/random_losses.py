"""Losses from hits that fall on figures at random, with a card for each hit.

They are counted as balls in boxes, because enumerating hits one by one takes too long. The cards have four classes:
they kill, knock out, wound, or do nothing. The fate of a figure depends on its number of cards of each class, not on
their order. It is dead with a card of the first class. Otherwise it is down with one of the second, or with enough of
the third to collapse.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm
from typing import TypeAlias

from zareba.odds.distribution import after_step
from zareba.odds.formulas.cards import Cards, card_counts

__all__ = ["losses_at_random"]

Pair: TypeAlias = "tuple[int, int]"


@lru_cache(maxsize=65536)
def count_hit_figures(men: int, balls: int, already: int = 0) -> Mapping[int, int]:
    """Return how many figures are hit by `balls` balls, if `already` were hit before -> ways, out of men ** balls."""
    if not balls:
        return {already: 1}
    found: dict[int, int] = {}
    for hit, ways in count_hit_figures(men, balls - 1, already).items():
        for after, times in ((hit, hit), (hit + 1, men - hit)):
            if times:
                found[after] = found.get(after, 0) + ways * times
    return found


@lru_cache(maxsize=65536)
def count_light_hits(balls: int, boxes: int, least: int) -> int:
    """Return the ways to put distinct balls into distinct boxes with fewer than `least` in each."""
    if boxes == 0:
        return int(balls == 0)
    return sum(comb(balls, n) * count_light_hits(balls - n, boxes - 1, least) for n in range(min(balls, least - 1) + 1))


@lru_cache(maxsize=4096)
def _worn_down(men: int, wounds: int, collapse: int) -> Mapping[int, int]:
    """Return how many figures have enough wounds to collapse (`collapse` 0: never) -> ways, out of men ** wounds."""
    if not collapse:
        return {0: men**wounds}

    def keeping(some: int) -> int:
        """Return the ways in which all these figures stay up, whatever happens to the rest."""
        others = men - some
        return sum(
            comb(wounds, n) * others ** (wounds - n) * count_light_hits(n, some, collapse) for n in range(wounds + 1)
        )

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
    """Return how many figures are put down by knock-out and wound cards, even if also dead -> probability.

    `deck` has these two classes.
    """
    shares = card_counts(deck, cards)
    whole = lcm(*(share.denominator for share in shares.values()))
    found: dict[int, int] = {}
    for (knocks, wounds), share in shares.items():
        copies = share.numerator * (whole // share.denominator)
        for worn, ways in _worn_down(men, wounds, collapse).items():
            for down, more in count_hit_figures(men, knocks, worn).items():
                found[down] = found.get(down, 0) + copies * ways * more
    return {down: Fraction(ways, whole * men**cards) for down, ways in found.items()}


def losses_at_random(
    deck: Cards, men: int, hits: Mapping[int, Fraction], collapse: int
) -> dict[tuple[int, int], Fraction]:
    """Return the probability of each (dead, down) among fresh figures, with hits that fall at random.

    `hits` maps each number of hits to its probability; `collapse` is the number of wounds that puts a figure down, 0
    for never. Killing cards and other cards fall independently; a figure with both is dead.
    """
    kinds, others = deck.of((0,), (1, 2), (3,)), deck.of((1,), (2,))

    def both(dead: int, down: int) -> Iterator[tuple[Pair, Fraction]]:
        for one in range(max(0, dead + down - men), min(dead, down) + 1):
            yield (dead, down - one), Fraction(comb(dead, one) * comb(men - dead, down - one), comb(men, down))

    cards = after_step(hits, lambda n: [(counts[:2], p) for counts, p in card_counts(kinds, n).items()])
    killed = after_step(
        cards, lambda n: [((dead, n[1]), Fraction(w, men ** n[0])) for dead, w in count_hit_figures(men, n[0]).items()]
    )
    apart = after_step(killed, lambda n: [((n[0], down), p) for down, p in _down(others, men, n[1], collapse).items()])
    return dict(sorted(after_step(apart, lambda n: both(*n)).items()))
