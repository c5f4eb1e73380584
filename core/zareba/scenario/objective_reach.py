"""The part of the table in which troops count for an objective."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from zareba.space.geometry import Point, Points


@dataclass(frozen=True)
class ObjectiveReach:
    """The area in which troops count for an objective, and that area in `words`, such as "within 2 inches".

    On a grid it consists of `cells`. On a free table it is everything within `within` of the point `at`, or of the
    `outlines` of the parts of a piece of terrain, which are areas if `is_area` and otherwise lines. Lengths are in the
    ruleset's unit.
    """

    words: str
    cells: Collection[int] = ()
    at: Point | None = None
    outlines: Sequence[Points] = ()
    is_area: bool = True
    within: float = 0.0
