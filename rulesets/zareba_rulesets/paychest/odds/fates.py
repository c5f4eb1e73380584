"""Exact counting of the fates of one or two figures, card by card (PAY-116 to PAY-124)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from zareba.odds.formulas import Cards, deal_cards

KINDS = ("killed", "unconscious", "crippled_leg", "leg_wound", "wound", "graze")
"""The cards with different effects on a figure's fate. Arm and body wounds count alike."""


class FigureCondition(NamedTuple):
    """The condition of a figure. `fate` is the figure's fate; `legs` counts leg wounds."""

    fate: str = "able"
    wounds: int = 0
    legs: int = 0
    lame: bool = False

    def after_card(self, card: str, collapse: int, laming: int) -> FigureCondition:
        """Return the condition after one more card (PAY-116).

        `collapse` is the number of wounds that make the figure collapse (0: none), `laming` the number of leg wounds
        that lame it.
        """
        if card == "killed" or self.fate == "dead":
            return FigureCondition("dead")
        if card == "graze" or self.fate != "able":
            return self
        wounds = self.wounds + 1 if collapse else 1
        if card == "unconscious" or wounds >= collapse > 0:
            return FigureCondition("unconscious")
        legs = self.legs + (card == "leg_wound")
        lame = self.lame or card == "crippled_leg" or legs >= laming
        return FigureCondition("able", wounds, 0 if lame else legs, lame)


Men: TypeAlias = tuple[FigureCondition, ...]


def fates(deck: Cards, men: Men, max_cards: int, collapse: int, laming: int) -> list[Mapping[Men, Fraction]]:
    """Return the fates of these figures after each number of hits up to `max_cards`, each falling on any of them
    equally.

    `deck` is by KINDS.
    """

    def states_after_card(some: Men, kind: int) -> list[Men]:
        return [
            (*some[:n], some[n].after_card(KINDS[kind], collapse, laming), *some[n + 1 :]) for n in range(len(some))
        ]

    return deal_cards(deck, men, max_cards, states_after_card, len(men))
