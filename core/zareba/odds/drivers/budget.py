"""How far odds are looked for: so many paths, so long, or so many plays."""

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
"""How many ends of stretches are kept at most while something is counted: some hundred megabytes."""
MOST_WRITTEN = 200_000
"""How much is written on one path at most, lest rules that come to no end fill the memory."""
MOST_ASKED = 20_000
"""How much is asked on one path at most, and how many steps belong to one act: rules that go on have no end."""


class OutOfBudget(BaseException):
    """More paths, or more time, than allowed. No Exception, so that no house rule can swallow it."""


class Budget:
    """So many paths, and so many seconds from now on by a `clock`; `spend` takes a path off.

    As much memory as `MOST_ENDS` need, and as a path takes on which so much is written as `MOST_WRITTEN` says.
    """

    __slots__ = ("_clock", "_until", "kept", "paths", "spent")

    def __init__(self, paths: float = inf, seconds: float = inf, clock: Callable[[], float] = perf_counter) -> None:
        self.paths = paths
        self.spent = 0
        self.kept = 0
        self._clock = clock
        self._until = clock() + seconds

    def spend(self) -> None:
        """Raises OutOfBudget when nothing is left."""
        self.spent += 1
        if self.spent > self.paths or self._clock() > self._until:
            raise OutOfBudget

    def keep(self) -> None:
        """Another end is kept. Raises OutOfBudget when there are too many."""
        self.kept += 1
        if self.kept > MOST_ENDS:
            raise OutOfBudget


class SampleCount:
    """So many plays, which go the way together; `chance` parts them. `many` are under way on the present path."""

    __slots__ = ("chance", "many")

    def __init__(self, many: int, seed: int) -> None:
        self.many = many
        self.chance = Random(seed)

    def one(self, question: Roll | Draw) -> Any:
        """The answer in a play that goes its way alone."""
        chance = self.chance.random
        if isinstance(question, Roll):
            return question.read.of([int(chance() * question.sides) + 1 for _ in range(question.dice)])
        at = int(chance() * sum([copies for _, copies in question.cards]))
        for card, copies in question.cards:
            if at < copies:
                return card
            at -= copies
        raise AssertionError("a card was drawn that is not in the pile")

    def part(self, many: int, weighted: Sequence[tuple[Any, int]], whole: int) -> list[tuple[Any, int]]:
        """How many of them take which answer: what is sure to each of its share, and the rest by chance.

        On average each answer has its share, and no sum over plays varies more than if each were played by itself.
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
