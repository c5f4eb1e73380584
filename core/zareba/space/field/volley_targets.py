"""Find the targets that any of some observers can reach and see, in one pass for a whole volley. Any unit of length."""

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
    """An observer: a point, a range, and the height that is added to every distance."""

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
    """Return the indices of the targets that any observer has in range and in sight, in order.

    Each target is a point with the height added to every distance. `box` contains all targets; the blockers `among`
    may hide some of them. `hides` returns True if anything else between two points hides the target. `known` holds
    earlier results of the same observers (`SightBlockers.open_from`) and is extended.
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
    """Return the blockers that may hide part of a box from a point; None if one of them hides all of it."""
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
    """Return True if a point is in range and in sight of any observer.

    `before` holds the possible blockers by observer point. The observer that sees the target moves to the front of the
    list, because it is likely to see the next one too.
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
    """Return True if every point of a box is in range of an observer, without the heights of the targets."""
    x, y = eye.at
    across = max(x - box[0], box[2] - x)
    along = max(y - box[1], box[3] - y)
    reach = eye.reach - eye.height - SURELY
    return reach > 0 and across * across + along * along <= reach * reach
