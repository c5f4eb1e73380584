"""What reaches the terminal made harmless: text that moves the cursor or hides, and a screen size that is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zareba.base.characters import UNSEEN

__all__ = ["LEAST_WIDTH", "clean", "without_absurd_size"]

LEAST_WIDTH: Final = 20
"""On a narrower screen lines are as long as on one of this width, and the terminal breaks them."""
MOST: Final = {"COLUMNS": 1_000, "LINES": 10_000}


def clean(text: str) -> str:
    """The text with every character that is not seen shown as '?'."""
    return UNSEEN.sub("?", text)


def without_absurd_size(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without a COLUMNS or LINES that is no size of a screen, such as the 0 of some editors."""
    sane = {name: value for name, value in environment.items() if name not in MOST or _is_size(value, MOST[name])}
    if "COLUMNS" in sane:
        sane["COLUMNS"] = str(max(LEAST_WIDTH, int(sane["COLUMNS"])))
    return sane


def _is_size(value: str, most: int) -> bool:
    return value.isascii() and value.isdigit() and len(value) < 10 and 1 <= int(value) <= most
