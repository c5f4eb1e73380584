"""Odds: the exact distribution of a procedure or of a choice as it stands, or an honest sample of it.

Called, as in `zareba.odds("vcc", "fire_pool", bases=4)`, it is `zareba.library.odds`.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from zareba.odds.choices import ChoiceOdds, Weighing, odds_of
from zareba.odds.distribution import Distribution, added, chained, leading, several
from zareba.odds.procedures import (
    Act,
    Closed,
    Lay,
    Odds,
    Procedure,
    Procedures,
    Situation,
    before_choice,
    counted,
    first_option,
    has_odds_before,
    odds,
    refuse,
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
    "has_odds_before",
    "leading",
    "odds",
    "odds_of",
    "refuse",
    "several",
]


class _Called(ModuleType):
    """A room that may also be asked."""

    def __call__(self, ruleset: str, procedure: str, **known: Any) -> Any:
        """As `zareba.library.odds`, which stands above this room and so is looked for by its name."""
        return import_module("zareba.library").odds(ruleset, procedure, **known)


sys.modules[__name__].__class__ = _Called
