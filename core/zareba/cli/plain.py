"""Free text is text: nothing in a name or a note may move the cursor, colour the screen or hide a word."""

from __future__ import annotations

from zareba.base.characters import UNSEEN

__all__ = ["clean"]


def clean(text: str) -> str:
    """The text with every character that is not seen shown as '?'."""
    return UNSEEN.sub("?", text)
