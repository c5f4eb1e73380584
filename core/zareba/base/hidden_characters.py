"""Invisible characters: they move the cursor, reverse the direction of text, or make two different names look the
same.
"""

from __future__ import annotations

import re
from typing import Final

CONTROL = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff"
"""Control characters except tab and line feed, line and paragraph separators, direction overrides, surrogates and
noncharacters.
"""

INVISIBLE = (
    r"\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u2065\u206a-\u206f\u3164"
    r"\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Characters without width or ink: joiners, soft hyphens, fillers, direction marks, variation selectors, tags."""

_NOT_JOINERS: Final = INVISIBLE.replace(r"\u200b-\u200f", r"\u200b\u200e\u200f")
_JOINING: Final = (
    r"\u0620-\u065f\u066e-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u1820-\u18af"
    r"\ua840-\ua87f\ua8e0-\ua8ff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00010cff\U00011000-\U00011fff"
)
"""Letters, marks and digits of scripts that use joiners in spelling: Arabic, Syriac, those of India, Burmese, Khmer,
Mongolian.
"""

UNSEEN: Final = re.compile(
    rf"[{CONTROL}{_NOT_JOINERS}]"
    # U+200C separates two letters of one word. At the end of a word, twice, or before a Latin letter it shows nothing.
    rf"|(?<![^\s\u200c\u200d])\u200c|\u200c(?![{_JOINING}])"
    # U+200D gives the letter before it the form that it has within a word.
    rf"|(?<![{_JOINING}])\u200d"
)
"""Matches a character that text may not contain. The two joiners are part of the spelling in some scripts; elsewhere
they only hide.
"""


def is_one_line(text: str) -> bool:
    """Return True if a text is a single line without invisible characters."""
    return not UNSEEN.search(text) and "\n" not in text and "\t" not in text


def fold(text: str) -> str:
    """Return a text for comparison: without case, and without joiners, which not every keyboard has."""
    return text.casefold().replace("\u200c", "").replace("\u200d", "")
