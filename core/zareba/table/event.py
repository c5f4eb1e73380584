"""Events: reports of what happens in a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["Event"]


class Event(NamedTuple):
    """Something that happened, as data for the log, the board, the statistics and the house rules."""

    kind: str
    rule: str
    data: Mapping[str, Any]
