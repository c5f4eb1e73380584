"""zareba runs colonial-era miniature skirmish games under several rule systems."""

from pluggy import HookimplMarker

__all__ = ["hookimpl"]

hookimpl = HookimplMarker("zareba")
