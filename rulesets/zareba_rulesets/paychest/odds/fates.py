"""Exact counting of what casualty cards make of one man or of two, hit after hit (P7; PAY-116 to PAY-124)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from zareba.odds.counting import Cards, dealt

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


def fates(deck: Cards, men: Men, most: int, collapse: int, laming: int) -> list[Mapping[Men, Fraction]]:
    """What becomes of these men after no hit, one hit and so on to `most`; each hit falls on any of them alike.

    `deck`: by KINDS.
    """

    def struck(some: Men, kind: int) -> list[Men]:
        return [(*some[:n], some[n].after(KINDS[kind], collapse, laming), *some[n + 1 :]) for n in range(len(some))]

    return dealt(deck, men, most, struck, len(men))
