"""Odds: the exact distribution of a procedure or of a choice as it stands, or an honest sample of it."""

from zareba.odds.choices import ChoiceOdds, odds_of
from zareba.odds.distribution import Distribution
from zareba.odds.procedures import Closed, Odds, OddsCache, Procedure, Situation, counted, first_option, odds

__all__ = [
    "ChoiceOdds",
    "Closed",
    "Distribution",
    "Odds",
    "OddsCache",
    "Procedure",
    "Situation",
    "counted",
    "first_option",
    "odds",
    "odds_of",
]
