"""Colours as seen with normal and colour-deficient vision, and the visible difference between two colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import dist

__all__ = ["EYES", "Colour", "apart", "colour", "seen_by"]

Colour = tuple[float, float, float]
"""Red, green and blue from 0 to 1, as written in a style sheet (sRGB)."""
Matrix = tuple[tuple[float, float, float], ...]

EYES: Mapping[str, Matrix] = {
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Matrices for linear light (Machado, Oliveira and Fernandes 2009, full severity)."""

WHITE = (0.95047, 1.0, 1.08883)
TO_XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)


def colour(written: str) -> Colour:
    """Return the colour written as #rgb, #rrggbb or #rrggbbaa, without its opacity."""
    digits = written.removeprefix("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    red, green, blue = (int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4))
    return red, green, blue


def _times(matrix: Matrix, vector: Sequence[float]) -> Colour:
    a, b, c = (sum(factor * value for factor, value in zip(row, vector, strict=True)) for row in matrix)
    return a, b, c


def _linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def seen_by(eye: str, one: Colour) -> Colour:
    """Return the colour as this eye sees it, in linear light."""
    red, green, blue = (min(1.0, max(0.0, value)) for value in _times(EYES[eye], [_linear(value) for value in one]))
    return red, green, blue


def _lab(light: Colour) -> Colour:
    def root(value: float) -> float:
        return value ** (1 / 3) if value > (6 / 29) ** 3 else value / (3 * (6 / 29) ** 2) + 4 / 29

    x, y, z = (root(value / white) for value, white in zip(_times(TO_XYZ, light), WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one: str, other: str, eye: str = "usual") -> float:
    """Return the difference between two colours for an eye (CIE 1976 delta E: 2 is just visible, 10 is obvious)."""
    return dist(_lab(seen_by(eye, colour(one))), _lab(seen_by(eye, colour(other))))
