"""The entry points of installed packages, which are read again only after packages have been added or removed."""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any


def entry_points(group: str) -> list[metadata.EntryPoint]:
    """Return the entry points of a group. The standard library reads the files of all packages at each call."""
    return list(_all_entry_points(tuple((folder, _last_change(folder)) for folder in sys.path)).select(group=group))


@lru_cache(maxsize=1)
def _all_entry_points(folders: tuple[tuple[str, int], ...]) -> Any:
    return metadata.entry_points()


def _last_change(folder: str) -> int:
    try:
        return Path(folder).stat().st_mtime_ns
    except OSError:
        return 0
