"""Fewer choices: where there are more than four options the second is not offered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import zareba
from zareba.table import Choose, Option


@zareba.hookimpl
def zareba_options(state: Any, question: Choose) -> Sequence[Option] | None:
    """Strike the second option of many."""
    return [question.options[0], *question.options[2:]] if len(question.options) > 4 else None
