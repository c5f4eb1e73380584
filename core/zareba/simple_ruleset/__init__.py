"""Rulesets written as YAML and Python procedures; the core supplies the game class.

`ruleset.yaml` lists troops, weapons and ground, how units of a scenario map to them, the activation order, and the
steps of each activation. Each step is the `@procedure` of the same name: `def shoot(table, battle, unit)`. A procedure
asks the table for choices and applies the results to the units. The function `zareba_counts`, if present, decides
which units count for their side.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from zareba.odds import Procedure
from zareba.plugins.ruleset import Ruleset
from zareba.simple_ruleset.game import SimpleGame
from zareba.simple_ruleset.model import Overrides, SimpleRulesetFile, TroopRow
from zareba.simple_ruleset.state import Battle, Unit
from zareba.simple_ruleset.unit_actions import charge, charges, fall_back, go, lose, lose_leader, march

__all__ = [
    "Battle",
    "SimpleRulesetFile",
    "TroopRow",
    "Unit",
    "charge",
    "charges",
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
    facts.
    """
    module = sys.modules[package]
    assert module.__file__ is not None, "a ruleset is a package on disk"
    counts = getattr(module, "zareba_counts", lambda state, unit: True)
    return Ruleset(
        name,
        Path(module.__file__).parent,
        SimpleRulesetFile,
        partial(SimpleGame, counts=counts),
        procedures or {},
        facts,
        overrides=Overrides,
        package=package,
        procedure_modules=(f"{__name__}.unit_actions",),
    )
