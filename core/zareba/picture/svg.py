"""Helpers that write SVG: short numbers, escaped text, north at the top."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

from zareba.base.exact import dist
from zareba.space.geometry import Bounds, Point, towards


def number(value: float) -> str:
    """Return a length rounded to a hundredth of an inch, as short as possible."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value else "0"


class SvgCanvas(NamedTuple):
    """The canvas for a table `depth` inches deep: y increases downwards here, and northwards on the table."""

    depth: float

    def at(self, point: Point) -> str:
        """Return the attributes x and y of a point."""
        x, y = self.xy(point)
        return f'x="{x}" y="{y}"'

    def xy(self, point: Point) -> tuple[str, str]:
        """Return a point as two numbers."""
        return number(point[0]), number(self.depth - point[1])

    def path(self, points: Iterable[Point], *, closed: bool, rounded: float = 0.0) -> str:
        """Return the data of a path with straight legs, with corners rounded from `rounded` inches before them."""
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
        """Return a polygon, or a line of straight legs, with the class `kind`."""
        return f'<path class="{kind}" d="{self.path(points, closed=closed, rounded=rounded)}"{more}/>'

    def use(self, symbol: str, point: Point, *, scale: float = 1.0, turn: float = 0.0) -> str:
        """Return a symbol placed at a point."""
        x, y = self.xy(point)
        turned = f" rotate({number(turn)})" if turn else ""
        scaled = f" scale({number(scale)})" if scale != 1.0 else ""
        return f'<use href="#{symbol}" transform="translate({x} {y}){turned}{scaled}"/>'


def circle(x: float | str, y: float | str, radius: float, kind: str) -> str:
    """Return a circle with the class `kind`."""
    return f'<circle class="{kind}" cx="{x}" cy="{y}" r="{number(radius)}"/>'


def text(x: float | str, y: float | str, size: float, words: str, kind: str) -> str:
    """Return text centred on a point of the canvas."""
    return f'<text class="{kind}" x="{x}" y="{y}" font-size="{number(size)}">{escape(words)}</text>'


def hit_area(box: Bounds, sheet: SvgCanvas) -> str:
    """Return an invisible rectangle, so that the gaps of a drawing can be pointed at too."""
    west, south, east, north = box
    x, y = sheet.xy((west, north))
    return f'<rect class="hit" x="{x}" y="{y}" width="{number(east - west)}" height="{number(north - south)}"/>'


def escape_text(words: str) -> str:
    """Return a `<title>`, shown for the element under the pointer and read by screen readers."""
    return f"<title>{escape(words)}</title>"


def group(kind: str, parts: Iterable[str], more: str = "") -> str:
    """Return a group of parts with the class `kind`."""
    return f'<g class="{kind}"{more}>{"".join(parts)}</g>'


def label(
    kind: str, parts: Iterable[str], at: Point | None, scale: float, sheet: SvgCanvas, more: str = "", below: str = ""
) -> str:
    """Return a label whose parts are drawn in CSS pixels around its anchor, `scale` inches to a pixel.

    A label without a place is not shown. `below` is drawn in inches under the label. The outer group has no transform,
    so that a page can move it.
    """
    if at is None:
        return group(f"{kind} label absent", [group("anchored", parts)], more)
    x, y = sheet.xy(at)
    anchored = group("anchored", parts, f' transform="translate({x} {y}) scale({scale:.4f})"')
    return group(f"{kind} label", [below, anchored], more)
