"""Cards drawn from a pile, by class: distributions of counts, and of the results of drawing them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm, prod
from typing import TypeVar

from zareba.odds.distribution import after_step, binomial

__all__ = ["Cards", "card_counts", "deal_cards", "drawn_that_count"]

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True)
class Cards:
    """The cards left in a pile and in the full pack, as counts by class. `again`: each card is returned at once."""

    left: tuple[int, ...]
    full: tuple[int, ...]
    again: bool = False

    def of(self, *groups: tuple[int, ...]) -> Cards:
        """Return the same cards in fewer classes, each a group of the old ones. Classes in no group are left out."""
        left, full = (tuple(sum(cards[one] for one in group) for group in groups) for cards in (self.left, self.full))
        return Cards(left, full, self.again)


@lru_cache(maxsize=4096)
def card_counts(deck: Cards, draws: int) -> Mapping[tuple[int, ...], Fraction]:
    """Return the probability of each count by class among `draws` cards. An empty pile is refilled from the pack."""
    if deck.again:
        return _with_return(deck.full, draws)
    sure, pile, rest = _pile_of(deck, draws)
    return {
        tuple(a + b for a, b in zip(sure, counts, strict=True)): chance
        for counts, chance in _without_return(pile, rest).items()
    }


def _pile_of(deck: Cards, draws: int) -> tuple[Sequence[int], Sequence[int], int]:
    """Return the cards certain to be drawn, by class, the pile for the remaining draws, and their number."""
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
    """Return all ways to split `total` into one number for each limit, none above its limit."""
    if len(most) == 1:
        return [(total,)] if total <= most[0] else []
    return [(first, *rest) for first in range(min(total, most[0]) + 1) for rest in _splits(total - first, most[1:])]


def drawn_that_count(deck: Cards, shares: Sequence[Fraction], draws: int) -> dict[int, Fraction]:
    """Return the distribution of the drawn cards that count; `shares` is the chance that a card counts, by class."""
    if deck.again:
        hit = sum((card * share for card, share in zip(deck.full, shares, strict=True)), Fraction(0))
        return binomial(draws, hit / sum(deck.full))
    sure, pile, rest = _pile_of(deck, draws)
    unit = lcm(*(share.denominator for share in shares))
    found = {(0, 0): 1}  # (cards drawn from the pile, cards that count) -> ways, scaled by `unit` for each card drawn
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


def deal_cards(
    deck: Cards, start: T, most: int, after: Callable[[T, int], Sequence[T]], ways: int
) -> list[Mapping[T, Fraction]]:
    """Return the distributions of results from `start` after 0, 1, ... `most` cards.

    `after` gives the `ways` equally likely results of a card of one class.
    """
    found: list[Mapping[T, Fraction]] = [{start: Fraction(1)}]
    pile = deck.left
    while len(found) <= most:
        if deck.again:
            found.append(after_step(found[-1], lambda one: _one_of_all(deck.full, one, after, ways)))
        else:
            found += _from_the_pile(pile, found[-1], min(sum(pile), most + 1 - len(found)), after, ways)
            pile = deck.full
    return found


def _one_of_all(
    pack: Sequence[int], one: T, after: Callable[[T, int], Sequence[T]], ways: int
) -> Iterator[tuple[T, Fraction]]:
    for kind, copies in enumerate(pack):
        if copies:
            yield from ((then, Fraction(copies, sum(pack) * ways)) for then in after(one, kind))


def _from_the_pile(
    pile: Sequence[int], start: Mapping[T, Fraction], draws: int, after: Callable[[T, int], Sequence[T]], ways: int
) -> list[Mapping[T, Fraction]]:
    """Return the distributions after 1, 2, ... `draws` cards, each card of the pile being drawn or not."""
    scale = lcm(*(p.denominator for p in start.values()))
    now = {(0, one): p.numerator * (scale // p.denominator) for one, p in start.items()}
    for kind, copies in enumerate(pile):
        for _ in range(copies):
            following = dict(now)
            for (drawn, one), here in now.items():
                for then in after(one, kind) if drawn < draws else ():
                    following[drawn + 1, then] = following.get((drawn + 1, then), 0) + here
            now = following
    found: list[dict[T, Fraction]] = [{} for _ in range(draws)]
    size = sum(pile)
    for (drawn, one), here in now.items():
        if drawn:
            found[drawn - 1][one] = Fraction(here, scale * comb(size, drawn) * ways**drawn)
    return list(found)
