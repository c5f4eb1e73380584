"""Who of some men is in reach and sight of any of some others: one pass for a whole volley. Any one unit of length."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from zareba.base.exact import dist
from zareba.space.field.line_of_sight import SightBlocker, line_is_clear
from zareba.space.geometry import Bounds, Point
from zareba.space.lazy import Lazy

__all__ = ["Observer", "find_visible"]

SURELY = 1e-6


class Observer(NamedTuple):
    """Somebody who looks: where from, how far, and what is added to every distance because he is above the ground."""

    at: Point
    reach: float
    height: float = 0.0


def find_visible(
    eyes: Sequence[Observer],
    sought: Sequence[tuple[Point, float]],
    box: Bounds,
    among: Sequence[SightBlocker[Any]],
    hides: Callable[[Point, Point], bool] | None = None,
    known: dict[tuple[Point, float], bool] | None = None,
) -> list[int]:
    """The places of those who are sought whom any of some eyes has in reach and sight, in their order.

    Each is sought at a point, with what his own height adds to every distance. `box` holds all who are sought; the screens
    `among` may hide some of them. `hides`: whether anything else does that lies between two points. `known`: what the same
    eyes have found before (`Screens.open_from`), to which is added; men look again from where they stood.
    """
    looking = list(eyes)
    before: Lazy[Point, list[SightBlocker[Any]] | None] = Lazy(partial(_before, among, box))
    if hides is None:
        for eye in (looking[0], looking[-1]):
            if before[eye.at] == [] and _reaches_all(eye, box):
                return [k for k, (at, height) in enumerate(sought) if not height or _is_in_reach(looking, at, height)]
    known, found = {} if known is None else known, []
    for k, one in enumerate(sought):
        is_open = known.get(one)
        if is_open is None:
            is_open = known[one] = _is_open_to(looking, before, hides, *one)
        if is_open:
            found.append(k)
    return found


def _before(screens: Iterable[SightBlocker[Any]], box: Bounds, spot: Point) -> list[SightBlocker[Any]] | None:
    """Those of some screens that may hide some of a box from one point; None where one of them hides all of it."""
    found = []
    for screen in screens:
        if not screen.is_beside(spot, box):
            if screen.hides_from(spot, box):
                return None
            found.append(screen)
    return found


def _is_open_to(
    eyes: list[Observer],
    before: Lazy[Point, list[SightBlocker[Any]] | None],
    hides: Callable[[Point, Point], bool] | None,
    at: Point,
    above: float,
) -> bool:
    """Whether a point is in reach and sight of any of some eyes; `before`: what may hide it, by where one looks from.

    The one that has it there comes to the front, for it is likely to have the next point as well.
    """
    for place, (spot, reach, height) in enumerate(eyes):
        if dist(spot, at) + height + above > reach:
            continue
        screens = before[spot]
        if screens is None or not line_is_clear(spot, at, screens):
            continue
        if hides is None or not hides(spot, at):
            if place:
                eyes.insert(0, eyes.pop(place))
            return True
    return False


def _is_in_reach(eyes: Iterable[Observer], at: Point, above: float) -> bool:
    return any(dist(eye.at, at) + eye.height + above <= eye.reach for eye in eyes)


def _reaches_all(eye: Observer, box: Bounds) -> bool:
    """Whether the furthest corner of a box is well in reach."""
    x, y = eye.at
    across = max(x - box[0], box[2] - x)
    along = max(y - box[1], box[3] - y)
    reach = eye.reach - eye.height - SURELY
    return reach > 0 and across * across + along * along <= reach * reach
