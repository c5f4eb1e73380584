"""Measurements of bodies that are made once. A body never changes, so neither does what was measured of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from zareba_rulesets.risk_factor.body import Body

__all__ = ["REMEMBERED", "Between", "OfBody"]

V = TypeVar("V")

REMEMBERED = 40_000


class Between(dict[tuple[Body, Body], V]):
    """What was measured between two bodies, each once; forgotten all at once when there is too much of it."""

    __slots__ = ("_measure",)

    def __init__(self, measure: Callable[[Body, Body], V]) -> None:
        super().__init__()
        self._measure = measure

    def __missing__(self, pair: tuple[Body, Body]) -> V:
        if len(self) >= REMEMBERED:
            self.clear()
        value = self[pair] = self._measure(*pair)
        return value


class OfBody(dict[Body, V]):
    """What was measured of one body, each once."""

    __slots__ = ("_measure",)

    def __init__(self, measure: Callable[[Body], V]) -> None:
        super().__init__()
        self._measure = measure

    def __missing__(self, body: Body) -> V:
        if len(self) >= REMEMBERED:
            self.clear()
        value = self[body] = self._measure(body)
        return value
