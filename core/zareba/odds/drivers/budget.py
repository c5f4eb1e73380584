"""Limits for odds: a number of paths, seconds or plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from random import Random
from time import perf_counter
from typing import Any

from zareba.table import Roll
from zareba.table.questions import Draw

__all__ = ["MOST_ASKED", "MOST_ENDS", "MOST_WRITTEN", "Budget", "OutOfBudget", "SampleCount"]

MOST_ENDS = 50_000
"""The largest number of leaves stored during enumeration, a few hundred megabytes of them."""
MOST_WRITTEN = 200_000
"""The largest number of writes on one path, so that endless rules do not fill the memory."""
MOST_ASKED = 20_000
"""The largest number of questions on one path, and of steps in one act; rules that exceed it never end."""


class OutOfBudget(BaseException):
    """Raised if odds need more paths or time than allowed. Not an Exception, so that no house rule swallows it."""


class Budget:
    """A number of paths, and of seconds from now by `clock`.

    It also limits memory: to `MOST_ENDS` leaves. `MOST_WRITTEN` limits the writes on one path.
    """

    __slots__ = ("_clock", "_until", "leaves", "paths", "spent")

    def __init__(self, paths: float = inf, seconds: float = inf, clock: Callable[[], float] = perf_counter) -> None:
        self.paths = paths
        self.spent = 0
        self.leaves = 0
        self._clock = clock
        self._until = clock() + seconds

    def spend(self) -> None:
        """Use up one path. Raises OutOfBudget if no paths or time are left."""
        self.spent += 1
        if self.spent > self.paths or self._clock() > self._until:
            raise OutOfBudget

    def keep(self) -> None:
        """Count one more stored leaf. Raises OutOfBudget if there are too many."""
        self.leaves += 1
        if self.leaves > MOST_ENDS:
            raise OutOfBudget


class SampleCount:
    """A number of plays that are run together until `chance` parts them; `many` of them are on the present path."""

    __slots__ = ("chance", "many")

    def __init__(self, many: int, seed: int) -> None:
        self.many = many
        self.chance = Random(seed)

    def one(self, question: Roll | Draw) -> Any:
        """Return a random answer for a single play."""
        chance = self.chance.random
        if isinstance(question, Roll):
            return question.read.of([int(chance() * question.sides) + 1 for _ in range(question.dice)])
        at = int(chance() * sum([copies for _, copies in question.cards]))
        for card, copies in question.cards:
            if at < copies:
                return card
            at -= copies
        raise AssertionError("the card drawn is not in the pile")

    def part(self, many: int, weighted: Sequence[tuple[Any, int]], whole: int) -> list[tuple[Any, int]]:
        """Share out `many` plays among the answers: the whole part of each share, then the remaining plays at random.

        On average each answer gets its exact share, and no sum over plays varies more than with independent plays.
        """
        divided = [divmod(many * weight, whole) for _, weight in weighted]
        shares, lots = [share for share, _ in divided], [rest for _, rest in divided]
        left = many - sum(shares)
        if left:
            total = sum(lots)
            for _ in range(left):
                at = int(self.chance.random() * total)
                for place, lot in enumerate(lots):
                    if at < lot:
                        shares[place] += 1
                        break
                    at -= lot
        return [(answer, share) for (answer, _), share in zip(weighted, shares, strict=True) if share]
