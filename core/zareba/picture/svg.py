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
        """Return path data with straight legs. Corners are rounded, starting `rounded` inches before each."""
        if rounded:
            return self._rounded_path(list(points), rounded, closed=closed)
        legs = "L".join(" ".join(self.xy(point)) for point in points)
        return f"M{legs}{'Z' if closed else ''}"

    def _rounded_path(self, points: Sequence[Point], radius: float, *, closed: bool) -> str:
        """Return path data with each corner rounded, at most half a leg before and after it."""
        bends = []
        for index, corner in enumerate(points):
            if not closed and index in (0, len(points) - 1):
                bends.append(" ".join(self.xy(corner)))
                continue
            before, after = points[index - 1], points[(index + 1) % len(points)]
            into = towards(corner, before, min(radius, dist(corner, before) / 2))
            out = towards(corner, after, min(radius, dist(corner, after) / 2))
            bends.append(f"{' '.join(self.xy(into))}Q{' '.join(self.xy(corner))} {' '.join(self.xy(out))}")
        return f"M{'L'.join(bends)}{'Z' if closed else ''}"

    def shape(
        self, css_class: str, points: Sequence[Point], *, closed: bool, attributes: str = "", rounded: float = 0.0
    ) -> str:
        """Return a polygon, or a line of straight legs, with the class `css_class`."""
        return f'<path class="{css_class}" d="{self.path(points, closed=closed, rounded=rounded)}"{attributes}/>'

    def use(self, symbol: str, point: Point, *, scale: float = 1.0, turn: float = 0.0) -> str:
        """Return a symbol placed at a point."""
        x, y = self.xy(point)
        turned = f" rotate({number(turn)})" if turn else ""
        scaled = f" scale({number(scale)})" if scale != 1.0 else ""
        return f'<use href="#{symbol}" transform="translate({x} {y}){turned}{scaled}"/>'


def circle(x: float | str, y: float | str, radius: float, css_class: str) -> str:
    """Return a circle with the class `css_class`."""
    return f'<circle class="{css_class}" cx="{x}" cy="{y}" r="{number(radius)}"/>'


def text(x: float | str, y: float | str, size: float, words: str, css_class: str) -> str:
    """Return text centred on a point of the canvas."""
    return f'<text class="{css_class}" x="{x}" y="{y}" font-size="{number(size)}">{escape(words)}</text>'


def hit_area(box: Bounds, canvas: SvgCanvas) -> str:
    """Return an invisible rectangle, so that the gaps of a drawing can be pointed at too."""
    west, south, east, north = box
    x, y = canvas.xy((west, north))
    return f'<rect class="hit" x="{x}" y="{y}" width="{number(east - west)}" height="{number(north - south)}"/>'


def tooltip(words: str) -> str:
    """Return a `<title>`, shown for the element under the pointer and read by screen readers."""
    return f"<title>{escape(words)}</title>"


def group(css_class: str, parts: Iterable[str], attributes: str = "") -> str:
    """Return a group of parts with the class `css_class`."""
    return f'<g class="{css_class}"{attributes}>{"".join(parts)}</g>'


def label(
    css_class: str,
    parts: Iterable[str],
    at: Point | None,
    scale: float,
    canvas: SvgCanvas,
    attributes: str = "",
    below: str = "",
) -> str:
    """Return a label whose parts are drawn in CSS pixels around its anchor; `scale` is the inches per pixel.

    A label without a place is not shown. `below` is drawn in inches under the label. The outer group has no transform,
    so that a page can move it.
    """
    if at is None:
        return group(f"{css_class} label absent", [group("anchored", parts)], attributes)
    x, y = canvas.xy(at)
    anchored = group("anchored", parts, f' transform="translate({x} {y}) scale({scale:.4f})"')
    return group(f"{css_class} label", [below, anchored], attributes)
