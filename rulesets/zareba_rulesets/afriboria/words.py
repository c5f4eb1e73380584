"""How questions, options and events read to a person."""
from __future__ import annotations
from typing import Any
def question_sentence(*a: Any) -> str: return ""
def option_phrase(*a: Any) -> str: return ""
def event_sentence(*a: Any) -> str: return ""
