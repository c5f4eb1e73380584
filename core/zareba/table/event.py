"""What is told of what happens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["Event"]


class Event(NamedTuple):
    """Something that happened, as data: for the log, the board, statistics and house rules."""

    kind: str
    rule: str
    data: Mapping[str, Any]
