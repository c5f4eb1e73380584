"""Numbers with their words and names in a row, for sentences that people read."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["amount", "listed"]


def amount(number: int, one: str, many: str = "") -> str:
    """A number with its word, `many` where the plural is not the singular with an s: 1 die, 2 dice."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def listed(names: Iterable[str]) -> str:
    """One name, or several with an `and` before the last."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
