"""Characters that nobody sees: they move the cursor, turn the writing round, or hide in a name that looks like another."""

from __future__ import annotations

__all__ = ["CONTROL", "INVISIBLE"]

CONTROL = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff"
"""Control characters but tab and line feed, line and paragraph separators, turns of direction, halves of characters."""

INVISIBLE = (
    r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u2065\u206a-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Characters without width or ink: joiners, soft hyphens, fillers, marks of direction, selectors, tags."""
