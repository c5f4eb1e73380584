"""States of nothing but results, for odds of procedures that need no battle between their stages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zareba.odds import Leg
from zareba.table import Table

__all__ = ["Slate", "of", "slate_leg"]


class Slate:
    """A tuple of results that stages change."""

    def __init__(self, *values: Any) -> None:
        self.values = values

    def set(self, *values: Any) -> None:
        self.values = values

    def copy(self) -> Slate:
        return Slate(*self.values)


def slate_leg(*stages: Callable[[Table, Any], None], first: tuple[Any, ...] = ()) -> Leg:
    """A leg whose state is a slate; its result is the tuple of values."""
    return Leg(lambda: Slate(*first), stages, key=lambda slate: slate.values, result=lambda slate: slate.values)


def of(outcome: type[Any]) -> Callable[[tuple[Any, ...]], Any]:
    """The join of a procedure of one slate leg: its values as an outcome."""
    return lambda values: outcome(*values)
