"""Exact counting of what casualty cards make of one man or of two, hit after hit (P7; PAY-116 to PAY-124)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import comb, lcm
from typing import NamedTuple, TypeAlias

from zareba_rulesets.paychest.odds.pileup import DeckClasses

__all__ = ["KINDS", "Body", "Men", "fates"]

KINDS = ("killed", "unconscious", "crippled_leg", "leg_wound", "wound", "graze")
"""The cards that differ in what becomes of a man: wounds of arm and body are alike."""


class Body(NamedTuple):
    """What a man has come to; `fate` is that of a figure, `legs` counts leg wounds."""

    fate: str = "able"
    wounds: int = 0
    legs: int = 0
    lame: bool = False

    def after(self, card: str, collapse: int, laming: int) -> Body:
        """With one card more (Table 6): so many wounds make him collapse (0: none do), so many of the leg lame him."""
        if card == "killed" or self.fate == "dead":
            return Body("dead")
        if card == "graze" or self.fate != "able":
            return self
        wounds = self.wounds + 1 if collapse else 1
        if card == "unconscious" or wounds >= collapse > 0:
            return Body("unconscious")
        legs = self.legs + (card == "leg_wound")
        lame = self.lame or card == "crippled_leg" or legs >= laming
        return Body("able", wounds, 0 if lame else legs, lame)


Men: TypeAlias = tuple[Body, ...]
_Struck: TypeAlias = Callable[[Men, str], Sequence[Men]]


def fates(deck: DeckClasses, men: Men, most: int, collapse: int, laming: int) -> list[Mapping[Men, Fraction]]:
    """What becomes of these men after no hit, one hit and so on to `most`; each hit falls on any of them alike.

    `deck`: by KINDS. An empty pile is made anew from the pack (PAY-117).
    """

    def struck(some: Men, card: str) -> list[Men]:
        return [(*some[:n], some[n].after(card, collapse, laming), *some[n + 1 :]) for n in range(len(some))]

    found: list[Mapping[Men, Fraction]] = [{men: Fraction(1)}]
    pile = deck.left
    while len(found) <= most:
        if deck.again:
            found.append(_one_of_all(deck.full, found[-1], struck))
        else:
            found += _from_the_pile(pile, found[-1], min(sum(pile), most + 1 - len(found)), struck)
            pile = deck.full
    return found


def _one_of_all(pack: Sequence[int], start: Mapping[Men, Fraction], struck: _Struck) -> Mapping[Men, Fraction]:
    """After one card more of the whole pack."""
    found: dict[Men, Fraction] = {}
    for men, p in start.items():
        for card, copies in zip(KINDS, pack, strict=True):
            each = p * Fraction(copies, sum(pack) * len(men))
            for others in struck(men, card) if copies else ():
                found[others] = found.get(others, Fraction(0)) + each
    return found


def _from_the_pile(
    pile: Sequence[int], start: Mapping[Men, Fraction], draws: int, struck: _Struck
) -> list[Mapping[Men, Fraction]]:
    """After one card, two and so on to `draws`: each card of the pile is among the first so many, or is not."""
    scale = lcm(*(p.denominator for p in start.values()))
    ways = {(0, men): p.numerator * (scale // p.denominator) for men, p in start.items()}
    for card, copies in zip(KINDS, pile, strict=True):
        for _ in range(copies):
            following = dict(ways)
            for (drawn, men), here in ways.items():
                for others in struck(men, card) if drawn < draws else ():
                    following[drawn + 1, others] = following.get((drawn + 1, others), 0) + here
            ways = following
    found: list[dict[Men, Fraction]] = [{} for _ in range(draws)]
    size = sum(pile)
    for (drawn, men), here in ways.items():
        if drawn:
            found[drawn - 1][men] = Fraction(here, scale * comb(size, drawn) * len(men) ** drawn)
    return list(found)
