"""Ways to read a roll of several dice, with the exact distribution of each.

A reading is a fold over single dice: it defines the value of one face and how two partial results combine. The same
definition gives the result of a live roll (fold the faces) and the exact odds (convolve the single die). 24 dice have
10^18 ordered results but only 121 sums, so a rule should ask only for the value it uses.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from zareba.base.grammar import join_with_or

__all__ = ["EACH", "HIGHEST", "SUM", "SUM_AND_HIGHEST", "AtLeast", "Counts", "Read", "SumBands", "distribution"]

A = TypeVar("A")

MOST_DICE = 1000
MOST_FACES = 1000


class Read(ABC, Generic[A]):
    """One way to read a roll. Instances are hashable values."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name in journals; different readings have different names."""

    def told(self, dice: int) -> str:
        """Return how to read so many dice, to follow "throw 2d6" in a sentence."""
        return f", read as {self.name}"

    def said(self, answer: A) -> str:
        """Return a result as text for players."""
        return ", ".join(map(str, answer)) if isinstance(answer, tuple) else str(answer)

    @abstractmethod
    def of_face(self, face: int) -> A:
        """Return the result of a single die that shows `face` (from 1 to its number of faces)."""

    @abstractmethod
    def join(self, left: A, right: A) -> A:
        """Combine the results of two groups of dice. Associative."""

    @abstractmethod
    def of_none(self) -> A:
        """Return the result of no dice."""

    def of(self, faces: Sequence[int]) -> A:
        """Return the result of these faces, in the order of the dice."""
        if not faces:
            return self.of_none()
        return reduce(self.join, map(self.of_face, faces))

    def weights(self, count: int, sides: int) -> dict[A, int]:
        """Return the number of the sides**count possible rolls that give each result, by combining halves of the dice."""
        return _convolve(count, sides, self)


@dataclass(frozen=True)
class _Sum(Read[int]):
    name = "sum"

    def told(self, dice: int) -> str:
        return " and add them" if dice > 1 else ""

    def of_face(self, face: int) -> int:
        return face

    def join(self, left: int, right: int) -> int:
        return left + right

    def of_none(self) -> int:
        return 0

    def of(self, faces: Sequence[int]) -> int:
        return sum(faces)


@dataclass(frozen=True)
class _Highest(Read[int]):
    name = "highest"

    def told(self, dice: int) -> str:
        return "; the highest counts" if dice > 1 else ""

    def of_face(self, face: int) -> int:
        return face

    def join(self, left: int, right: int) -> int:
        return max(left, right)

    def of_none(self) -> int:
        return 0


@dataclass(frozen=True)
class _SumAndHighest(Read[tuple[int, int]]):
    name = "sum and highest"

    def told(self, dice: int) -> str:
        return " and add them; the highest die counts too" if dice > 1 else ""

    def of_face(self, face: int) -> tuple[int, int]:
        return face, face

    def join(self, left: tuple[int, int], right: tuple[int, int]) -> tuple[int, int]:
        return left[0] + right[0], max(left[1], right[1])

    def of_none(self) -> tuple[int, int]:
        return 0, 0

    def of(self, faces: Sequence[int]) -> tuple[int, int]:
        return (sum(faces), max(faces)) if faces else (0, 0)

    def weights(self, count: int, sides: int) -> dict[tuple[int, int], int]:
        """Count rolls with highest face h as the rolls with no face above h, minus those with no face above h - 1."""
        if count == 0:
            return {(0, 0): 1}
        found: dict[tuple[int, int], int] = {}
        lower: dict[int, int] = {}
        for highest in range(1, sides + 1):
            up_to = _convolve(count, highest, SUM)
            for total, ways in up_to.items():
                if ways > lower.get(total, 0):
                    found[total, highest] = ways - lower.get(total, 0)
            lower = up_to
        return found


@dataclass(frozen=True)
class SumBands(Read[int]):
    """The number of ascending `thresholds` that the sum of the dice reaches: 0 to all of them.

    Used for charts that are read by a sum: the rule needs only the row.
    """

    thresholds: tuple[int, ...]

    @property
    def name(self) -> str:
        return f"sum against {'/'.join(map(str, self.thresholds))}"

    def told(self, dice: int) -> str:
        added = SUM.told(dice)
        if not self.thresholds:
            return added
        return f"{added}{added and ','} against {', '.join(map(str, self.thresholds))}"

    def said(self, answer: int) -> str:
        low = self.thresholds[answer - 1] if answer else None
        above = self.thresholds[answer] if answer < len(self.thresholds) else None
        if above is None:
            return f"{low} or more" if low is not None else "any sum"
        if low is None:
            return f"less than {above}"
        return f"{low} to {above - 1}" if above - low > 1 else f"{low}"

    def of_face(self, face: int) -> int:
        return bisect_right(self.thresholds, face)

    def join(self, left: int, right: int) -> int:
        raise TypeError("bands of a sum cannot be added; add the dice first and find the band once")

    def of_none(self) -> int:
        return bisect_right(self.thresholds, 0)

    def of(self, faces: Sequence[int]) -> int:
        return bisect_right(self.thresholds, sum(faces))

    def weights(self, count: int, sides: int) -> dict[int, int]:
        found: dict[int, int] = {}
        for total, ways in _convolve(count, sides, SUM).items():
            band = bisect_right(self.thresholds, total)
            found[band] = found.get(band, 0) + ways
        return found


@dataclass(frozen=True)
class _Each(Read[tuple[int, ...]]):
    name = "each die"

    def told(self, dice: int) -> str:
        return "; each die counts by itself" if dice > 1 else ""

    def of_face(self, face: int) -> tuple[int, ...]:
        return (face,)

    def join(self, left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
        return left + right

    def of_none(self) -> tuple[int, ...]:
        return ()

    def of(self, faces: Sequence[int]) -> tuple[int, ...]:
        return tuple(faces)


@dataclass(frozen=True)
class AtLeast(Read[int]):
    """The number of dice that show `target` or more."""

    target: int

    @property
    def name(self) -> str:
        return f"how many show {self.target} or more"

    def told(self, dice: int) -> str:
        return f"; {'each ' if dice > 1 else ''}{self.target} or more counts"

    def of_face(self, face: int) -> int:
        return int(face >= self.target)

    def join(self, left: int, right: int) -> int:
        return left + right

    def of_none(self) -> int:
        return 0


@dataclass(frozen=True)
class Counts(Read[tuple[int, ...]]):
    """The number of dice in each group of faces, such as hits, sabres and flags of a symbol die.

    A face may belong to several groups, or to none.
    """

    groups: tuple[frozenset[int], ...]

    @property
    def name(self) -> str:
        return f"counts of {self._faces}"

    def told(self, dice: int) -> str:
        if len(self.groups) == 1 and self.groups[0]:
            faces = join_with_or(map(str, sorted(self.groups[0])))
            return f"; {'each ' if dice > 1 else ''}{faces} counts"
        return f"; count {self._faces}"

    @property
    def _faces(self) -> str:
        return ", ".join("/".join(map(str, sorted(group))) or "no face" for group in self.groups)

    def of_face(self, face: int) -> tuple[int, ...]:
        return tuple(int(face in group) for group in self.groups)

    def join(self, left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(map(int.__add__, left, right))

    def of_none(self) -> tuple[int, ...]:
        return (0,) * len(self.groups)


SUM = _Sum()
HIGHEST = _Highest()
SUM_AND_HIGHEST = _SumAndHighest()
EACH = _Each()


@lru_cache(maxsize=4096)
def distribution(count: int, sides: int, read: Read[A]) -> Mapping[A, int]:
    """Return the weight of each result among the sides**count equally likely rolls of `count` dice, sorted by result."""
    weights = dict(sorted(read.weights(count, sides).items(), key=lambda item: _sort_key(item[0])))
    return MappingProxyType(weights)


def _sort_key(answer: object) -> tuple[int, object]:
    """Return a sort key for results of one kind: numbers and tuples by value."""
    return (1, answer) if isinstance(answer, tuple) else (0, answer)


@lru_cache(maxsize=4096)
def _convolve(count: int, sides: int, read: Read[Any]) -> dict[Any, int]:
    if count == 0:
        return {read.of_none(): 1}
    if count == 1:
        single: dict[Any, int] = {}
        for face in range(1, sides + 1):
            answer = read.of_face(face)
            single[answer] = single.get(answer, 0) + 1
        return single
    half = count // 2
    left, right = _convolve(half, sides, read), _convolve(count - half, sides, read)
    joined: dict[Any, int] = {}
    for a, weight_a in left.items():
        for b, weight_b in right.items():
            answer = read.join(a, b)
            joined[answer] = joined.get(answer, 0) + weight_a * weight_b
    return joined
