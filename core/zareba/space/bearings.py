"""Directions on an open table: degrees clockwise from north, 0 up to but not including 360."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from zareba.base.exact import atan2d, cosd, sind
from zareba.space.geometry import EPSILON, Point


def bearing(a: Point, b: Point) -> float:
    """Return the bearing of b seen from a.

    Raises ValueError if they are the same point.
    """
    dx, dy = b[0] - a[0], b[1] - a[1]
    if dx == dy == 0:
        raise ValueError("a point has no bearing from itself")
    angle = atan2d(dx, dy) % 360
    # Slightly west of north rounds to 360.
    return 0.0 if angle == 360 else angle


def bearing_to(a: Point, b: Point) -> float:
    """Return the bearing of b seen from a; 0 if they are the same point."""
    return bearing(a, b) if a != b else 0.0


def turn(start: float, end: float) -> float:
    """Return the shorter turn from one bearing to another: above -180 up to 180, clockwise positive."""
    angle = (end - start) % 360
    return angle - 360 if angle > 180 else angle


def angle_between(a: float, b: float) -> float:
    """Return the angle between two bearings, 0 to 180."""
    return abs(turn(a, b))


def in_arc(facing: float, half_width: float, towards: float) -> bool:
    """Return True if a bearing is at most `half_width` degrees to either side of the facing, limits included."""
    return angle_between(facing, towards) <= half_width + EPSILON


@lru_cache(maxsize=4096)
def direction(towards: float) -> Point:
    """Return the unit vector towards a bearing, as (east, north)."""
    return sind(towards), cosd(towards)


def offset(start: Point, towards: float, length: float) -> Point:
    """Return the point at a bearing and distance from another."""
    east, north = direction(towards)
    return start[0] + length * east, start[1] + length * north


def clock_offset(start: Point, onward: float, hour: int, length: float) -> Point:
    """Return the point at a distance towards an hour of a clock face with 12 at `onward` and 3 to its right."""
    return offset(start, onward + 30 * hour, length)


def widest_gap(bearings: Iterable[float]) -> float:
    """Return the widest angle that contains none of the bearings; 360 with fewer than two different bearings."""
    around = sorted(angle % 360 for angle in bearings)
    if not around:
        return 360.0
    return max(later - earlier for earlier, later in pairwise([*around, around[0] + 360]))
