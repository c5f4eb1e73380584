"""A force for a new scenario: units and leaders in the scenario's own words, made from a ruleset's templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Force"]

Words = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Force:
    """Units and leaders by id, each as the entries of a scenario file; and what a ruleset needs to know besides.

    `overrides`: entry of the ruleset's overrides -> mapping, such as the ranks of single figures.
    """

    units: Words
    leaders: Words
    overrides: Words = field(default_factory=dict)
