"""How people throw dice that they do not own, and draw at random without cards."""

from __future__ import annotations

from collections.abc import Sequence

STANDARD = (4, 6, 8, 10, 12, 20)
"""The sides of dice that a club has."""
_MOST = 100
"""The most sides for which two dice can stand."""


def without_die(sides: int) -> str:
    """Return how to throw a die that people may not own with usual dice; "" for a usual die or one without sides."""
    if sides in STANDARD or not 1 < sides <= _MOST:
        return ""
    return f"Without a d{sides}: {_stand_in(sides)}."


def _stand_in(sides: int) -> str:
    if sides == 2:
        return "throw a d6; 1 to 3 count as 1, 4 to 6 as 2"
    if 2 * sides in STANDARD[:4]:
        return f"throw a d{2 * sides} and halve it, rounding up"
    if sides < STANDARD[-1]:
        usual = next(known for known in STANDARD if known > sides)
        return f"throw a d{usual}, and again above {sides}"
    low = next((known for known in STANDARD[-2:] if sides <= 2 * known), 0)
    if low:
        again = f"; throw both again above {sides}" if sides < 2 * low else ""
        return f"throw a d{low} and a d6; if the d6 shows 4 or more, add {low}{again}"
    again = f"; throw both again above {sides}" if sides < _MOST else ""
    return f"throw two d10 as tens and ones, 00 as 100{again}"


def numbers_of_draw(cards: Sequence[tuple[str, int]]) -> list[str]:
    """Return for each card of a random draw the numbers of a die that stand for its copies: "1" or "2 to 4"."""
    found, number = [], 0
    for _, copies in cards:
        first, number = number + 1, number + copies
        found.append(f"{first}" if copies == 1 else f"{first} to {number}")
    return found
