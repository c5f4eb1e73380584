"""A state of nothing but results, for procedures that need no battle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zareba.odds import Leg
from zareba.table import Table

__all__ = ["Slate", "slate_leg"]


class Slate:
    """What a procedure has come to so far."""

    __slots__ = ("values",)

    def __init__(self, *values: Any) -> None:
        self.values = values

    def copy(self) -> Slate:
        return Slate(*self.values)


def slate_leg(*stages: Callable[[Table, Slate], None]) -> Leg:
    """A leg whose state and result are the values on a slate."""
    return Leg(Slate, stages, key=lambda slate: slate.values, result=lambda slate: slate.values)
