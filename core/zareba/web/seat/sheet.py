"""Everything on the page that may have changed, worked out once for all who see the same."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from zareba.web.door.pages import written
from zareba.web.seat.view import Viewer, parts, position

__all__ = ["Sheet", "is_current", "position_of", "sheet", "sheet_at_hand", "version_of"]


class Sheet:
    """What is told of a version of the table; a page that has its ground already is not sent it again.

    `version` is the version of what is shown, `made` that of the game from which it was made.
    """

    def __init__(self, told: dict[str, Any], ground: dict[str, Any], made: int) -> None:
        self.version: int = told["version"]
        self.position: str = told["position"]
        self.made = made
        self._told, self._ground = told, ground

    def for_page(self, known: str) -> bytes:
        """As it goes to a page that has this ground, known by its digest."""
        return self._bare if known == self._told["ground"] else self._whole

    @cached_property
    def _bare(self) -> bytes:
        return written(self._told)

    @cached_property
    def _whole(self) -> bytes:
        return written({**self._told, **self._ground})


def sheet(viewer: Viewer, letters: float) -> Sheet:
    """The sheet of the table as it stands; it waits for whoever changes the table just now."""
    with viewer.open.lock:
        return viewer.open.once(_key(viewer, letters), lambda: Sheet(*parts(viewer, letters), viewer.open.version))


def sheet_at_hand(viewer: Viewer, letters: float) -> Sheet | None:
    """The sheet if it has been worked out already; nothing is waited for."""
    found: Sheet | None = viewer.open.kept.get(_key(viewer, letters))
    return found


def version_of(viewer: Viewer) -> int:
    """Return the version of a viewer's page; it costs nothing where nothing is hidden from the viewer."""
    with viewer.open.lock:
        return sheet(viewer, 1.0).version if viewer.is_kept_from() else viewer.open.version


def position_of(viewer: Viewer) -> str:
    """Return the position of a viewer's page, which is the same again after the server was restarted."""
    with viewer.open.lock:
        return sheet(viewer, 1.0).position if viewer.is_kept_from() else position(viewer)


def is_current(viewer: Viewer, version: int) -> bool:
    """Return True if a page of this version is up to date.

    A version newer than the viewer's own is accepted: a refusal would tell how much happened out of sight.
    """
    now = version_of(viewer)
    return version >= now if viewer.is_kept_from() else version == now


def _key(viewer: Viewer, letters: float) -> tuple[Any, ...]:
    return "sheet", viewer.seats, letters
