"""Events: reports of what happens in a game, and the pieces that they name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

__all__ = ["Event", "mentions", "pieces_named_in"]

_SEPARATORS = re.compile(r"[./+ ]")
"""What separates a piece from its figures and guns in their ids."""


class Event(NamedTuple):
    """Something that happened, as data for the log, the board, the statistics and the house rules."""

    kind: str
    rule: str
    data: Mapping[str, Any]


def mentions(pieces: Collection[str], told: Any) -> bool:
    """Return True if a value names one of these pieces, or a figure of one."""
    return next(pieces_named_in(pieces, told), None) is not None


def pieces_named_in(pieces: Collection[str], told: Any) -> Iterator[str]:
    """Yield the pieces that a value names, itself or by one of their figures."""
    if not pieces:
        return
    if isinstance(told, str):
        if told in pieces:
            yield told
        yield from (told[: at.start()] for at in _SEPARATORS.finditer(told) if told[: at.start()] in pieces)
    elif isinstance(told, Mapping):
        for part in (*told, *told.values()):
            yield from pieces_named_in(pieces, part)
    elif isinstance(told, (tuple, list, set, frozenset)):
        for part in told:
            yield from pieces_named_in(pieces, part)
