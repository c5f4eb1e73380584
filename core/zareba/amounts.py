"""Numbers with their words, for sentences that people read."""

from __future__ import annotations

__all__ = ["amount"]


def amount(number: int, one: str, many: str = "") -> str:
    """A number with its word, `many` where the plural is not the singular with an s: 1 die, 2 dice."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"
