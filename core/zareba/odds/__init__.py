"""Odds: the exact distribution of a procedure or of a choice as it stands, or an honest sample of it."""

from zareba.odds.choices import ChoiceOdds, Weighing, odds_of
from zareba.odds.distribution import Distribution, added, chained, leading
from zareba.odds.procedures import (
    Act,
    Closed,
    Lay,
    Odds,
    OddsCache,
    Procedure,
    Procedures,
    Situation,
    before_choice,
    counted,
    first_option,
    odds,
)
from zareba.odds.reckoned import Chance, Reckoned

__all__ = [
    "Act",
    "Chance",
    "ChoiceOdds",
    "Closed",
    "Distribution",
    "Lay",
    "Odds",
    "OddsCache",
    "Procedure",
    "Procedures",
    "Reckoned",
    "Situation",
    "Weighing",
    "added",
    "before_choice",
    "chained",
    "counted",
    "first_option",
    "leading",
    "odds",
    "odds_of",
]
