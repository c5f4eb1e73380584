"""Make terminal output safe: remove control characters from text, and ignore impossible screen sizes.

No name or note can thus move the cursor, set colours or hide words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from zareba.base.hidden_characters import UNSEEN

LEAST_WIDTH: Final = 20
"""Smallest line length. On a narrower screen the terminal breaks the lines."""
MOST: Final = {"COLUMNS": 1_000, "LINES": 10_000}


def sanitize(text: str) -> str:
    """Return the text with every control or invisible character replaced by '?'."""
    return UNSEEN.sub("?", text)


def without_absurd_size(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the environment without values of COLUMNS or LINES that cannot be a screen size, such as the 0 of some
    editors.
    """
    sane = {name: value for name, value in environment.items() if name not in MOST or _is_size(value, MOST[name])}
    if "COLUMNS" in sane:
        sane["COLUMNS"] = str(max(LEAST_WIDTH, int(sane["COLUMNS"])))
    return sane


def _is_size(value: str, most: int) -> bool:
    return value.isascii() and value.isdigit() and len(value) < 10 and 1 <= int(value) <= most
