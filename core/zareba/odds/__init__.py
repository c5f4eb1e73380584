"""Odds: the exact distribution of a procedure or of a choice as it stands, or an honest sample of it."""

from zareba.odds.choices import ChoiceOdds, odds_of
from zareba.odds.distribution import Distribution
from zareba.odds.procedures import (
    Act,
    Closed,
    Odds,
    OddsCache,
    Procedure,
    Situation,
    before_choice,
    counted,
    first_option,
    odds,
)

__all__ = [
    "Act",
    "ChoiceOdds",
    "Closed",
    "Distribution",
    "Odds",
    "OddsCache",
    "Procedure",
    "Situation",
    "before_choice",
    "counted",
    "first_option",
    "odds",
    "odds_of",
]
