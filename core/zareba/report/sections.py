"""Sections of the report that installed packages bring: a table each, made from the records of the games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from zareba.analysis.games.records import GameRecord
from zareba.plugins.brought import installed_sections, left_out

__all__ = ["ReportSection", "ShownSection", "sections"]


@dataclass(frozen=True, slots=True)
class ReportSection:
    """A section of the report: its heading, a paragraph under it, the heads of the columns, and what gives the rows.

    `rows` is given the records of all games and the titles of the variants by their names; each row is as long as `heads`.
    """

    title: str
    words: str
    heads: tuple[str, ...]
    rows: Callable[[Sequence[GameRecord], Mapping[str, str]], Sequence[Sequence[str]]]


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A section with its rows."""

    title: str
    words: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def sections(records: Sequence[GameRecord], titles: Mapping[str, str]) -> list[ShownSection]:
    """The sections of all packages; one that fails is left out with a warning, and the report is whole without it."""
    found = []
    for package, section in installed_sections():
        try:
            if not isinstance(section, ReportSection):
                raise TypeError(f"{section!r} is no ReportSection")
            rows = tuple(tuple(map(str, row)) for row in section.rows(records, titles))
            if wrong := [row for row in rows if len(row) != len(section.heads)]:
                raise ValueError(f"{section.title}: the row {wrong[0]} is not as long as its heads {section.heads}")
            found.append(ShownSection(section.title, section.words, section.heads, rows))
        except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever a package does, it costs only itself
            left_out(package, "report sections", f"{type(error).__name__}: {error}")
    return found
