"""Everything on the page that may have changed, worked out once for all who see the same."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from zareba.web.door.pages import written
from zareba.web.seat.view import Viewer, parts

__all__ = ["Sheet", "sheet", "sheet_at_hand"]


class Sheet:
    """What is told of a version of the table; a page that has its ground already is not sent it again."""

    def __init__(self, told: dict[str, Any], ground: dict[str, Any]) -> None:
        self.version: int = told["version"]
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
        return viewer.open.once(_key(viewer, letters), lambda: Sheet(*parts(viewer, letters)))


def sheet_at_hand(viewer: Viewer, letters: float) -> Sheet | None:
    """The sheet if it has been worked out already; nothing is waited for."""
    found: Sheet | None = viewer.open.kept.get(_key(viewer, letters))
    return found


def _key(viewer: Viewer, letters: float) -> tuple[Any, ...]:
    return "sheet", viewer.seats, letters
