"""The public API for one-page rulesets, in addition to `zareba.api`: the game state of the core and the actions of
units.
"""

from typing import Any

from zareba.base.state import facts
from zareba.odds import Procedure
from zareba.plugins.ruleset import Ruleset
from zareba.renamed import renamed
from zareba.simple_ruleset import (
    Battle,
    SimpleRulesetFile,
    TroopRow,
    Unit,
    charge,
    charges,
    fall_back,
    go,
    lose,
    lose_leader,
    march,
    simple_ruleset,
)

__all__ = [
    "Battle",
    "Procedure",
    "Ruleset",
    "SimpleRulesetFile",
    "TroopRow",
    "Unit",
    "charge",
    "charges",
    "facts",
    "fall_back",
    "go",
    "lose",
    "lose_leader",
    "march",
    "simple_ruleset",
]


def __getattr__(name: str) -> Any:
    """Return the object that had this name in the last release, with a warning."""
    return renamed(__name__, name, globals())
