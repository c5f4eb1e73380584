"""Odds: the probabilities of the outcomes of a procedure or of a choice in a game, exact or sampled.

The package can be called: `zareba.odds("vcc", "fire_pool", bases=4)` is `zareba.library.odds`.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from zareba.odds.choices import ChoiceOdds, OddsInProgress, odds_of
from zareba.odds.distribution import Distribution, after_step, after_steps, binomial, outcomes_of
from zareba.odds.explain import DiceUse, ProcedureExplanation
from zareba.odds.procedures import (
    Act,
    Formula,
    Lay,
    Odds,
    Procedure,
    Procedures,
    SmallBattle,
    before_choice,
    count_outcomes,
    first_option,
    has_odds_before,
    odds,
    refuse,
)

__all__ = [
    "Act",
    "ChoiceOdds",
    "DiceUse",
    "Distribution",
    "Formula",
    "Lay",
    "Odds",
    "OddsInProgress",
    "Procedure",
    "ProcedureExplanation",
    "Procedures",
    "SmallBattle",
    "after_step",
    "after_steps",
    "before_choice",
    "binomial",
    "count_outcomes",
    "first_option",
    "has_odds_before",
    "odds",
    "odds_of",
    "outcomes_of",
    "refuse",
]


class _Called(ModuleType):
    """A package that can also be called."""

    def __call__(self, ruleset: str, procedure: str, **known: Any) -> Any:
        """Call `zareba.library.odds`. It belongs to a higher layer, so it is imported here, by name."""
        return import_module("zareba.library").odds(ruleset, procedure, **known)


sys.modules[__name__].__class__ = _Called
