"""Free text is text: nothing in a name or a note may move the cursor, colour the screen or hide a word."""

from __future__ import annotations

import re

__all__ = ["clean"]

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def clean(text: str) -> str:
    """The text with every control character, bidirectional mark and lone surrogate shown as '?'."""
    return _CONTROL.sub("?", text)
