"""Labels and objectives on the map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zareba.picture.svg import SvgCanvas, escape_text, group, number, text
from zareba.scenario import Scenario
from zareba.scenario.model import CarryOff, Escort, Hold
from zareba.scenario.placement import place_of
from zareba.space.geometry import Bounds, Point

# --- Free places for labels and tags, so that none covers another -----------------------------------------------------


_RINGS = 5


class LabelPlacement:
    """The boxes already taken on a table of some width and depth."""

    def __init__(self, width: float, depth: float) -> None:
        self._width = width
        self._depth = depth
        self._taken: list[Bounds] = []

    def keep_free(self, box: Bounds) -> None:
        """Keep labels off a box."""
        self._taken.append(box)

    def first(self, places: Sequence[Point], half: float, up: float, down: float) -> Point:
        """Return the first free place for a label twice `half` wide that extends `up` and `down` from its point.

        Places that would hang over an edge are moved inside. If none is free, the first is used.
        """
        inside = [
            (min(max(x, half), max(half, self._width - half)), min(max(y, down), self._depth - up)) for x, y in places
        ]
        for x, y in inside:
            box = x - half, y - down, x + half, y + up
            if not any(_meet(box, other) for other in self._taken):
                self._taken.append(box)
                return x, y
        return inside[0]

    def find(self, middle: Point, above: float, beside: float, half: float, size: float) -> Point:
        """Return a free place for a unit's tag: above it, otherwise below, to the side, or further off.

        `above` and `beside` are the distances to which the unit extends from its middle. The tag is twice `half` wide,
        its letters have size `size`, and its name is below it.
        """
        west, east = min(half, self._width / 2), max(self._width - half, self._width / 2)
        for x, y in _round(middle, above, beside, half, size):
            at = min(max(x, west), east), y
            box = at[0] - half, y - size * 1.6, at[0] + half, y + size * 0.8
            if size < y < self._depth - size * 0.7 and not any(_meet(box, other) for other in self._taken):
                self._taken.append(box)
                return at
        return min(max(middle[0], west), east), min(middle[1] + above + size, self._depth - size)


def _round(middle: Point, above: float, beside: float, half: float, size: float) -> Iterator[Point]:
    x, y = middle
    for ring in range(_RINGS):
        up, aside = above + size * (1.0 + 1.8 * ring), beside + half + size * (0.4 + 1.8 * ring)
        yield from (
            (x, y + up + size * 0.7),
            (x, y - up),
            (x + aside, y),
            (x - aside, y),
            (x + aside, y + up),
            (x - aside, y - up),
        )


def _meet(a: Bounds, b: Bounds) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


# --- Objectives and deployment zones on the map -----------------------------------------------------------------------


def draw_objectives(scenario: Scenario, sheet: SvgCanvas, size: float, room: LabelPlacement) -> str:
    """Return a flag at every objective that has a place, and the deployment zones."""
    zones = [
        sheet.shape(f"zone side-{number_}", area, closed=True)
        for number_, side in enumerate(scenario.sides.values())
        for area in side.deployment.values()
    ]
    return group("aims", [group("zones", zones), *_flags(scenario, sheet, size, room)])


def _flags(scenario: Scenario, sheet: SvgCanvas, size: float, room: LabelPlacement) -> Iterator[str]:
    planted: list[Point] = []
    for key, goal in scenario.objectives.items():
        place, radius = _place(scenario, key)
        if place is None:
            continue
        at = place
        while any(abs(at[0] - x) < size and abs(at[1] - y) < size for x, y in planted):
            at = at[0] + size * 1.4, at[1]
        planted.append(at)
        words = f"{goal.name}: {goal.points} point{'s' if goal.points != 1 else ''}"
        x, y = at
        below = [(x, y - size * (0.95 + step)) for step in range(5)]
        name = room.first([*below, (x, y + size * 2.4)], size * 0.22 * len(words), size * 0.7, size * 0.2)
        parts = [escape_text(f"Objective: {words}")]
        if radius:
            cx, cy = sheet.xy(place)
            parts.append(f'<circle class="reach" cx="{cx}" cy="{cy}" r="{number(radius)}"/>')
        parts.append(sheet.use("flag", at, scale=size * 1.3))
        parts.append(text(*sheet.xy(name), size * 0.8, words, "aim-name"))
        yield group("aim", parts, f' data-aim="{key}"')


def _place(scenario: Scenario, key: str) -> tuple[Point | None, float]:
    """Return the place of an objective and the radius around it that counts, 0 if it has none."""
    goal = scenario.objectives[key]
    if isinstance(goal, CarryOff):
        return scenario.objects[goal.object].position, 0.0
    radius = goal.radius if isinstance(goal, (Hold, Escort)) and goal.at is not None else 0.0
    return place_of(scenario, goal), radius
