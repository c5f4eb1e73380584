"""Parts of odds formulas: many outcomes counted at once where the order of events does not matter."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm, prod
from typing import NamedTuple, TypeAlias, TypeVar

from zareba.odds.distribution import after_step, binomial

# --- Cards drawn from a pile, by class: distributions of counts, and of the results of drawing them -------------------


T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True)
class Cards:
    """The cards left in a pile and in the full pack, as counts by class. `again`: each card is returned at once."""

    left: tuple[int, ...]
    full: tuple[int, ...]
    again: bool = False

    def of(self, *groups: tuple[int, ...]) -> Cards:
        """Return the same cards in fewer classes, each a group of the old ones. Classes in no group are left out."""
        left, full = (tuple(sum(cards[card] for card in group) for group in groups) for cards in (self.left, self.full))
        return Cards(left, full, self.again)


@lru_cache(maxsize=4096)
def card_counts(deck: Cards, draws: int) -> Mapping[tuple[int, ...], Fraction]:
    """Return the probability of each count by class among `draws` cards. An empty pile is refilled from the pack."""
    if deck.again:
        return _counts_with_return(deck.full, draws)
    sure, pile, rest = _pile_of(deck, draws)
    return {
        tuple(a + b for a, b in zip(sure, counts, strict=True)): chance
        for counts, chance in _counts_without_return(pile, rest).items()
    }


def _pile_of(deck: Cards, draws: int) -> tuple[Sequence[int], Sequence[int], int]:
    """Return the cards certain to be drawn, by class, the pile for the remaining draws, and their number."""
    size = sum(deck.left)
    if draws <= size:
        return (0,) * len(deck.left), deck.left, draws
    packs, rest = divmod(draws - size, sum(deck.full))
    return tuple(a + packs * b for a, b in zip(deck.left, deck.full, strict=True)), deck.full, rest


def _counts_without_return(cards: Sequence[int], draws: int) -> dict[tuple[int, ...], Fraction]:
    """Return the probability of each count by class among cards drawn together from a pile."""
    all_ways = comb(sum(cards), draws)
    return {
        counts: Fraction(prod(comb(c, n) for c, n in zip(cards, counts, strict=True)), all_ways)
        for counts in _splits(draws, tuple(cards))
    }


def _counts_with_return(cards: Sequence[int], draws: int) -> dict[tuple[int, ...], Fraction]:
    """Return the probability of each count by class among cards of which each is returned before the next is drawn."""
    all_ways = sum(cards) ** draws
    found = {}
    for counts in _splits(draws, tuple(draws if card else 0 for card in cards)):
        ways, left = 1, draws
        for card, count in zip(cards, counts, strict=True):
            ways *= comb(left, count) * card**count
            left -= count
        found[counts] = Fraction(ways, all_ways)
    return found


def _splits(total: int, most: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return all ways to split `total` into one number for each limit, none above its limit."""
    if len(most) == 1:
        return [(total,)] if total <= most[0] else []
    return [(first, *rest) for first in range(min(total, most[0]) + 1) for rest in _splits(total - first, most[1:])]


def counting_cards(deck: Cards, shares: Sequence[Fraction], draws: int) -> dict[int, Fraction]:
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
    all_ways = comb(sum(pile), rest) * unit**draws
    return {counted: Fraction(ways, all_ways) for (drawn, counted), ways in sorted(found.items()) if drawn == rest}


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
            found.append(after_step(found[-1], lambda one: _results_of_one_card(deck.full, one, after, ways)))
        else:
            found += _deal_from_pile(pile, found[-1], min(sum(pile), most + 1 - len(found)), after, ways)
            pile = deck.full
    return found


def _results_of_one_card(
    pack: Sequence[int], one: T, after: Callable[[T, int], Sequence[T]], ways: int
) -> Iterator[tuple[T, Fraction]]:
    """Yield the results of one card of a full pack, which follow `one`, with their probabilities."""
    for kind, copies in enumerate(pack):
        if copies:
            yield from ((then, Fraction(copies, sum(pack) * ways)) for then in after(one, kind))


def _deal_from_pile(
    pile: Sequence[int], start: Mapping[T, Fraction], draws: int, after: Callable[[T, int], Sequence[T]], ways: int
) -> list[Mapping[T, Fraction]]:
    """Return the distributions after 1, 2, ... `draws` cards of a pile without return.

    The cards of the pile are taken one by one, and each is drawn or not.
    """
    scale = lcm(*(p.denominator for p in start.values()))
    now = {(0, one): p.numerator * (scale // p.denominator) for one, p in start.items()}
    for kind, copies in enumerate(pile):
        for _ in range(copies):
            following = dict(now)
            for (drawn, one), weight in now.items():
                for then in after(one, kind) if drawn < draws else ():
                    following[drawn + 1, then] = following.get((drawn + 1, then), 0) + weight
            now = following
    found: list[dict[T, Fraction]] = [{} for _ in range(draws)]
    size = sum(pile)
    for (drawn, one), weight in now.items():
        if drawn:
            found[drawn - 1][one] = Fraction(weight, scale * comb(size, drawn) * ways**drawn)
    return list(found)


# --- Losses from hits that are spread evenly over figures, with a card for each hit -----------------------------------
#
# No figure takes a second hit before all have one, so some figures take one hit more than the rest. Each hit is a slot
# that a card fills. The killing cards are dealt first, then those that knock out, then those that wound. A figure that
# a card has put down is out of the calculation; of the rest, only the number with each number of slots matters.


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
    """Return the probability of each (dead, down) among fresh figures, with hits spread evenly (see
    `losses_at_random`).
    """
    losses_of = _losses_with_return if deck.again else _losses_from_pile

    def fall(number: int) -> Iterable[tuple[tuple[int, int], Fraction]]:
        slots, more = divmod(number, men)
        return losses_of(deck, _Standing(more, men - more, slots), collapse).items()

    return dict(sorted(after_step(hits, fall).items()))


def _losses_with_return(deck: Cards, men: _Standing, collapse: int) -> dict[tuple[int, int], Fraction]:
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


def _losses_from_pile(deck: Cards, men: _Standing, collapse: int) -> dict[tuple[int, int], Fraction]:
    """Return the losses if the cards of all figures come from one pile, so that they depend on each other."""
    men_at_start = men.more + men.fewer
    # After the killing and the knock-out cards: slots without a card -> (dead, figures standing) -> probability.
    dealt: dict[int, dict[tuple[int, _Standing], Fraction]] = {}
    for (kills, knocks, others), chance in card_counts(deck.of((0,), (1,), (2, 3)), men.free).items():
        chance_of_one_way = chance / (comb(men.free, kills) * comb(men.free - kills, knocks))
        ways_to: dict[tuple[int, _Standing], int] = {}
        for alive, ways in _count_spared(men, men.free, kills, 1).items():
            dead = men_at_start - alive.more - alive.fewer
            for standing, times in _count_spared(alive, men.free - kills, knocks, 1).items():
                ways_to[dead, standing] = ways_to.get((dead, standing), 0) + ways * times
        left = dealt.setdefault(others, {})
        for key, ways in ways_to.items():
            left[key] = left.get(key, Fraction(0)) + chance_of_one_way * ways
    found: dict[tuple[int, int], Fraction] = {}
    wounding = deck.of((2,), (3,))
    for cards, left in dealt.items():
        scale = lcm(*(p.denominator for p in left.values()))
        fates: dict[tuple[int, int], int] = {}
        for (dead, standing), p in left.items():
            copies = p.numerator * (scale // p.denominator)
            for up, ways in _count_standing(wounding, standing, cards, collapse).items():
                fate = dead, men_at_start - dead - up
                fates[fate] = fates.get(fate, 0) + copies * ways
        every = scale * _last_cards(wounding, cards)[0]
        for fate, ways in fates.items():
            found[fate] = found.get(fate, Fraction(0)) + Fraction(ways, every)
    return found


@lru_cache(maxsize=4096)
def _last_cards(deck: Cards, cards: int) -> tuple[int, Mapping[int, int]]:
    """Return a denominator, and for each number of wounding cards among the last ones the numerator of the chance of
    one choice of their slots.
    """
    shares = {wounds: p / comb(cards, wounds) for (wounds, _), p in card_counts(deck, cards).items()}
    denominator = lcm(*(p.denominator for p in shares.values()))
    return denominator, {wounds: p.numerator * (denominator // p.denominator) for wounds, p in shares.items()}


@lru_cache(maxsize=65536)
def _count_standing(deck: Cards, men: _Standing, cards: int, collapse: int) -> Mapping[int, int]:
    """Return the ways to have each number of figures still up after the last cards, which wound or graze."""
    found: dict[int, int] = {}
    for wounds, copies in _last_cards(deck, cards)[1].items():
        for standing, ways in _count_spared(men, cards, wounds, collapse or cards + 1).items():
            up = standing.more + standing.fewer
            found[up] = found.get(up, 0) + copies * ways
    return found


@lru_cache(maxsize=65536)
def _count_spared(men: _Standing, free: int, cards: int, least: int) -> Mapping[_Standing, int]:
    """Return the figures with fewer than `least` of the cards; `free` counts their slots and those of other figures.

    Each maps to its ways, out of the binomial coefficient of `free` over `cards`.
    """
    found: dict[_Standing, int] = {}
    others = free - men.free
    for here in range(min(cards, men.more * (men.slots + 1)) + 1):
        more = _count_reached(men.more, men.slots + 1, here, least)
        for there in range(max(0, cards - here - others), min(cards - here, men.fewer * men.slots) + 1):
            elsewhere = comb(others, cards - here - there)
            for other, times in _count_reached(men.fewer, men.slots, there, least).items():
                for hit, ways in more.items():
                    standing = _Standing(men.more - hit, men.fewer - other, men.slots)
                    found[standing] = found.get(standing, 0) + ways * times * elsewhere
    return found


@lru_cache(maxsize=65536)
def _count_reached(men: int, slots: int, cards: int, least: int) -> Mapping[int, int]:
    """Return the ways in which each number of figures, with `slots` slots each, gets `least` or more of the cards.

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


# --- Losses from hits that fall on figures at random, with a card for each hit ----------------------------------------
#
# They are counted as balls in boxes, because enumerating hits one by one takes too long. The cards have four classes:
# they kill, knock out, wound, or do nothing. The fate of a figure depends on its number of cards of each class, not on
# their order. It is dead with a card of the first class. Otherwise it is down with one of the second, or with enough of
# the third to collapse.


_Pair: TypeAlias = "tuple[int, int]"


@lru_cache(maxsize=65536)
def _count_hit_figures(men: int, balls: int, already: int = 0) -> Mapping[int, int]:
    """Return the ways, out of men ** balls, to have each number of figures hit by `balls` balls, `already` of them
    before.
    """
    if not balls:
        return {already: 1}
    found: dict[int, int] = {}
    for hit, ways in _count_hit_figures(men, balls - 1, already).items():
        for after, times in ((hit, hit), (hit + 1, men - hit)):
            if times:
                found[after] = found.get(after, 0) + ways * times
    return found


@lru_cache(maxsize=65536)
def _count_light_hits(balls: int, boxes: int, least: int) -> int:
    """Return the ways to put distinct balls into distinct boxes with fewer than `least` in each."""
    if boxes == 0:
        return int(balls == 0)
    return sum(
        comb(balls, n) * _count_light_hits(balls - n, boxes - 1, least) for n in range(min(balls, least - 1) + 1)
    )


@lru_cache(maxsize=4096)
def _count_collapsed(men: int, wounds: int, collapse: int) -> Mapping[int, int]:
    """Return the ways, out of men ** wounds, to have each number of figures with `collapse` wounds or more (0:
    never).
    """
    if not collapse:
        return {0: men**wounds}

    def keeping(some: int) -> int:
        """Return the ways in which all these figures stay up, whatever happens to the rest."""
        others = men - some
        return sum(
            comb(wounds, n) * others ** (wounds - n) * _count_light_hits(n, some, collapse) for n in range(wounds + 1)
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
def _count_down(deck: Cards, men: int, cards: int, collapse: int) -> Mapping[int, Fraction]:
    """Return the probability of each number of figures put down by knock-out and wound cards, dead or not.

    `deck` has these two classes.
    """
    shares = card_counts(deck, cards)
    denominator = lcm(*(share.denominator for share in shares.values()))
    found: dict[int, int] = {}
    for (knocks, wounds), share in shares.items():
        copies = share.numerator * (denominator // share.denominator)
        for worn, ways in _count_collapsed(men, wounds, collapse).items():
            for down, more in _count_hit_figures(men, knocks, worn).items():
                found[down] = found.get(down, 0) + copies * ways * more
    return {down: Fraction(ways, denominator * men**cards) for down, ways in found.items()}


def losses_at_random(
    deck: Cards, men: int, hits: Mapping[int, Fraction], collapse: int
) -> dict[tuple[int, int], Fraction]:
    """Return the probability of each (dead, down) among fresh figures, with hits that fall at random.

    `hits` maps each number of hits to its probability; `collapse` is the number of wounds that puts a figure down, 0
    for never. Killing cards and other cards fall independently; a figure with both is dead.
    """
    kinds, others = deck.of((0,), (1, 2), (3,)), deck.of((1,), (2,))

    def both(dead: int, down: int) -> Iterator[tuple[_Pair, Fraction]]:
        for count in range(max(0, dead + down - men), min(dead, down) + 1):
            yield (dead, down - count), Fraction(comb(dead, count) * comb(men - dead, down - count), comb(men, down))

    cards = after_step(hits, lambda n: [(counts[:2], p) for counts, p in card_counts(kinds, n).items()])
    killed = after_step(
        cards, lambda n: [((dead, n[1]), Fraction(w, men ** n[0])) for dead, w in _count_hit_figures(men, n[0]).items()]
    )
    apart = after_step(
        killed, lambda n: [((n[0], down), p) for down, p in _count_down(others, men, n[1], collapse).items()]
    )
    return dict(sorted(after_step(apart, lambda n: both(*n)).items()))
