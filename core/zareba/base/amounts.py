"""Numbers with their words and names in a row, for sentences that people read."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["amount", "counted", "listed", "noted"]


def amount(number: float, one: str, many: str = "") -> str:
    """A number with its word, `many` where the plural is not the singular with an s: 1 die, 2 dice."""
    told = number if isinstance(number, int) else f"{number:g}"
    return f"{told} {one if number == 1 else many or f'{one}s'}"


_SINGULAR = {"dice": "die", "men": "man", "inches": "inch", "boxes": "box", "hexes": "hex"}


def counted(number: object, unit: str) -> str:
    """A number with its unit as a ruleset writes it, in the plural: 2 dice, but 1 die; 3 or more on a D12."""
    last = unit.rpartition(" ")[2]
    word = _SINGULAR.get(unit, unit.removesuffix("s") if last == unit and not unit.endswith("ss") else unit)
    return f"{number} {word if number == 1 else unit}"


def noted(name: str, note: str) -> str:
    """A name with a note behind it, unless the name says it already: Sikhs (british), but british."""
    return name if note.casefold() in name.casefold() else f"{name} ({note})"


def listed(names: Iterable[str]) -> str:
    """One name, or several with an `and` before the last."""
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
