"""Sentences shared by all rulesets, and sentences added by a house rule."""

from __future__ import annotations

from typing import Any

import pytest

from zareba.presentation.narration import common_sentence
from zareba.table import Event


@pytest.mark.parametrize(
    ("kind", "data", "said"),
    [
        ("loss", {"unit": "a", "lost": 2, "left": 3}, "The A lost 2, 3 left"),
        ("loss", {"unit": "a", "lost": 2, "left": 0}, ""),
        ("destroyed", {"unit": "a"}, "that was the end of the A"),
        ("taken up", {"unit": "a", "object": "pay_chest"}, "The A took up the pay chest"),
        ("left the table", {"unit": "a", "edge": "north"}, "The A left the table over the north edge"),
        ("bugle", {"unit": "a", "text": "the bugle sounded"}, "the bugle sounded"),
        ("bugle", {"unit": "a"}, "The A: bugle"),
        ("bugle", {}, "bugle"),
    ],
)
def test_common_events_have_the_same_text_in_every_system(kind: str, data: dict[str, Any], said: str) -> None:
    assert common_sentence(Event(kind, "X-001", data), {"a": "The A", "pay_chest": "The pay chest"}.__getitem__) == said
