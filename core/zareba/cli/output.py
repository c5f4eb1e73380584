"""Output of commands: data as JSON, tables for people, and messages on stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from textwrap import wrap
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleDimensions, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from zareba.cli.sanitize import LEAST_WIDTH, sanitize, without_absurd_size

LONG = 16
_GAP = 2
_MORE = "[Enter: next page; q: stop] > "


class SafeConsole(Console):
    """A console that prints strings as plain text: no markup, no emoji codes, no control characters."""

    def __init__(self, *, stderr: bool = False) -> None:
        environment = without_absurd_size(os.environ)
        super().__init__(
            markup=False, emoji=False, highlight=False, soft_wrap=False, stderr=stderr, _environ=environment
        )

    @property
    def size(self) -> ConsoleDimensions:
        """Columns and lines of the screen. A terminal that is too narrow to use is treated as wider."""
        measured = super().size
        if self._width is not None:
            return measured
        return measured._replace(width=max(LEAST_WIDTH, measured.width))

    @size.setter
    def size(self, new_size: tuple[int, int]) -> None:
        self._width, self._height = new_size

    def clear_all(self) -> None:
        """Clear the screen and the scrollback if the output is a terminal."""
        if self.is_terminal:
            self.file.write("\x1b[2J\x1b[3J\x1b[H")
            self.file.flush()

    @contextmanager
    def paged(self, ask: Callable[[str], str], *, reserved: int = 0, then: str = "") -> Iterator[list[list[str]]]:
        """Show the output of the block one screen at a time if the output is a terminal; otherwise print it directly.

        Yields the list of pages, which is filled at the end. `ask` is called between pages; any answer but an empty one
        stops. `reserved` lines of the last screen stay free for later output. A non-empty `then` is the prompt after
        the last page.
        """
        shown: list[list[str]] = []
        if not self.is_terminal:
            yield shown
            return
        self.begin_capture()
        try:
            yield shown
        finally:
            lines, room = self.end_capture().splitlines(), max(2, self.height - 1)
            while lines:
                most = room if len(lines) > room else max(2, room - reserved)
                page, lines = lines[:most], lines[most:]
                shown.append(page)
                self.file.write("\n".join([*page, ""]))
                self.file.flush()
                invitation = _MORE if lines else then
                if invitation and ask(invitation).strip():
                    break

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(sanitize(text), **options)


def out() -> SafeConsole:
    """Return the console for the requested output."""
    return SafeConsole()


def hanging(text: str, width: int, indent: int) -> str:
    """Wrap a line to the width of the screen, indenting its further lines by `indent`."""
    return "\n".join(wrap(sanitize(text), width, subsequent_indent=" " * indent, break_on_hyphens=False))


def print_to_stderr(message: str) -> None:
    """Print a message, which is not data, on stderr."""
    print(sanitize(message), file=sys.stderr)


def print_json(data: Any) -> None:
    """Print data for programs as pure ASCII, so that names in it cannot affect the terminal."""
    print(json.dumps(data, indent=2, allow_nan=False))


def plain_table(heads: Sequence[str], rows: Iterable[Sequence[Any]], *, right: Sequence[str] = ()) -> PlainTable:
    """Return a table with bold heads. The columns named in `right` are right-aligned.

    Words of up to `LONG` letters are not broken. If the columns do not fit side by side, each row is printed as lines
    with the heads as labels.
    """
    return PlainTable(heads, [[sanitize(str(cell)) for cell in row] for row in rows], right)


class PlainTable:
    """A table with bold heads, or its rows as lines where the columns do not fit side by side."""

    def __init__(self, heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str]) -> None:
        self._heads, self._rows, self._right = heads, rows, right
        # The names in the first column stay on one line.
        first, *others = zip(heads, *rows, strict=True)
        self._least = [max(map(cell_len, first)), *map(_longest_word, others)]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self._columns(console, options) or self._line_by_line()

    def fits(self, console: Console) -> bool:
        """Return True if the columns fit side by side on a console."""
        return bool(self._columns(console, console.options))

    def _columns(self, console: Console, options: ConsoleOptions) -> list[Segment]:
        """Return the columns side by side, or nothing if they do not fit."""
        room = options.max_width
        if sum(self._least) + _GAP * (len(self._least) - 1) > room:
            return []
        drawn = list(console.render(self._side_by_side(), options))
        return drawn if all(Segment.get_line_length(line) <= room for line in Segment.split_lines(drawn)) else []

    def _side_by_side(self) -> Table:
        table = Table(box=None, header_style="bold", pad_edge=False)
        for index, (head, least) in enumerate(zip(self._heads, self._least, strict=True)):
            justify: Any = "right" if head in self._right else "left"
            table.add_column(head, justify=justify, overflow="fold", no_wrap=index == 0, min_width=least)
        for row in self._rows:
            table.add_row(*row)
        return table

    def _line_by_line(self) -> Iterator[Text]:
        for number, row in enumerate(self._rows):
            if number:
                yield Text()
            for head, cell in zip(self._heads, row, strict=True):
                if cell:
                    yield Text.assemble((f"{head}: " if head else "", "bold"), cell)


def _longest_word(column: Iterable[str]) -> int:
    lengths = (cell_len(word) for cell in column for word in cell.split())
    return max((length for length in lengths if length <= LONG), default=1)
