"""Tables that fill themselves as they are asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

__all__ = ["Lazy"]

K = TypeVar("K")
V = TypeVar("V")


class Lazy(dict[K, V]):
    """The answers of a function, each worked out once; `table[key]` is then as fast as a dict.

    A map of 200 x 200 cells has 1.6 thousand million pairs, so tables of pairs cannot be made in advance.
    """

    __slots__ = ("_answer",)

    def __init__(self, answer: Callable[[K], V]) -> None:
        super().__init__()
        self._answer = answer

    def __missing__(self, key: K) -> V:
        value = self[key] = self._answer(key)
        return value
