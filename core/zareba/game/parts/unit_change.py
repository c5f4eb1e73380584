"""A change to one unit between two states, as the display reports it and the narrator words it."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

MOVED = "moved"
"""The `what` of a `UnitChange` for movement: how far the figures of a unit have moved, in whole units of length."""

State: TypeAlias = "float | bool | str"
"""One aspect of a unit's condition: an amount, a flag, or a word."""


class UnitChange(NamedTuple):
    """A change to one unit of the scenario: `what` has changed, from the value `was` to the value `now`."""

    unit: str
    what: str
    was: State
    now: State
