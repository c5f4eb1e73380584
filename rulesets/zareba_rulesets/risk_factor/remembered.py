"""Measurements of bodies that are made once. A body never changes, so neither does what was measured of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from zareba.space.lazy import Lazy

__all__ = ["REMEMBERED", "Remembered", "RememberedBetween"]

K = TypeVar("K")
V = TypeVar("V")

REMEMBERED = 6_000


class Remembered(Lazy[K, V]):
    """What was measured of a body or between some, each once; forgotten all at once when there is too much of it."""

    __slots__ = ("_most",)

    def __init__(self, measure: Callable[[K], V], most: int = REMEMBERED) -> None:
        super().__init__(measure)
        self._most = most

    def __missing__(self, key: K) -> V:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._answer(key)
        return value


class RememberedBetween(Remembered[K, V]):
    """The same of what is measured between the parts of a key, which the measure takes one by one."""

    __slots__ = ()

    def __init__(self, measure: Callable[..., V], most: int = REMEMBERED) -> None:
        super().__init__(measure, most)

    def __missing__(self, key: Any) -> V:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._answer(*key)
        return value
