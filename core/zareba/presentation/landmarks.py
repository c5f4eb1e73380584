"""Points of an open table in words: their distance and direction from the nearest named place of the scenario."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from zareba.base.exact import dist, total
from zareba.base.grammar import in_a_sentence, with_the, with_unit
from zareba.presentation.narration import wind_name
from zareba.scenario import Scenario
from zareba.space.bearings import bearing
from zareba.space.geometry import Point, Points, is_inside, nearest_on

_INCHES_AT_PLACE = 0.5
"""A point within this distance of a landmark is at it."""
_INCHES_OF_LONG_LINE = 15.0
"""A line of at least this length in inches, such as a river, is named with its end or its middle part."""
_INCHES_OF_LARGE_AREA = 20.0
"""An area at least this long or deep in inches, such as a spur, is named with the part of it where a point lies."""
_MIDDLE_SHARE = 1 / 3
"""The share of a large area around its centre that is its middle."""
_OUTER_SHARE = 1 / 3
"""The share of a long line on each side of its middle part."""
_INCHES_OF_END = 4.0
"""The length of the end of a long line in inches; between it and the middle part a point is in "the south part"."""


def terrain_names(scenario: Scenario) -> dict[str, str]:
    """Return the name of each terrain piece by its id; pieces without a name are numbered within their kind."""
    names: dict[str, str] = {}
    unnamed = Counter(terrain.kind for terrain in scenario.terrain.values() if not terrain.name)
    numbers: Counter[str] = Counter()
    for key, terrain in scenario.terrain.items():
        name = (terrain.name or "").removeprefix("The ").removeprefix("the ")
        if not name:
            numbers[terrain.kind] += 1
            number = f" {numbers[terrain.kind]}" if unnamed[terrain.kind] > 1 else ""
            name = terrain.kind.replace("_", " ") + number
        names[key] = name
    return names


def terrain_titles(scenario: Scenario) -> dict[str, str]:
    """Return the name of each terrain piece by its id as it reads inside a sentence: "the Track", "Jebel Gharbi"."""
    return {
        key: name if _is_proper_name(scenario.terrain[key].name or name, scenario.terrain[key].kind) else with_the(name)
        for key, name in terrain_names(scenario).items()
    }


class Landmarks:
    """The terrain and the objectives of a scenario, as places to describe a point by.

    Points and distances are in the unit of length of the rules: `unit` is its name, `per_inch` how many of them one
    inch of the scenario has. Without a scenario, points are given as coordinates.
    """

    def __init__(self, scenario: Scenario | None = None, unit: str = "inches", per_inch: float = 1.0) -> None:
        self._unit, self._per_inch = unit, per_inch
        self._outlines: dict[str, tuple[Points, bool]] = {}
        if scenario is None:
            return
        for key, title in terrain_titles(scenario).items():
            piece = scenario.terrain[key]
            self._outlines[title] = piece.area or piece.line or (), bool(piece.area)
        for goal in scenario.objectives.values():
            at = getattr(goal, "at", None)
            if at is not None:
                title = in_a_sentence(goal.name) if goal.name.startswith("The ") else f"the objective '{goal.name}'"
                self._outlines[title] = ((at,), False)

    def spot(self, point: Point) -> str:
        """Return where a point is: "at the ford", "8 inches south of the village"."""
        distance, name = self._distance_from(point)
        return f"{distance} {name}" if distance else f"at {name}"

    def goal(self, point: Point) -> str:
        """Return a point as the goal of a move: "the ford", "a point 8 inches south of the village"."""
        distance, name = self._distance_from(point)
        return f"a point {distance} {name}" if distance else name

    def _distance_from(self, point: Point) -> tuple[str, str]:
        """Return "8 inches south of" and the nearest landmark; "" for a point at it. Coordinates if there is none."""
        here = point[0] / self._per_inch, point[1] / self._per_inch
        nearest = {name: self._nearest(name, here) for name in self._outlines}
        if not nearest:
            return "", f"{point[0]:.0f}, {point[1]:.0f}"
        landmark = min(nearest, key=lambda name: dist(nearest[name], here))
        inches, name = dist(nearest[landmark], here), self._part_of(landmark, nearest[landmark])
        if inches <= _INCHES_AT_PLACE:
            return "", name
        distance = with_unit(max(1, round(inches * self._per_inch)), self._unit)
        return f"{distance} {wind_name(bearing(nearest[landmark], here))} of", name

    def _part_of(self, name: str, point: Point) -> str:
        """Return the part of a long line or a large area to which a point on it belongs.

        Examples: "the west end of the River", "the west part of the River", "the south-west part of the spur". Other
        landmarks keep their name.
        """
        points, is_area = self._outlines[name]
        if is_area:
            return _part_of_area(name, points, point)
        legs = list(pairwise(points))
        lengths = [dist(start, end) for start, end in legs]
        length = total(lengths)
        if length < _INCHES_OF_LONG_LINE or points[0] == points[-1]:
            return name
        leg = min(range(len(legs)), key=lambda place: dist(nearest_on(point, [legs[place]]), point))
        along = total(lengths[:leg]) + dist(legs[leg][0], point)
        from_end = min(along, length - along)
        if from_end >= _OUTER_SHARE * length:
            return f"the middle part of {name}"
        end, other_end = (points[0], points[-1]) if along == from_end else (points[-1], points[0])
        part = "end" if from_end <= _INCHES_OF_END else "part"
        return f"the {wind_name(bearing(other_end, end))} {part} of {name}"

    def _nearest(self, name: str, point: Point) -> Point:
        """Return the point of a landmark nearest to a point of the scenario; the point itself if it is inside."""
        points, is_area = self._outlines[name]
        if len(points) == 1:
            return points[0]
        if is_area:
            return point if is_inside(point, points) else nearest_on(point, list(pairwise((*points, points[0]))))
        return nearest_on(point, list(pairwise(points)))


def _part_of_area(name: str, points: Points, point: Point) -> str:
    """Return the part of a large area to which a point belongs. A small area keeps its name."""
    low = min(x for x, _ in points), min(y for _, y in points)
    high = max(x for x, _ in points), max(y for _, y in points)
    half = (high[0] - low[0]) / 2, (high[1] - low[1]) / 2
    if 2 * max(half) < _INCHES_OF_LARGE_AREA:
        return name
    centre = low[0] + half[0], low[1] + half[1]
    is_central = all(abs(point[axis] - centre[axis]) <= _MIDDLE_SHARE * half[axis] for axis in (0, 1))
    return f"the middle of {name}" if is_central else f"the {wind_name(bearing(centre, point))} part of {name}"


def _is_proper_name(name: str, kind: str) -> bool:
    """Return True for a name that takes no article: Jebel Gharbi, Last night's camp, or a village called Omdurman."""
    if name.startswith(("The ", "the ")):
        return False
    first, *others = name.split()
    is_one_village = kind == "village" and not others and first[0].isupper()
    return "'s " in name or any(map(str.istitle, others)) or is_one_village


NO_LANDMARKS = Landmarks()
"""Describes every point by its coordinates."""
