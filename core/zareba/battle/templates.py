"""Words as data: sentences with gaps, such as `{actor}: shoot at whom?`, that stand in YAML beside the rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import Field, StrictStr

from zareba.rules.schema import Book

__all__ = ["Words", "filled"]

_GAP = re.compile(r"\{(\w+)\}")


class Words(Book):
    """The sentences of a ruleset: of questions by what they ask, of options by their word, of events by their kind."""

    questions: dict[str, StrictStr] = Field(default_factory=dict)
    options: dict[str, StrictStr] = Field(default_factory=dict)
    events: dict[str, StrictStr] = Field(default_factory=dict)


def filled(template: str, data: Mapping[str, Any], say: Callable[[Any], str]) -> str:
    """A sentence with its gaps filled; a gap for which there is nothing stays, so that its author sees it."""
    return _GAP.sub(lambda gap: say(data[gap[1]]) if gap[1] in data else gap[0], template)
