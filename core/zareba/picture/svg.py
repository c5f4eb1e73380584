"""Writing SVG: numbers as short as they may be, text escaped, north up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from zareba.base.exact import dist
from zareba.space.geometry import Point, towards

__all__ = ["SvgCanvas", "circle", "escape_text", "group", "number", "text"]


def number(value: float) -> str:
    """A length to a hundredth of an inch."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value else "0"


class SvgCanvas(NamedTuple):
    """The paper on which a table `depth` inches deep is drawn: y runs down there and north on the table."""

    depth: float

    def at(self, point: Point) -> str:
        """The attributes x and y of a point."""
        x, y = self.xy(point)
        return f'x="{x}" y="{y}"'

    def xy(self, point: Point) -> tuple[str, str]:
        """A point as two numbers."""
        return number(point[0]), number(self.depth - point[1])

    def path(self, points: Iterable[Point], *, closed: bool, rounded: float = 0.0) -> str:
        """The data of a path with straight legs; its corners are cut by a bend that begins `rounded` inches before them."""
        if rounded:
            return self._bent(list(points), rounded, closed=closed)
        legs = "L".join(" ".join(self.xy(point)) for point in points)
        return f"M{legs}{'Z' if closed else ''}"

    def _bent(self, points: Sequence[Point], most: float, *, closed: bool) -> str:
        bends = []
        for place, corner in enumerate(points):
            if not closed and place in (0, len(points) - 1):
                bends.append(" ".join(self.xy(corner)))
                continue
            before, after = points[place - 1], points[(place + 1) % len(points)]
            into = towards(corner, before, min(most, dist(corner, before) / 2))
            out = towards(corner, after, min(most, dist(corner, after) / 2))
            bends.append(f"{' '.join(self.xy(into))}Q{' '.join(self.xy(corner))} {' '.join(self.xy(out))}")
        return f"M{'L'.join(bends)}{'Z' if closed else ''}"

    def shape(self, kind: str, points: Sequence[Point], *, closed: bool, more: str = "", rounded: float = 0.0) -> str:
        """A polygon, or a line of straight legs, of the class `kind`."""
        return f'<path class="{kind}" d="{self.path(points, closed=closed, rounded=rounded)}"{more}/>'

    def use(self, symbol: str, point: Point, *, scale: float = 1.0, turn: float = 0.0) -> str:
        """A symbol of the sheet at a point."""
        x, y = self.xy(point)
        turned = f" rotate({number(turn)})" if turn else ""
        scaled = f" scale({number(scale)})" if scale != 1.0 else ""
        return f'<use href="#{symbol}" transform="translate({x} {y}){turned}{scaled}"/>'


def circle(x: float | str, y: float | str, radius: float, kind: str) -> str:
    """A circle of the class `kind`."""
    return f'<circle class="{kind}" cx="{x}" cy="{y}" r="{number(radius)}"/>'


def text(x: float | str, y: float | str, size: float, words: str, kind: str) -> str:
    """Words with their middle at a point of the sheet."""
    return f'<text class="{kind}" x="{x}" y="{y}" font-size="{number(size)}">{escape(words)}</text>'


def escape_text(words: str) -> str:
    """What a thing is called by whoever points at it or reads the page aloud."""
    return f"<title>{escape(words)}</title>"


def group(kind: str, parts: Iterable[str], more: str = "") -> str:
    """Parts together, of the class `kind`."""
    return f'<g class="{kind}"{more}>{"".join(parts)}</g>'
