"""A force for a new scenario: units and leaders as scenario entries, made from a ruleset's templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Force"]

Words = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Force:
    """Units and leaders by id, each as an entry of a scenario file, plus the ruleset's overrides for them.

    `overrides` maps an entry of the ruleset's overrides to its mapping, such as the ranks of single figures.
    """

    units: Words
    leaders: Words
    overrides: Words = field(default_factory=dict)
