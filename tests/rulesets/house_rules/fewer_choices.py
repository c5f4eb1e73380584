"""Fewer choices: questions with more than four options lose the second one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import zareba
from zareba.table import Choose, Option


@zareba.hookimpl
def zareba_options(state: Any, question: Choose) -> Sequence[Option] | None:
    """Remove the second option of a long list."""
    return [question.options[0], *question.options[2:]] if len(question.options) > 4 else None
