"""Sums, lengths and angles that are identical to the last bit on every Python version and platform.

A game must be the same on every machine. A distance that just reaches a limit on one machine must reach it on all. The
built-in `sum` of floats rounds differently from Python 3.12 on, and so do `math.hypot` and `math.dist`. Sine,
arctangent and powers come from the C library, and their last bits vary. This module uses only operations that IEEE 754
rounds in one way: the four basic operations, square roots and remainders. Angles are in degrees, so that quarter turns
are exact.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from math import factorial, sqrt
from operator import add

_DEGREE = 0.017453292519943295  # in radians
_RADIAN = 57.29577951308232  # in degrees


def total(values: Iterable[float]) -> float:
    """Return the sum of the numbers, added from left to right; 0 if there are none."""
    return reduce(add, values, 0)


def hypot(x: float, y: float) -> float:
    """Return the length of the vector (x, y)."""
    return sqrt(x * x + y * y)


def dist(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Return the distance between two points."""
    x, y = a[0] - b[0], a[1] - b[1]
    return sqrt(x * x + y * y)


def distances(here: tuple[float, float], points: Iterable[tuple[float, float]]) -> list[float]:
    """Return the distances from one point to several; the same results as `dist`, in half the time."""
    here_x, here_y = here
    return [sqrt((here_x - x) * (here_x - x) + (here_y - y) * (here_y - y)) for x, y in points]


def power(base: float, times: int) -> float:
    """Return `base` to an integer power, which may be negative."""
    found = 1.0
    for _ in range(abs(times)):
        found *= base
    return found if times >= 0 else 1.0 / found


def sind(angle: float) -> float:
    """Return the sine of an angle in degrees; exact for multiples of 90."""
    angle %= 360.0
    quarter = int(angle / 90.0 + 0.5)  # the nearest quarter turn; the rest is at most an eighth of a turn
    rest = (angle - 90.0 * quarter) * _DEGREE
    found = _cosine(rest) if quarter % 2 else _sine(rest)
    return -found if quarter in (2, 3) else found


def cosd(angle: float) -> float:
    """Return the cosine of an angle in degrees; exact for multiples of 90."""
    return sind(angle % 360 + 90)


def atan2d(y: float, x: float) -> float:
    """Return the angle of the vector (x, y) in degrees, above -180 and up to 180; 0 for (0, 0).

    Exact for multiples of 45 degrees.
    """
    up, along = abs(y), abs(x)
    if up == along == 0:
        return 0.0
    if up == along:
        angle = 45.0
    elif up > along:
        angle = 90.0 - _arctangent(along / up)
    else:
        angle = _arctangent(up / along)
    if x < 0:
        angle = 180.0 - angle
    return -angle if y < 0 else angle


def asind(sine: float) -> float:
    """Return the arcsine in degrees, from -90 to 90; a sine that rounding has put beyond 1 counts as 1."""
    sine = max(-1.0, min(1.0, sine))
    return atan2d(sine, sqrt((1.0 - sine) * (1.0 + sine)))


def acosd(cosine: float) -> float:
    """Return the arccosine in degrees, from 0 to 180; a cosine that rounding has put beyond 1 counts as 1."""
    cosine = max(-1.0, min(1.0, cosine))
    return atan2d(sqrt((1.0 - cosine) * (1.0 + cosine)), cosine)


def _turns_over_factorials(first: int, last: int) -> list[float]:
    """Return 1/n! for every second n from `first` down to `last`, with the signs of the series of sine and cosine."""
    return [(-1.0 if number % 4 > 1 else 1.0) / factorial(number) for number in range(first, last - 1, -2)]


# The series are written out because a loop over the coefficients takes three times as long, and they run very often.
_S15, _S13, _S11, _S9, _S7, _S5, _S3 = _turns_over_factorials(15, 3)
_C16, _C14, _C12, _C10, _C8, _C6, _C4 = _turns_over_factorials(16, 4)
_T23, _T21, _T19, _T17, _T15, _T13, _T11, _T9, _T7, _T5, _T3 = [
    (-1.0 if number % 4 > 1 else 1.0) / number for number in range(23, 2, -2)
]


def _sine(x: float) -> float:
    q = x * x
    return x * (((((((_S15 * q + _S13) * q + _S11) * q + _S9) * q + _S7) * q + _S5) * q + _S3) * q + 1.0)


def _cosine(x: float) -> float:
    q = x * x
    series = ((((((_C16 * q + _C14) * q + _C12) * q + _C10) * q + _C8) * q + _C6) * q + _C4) * q
    return (series - 0.5) * q + 1.0


def _arctangent(x: float) -> float:
    """Return the arctangent in degrees of a number from 0 to 1. Halving the angle twice keeps the series short."""
    x /= 1.0 + sqrt(1.0 + x * x)
    x /= 1.0 + sqrt(1.0 + x * x)
    q = x * x
    far = ((((((_T23 * q + _T21) * q + _T19) * q + _T17) * q + _T15) * q + _T13) * q + _T11) * q
    return 4.0 * _RADIAN * (x * (((((far + _T9) * q + _T7) * q + _T5) * q + _T3) * q + 1.0))
