"""zareba runs colonial-era miniature skirmish games under several rule systems.

In a notebook: `zareba.odds`, `zareba.compare` and `zareba.play` (`zareba.library`, loaded when it is asked for, by its name,
for it stands above all that imports this).
"""

from importlib import import_module
from typing import Any

from pluggy import HookimplMarker

__all__ = ["compare", "hookimpl", "odds", "play"]

hookimpl = HookimplMarker("zareba")

_LIBRARY = ("compare", "play")


def __getattr__(name: str) -> Any:
    if name in _LIBRARY:
        return getattr(import_module("zareba.library"), name)
    raise AttributeError(f"module 'zareba' has no attribute '{name}'")
