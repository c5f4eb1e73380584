"""Rulesets that the core plays: YAML, and procedures for the steps; no class has to be derived.

`ruleset.yaml` says what troops, weapons and ground there are, who is enrolled as what, in which order units are called
and through which steps each goes. Each step is the `@procedure` of its name: `def shoot(table, battle, unit)`. What may be
chosen in it, it asks of the table; what comes of it, it does to the units. `zareba_counts` may say which units count.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from zareba.odds import Procedure
from zareba.plain.acts import charge, charges, fall_back, go, lose, lose_leader, march
from zareba.plain.book import Overrides, PlainFile, Row
from zareba.plain.game import PlainGame
from zareba.plain.state import Battle, Unit
from zareba.plugins.ruleset import Ruleset

__all__ = [
    "Battle",
    "PlainFile",
    "Row",
    "Unit",
    "charge",
    "charges",
    "fall_back",
    "go",
    "lose",
    "lose_leader",
    "march",
    "plain_ruleset",
]


def plain_ruleset(
    name: str, package: str, facts: Mapping[str, type], procedures: Mapping[str, Procedure] | None = None
) -> Ruleset:
    """The ruleset of a package that has `ruleset.yaml` and `rules.yaml` beside its procedures.

    `facts`: the kind of facts of each tally. `procedures`: those whose odds can be asked by their facts, if any.
    """
    module = sys.modules[package]
    assert module.__file__ is not None, "a ruleset is a package on disk"
    counts = getattr(module, "zareba_counts", lambda state, unit: True)
    return Ruleset(
        name,
        Path(module.__file__).parent,
        PlainFile,
        partial(PlainGame, counts=counts),
        procedures or {},
        facts,
        overrides=Overrides,
        package=package,
        lends=(f"{__name__}.acts",),
    )
