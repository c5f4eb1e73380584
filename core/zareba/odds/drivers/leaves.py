"""Where stretches of rule code lead: each different end once, with its probability."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from zareba.base.memento import save
from zareba.base.state import Record
from zareba.odds.undo import Written
from zareba.table import GivenAnswer
from zareba.table.event import Event

__all__ = ["OVER", "Branch", "Leaf", "Leaves", "add", "copy_carried", "value_of"]


class Leaf:
    """Where a stretch of rule code has led, and how likely that was.

    `written` is what the draft then said, `carried` what had been carried along; `told` what had been told that is listened
    for, `left` the known answers that were left, `result` what was given back.
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
        """The same end, as likely as that."""
        return Leaf(self.written, weight, self.carried, self.told, self.left, self.result)


class Branch:
    """What was asked at a place of the present path, and the answers still to be taken there with their weights of `whole`.

    The last is the present one.
    """

    __slots__ = ("asked", "waiting", "whole")

    def __init__(self, asked: object, waiting: list[tuple[Any, int]], whole: int) -> None:
        self.asked = asked
        self.waiting = waiting
        self.whole = whole

    @classmethod
    def of(cls, asked: object, ends: Iterable[Leaf]) -> Branch:
        """One whose answers are the ends of a stretch."""
        found = list(ends)
        whole = lcm(*(end.weight.denominator for end in found))
        return cls(asked, [(end, end.weight.numerator * (whole // end.weight.denominator)) for end in found], whole)


class Leaves:
    """The ends of a stretch, each once. What leads there is summed up by its whole, so that no fraction is reckoned a path."""

    __slots__ = ("ends", "shares")

    def __init__(self) -> None:
        self.ends: dict[Hashable, Leaf] = {}
        self.shares: dict[Hashable, dict[int, int]] = {}

    def weighed(self) -> dict[Hashable, Leaf]:
        """With their weights."""
        for said, shares in self.shares.items():
            common = lcm(*shares)
            self.ends[said].weight = Fraction(sum([n * (common // whole) for whole, n in shares.items()]), common)
        return self.ends


OVER = "over"


def add(ends: dict[Hashable, Leaf], said: Hashable, end: Leaf, weight: Fraction = Fraction(1)) -> None:
    """Put an end to the others, once for all that lead there."""
    if said in ends:
        ends[said].weight += end.weight * weight
    else:
        ends[said] = end.with_weight(end.weight * weight)


def copy_carried(carried: Sequence[Any]) -> Sequence[Any]:
    """What is carried along, as it stands."""
    return carried and [save(one) if isinstance(one, Record) else one.copy() for one in carried]


def value_of(result: Any) -> Hashable:
    """What a procedure gave back or has written to, as something to compare: by what it says, else the very object."""
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
