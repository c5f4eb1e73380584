"""A stretch of ground as a target: a straight line whose two ends the owner names (PAY-095, PAY-098, PAY-099)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from zareba.base.exact import dist
from zareba.space import Point
from zareba.table import LazyOptions, Table
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure

Stretch = tuple[Point, Point]


def lay_stretch(
    table: Table,
    side: str,
    actor: str,
    start: Point,
    aim_points: Sequence[Point],
    front: Callable[[Point], float],
    refuse_start: Callable[[Point], str | None],
    reason_to_refuse: Callable[[Point, Point], str | None],
) -> Stretch:
    """Let the owner name both ends of a stretch, of any length and direction that `reason_to_refuse` allows.

    `start` is the firers' centre. `aim_points` holds the positions to aim at, of targets other than a single leader.
    `front` returns the firers' frontage towards a midpoint. `refuse_start` returns why no stretch from a point can
    reach a target, or None. The suggestions cross the line of fire at those targets, at full and half frontage, plus
    the target's own position. The frontage is known only once both ends are: an owner who finds no second end names the
    first again and starts over.
    """
    stretches = [_across(start, middle, front(middle) * share) for middle in aim_points for share in (1.0, 0.5, 0.0)]
    ends = [*(a for a, _ in stretches), *(b for _, b in stretches)]

    def is_allowed(a: Point, b: Point) -> bool:
        return reason_to_refuse(a, b) is None

    def find(index: int) -> Point | None:
        a, b = stretches[index]
        return a if a == b or is_allowed(a, b) else None

    def ends_for(a: Point) -> list[Point]:
        second_ends = [b for begin, b in stretches if begin == a and is_allowed(a, b)]
        return second_ends or [b for b in dict.fromkeys([a, *ends]) if is_allowed(a, b)] or [a]

    while True:
        a = table.place(
            side, LazyOptions(len(stretches), find), refuse_start, why="stretch from", rule="PAY-098", actor=actor
        )
        refused_end = partial(_refuse_end, a, reason_to_refuse)
        b = table.place(side, ends_for(a), refused_end, why="stretch to", rule="PAY-098", actor=actor)
        if is_allowed(a, b):
            return a, b


def _refuse_end(a: Point, reason_to_refuse: Callable[[Point, Point], str | None], b: Point) -> str | None:
    """Return why a stretch may not end at a point, or None.

    The starting point is always accepted and cancels the choice.
    """
    return None if b == a else reason_to_refuse(a, b)


def why_no_target(battle: Battle, figures: Sequence[Figure], widest: float, a: Point) -> str | None:
    """Return why no stretch up to `widest` inches long from point `a` may be fired at, or None (PAY-096, PAY-098).

    `figures` are all figures that may be fired at along a stretch.
    """
    reach = widest + battle.book.file.target_stretch.inches + 1e-6
    near = [figure for figure in figures if figure.at is not None and dist(figure.at, a) <= reach]
    if not near:
        return "no stretch that begins there reaches a legal target"
    if len(near) == 1 and battle.is_leader(near[0]):
        return "a stretch that begins there reaches only a single leader (PAY-096)"
    return None


def _across(start: Point, middle: Point, length: float) -> Stretch:
    """Return the stretch centred on a point, at right angles to the line from the firers."""
    far = dist(start, middle) or 1.0
    half = length / 2
    x, y = (middle[1] - start[1]) / far * half, -(middle[0] - start[0]) / far * half
    return (middle[0] + x, middle[1] + y), (middle[0] - x, middle[1] - y)
