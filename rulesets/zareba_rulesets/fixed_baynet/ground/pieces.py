"""What stands on a table and does not change: buildings with their sections and openings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from zareba.space.geometry import Bounds, Point
from zareba_rulesets.fixed_baynet.book.numbers import Row

__all__ = ["Building", "Opening", "Section"]


@dataclass(frozen=True, slots=True)
class Section:
    """One room or corridor of a building (FBN-242)."""

    id: str
    building: str
    level: int
    box: Bounds
    capacity: int

    @property
    def middle(self) -> Point:
        return (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2


@dataclass(frozen=True, slots=True)
class Opening:
    """A door, window or rail to the open, or an inner door or stairs between two sections (FBN-245, FBN-251).

    `section` lies on one side, `other` on the other, "" for the open air.
    """

    id: str
    kind: str
    section: str
    other: str
    at: Point
    level: int
    heavy: bool = False


@dataclass(frozen=True, slots=True)
class Building:
    """A building: `kind` is sections, openable, silo or tower (FBN-240, FBN-259, FBN-260); `ground` its height in inches,
    `floors` how many it has, which is how far it rises above that (FBN-273).
    """

    id: str
    kind: str
    row: Row
    points: tuple[Point, ...]
    box: Bounds
    sections: Mapping[str, Section]
    openings: Mapping[str, Opening]
    ground: float
    floors: int = 1

    @property
    def size(self) -> int:
        """Number of sections, the Size of the damage formula (FBN-249)."""
        return max(1, len(self.sections))
