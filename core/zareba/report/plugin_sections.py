"""Contributions of plugins to printed output: sections of the report and tables of quick sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from zareba.analysis.games.records import GameRecord
from zareba.plugins.entry_points import broken_entry_points, installed_sections, installed_sheets

__all__ = ["ReportSection", "SheetTable", "ShownSection", "ShownTable", "sections", "sheet_tables"]


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A section of the report: its heading, a paragraph, the column heads, and the function that returns the rows.

    `rows` receives the records of all games and the titles of the variants by name. Each row is as long as `heads`. A
    cell with the id of a side is shown as the name of the side.
    """

    title: str
    words: str
    heads: tuple[str, ...]
    rows: Callable[[Sequence[GameRecord], Mapping[str, str]], Sequence[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A table of quick sheets: its heading, the column heads, and the function that returns the rows.

    `rows` receives the ruleset id, the ruleset's data with all changes by house rules, and the settings. Each row is
    as long as `heads`. A table without rows is not shown.
    """

    title: str
    heads: tuple[str, ...]
    rows: Callable[[str, Mapping[str, Any], Mapping[str, Any]], Sequence[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A report section with its rows."""

    title: str
    words: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A heading, column heads and rows."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def sections(
    records: Sequence[GameRecord], titles: Mapping[str, str], sides: Mapping[str, str] = MappingProxyType({})
) -> list[ShownSection]:
    """Return the sections of all plugins; `sides` maps ids to names. A section that fails is left out with a warning."""
    brought = _made("report sections", ReportSection, installed_sections(), records, titles)
    return [
        ShownSection(
            one.title, one.words, one.heads, tuple(tuple(sides.get(cell, cell) for cell in row) for row in rows)
        )
        for one, rows in brought
    ]


def sheet_tables(
    ruleset: str, data: Mapping[str, Any], settings: Mapping[str, Any], extended: Sequence[str] = ()
) -> list[ShownTable]:
    """Return the tables of all plugins for a quick sheet. A table that fails is left out with a warning.

    A table for one of the rulesets that this one extends is also shown.
    """
    found: dict[str, ShownTable] = {}
    for id in (ruleset, *extended):
        for one, rows in _made("sheets", SheetTable, installed_sheets(), id, data, settings):
            if rows:
                found.setdefault(one.title, ShownTable(one.title, one.heads, rows))
    return list(found.values())


T = TypeVar("T", ReportSection, SheetTable)


def _made(
    what: str, kind: type[T], brought: Iterable[tuple[str, Any]], *given: Any
) -> Iterator[tuple[T, tuple[tuple[str, ...], ...]]]:
    """Yield each plugin contribution of a kind with its rows, computed from `given`. A failure skips only that
    contribution.
    """
    for package, one in brought:
        try:
            if not isinstance(one, kind):
                raise TypeError(f"{one!r} is no {kind.__name__}")
            rows = tuple(tuple(map(str, row)) for row in one.rows(*given))
            if wrong := [row for row in rows if len(row) != len(one.heads)]:
                raise ValueError(f"{one.title}: the row {wrong[0]} is not as long as its heads {one.heads}")
        except (Exception, SystemExit) as error:  # noqa: BLE001  # any failure affects only this plugin
            broken_entry_points(package, what, f"{type(error).__name__}: {error}")
        else:
            yield one, rows
