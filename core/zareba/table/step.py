"""Steps: the small, atomic units of play, identified by data."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Step"]


class Step(NamedTuple):
    """The next thing to do: `name` is the action, `turn` the turn, `about` the unit, side or phase."""

    name: str
    turn: int
    about: str

    @property
    def key(self) -> str:
        """The step as one string; the key of every die rolled in the step starts with it."""
        return f"{self.turn}/{self.about}/{self.name}"
