"""Free text is text: nothing in a name or a note may move the cursor, colour the screen or hide a word."""

from __future__ import annotations

import re

from zareba.base.characters import CONTROL, INVISIBLE

__all__ = ["clean"]

_UNSEEN = re.compile(f"[{CONTROL}{INVISIBLE}]")


def clean(text: str) -> str:
    """The text with every character that is not seen shown as '?'."""
    return _UNSEEN.sub("?", text)
