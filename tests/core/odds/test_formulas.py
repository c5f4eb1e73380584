"""Casualties from closed formulas, compared with enumerating every distribution of cards and hits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import permutations, product

import pytest

from zareba.odds.formulas import Cards, losses_at_random, losses_evenly

PACK = (2, 1, 2, 2)
"""Numbers of cards that kill, knock out, wound, and have no effect."""


def falls(men: int, hits: int, evenly: bool) -> Iterable[Sequence[int]]:
    """Return every distribution of hits over figures, all equally likely."""
    if not evenly:
        return product(range(men), repeat=hits)
    rounds, rest = divmod(hits, men)
    return [[*list(range(men)) * rounds, *extra] for extra in permutations(range(men), rest)]


def one_by_one(men: int, hits: int, collapse: int, again: bool, evenly: bool) -> dict[tuple[int, int], Fraction]:
    """Return the distribution of the closed formulas, computed by enumeration."""
    cards = [kind for kind, copies in enumerate(PACK) for _ in range(copies)]
    found: Counter[tuple[int, int]] = Counter()
    for drawn in product(cards, repeat=hits) if again else permutations(cards, hits):
        for struck in falls(men, hits, evenly):
            own = [[card for card, man in zip(drawn, struck, strict=True) if man == number] for number in range(men)]
            dead = [0 in cards for cards in own]
            down = [1 in cards or 0 < collapse <= cards.count(2) for cards in own]
            found[sum(dead), sum(out and not gone for out, gone in zip(down, dead, strict=True))] += 1
    return {key: Fraction(ways, found.total()) for key, ways in sorted(found.items())}


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("evenly", [False, True])
@pytest.mark.parametrize(("men", "hits", "collapse"), [(1, 3, 2), (2, 3, 0), (2, 4, 2), (3, 2, 1), (3, 4, 2)])
def test_losses_equal_enumeration_of_all_paths(men: int, hits: int, collapse: int, evenly: bool, again: bool) -> None:
    count = losses_evenly if evenly else losses_at_random
    found = count(Cards(PACK, PACK, again), men, {hits: Fraction(1)}, collapse)
    assert {key: p for key, p in found.items() if p} == one_by_one(men, hits, collapse, again, evenly)


def test_losses_are_averaged_over_the_number_of_hits() -> None:
    deck, half = Cards(PACK, PACK), Fraction(1, 2)
    both = losses_evenly(deck, 2, {1: half, 2: half}, 2)
    each = [losses_evenly(deck, 2, {number: Fraction(1)}, 2) for number in (1, 2)]
    assert both == {
        key: half * sum(chances.get(key, Fraction(0)) for chances in each) for key in sorted({*each[0], *each[1]})
    }
