"""Odds: the exact distribution of a procedure or of a choice as it stands, or an honest sample of it."""

from zareba.odds.choices import ChoiceOdds, odds_of
from zareba.odds.procedures import Leg, Odds, OddsCache, Procedure, Slate, first_option, odds, slate_leg

__all__ = [
    "ChoiceOdds",
    "Leg",
    "Odds",
    "OddsCache",
    "Procedure",
    "Slate",
    "first_option",
    "odds",
    "odds_of",
    "slate_leg",
]
