"""Name the installed package behind an error, by its file and line: a ruleset, an AI player or a metric of a third party."""

from __future__ import annotations

from importlib.metadata import entry_points
from traceback import walk_tb
from typing import Any

__all__ = ["GROUPS", "package_at_fault", "place_of"]

GROUPS = ("zareba.rulesets", "zareba.plugins", "zareba.scenarios", "zareba.policies")
"""The groups of entry points by which packages bring something to zareba."""
OWN = frozenset({"zareba", "zareba_rulesets", "zareba_plugins"})
"""The packages of the engine and of the rulesets, house rules and players that it ships."""


def package_at_fault(error: BaseException) -> str:
    """Return the package in whose code an error came up, with file and line; "" for the engine and what it ships.

    It is the innermost code of an installed package on the way to the error, as `package 'NAME' (FILE:LINE)`.
    """
    packages = _packages()
    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        if name := packages.get(str(frame.f_globals.get("__name__", "")).partition(".")[0]):
            return f"package '{name}' ({frame.f_code.co_filename}:{line})"
    return ""


def place_of(thing: Any) -> str:
    """Return `package 'NAME' (FILE:LINE)` of a function, or of an object by its class; "" for those of the engine.

    Of an object of the engine that holds one of a package, as a player who is watched, that of what it holds.
    """
    packages = _packages()
    for one in (thing, *getattr(thing, "__dict__", {}).values()):
        made = one if hasattr(one, "__code__") else type(one)
        if name := packages.get(str(getattr(made, "__module__", "")).partition(".")[0]):
            code = getattr(made, "__code__", None) or getattr(made.__call__, "__code__", None)
            return f"package '{name}'" + (f" ({code.co_filename}:{code.co_firstlineno})" if code is not None else "")
    return ""


def _packages() -> dict[str, str]:
    """The distributions that bring anything to zareba by entry points, by the top name of their modules."""
    entries = [entry for group in GROUPS for entry in entry_points(group=group)]
    tops = {entry.module.partition(".")[0]: entry.dist.name if entry.dist else entry.name for entry in entries}
    return {top: name for top, name in tops.items() if top not in OWN}
