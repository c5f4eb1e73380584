"""A place as a target: a straight stretch of ground, its two ends named by the owner (PAY-095, PAY-098, PAY-099)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zareba.exact import dist
from zareba.space import Point
from zareba.table import Suggestions, Table

__all__ = ["lay_stretch", "stretch_name"]

Stretch = tuple[Point, Point]


def lay_stretch(
    table: Table,
    side: str,
    actor: str,
    start: Point,
    fair: Sequence[Point],
    front: Callable[[Point], float],
    refused: Callable[[Point, Point], str | None],
) -> Stretch:
    """Let the owner name one end of a stretch, then the other: of any length and lie that `refused` allows.

    `start`: the middle of the firers; `fair`: places of possible targets who are not one leader alone; `front`: the length of
    their line towards a middle. Suggested are stretches across the line of fire about those targets, as long as that,
    half as long, and the target's own place.
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
        return own or [b for b in dict.fromkeys([a, *ends]) if is_fair(a, b)]

    def begins(a: Point) -> str | None:
        return None if ends_for(a) else "no stretch that begins there holds anybody who may be fired at"

    a = table.place(side, Suggestions(len(stretches), find), begins, why="stretch from", rule="PAY-098", actor=actor)
    return a, table.place(side, ends_for(a), lambda b: refused(a, b), why="stretch to", rule="PAY-098", actor=actor)


def stretch_name(a: Point, b: Point) -> str:
    """A stretch in words, or the one place that it is."""
    first, last = (f"{round(at[0], 1):g}, {round(at[1], 1):g}" for at in (a, b))
    return f"whoever was at {first}" if a == b else f"the stretch from {first} to {last}"


def _across(start: Point, middle: Point, length: float) -> Stretch:
    """The stretch about a middle that lies across the line from the firers."""
    far = dist(start, middle) or 1.0
    half = length / 2
    x, y = (middle[1] - start[1]) / far * half, -(middle[0] - start[0]) / far * half
    return (middle[0] + x, middle[1] + y), (middle[0] - x, middle[1] - y)
