"""The part of the table in which troops count for an objective."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from zareba.base.exact import dist
from zareba.space.geometry import Point, Points, distance_to_polygon, distance_to_segment, is_inside


@dataclass(frozen=True)
class ObjectiveArea:
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

    def distance(self, point: Point) -> float:
        """Return the distance of a point of a free table to this area; 0 inside."""
        found = [dist(point, self.at)] if self.at is not None else []
        for outline in self.outlines:
            if self.is_area:
                found.append(0.0 if is_inside(point, outline) else distance_to_polygon(point, outline))
            else:
                found += [distance_to_segment(point, *leg) for leg in pairwise(outline)]
        return max(0.0, min(found) - self.within) if found else 0.0
