"""Leaves: the different ends of a stretch of rule code, each with its probability."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from zareba.base.memento import save
from zareba.base.state import Record
from zareba.odds.rollback import Written
from zareba.table import GivenAnswer
from zareba.table.event import Event

__all__ = ["OVER", "Branch", "Leaf", "Leaves", "add", "copy_carried", "value_of"]


class Leaf:
    """An end of a stretch of rule code, with its probability.

    `written` are the writes to the draft, `carried` the values of the variables carried along. `told` are the events
    kept, `left` the known answers not yet used, and `result` is the return value.
    """

    __slots__ = ("carried", "left", "result", "told", "weight", "written")

    def __init__(
        self,
        written: Written,
        weight: Fraction,
        carried: Sequence[Any] = (),
        told: tuple[Event, ...] = (),
        left: Sequence[GivenAnswer] = (),
        result: Any = None,
    ) -> None:
        self.written = written
        self.weight = weight
        self.carried = carried
        self.told = told
        self.left = left
        self.result = result

    def with_weight(self, weight: Fraction) -> Leaf:
        """Return the same leaf with another probability."""
        return Leaf(self.written, weight, self.carried, self.told, self.left, self.result)


class Branch:
    """A question on the present path and the answers not yet explored, with weights out of `whole`.

    The last answer is the present one.
    """

    __slots__ = ("asked", "waiting", "whole")

    def __init__(self, asked: object, waiting: list[tuple[Any, int]], whole: int) -> None:
        self.asked = asked
        self.waiting = waiting
        self.whole = whole

    @classmethod
    def of(cls, asked: object, ends: Iterable[Leaf]) -> Branch:
        """Return a branch whose answers are the leaves of a stretch."""
        found = list(ends)
        whole = lcm(*(end.weight.denominator for end in found))
        return cls(asked, [(end, end.weight.numerator * (whole // end.weight.denominator)) for end in found], whole)


class Leaves:
    """The leaves of a stretch, each stored once. Weights are summed by denominator; no path needs a fraction."""

    __slots__ = ("ends", "shares")

    def __init__(self) -> None:
        self.ends: dict[Hashable, Leaf] = {}
        self.shares: dict[Hashable, dict[int, int]] = {}

    def weighed(self) -> dict[Hashable, Leaf]:
        """Return the leaves with their probabilities set."""
        for said, shares in self.shares.items():
            common = lcm(*shares)
            self.ends[said].weight = Fraction(sum([n * (common // whole) for whole, n in shares.items()]), common)
        return self.ends


OVER = "over"


def add(ends: dict[Hashable, Leaf], said: Hashable, end: Leaf, weight: Fraction = Fraction(1)) -> None:
    """Add a leaf to the others, merging it with an equal one."""
    if said in ends:
        ends[said].weight += end.weight * weight
    else:
        ends[said] = end.with_weight(end.weight * weight)


def copy_carried(carried: Sequence[Any]) -> Sequence[Any]:
    """Return a copy of the variables carried along."""
    return carried and [save(one) if isinstance(one, Record) else one.copy() for one in carried]


def value_of(result: Any) -> Hashable:
    """Return a result or carried variable as a value to compare: by content if possible, else by identity."""
    if isinstance(result, Record):
        return type(result).__name__, id(result)
    if isinstance(result, (list, tuple)):
        return tuple([value_of(one) for one in result])
    if isinstance(result, dict):
        return tuple([(name, value_of(one)) for name, one in result.items()])
    try:
        hash(result)
    except TypeError:
        return id(result)
    return result  # type: ignore[no-any-return]  # it can be hashed, as was just tried
