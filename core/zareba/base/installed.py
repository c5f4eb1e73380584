"""Installed packages: their entry points, and which package is behind an error: a ruleset, an AI player or a metric."""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from traceback import walk_tb
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


# --- The package behind an error --------------------------------------------------------------------------------------


GROUPS = ("zareba.rulesets", "zareba.plugins", "zareba.scenarios", "zareba.policies")
"""The entry-point groups through which packages extend zareba."""
OWN = frozenset({"zareba", "zareba_rulesets", "zareba_plugins"})
"""The packages of the engine and of the extensions that it ships."""


def package_at_fault(error: BaseException) -> str:
    """Return the package whose code raised an error, with file and line; "" if it is zareba's own code.

    The innermost frame of an installed package counts. The format is `package 'NAME' (FILE:LINE)`.
    """
    packages = _packages()
    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        if name := packages.get(str(frame.f_globals.get("__name__", "")).partition(".")[0]):
            return f"package '{name}' ({frame.f_code.co_filename}:{line})"
    return ""


def place_of(thing: Any) -> str:
    """Return `package 'NAME' (FILE:LINE)` for a function, or for the class of an object; "" for zareba's own code.

    For an object of zareba that wraps one of a package, such as a player under observation, the wrapped object counts.
    """
    packages = _packages()
    for candidate in (thing, *getattr(thing, "__dict__", {}).values()):
        made = candidate if hasattr(candidate, "__code__") else type(candidate)
        if name := packages.get(str(getattr(made, "__module__", "")).partition(".")[0]):
            code = getattr(made, "__code__", None) or getattr(made.__call__, "__code__", None)
            return f"package '{name}'" + (f" ({code.co_filename}:{code.co_firstlineno})" if code is not None else "")
    return ""


def _packages() -> dict[str, str]:
    """Return the distributions that extend zareba by entry points, by the top-level name of their modules."""
    entries = [entry for group in GROUPS for entry in entry_points(group=group)]
    tops = {entry.module.partition(".")[0]: entry.dist.name if entry.dist else entry.name for entry in entries}
    return {top: name for top, name in tops.items() if top not in OWN}
