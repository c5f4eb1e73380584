"""Draw a board as text: a grid of boxes, offset rows of hexes, or a map of an open table.

Nothing depends on colour alone: every piece has its own key (numbers for the first side, small letters for the second,
capitals for the third), and a legend explains each key in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from zareba.cli.output import hanging
from zareba.cli.sanitize import sanitize
from zareba.presentation.board import (
    ARROWS,
    GOAL,
    ArrivingPiece,
    Board,
    BoardCell,
    BoardPiece,
    Kind,
    column_letters,
    goals_in,
    row_length,
)

__all__ = ["BoardView", "in_columns", "side_style"]

_STYLES = ("bold cyan", "bold red", "bold yellow", "bold magenta")
_GROUND = "green"
_NARROWEST = 3
_TALLEST_STACK = 4
_USUAL_MARK = 3
_MAP_LINES = 19
_LEGEND_LINE = 34
_RULED = (5, 10, 20, 50, 100)
_LEAST_APART = 4
"""Smallest distance in characters between the numbers of a map's ruler. Their step is one of the lengths above."""
_OPEN = "·"
_KINDS: Mapping[Kind, str] = {
    "foot": "foot", "horse": "horse", "camel": "camels", "gun": "gun", "machine_gun": "machine gun", "rocket": "rockets",
    "wagon": "wagon or pack animal", "vehicle": "vehicle", "flyer": "aircraft", "leader": "leader",
    "marker": "unknown unit", "thing": "object",
}  # fmt: skip
_SYMBOLS = {"★": "leader", "☆": "junior leader", "+": "fallen", "_": "lying down", "ø": "prisoners"}
"""Meanings of symbols that show the role or condition of a piece instead of its kind."""
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_NEARBY = sorted(product((0, 3, -3, 6, -6), (0, -1, 1, -2, 2)), key=lambda spot: abs(spot[0]) + 3 * abs(spot[1]))


class BoardView:
    """Draws a board with its pieces shown by their labels. `most_lines` limits its height, including the headline."""

    def __init__(self, board: Board, most_lines: int = 0) -> None:
        self._board = board
        self._most_lines = most_lines

    def lines(self, width: int) -> list[Text]:
        """Return the headline and the table in lines of at most `width` characters."""
        return [*self.headline(width), *self.table(width)]

    def headline(self, width: int) -> list[Text]:
        """Return the line that describes the current state of play."""
        return _wrapped(sanitize(self._board.headline), width, 2, "bold")

    def table(self, width: int) -> list[Text]:
        """Return the table without the headline."""
        board = self._board
        return list(self._map(board, width) if board.space == "free" else self._grid(board, width))

    def legend(self, width: int) -> list[Text]:
        """Return the meaning of keys and marks: the sides with their present and arriving pieces, then all marks."""
        board = self._board
        order = {piece: place for place, piece in enumerate(board.labels)}
        found = []
        for side, title in [*board.sides.items(), ("", "On the ground")]:
            named = [(piece.id, self._legend_entry(board, piece)) for piece in board.pieces if piece.side == side]
            named += [(one.id, self._awaited_entry(one)) for one in board.awaited if one.side == side]
            entries = [entry for _, entry in sorted(named, key=lambda one: order.get(one[0], len(order)))]
            if entries:
                found.append(Text(sanitize(title), style=side_style(board, side)))
                found += _indented(entries, width)
        return found + [Text(line, style=_GROUND) for line in in_columns([*self.marks().values()], width)]

    def marks(self) -> dict[str, str]:
        """Return the meaning of each mark on the board: terrain, objectives, levels, and the symbols of pieces."""
        board = self._board
        texts: dict[str, list[str]] = {}
        goals: dict[str, list[str]] = {}
        for cell in board.cells:
            if cell.mark == GOAL:
                for goal in goals_in(cell.text):
                    goals.setdefault(goal, []).append(f"{column_letters(cell.x)}{cell.y + 1}")
            elif cell.mark or (board.space == "free" and not cell.level):
                texts.setdefault(cell.mark or _OPEN, []).append(cell.text)
        found = {mark: f"{mark} {_meanings(of)}" for mark, of in texts.items()}
        if goals:
            names = [goal if board.space == "free" else f"{goal} ({', '.join(cells)})" for goal, cells in goals.items()]
            found[GOAL] = f"{GOAL} objective{'s' if len(names) > 1 else ''}: {', '.join(names)}"
        levels = sorted({cell.level for cell in board.cells if cell.level})
        if levels:
            found["level"] = f"{' '.join(map(_level, levels))} level{'s' if len(levels) > 1 else ''} of the ground"
        for piece in board.pieces:
            first = piece.symbol[:1]
            if first.isdigit():
                found.setdefault("count", "number: figures")
            elif first and first not in ARROWS:
                found.setdefault(first, f"{first} {_SYMBOLS.get(first) or _KINDS[piece.look.kind]}")
            if piece.symbol[-1:] in ARROWS:
                found.setdefault("facing", "↑ facing")
        return {mark: sanitize(words) for mark, words in found.items()}

    def _legend_entry(self, board: Board, piece: BoardPiece) -> str:
        x, y = piece.x + board.corner[0], piece.y + board.corner[1]
        where = f" ({x:.0f}, {y:.0f})" if board.space == "free" else ""
        return sanitize(f"{self._key(piece.id)} {piece.symbol} {piece.text}{where}".strip())

    def _awaited_entry(self, one: ArrivingPiece) -> str:
        return sanitize(f"{self._key(one.id)} {one.name}, {one.when}".strip())

    def _key(self, piece: str) -> str:
        return self._board.labels.get(piece, "")

    # --- boxes and hexes ---------------------------------------------------------------------------------------------

    def _grid(self, board: Board, width: int) -> Iterator[Text]:
        west, south = board.corner
        margin = len(str(south + board.rows)) + 1
        half = 1 if board.space == "hexes" else 0
        cells = {(cell.x, cell.y): cell for cell in board.cells}
        stacks: dict[tuple[int, int], list[BoardPiece]] = {}
        for piece in board.pieces:
            stacks.setdefault((int(piece.x), int(piece.y)), []).append(piece)
        ground = max((cell_len(_ground(cell)) for cell in board.cells), default=1)
        marks = max([_USUAL_MARK, *(cell_len(self._mark(piece)) for piece in board.pieces)])
        shown = max(1, min(board.columns, (width - margin - half) // _NARROWEST))
        cell_width = min(ground + marks + 1, (width - margin - half * 2) // shown)
        highest = self._highest_stack(board, stacks)
        for first in range(0, board.columns, shown):
            columns = range(first, min(first + shown, board.columns))
            heads = "".join(f"{column_letters(west + column):<{cell_width}}" for column in columns)
            yield Text(f"{'':{margin}}{heads}".rstrip(), style="dim")
            for row in reversed(range(board.rows)):
                indent = cell_width // 2 if half and row % 2 else 0
                tallest = min(highest, max([1, *(len(stacks.get((x, row), ())) for x in columns)]))
                for level in range(tallest):
                    line = Text(f"{south + row + 1 if level == 0 else '':>{margin - 1}} {'':{indent}}", style="dim")
                    for column in range(first, min(columns.stop, row_length(board, row))):
                        line.append_text(
                            self._cell(
                                board,
                                cells.get((column, row)),
                                stacks.get((column, row), []),
                                level,
                                cell_width,
                                ground,
                                highest,
                            )
                        )
                    line.rstrip()
                    yield line

    def _highest_stack(self, board: Board, stacks: Mapping[tuple[int, int], Sequence[BoardPiece]]) -> int:
        """Return the most lines that a row may take, so that the drawing fits into the limit."""
        heights = [
            max([1, *(len(stacks.get((x, row), ())) for x in range(board.columns))]) for row in range(board.rows)
        ]
        highest = _TALLEST_STACK
        while self._most_lines and highest > 1 and 2 + sum(min(highest, one) for one in heights) > self._most_lines:
            highest -= 1
        return highest

    def _cell(
        self,
        board: Board,
        cell: BoardCell | None,
        stack: Sequence[BoardPiece],
        level: int,
        width: int,
        ground: int,
        highest: int,
    ) -> Text:
        """Return one line of one cell: the terrain in the first line, and one piece per line."""
        under = (_ground(cell) if cell else _OPEN) if level == 0 else ""
        drawn = Text(set_cell_size(under, ground), style=_GROUND if cell else "dim")
        room = width - ground
        if level == highest - 1 and len(stack) > highest:
            first = sanitize(self._key(stack[0].id)) if highest == 1 else ""
            style = side_style(board, stack[0].side) if highest == 1 else ""
            drawn.append(set_cell_size(f"{first}+{len(stack) - max(level, highest == 1)}", room), style=style)
        elif level < len(stack):
            piece = stack[level]
            mark = self._mark(piece)
            if cell_len(mark) > room:
                mark = sanitize(self._key(piece.id) or piece.symbol)
            drawn.append(set_cell_size(mark, room), style=side_style(board, piece.side))
        else:
            drawn.append(" " * room)
        return drawn

    def _mark(self, piece: BoardPiece) -> str:
        """Return the key and symbol of a piece, separated if both are numbers."""
        key = self._key(piece.id)
        apart = ":" if key[-1:].isdigit() and piece.symbol[:1].isdigit() else ""
        return sanitize(f"{key}{apart}{piece.symbol}")

    # --- free tables -------------------------------------------------------------------------------------------------

    def _map(self, board: Board, width: int) -> Iterator[Text]:
        """Yield the lines of a map. Characters are twice as high as wide; the key of each piece is at its position."""
        west, south = board.corner
        margin = len(str(south + board.rows)) + 1
        lines = self._most_lines - 2 if self._most_lines else _MAP_LINES
        step = max(board.columns / (width - margin), board.rows / (2 * lines))
        across, down = max(1, round(board.columns / step)), max(1, round(board.rows / (2 * step)))
        grid = [[(" ", _GROUND)] * across for _ in range(down)]
        for cell in board.cells:
            mark = sanitize(cell.mark or _level(cell.level) or _OPEN)[:1]
            for row in _covered(cell.y, 2 * step, down):
                for column in _covered(cell.x, step, across):
                    grid[row][column] = (mark, _GROUND)
        taken: set[tuple[int, int]] = set()
        for piece in board.pieces:
            x, y = min(across - 1, int(piece.x / step)), min(down - 1, int(piece.y / (2 * step)))
            mark, spots = self._free_spots(piece, x, y, across, down, taken)
            taken.update(spots)
            for (column, row), character in zip(spots, mark, strict=True):
                grid[row][column] = (character, side_style(board, piece.side))
        ruler = [" "] * (across + 4)
        apart = next((one for one in _RULED if one >= _LEAST_APART * step), _RULED[-1])
        for inches in range(-(-west // apart) * apart, west + board.columns, apart):
            at = int((inches - west) / step)
            ruler[at : at + len(str(inches))] = str(inches)
        yield Text(f"{'':{margin}}{''.join(ruler)}"[:width].rstrip(), style="dim")
        heights = [int(south + y * 2 * step) for y in range(down)]
        for y in reversed(range(down)):
            # Lines less than a unit apart share a number, which stands at the lowest of them.
            number = heights[y] if not y or heights[y] != heights[y - 1] else ""
            line = Text(f"{number:>{margin - 1}} ", style="dim")
            for character, style in grid[y]:
                line.append(character, style=style)
            line.rstrip()
            yield line

    def _free_spots(
        self, piece: BoardPiece, x: int, y: int, across: int, down: int, taken: set[tuple[int, int]]
    ) -> tuple[str, list[tuple[int, int]]]:
        """Return the text drawn for a piece and its cells: its mark or only its key, as near to its position as there is
        room.
        """
        key = sanitize(self._key(piece.id) or piece.symbol)
        found: tuple[str, list[tuple[int, int]]] = ("", [])
        for (aside, up), mark in product(_NEARBY, (self._mark(piece), key)):
            left, row = max(0, min(x + aside, across - len(mark))), max(0, min(y + up, down - 1))
            spots = [(left + offset, row) for offset in range(len(mark))]
            # A gap on either side keeps two keys from being read as one.
            if not taken & {*spots, (left - 1, row), (left + len(mark), row)}:
                return mark, spots
            found = found if found[0] else (mark, spots)
        return found


def _wrapped(line: str, width: int, indent: int, style: str = "") -> list[Text]:
    return [Text(part, style=style) for part in hanging(line, width, indent).splitlines()]


def _indented(entries: Sequence[str], width: int) -> list[Text]:
    """Return entries in columns, indented by two. If one is too long for a line, each entry starts a new line."""
    if max(map(cell_len, entries)) > width - 2:
        return [line for entry in entries for line in _wrapped(f"  {entry}", width, 6)]
    return [Text(f"  {line}") for line in in_columns(entries, width - 2)]


def _meanings(texts: Sequence[str]) -> str:
    """Return the texts of the cells with one mark: the shortest one, and others while the line stays short."""
    found, *others = sorted(dict.fromkeys(texts), key=len)
    named = set(found.split(", "))
    for other in others:
        if not named & set(other.split(", ")) and len(found) + len(other) <= _LEGEND_LINE:
            found = f"{found} / {other}"
    return found


def _covered(start: int, step: float, most: int) -> range:
    """Return the characters, each `step` units long, that a unit of length from `start` touches or lies in."""
    return range(min(most - 1, int(start / step)), min(most, max(int(start / step), round((start + 1) / step) - 1) + 1))


def _ground(cell: BoardCell) -> str:
    return sanitize(f"{cell.mark or _OPEN}{_level(cell.level)}")


def _level(level: int) -> str:
    """Return the level of the ground as superscript digits, which differ from the numbers of pieces; "" for none."""
    return str(level or "").translate(_RAISED)


def side_style(board: Board, side: str) -> str:
    """Return the colour of a side's pieces."""
    sides = list(board.sides)
    return _STYLES[sides.index(side) % len(_STYLES)] if side in sides else "bold"


def in_columns(entries: Sequence[str], width: int) -> list[str]:
    """Return entries side by side in as many even columns as fit, read downwards. Long ones get one line each."""
    longest = max(map(cell_len, entries), default=1)
    columns = max(1, (width + 2) // (longest + 2))
    height = -(-len(entries) // columns)
    return [
        "  ".join(set_cell_size(entry, longest) for entry in entries[row::height]).rstrip() for row in range(height)
    ]
