"""zareba runs colonial-era miniature skirmish games under several rule systems.

For notebooks: `zareba.odds`, `zareba.compare`, `zareba.compare_saved`, `zareba.balance`, `zareba.sensitivity`,
`zareba.tournament` and `zareba.play`. They come from `zareba.library`, which is imported on first use, because it
depends on modules that import this one.
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
