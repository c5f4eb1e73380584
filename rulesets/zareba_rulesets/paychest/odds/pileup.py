"""Exact counting of casualty cards and of hits that pile up on a group, where taking them one by one is too long.

The cards of a deck fall into classes: they kill, knock out, wound, or graze. What a man comes to depends on how many of
each he draws, never on their order (PAY-118): dead with a killing card; else unconscious with a card that knocks out,
or with too many wounds (PAY-119). So hits that fall on a group at random (PAY-105) are balls in boxes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm, prod

__all__ = ["DeckClasses", "card_counts", "counted_hits", "group_losses", "several"]


@dataclass(frozen=True)
class DeckClasses:
    """Cards left in the pile and in the whole pack, each as counts by class; `again`: each card goes back at once."""

    left: tuple[int, ...]
    full: tuple[int, ...]
    again: bool = False

    def of(self, *groups: tuple[int, ...]) -> DeckClasses:
        """The same cards in fewer classes, each of them some of these; cards of no group are left out."""
        left, full = (tuple(sum(cards[one] for one in group) for group in groups) for cards in (self.left, self.full))
        return DeckClasses(left, full, self.again)


def several(tries: int, chance: Fraction) -> dict[int, Fraction]:
    """How many of some tries come off, each for itself with the same chance."""
    missed = 1 - chance
    found = {n: comb(tries, n) * chance**n * missed ** (tries - n) for n in range(tries + 1)}
    return {n: p for n, p in found.items() if p}


# --- cards ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def card_counts(deck: DeckClasses, draws: int) -> Mapping[tuple[int, ...], Fraction]:
    """The chance of each count by class among `draws` cards; an empty pile is made anew from the pack (PAY-117)."""
    if deck.again:
        return _with_return(deck.full, draws)
    sure, pile, rest = _pile_of(deck, draws)
    return {
        tuple(a + b for a, b in zip(sure, counts, strict=True)): chance
        for counts, chance in _without_return(pile, rest).items()
    }


def _pile_of(deck: DeckClasses, draws: int) -> tuple[Sequence[int], Sequence[int], int]:
    """Cards that surely come, by class, then the pile from which the rest comes, and how many that are."""
    size = sum(deck.left)
    if draws <= size:
        return (0,) * len(deck.left), deck.left, draws
    packs, rest = divmod(draws - size, sum(deck.full))
    return tuple(a + packs * b for a, b in zip(deck.left, deck.full, strict=True)), deck.full, rest


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


def counted_hits(deck: DeckClasses, shares: Sequence[Fraction], draws: int) -> dict[int, Fraction]:
    """How many of some hits count (PAY-187); `shares`: for each class of cards the chance that one of it counts."""
    if deck.again:
        hit = sum((card * share for card, share in zip(deck.full, shares, strict=True)), Fraction(0))
        return several(draws, hit / sum(deck.full))
    sure, pile, rest = _pile_of(deck, draws)
    unit = lcm(*(share.denominator for share in shares))
    found = {
        (0, 0): 1
    }  # cards drawn from the pile, and how many cards count -> ways, times the unit for each card drawn
    for certain, cards, share in zip(sure, pile, shares, strict=True):
        counts = int(share * unit)
        for number in range(certain + cards):
            following: dict[tuple[int, int], int] = {}
            for (drawn, counted), ways in found.items():
                after = drawn
                if number >= certain:
                    following[drawn, counted] = following.get((drawn, counted), 0) + ways
                    after += 1
                if after <= rest:
                    for key, times in (((after, counted), unit - counts), ((after, counted + 1), counts)):
                        if times:
                            following[key] = following.get(key, 0) + ways * times
            found = following
    whole = comb(sum(pile), rest) * unit**draws
    return {counted: Fraction(ways, whole) for (drawn, counted), ways in sorted(found.items()) if drawn == rest}


# --- balls in boxes ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=65536)
def _hit(men: int, balls: int, already: int = 0) -> Mapping[int, int]:
    """How many men are hit once some balls have fallen, when so many were hit before -> ways, of men ** balls."""
    if not balls:
        return {already: 1}
    found: dict[int, int] = {}
    for hit, ways in _hit(men, balls - 1, already).items():
        for after, times in ((hit, hit), (hit + 1, men - hit)):
            if times:
                found[after] = found.get(after, 0) + ways * times
    return found


@lru_cache(maxsize=65536)
def _below(balls: int, boxes: int, least: int) -> int:
    """Ways to put different balls into different boxes with fewer than `least` in each."""
    if boxes == 0:
        return int(balls == 0)
    return sum(comb(balls, n) * _below(balls - n, boxes - 1, least) for n in range(min(balls, least - 1) + 1))


@lru_cache(maxsize=4096)
def _worn_down(men: int, wounds: int, collapse: int) -> Mapping[int, int]:
    """How many men have as many wounds as make them collapse (0: nobody ever) -> ways, of men ** wounds."""
    if not collapse:
        return {0: men**wounds}

    def spared(some: int) -> int:
        """Ways in which these men all keep up, whatever becomes of the others."""
        others = men - some
        return sum(comb(wounds, n) * others ** (wounds - n) * _below(n, some, collapse) for n in range(wounds + 1))

    most = min(men, wounds // collapse)
    keeping = [spared(men - down) for down in range(most + 1)]
    found = {}
    for down in range(most + 1):
        ways = comb(men, down) * sum((-1) ** n * comb(down, n) * keeping[down - n] for n in range(down + 1))
        if ways:
            found[down] = ways
    return found


@lru_cache(maxsize=4096)
def _down(deck: DeckClasses, men: int, cards: int, collapse: int) -> Mapping[int, Fraction]:
    """How many men so many cards that knock out or wound put down, the dead among them; `deck`: these two classes."""
    shares = card_counts(deck, cards)
    whole = lcm(*(share.denominator for share in shares.values()))
    found: dict[int, int] = {}
    for (knocks, wounds), share in shares.items():
        copies = share.numerator * (whole // share.denominator)
        for worn, ways in _worn_down(men, wounds, collapse).items():
            for down, more in _hit(men, knocks, worn).items():
                found[down] = found.get(down, 0) + copies * ways * more
    return {down: Fraction(ways, whole * men**cards) for down, ways in found.items()}


def group_losses(
    deck: DeckClasses, men: int, hits: Mapping[int, Fraction], collapse: int
) -> dict[tuple[int, int], Fraction]:
    """(killed, unconscious) among fresh men on whom this many hits fall at random; `hits`: number -> chance.

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
            for dead, ways in _hit(men, kills).items():
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
