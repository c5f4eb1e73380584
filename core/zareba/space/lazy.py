"""Tables that fill themselves as they are asked."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, TypeVar

__all__ = ["Lazy", "LazyBetween"]

K = TypeVar("K")
V = TypeVar("V")


class Lazy(dict[K, V]):
    """The answers of a function, each worked out once; `table[key]` is then as fast as a dict.

    A map of 200 x 200 cells has 1.6 thousand million pairs, so tables of pairs cannot be made in advance. Where nothing
    bounds what may be asked, `most` answers are kept: when there are more, all are forgotten at once.
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
    """The same of a function that takes the parts of a key one by one."""

    __slots__ = ()

    def __init__(self, answer: Callable[..., V], most: float = inf) -> None:
        super().__init__(answer, most)

    def __missing__(self, key: Any) -> V:
        if len(self) >= self._most:
            self.clear()
        value = self[key] = self._answer(*key)
        return value
