"""A table of dice chances for every quick sheet."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from zareba.api.reports import SheetTable

_DICE = {"D6": (6,), "2D6": (6, 6), "D10": (10,)}


def _chance(needed: int, sides: tuple[int, ...]) -> str:
    """Return the chance, in percent, that the dice total `needed` or more; "" if it is 0 or 100 %."""
    totals = [sum(faces) for faces in product(*(range(1, most + 1) for most in sides))]
    successes = sum(total >= needed for total in totals)
    return f"{100 * successes / len(totals):.0f}\N{NO-BREAK SPACE}%" if 0 < successes < len(totals) else ""


def _rows(ruleset: str, data: Mapping[str, Any], settings: Mapping[str, Any]) -> list[tuple[str, ...]]:
    return [(f"{least} or more", *(_chance(least, sides) for sides in _DICE.values())) for least in range(2, 13)]


CHANCES = SheetTable("Chances of a roll", ("score", *_DICE), _rows)
