"""Dicts that compute a missing value on first use."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Lazy(dict[K, V]):
    """The values of a function, each computed once; `table[key]` is then as fast as a dict.

    Used where a full table is too large: a map of 200 x 200 cells has 1.6 billion pairs. With `most`, the dict is
    emptied when it holds that many values, so it stays bounded whatever the keys.
    """

    __slots__ = ("_answer", "_most")

    def __init__(self, answer: Callable[[K], V], most: float = inf) -> None:
        super().__init__()
        self._answer = answer
        self._most = most

    def __missing__(self, key: K) -> V:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._answer(key)
        return value


class LazyBetween(Lazy[K, V]):
    """A `Lazy` for a function that takes the parts of a tuple key as separate arguments."""

    __slots__ = ()

    def __init__(self, answer: Callable[..., V], most: float = inf) -> None:
        super().__init__(answer, most)

    def __missing__(self, key: Any) -> V:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._answer(*key)
        return value
