"""What commands print: data as JSON, tables for people, talk on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from zareba.cli.plain import clean

__all__ = ["SafeConsole", "out", "plain_table", "print_json", "talk"]

LONG = 16


class SafeConsole(Console):
    """A console to which all strings are plain text: no markup, no emoji codes, no control characters."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(markup=False, emoji=False, highlight=False, soft_wrap=False, stderr=stderr)

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(clean(text), **options)


def out() -> SafeConsole:
    """The console for what was asked for."""
    return SafeConsole()


def talk(message: str) -> None:
    """Say something that is not data."""
    print(clean(message), file=sys.stderr)


def print_json(data: Any) -> None:
    """Data for programs; pure ASCII, so that no name in it can play tricks on a terminal."""
    print(json.dumps(data, indent=2, allow_nan=False))


def plain_table(heads: Sequence[str], rows: Iterable[Sequence[Any]], *, right: Sequence[str] = ()) -> Table:
    """A table with a line under its head; the columns named in `right` are set to the right.

    Words of up to LONG letters stay whole, however narrow the terminal is.
    """
    shown = [[str(cell) for cell in row] for row in rows]
    table = Table(box=None, header_style="bold", pad_edge=False)
    for index, head in enumerate(heads):
        justify: Any = "right" if head in right else "left"
        words = " ".join([head, *(row[index] for row in shown)]).split()
        whole = max((len(word) for word in words if len(word) <= LONG), default=0)
        table.add_column(head, justify=justify, overflow="fold", no_wrap=index == 0, min_width=whole)
    for row in shown:
        table.add_row(*row)
    return table
