"""Exact counting of casualty cards when hits fall evenly: nobody has a second before everybody has one (PAY-105)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, prod

from zareba_rulesets.paychest.pileup import DeckClasses, card_counts

__all__ = ["even_losses", "even_shares"]

Shares = tuple[int, ...]
"""Hits of each man, the most first."""


def even_shares(men: int, hits: Mapping[int, Fraction]) -> dict[Shares, Fraction]:
    """How the hits of a volley, spread evenly, fall on men; `hits`: number -> chance."""
    found: dict[Shares, Fraction] = {}
    for number, chance in hits.items():
        each, odd = divmod(number, men)
        found[(each + 1,) * odd + (each,) * (men - odd)] = chance
    return found


def _splits(total: int, most: Sequence[int]) -> Iterator[tuple[int, ...]]:
    if not most:
        if total == 0:
            yield ()
        return
    for first in range(min(total, most[0]) + 1):
        for rest in _splits(total - first, most[1:]):
            yield (first, *rest)


def even_losses(deck: DeckClasses, shares: Mapping[Shares, Fraction], collapse: int) -> dict[tuple[int, int], Fraction]:
    """(killed, unconscious) among fresh men of whom each takes his share of the hits."""
    found: dict[tuple[int, int], Fraction] = {}
    for one, chance in shares.items():
        for cards, share in card_counts(deck, sum(one)).items():
            for fates, p in _dealt(one, cards, collapse).items():
                found[fates] = found.get(fates, Fraction(0)) + chance * share * p
    return dict(sorted(found.items()))


@lru_cache(maxsize=65536)
def _dealt(shares: Shares, cards: tuple[int, ...], collapse: int) -> Mapping[tuple[int, int], Fraction]:
    """Fates of men to whom these cards (kills, knocks, wounds, grazes) are dealt at random, to each his share."""
    if not shares or not shares[0]:
        return {(0, 0): Fraction(1)}
    first, rest = shares[0], shares[1:]
    whole = comb(sum(cards), first)
    found: dict[tuple[int, int], Fraction] = {}
    for mine in _splits(first, cards):
        chance = Fraction(prod(comb(card, some) for card, some in zip(cards, mine, strict=True)), whole)
        kills, knocks, wounds, _ = mine
        dead = kills > 0
        out = not dead and (knocks > 0 or bool(collapse and wounds >= collapse))
        left = tuple(card - some for card, some in zip(cards, mine, strict=True))
        for (others, knocked), p in _dealt(rest, left, collapse).items():
            key = others + dead, knocked + out
            found[key] = found.get(key, Fraction(0)) + chance * p
    return found
