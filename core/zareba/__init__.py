"""zareba runs colonial-era miniature skirmish games under several rule systems.

In a notebook: `zareba.odds`, `zareba.compare`, `zareba.compare_saved`, `zareba.balance`, `zareba.sensitivity`,
`zareba.tournament` and `zareba.play`. They are in `zareba.library`, which is loaded when one of them is asked for, since it stands above all that imports this.
"""

from importlib import import_module
from typing import Any

from pluggy import HookimplMarker

__all__ = ["balance", "compare", "compare_saved", "hookimpl", "odds", "play", "sensitivity", "tournament"]

hookimpl = HookimplMarker("zareba")

_LIBRARY = ("balance", "compare", "compare_saved", "play", "sensitivity", "tournament")


def __getattr__(name: str) -> Any:
    if name in _LIBRARY:
        return getattr(import_module("zareba.library"), name)
    if name == "odds":
        return import_module("zareba.odds")
    raise AttributeError(f"module 'zareba' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
