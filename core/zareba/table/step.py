"""A step of play: small, atomic, named by data."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Step"]


class Step(NamedTuple):
    """What is done next: `name` says what, `turn` when, `about` for whom or in which phase."""

    name: str
    turn: int
    about: str

    @property
    def key(self) -> str:
        """The step in one word; the key of every die thrown in it begins so."""
        return f"{self.turn}/{self.about}/{self.name}"
