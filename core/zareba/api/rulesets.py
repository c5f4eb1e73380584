"""The public API for one-page rulesets, in addition to `zareba.api`: the game state of the core and the actions of
units.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from zareba.base.state import facts
from zareba.companion.one_page_rulesets import OnePageCompanion
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
)
from zareba.simple_ruleset import simple_ruleset as _ruleset_of_package

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


def simple_ruleset(
    name: str, package: str, facts: Mapping[str, type], procedures: Mapping[str, Procedure] | None = None
) -> Ruleset:
    """Return the ruleset of a package that contains `ruleset.yaml`, `rules.yaml` and its procedures.

    `facts` gives the type of facts of each tally. `procedures` are those that `zareba odds` can compute from given
    facts. The ruleset also has a companion for a real table.
    """
    return replace(_ruleset_of_package(name, package, facts, procedures), companion=OnePageCompanion)


def __getattr__(name: str) -> Any:
    """Return the object that had this name in the last release, with a warning."""
    return renamed(__name__, name, globals())
