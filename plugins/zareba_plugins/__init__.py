"""The house rules that come with zareba: five small files, each an example of one way to change a game."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import zareba


@zareba.hookimpl
def zareba_house_rules() -> Iterable[Path]:
    """Give every house rule file beside this module."""
    folder = Path(__file__).parent
    return [*folder.glob("*.yaml"), *(file for file in folder.glob("*.py") if file.name != "__init__.py")]
