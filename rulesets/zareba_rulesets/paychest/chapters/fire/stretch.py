"""A place as a target: a straight stretch of ground, its two ends named by the owner (PAY-095, PAY-098, PAY-099)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from zareba.base.exact import dist
from zareba.space import Point
from zareba.table import LazyOptions, Table
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure

__all__ = ["lay_stretch", "reaches_nobody"]

Stretch = tuple[Point, Point]


def lay_stretch(
    table: Table,
    side: str,
    actor: str,
    start: Point,
    fair: Sequence[Point],
    front: Callable[[Point], float],
    begins: Callable[[Point], str | None],
    refused: Callable[[Point, Point], str | None],
) -> Stretch:
    """Let the owner name one end of a stretch, then the other: of any length and lie that `refused` allows.

    `start`: the middle of the firers; `fair`: places of possible targets who are not one leader alone; `front`: the length of
    their line towards a middle; `begins`: why no stretch that begins at a point can reach anybody, or None. Suggested are
    stretches across the line of fire about those targets, as long as that, half as long, and the target's own place. How
    wide the firers are shows only when both ends are known: who finds no second one names the first again, and then
    begins elsewhere.
    """
    stretches = [_across(start, middle, front(middle) * share) for middle in fair for share in (1.0, 0.5, 0.0)]
    ends = [*(a for a, _ in stretches), *(b for _, b in stretches)]

    def is_fair(a: Point, b: Point) -> bool:
        return refused(a, b) is None

    def find(place: int) -> Point | None:
        a, b = stretches[place]
        return a if a == b or is_fair(a, b) else None

    def ends_for(a: Point) -> list[Point]:
        own = [b for begin, b in stretches if begin == a and is_fair(a, b)]
        return own or [b for b in dict.fromkeys([a, *ends]) if is_fair(a, b)] or [a]

    while True:
        a = table.place(
            side, LazyOptions(len(stretches), find), begins, why="stretch from", rule="PAY-098", actor=actor
        )
        refused_end = partial(_refused_end, a, refused)
        b = table.place(side, ends_for(a), refused_end, why="stretch to", rule="PAY-098", actor=actor)
        if is_fair(a, b):
            return a, b


def _refused_end(a: Point, refused: Callable[[Point, Point], str | None], b: Point) -> str | None:
    """Why a stretch may not end at a point; never for its beginning, which takes that back."""
    return None if b == a else refused(a, b)


def reaches_nobody(battle: Battle, figures: Sequence[Figure], widest: float, a: Point) -> str | None:
    """Why no stretch of up to so many inches that begins at a point may be fired at, or None (PAY-096, PAY-098).

    `figures`: all who may be fired at along a stretch.
    """
    reach = widest + battle.book.file.target_stretch.inches + 1e-6
    near = [figure for figure in figures if figure.at is not None and dist(figure.at, a) <= reach]
    if not near:
        return "no stretch that begins there reaches anybody who may be fired at"
    if len(near) == 1 and battle.is_leader(near[0]):
        return "a stretch that begins there reaches none but one leader (PAY-096)"
    return None


def _across(start: Point, middle: Point, length: float) -> Stretch:
    """The stretch about a middle that lies across the line from the firers."""
    far = dist(start, middle) or 1.0
    half = length / 2
    x, y = (middle[1] - start[1]) / far * half, -(middle[0] - start[0]) / far * half
    return (middle[0] + x, middle[1] + y), (middle[0] - x, middle[1] - y)
