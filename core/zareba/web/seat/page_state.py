"""The changeable parts of a page, computed once for all viewers with the same view."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from zareba.web.seat.view import Viewer, parts, position
from zareba.web.security.pages import json_bytes

__all__ = ["PageState", "cached_page_state", "is_current", "page_state", "position_of", "version_of"]


class PageState:
    """The page contents for a version of the game. The ground is omitted for a page that already has it.

    `version` is the version shown, `made` the version of the game from which it was made.
    """

    def __init__(self, told: dict[str, Any], ground: dict[str, Any], made: int) -> None:
        self.version: int = told["version"]
        self.position: str = told["position"]
        self.made = made
        self._told, self._ground = told, ground

    def for_page(self, known: str) -> bytes:
        """Return the data for a page that already has the ground with this digest."""
        return self._bare if known == self._told["ground"] else self._whole

    @cached_property
    def _bare(self) -> bytes:
        return json_bytes(self._told)

    @cached_property
    def _whole(self) -> bytes:
        return json_bytes({**self._told, **self._ground})


def page_state(viewer: Viewer, letters: float) -> PageState:
    """Return the current page state; waits for a running change."""
    with viewer.open.lock:
        return viewer.open.once(_key(viewer, letters), lambda: PageState(*parts(viewer, letters), viewer.open.version))


def cached_page_state(viewer: Viewer, letters: float) -> PageState | None:
    """Return the page state if it has been computed already, without waiting."""
    found: PageState | None = viewer.open.cache.get(_key(viewer, letters))
    return found


def version_of(viewer: Viewer) -> int:
    """Return the version of a viewer's page. This is fast if nothing is hidden from the viewer."""
    with viewer.open.lock:
        return page_state(viewer, 1.0).version if viewer.is_kept_from() else viewer.open.version


def position_of(viewer: Viewer) -> str:
    """Return the position of a viewer's page, which stays the same after a restart of the server."""
    with viewer.open.lock:
        return page_state(viewer, 1.0).position if viewer.is_kept_from() else position(viewer)


def is_current(viewer: Viewer, version: int) -> bool:
    """Return True if a page of this version is up to date.

    A version newer than the viewer's own is accepted, because a refusal would reveal how much happened out of sight.
    """
    now = version_of(viewer)
    return version >= now if viewer.is_kept_from() else version == now


def _key(viewer: Viewer, letters: float) -> tuple[Any, ...]:
    return "sheet", viewer.seats, letters
