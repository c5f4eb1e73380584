"""A roster: the figures of each unit, as plain data that a terminal, a page or a program can show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

__all__ = ["Boxes", "Cell", "Roster", "RosterLine", "RosterUnit"]


class Boxes(NamedTuple):
    """A row of tick boxes: the first `ticked` of `boxes` are ticked."""

    ticked: int
    boxes: int


Cell: TypeAlias = str | int | Boxes


@dataclass(frozen=True)
class RosterLine:
    """One figure: a cell for each column of its unit. `out` means that it takes no further part."""

    cells: tuple[Cell, ...]
    out: bool = False


@dataclass(frozen=True)
class RosterUnit:
    """One unit: id, name, side, labelled notes about the whole unit, and a line for each figure."""

    id: str
    name: str
    side: str
    side_name: str
    notes: tuple[tuple[str, Cell], ...]
    columns: tuple[str, ...]
    lines: tuple[RosterLine, ...]

    def __post_init__(self) -> None:
        for number, line in enumerate(self.lines, 1):
            if len(line.cells) != len(self.columns):
                raise ValueError(
                    f"line {number} of {self.id} has {len(line.cells)} cells for {len(self.columns)} columns"
                )


@dataclass(frozen=True)
class Roster:
    """The roster of a battle: title, `headline` (the moment it describes), units, and `key` to the signs."""

    title: str
    headline: str
    units: tuple[RosterUnit, ...]
    key: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-ready data: a line is a mapping from column to cell, boxes are `{"ticked", "boxes"}`."""
        return {
            "title": self.title,
            "headline": self.headline,
            "key": self.key,
            "units": [
                {
                    "id": unit.id,
                    "name": unit.name,
                    "side": unit.side,
                    "notes": {label: _cell_data(cell) for label, cell in unit.notes},
                    "figures": [
                        {
                            **dict(zip(unit.columns, map(_cell_data, line.cells), strict=True)),
                            "out": line.out,
                        }
                        for line in unit.lines
                    ],
                }
                for unit in self.units
            ],
        }


def _cell_data(cell: Cell) -> Any:
    return cell._asdict() if isinstance(cell, Boxes) else cell
