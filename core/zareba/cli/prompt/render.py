"""Text on the terminal: the battle, the question and the progress of AI players."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from types import FrameType
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from zareba.base.grammar import amount, begin_sentence, in_a_sentence, join_sentences, join_with_and
from zareba.cli.output import hanging, print_to_stderr
from zareba.cli.sanitize import sanitize
from zareba.game import Game
from zareba.picture.zones import place_at
from zareba.presentation.board import (
    ARROWS,
    OBJECTIVE_MARK,
    ArrivingPiece,
    Board,
    BoardCell,
    BoardPiece,
    Kind,
    column_letters,
    group_by_place,
    mark_objectives,
    objectives_in,
    row_length,
)
from zareba.scenario.model import Escort, Hold
from zareba.scenario.placement import place_of
from zareba.session import Session
from zareba.session.score import hides_units
from zareba.table import Event, Question

# --- Draw a board as text: a grid of boxes, offset rows of hexes, or a map of an open table ---------------------------
#
# Nothing depends on colour alone: every piece has its own key (numbers for the first side, small letters for the
# second, capitals for the third), and a legend explains each key in words.


_STYLES = ("bold cyan", "bold red", "bold yellow", "bold magenta")
_GROUND = "green"
_NARROWEST_CELL = 3
_TALLEST_STACK = 4
_USUAL_MARK_WIDTH = 3
_MAP_LINES = 19
_LONGEST_MEANING = 34
_RULER_STEPS = (5, 10, 20, 50, 100)
_RULER_LEAST_GAP = 4
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
        order = {piece: index for index, piece in enumerate(board.labels)}
        lines = []
        for side, title in [*board.sides.items(), ("", "On the ground")]:
            by_piece = [(piece.id, self._legend_entry(board, piece)) for piece in board.pieces if piece.side == side]
            by_piece += [(piece.id, self._awaited_entry(piece)) for piece in board.awaited if piece.side == side]
            by_piece.sort(key=lambda pair: order.get(pair[0], len(order)))
            if by_piece:
                lines.append(Text(sanitize(title), style=side_style(board, side)))
                lines += _indented([entry for _, entry in by_piece], width)
        for line in in_columns([*self.marks().values()], width):
            lines += _wrapped(line, width, 2, _GROUND) if cell_len(line) > width else [Text(line, style=_GROUND)]
        return lines

    def marks(self) -> dict[str, str]:
        """Return the meaning of each mark on the board: terrain, objectives, levels, and the symbols of pieces."""
        board = self._board
        texts: dict[str, list[str]] = {}
        goals: dict[str, list[str]] = {}
        for cell in board.cells:
            if cell.mark == OBJECTIVE_MARK:
                for goal in objectives_in(cell.text):
                    column, row = cell.x + board.corner[0], cell.y + board.corner[1]
                    goals.setdefault(goal, []).append(f"{column_letters(column)}{row + 1}")
            elif cell.mark or (board.space == "free" and not cell.level):
                texts.setdefault(cell.mark or _OPEN, []).append(cell.text)
        found = {mark: f"{mark} {_shortest_meanings(of_mark)}" for mark, of_mark in texts.items()}
        if goals:
            names = [goal if board.space == "free" else f"{goal} ({', '.join(cells)})" for goal, cells in goals.items()]
            found[OBJECTIVE_MARK] = f"{OBJECTIVE_MARK} objective{'s' if len(names) > 1 else ''}: {', '.join(names)}"
        levels = sorted({cell.level for cell in board.cells if cell.level})
        if levels:
            found["level"] = f"{' '.join(map(_level, levels))} level{'s' if len(levels) > 1 else ''} of the ground"
        for piece in board.pieces:
            first = piece.symbol[:1]
            if first.isdigit():
                found.setdefault("count", "number: figures")
            elif first and first not in ARROWS:
                meaning = f"{piece.symbol}: {piece.look.meaning}" if piece.look.meaning else ""
                found.setdefault(first, meaning or f"{first} {_SYMBOLS.get(first) or _KINDS[piece.look.kind]}")
            if piece.symbol[-1:] in ARROWS:
                found.setdefault("facing", "↑ facing")
        places = [(piece.x, piece.y) for piece in board.pieces]
        if board.space != "free" and len(set(places)) < len(places):
            found["more"] = "+1: one more unit there"
        return {mark: sanitize(words) for mark, words in found.items()}

    def _legend_entry(self, board: Board, piece: BoardPiece) -> str:
        x, y = piece.x + board.corner[0], piece.y + board.corner[1]
        where = f" ({x:.0f}, {y:.0f})" if board.space == "free" else ""
        return sanitize(f"{self._key(piece.id)} {piece.symbol} {piece.text}{where}".strip())

    def _awaited_entry(self, piece: ArrivingPiece) -> str:
        return sanitize(f"{self._key(piece.id)} {piece.name}, {piece.when}".strip())

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
        marks = max([_USUAL_MARK_WIDTH, *(cell_len(self._mark(piece)) for piece in board.pieces)])
        columns_per_line = max(1, min(board.columns, (width - margin - half) // _NARROWEST_CELL))
        cell_width = min(ground + marks + 1, (width - margin - half * 2) // columns_per_line)
        highest = self._highest_stack(board, stacks)
        for first in range(0, board.columns, columns_per_line):
            columns = range(first, min(first + columns_per_line, board.columns))
            letters = "".join(f"{column_letters(west + column):<{cell_width}}" for column in columns)
            yield Text(f"{'':{margin}}{letters}".rstrip(), style="dim")
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
        while self._most_lines and highest > 1 and 2 + sum(min(highest, row) for row in heights) > self._most_lines:
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
        terrain = (_ground(cell) if cell else _OPEN) if level == 0 else ""
        drawn = Text(set_cell_size(terrain, ground), style=_GROUND if cell else "dim")
        room = width - ground
        is_cut = level == highest - 1 and len(stack) > highest
        if is_cut and highest == 1:
            key = sanitize(self._key(stack[0].id))
            drawn.append(set_cell_size(f"{key}+{len(stack) - 1}", room), style=side_style(board, stack[0].side))
        elif is_cut:
            drawn.append(set_cell_size(f"+{len(stack) - level}", room))
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
        separator = ":" if key[-1:].isdigit() and piece.symbol[:1].isdigit() else ""
        return sanitize(f"{key}{separator}{piece.symbol}")

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
        ruler_step = next((length for length in _RULER_STEPS if length >= _RULER_LEAST_GAP * step), _RULER_STEPS[-1])
        for inches in range(-(-west // ruler_step) * ruler_step, west + board.columns, ruler_step):
            column = int((inches - west) / step)
            ruler[column : column + len(str(inches))] = str(inches)
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
        """Return the text drawn for a piece and its cells: its mark or only its key, as near to its position as there
        is room.
        """
        key = sanitize(self._key(piece.id) or piece.symbol)
        first_tried: tuple[str, list[tuple[int, int]]] = ("", [])
        for (aside, up), mark in product(_NEARBY, (self._mark(piece), key)):
            left, row = max(0, min(x + aside, across - len(mark))), max(0, min(y + up, down - 1))
            spots = [(left + offset, row) for offset in range(len(mark))]
            # A gap on either side keeps two keys from being read as one.
            if not taken & {*spots, (left - 1, row), (left + len(mark), row)}:
                return mark, spots
            if not first_tried[0]:
                first_tried = (mark, spots)
        return first_tried


def _wrapped(line: str, width: int, indent: int, style: str = "") -> list[Text]:
    return [Text(part, style=style) for part in hanging(line, width, indent).splitlines()]


def _indented(entries: Sequence[str], width: int) -> list[Text]:
    """Return entries in columns, indented by two. If one is too long for a line, each entry starts a new line."""
    if max(map(cell_len, entries)) > width - 2:
        return [line for entry in entries for line in _wrapped(f"  {entry}", width, 6)]
    return [Text(f"  {line}") for line in in_columns(entries, width - 2)]


def _shortest_meanings(texts: Sequence[str]) -> str:
    """Return the texts of the cells with one mark: the shortest one, and others while the line stays short."""
    line, *others = sorted(dict.fromkeys(texts), key=len)
    parts = set(line.split(", "))
    for other in others:
        if not parts & set(other.split(", ")) and len(line) + len(other) <= _LONGEST_MEANING:
            line = f"{line} / {other}"
    return line


def _covered(start: int, step: float, most: int) -> range:
    """Return the characters, each `step` units long, that a unit of length from `start` touches or lies in."""
    return range(min(most - 1, int(start / step)), min(most, max(int(start / step), round((start + 1) / step) - 1) + 1))


def _ground(cell: BoardCell) -> str:
    """Return the mark of a cell with its level."""
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


# --- One screen of the prompt: the unit map with a list of units next to it, and the news, act by act -----------------


MAP_LINES = 12
"""Height of the map on a screen, including its headline."""
NEWS_LINES = 4
"""Lines of news shown by default."""
_LEAST_LINES_FOR_LONG_HEADLINE = 20
"""Maps lower than this get a headline of a single line."""
_NARROWEST_LIST = 24
"""Smallest width next to a map for the list of units."""
_MOST_SENTENCES = 4
"""The most sentences shown for one act. If there are more, only the first two and the last two are shown."""
_MORE = "more: type more)"


def unit_board(game: Game[Any], state: Any) -> Board:
    """Return the board of a game at the scale of units."""
    names = {unit: game.narrator.name_of(unit) for unit in game.umpire_editor().piece_holders(state)}
    return group_by_place(figure_board(game, state), names, game.display.pieces(state), game.scenario.objects)


def figure_board(game: Game[Any], state: Any) -> Board:
    """Return the board of a game with every figure, and with the places of objectives."""
    board = game.display.labelled_board(state)
    places = {
        goal.name: place_at(board, at)
        for goal in game.scenario.objectives.values()
        if board.space == "free" and isinstance(goal, (Hold, Escort)) and (at := place_of(game.scenario, goal))
    }
    return mark_objectives(board, places)


def legend_line(marks: Mapping[str, str], width: int) -> list[str]:
    """Return the meaning of marks on a map in wrapped lines; none if there are no marks."""
    return hanging(f"On the map: {'; '.join(marks.values())}", width, 2).split("\n") if marks else []


def map_lines(board: Board, width: int, most: int = MAP_LINES, *, long_list: bool = False) -> list[Text]:
    """Return the map in at most `most` lines, with as much of the list of units next to it as fits.

    With `long_list` the list may go on below a map that is shorter than `most` lines.
    """
    view = BoardView(board, most)
    headline = view.headline(width)
    if len(headline) > 1 and most < _LEAST_LINES_FOR_LONG_HEADLINE:
        headline = [Text(f"{sanitize(board.headline)[: width - 1]}…", style="bold")]
    rows = BoardView(board, most - len(headline) + 1).table(width)
    map_width = max((cell_len(line.plain) for line in rows), default=0) + 2
    if width - map_width >= _NARROWEST_LIST:
        list_lines = max(len(rows), most - len(headline)) if long_list else len(rows)
        for number, list_line in enumerate(_list_of_units(board, width - map_width, list_lines)):
            if number == len(rows):
                rows.append(Text())
            gap = " " * (map_width - cell_len(rows[number].plain))
            rows[number] = Text().append_text(rows[number]).append(gap).append_text(list_line)
    return [*headline, *rows]


def _list_of_units(board: Board, width: int, most: int) -> Iterator[Text]:
    """Yield the lines of the list of units, by side; in two columns if one is too short, and cut if both are.

    In one column a long line continues on the next one while there are lines to spare.
    """
    texts = {piece.id: piece.text for piece in board.pieces}
    texts |= {piece.id: f"{piece.name}, {piece.when}" for piece in board.awaited}
    sides = {piece.id: piece.side for piece in board.pieces} | {piece.id: piece.side for piece in board.awaited}
    entries = [
        (side, f"{key} {sanitize(texts[piece])}")
        for side in board.sides
        for piece, key in board.labels.items()
        if sides.get(piece) == side
    ]
    columns = 2 if len(entries) > most and width >= 2 * _NARROWEST_LIST else 1
    room = width // columns - (columns - 1)
    shown = entries[: most * columns - (len(entries) > most * columns)]
    if len(shown) < len(entries):
        shown.append(("", f"type units to see all {len(entries)}"))
    if columns == 1:
        shown = [*_continued(shown, room, most)]
    height = -(-len(shown) // columns)
    for row in range(height):
        line = Text()
        for side, words in shown[row::height]:
            style = side_style(board, side) if side else "dim"
            line.append(set_cell_size(_cut_to_fit(words, room), room), style=style)
            line.append(" ")
        line.rstrip()
        yield line


def _continued(entries: Sequence[tuple[str, str]], room: int, most: int) -> Iterator[tuple[str, str]]:
    """Yield entries of a list in lines of at most `room` characters while `most` lines hold them, the rest uncut."""
    spare = most - len(entries)
    for side, words in entries:
        lines = hanging(words, room, 2).split("\n")
        if len(lines) - 1 <= spare:
            spare -= len(lines) - 1
            yield from ((side, line) for line in lines)
        else:
            yield side, words


def acts_in_words(game: Game[Any], steps: Sequence[Sequence[Event]]) -> list[str]:
    """Return the news, one line per step: the acts, the total losses of each unit, and the units that are no more.

    A leader falls, unless he ran or was taken, which another sentence says.
    """
    lines = []
    for events in steps:
        lost: dict[str, float] = {}
        sentences: dict[str, None] = {}
        ends: list[str] = []
        fallen: list[str] = []
        for event in events:
            if event.kind == "loss" and game.narrator.is_leader(unit := str(event.data.get("unit", ""))):
                fallen += [] if event.data.get("cause") == "morale" else [f"{game.narrator.name_of(unit)} fell"]
            elif event.kind == "loss" and "unit" in event.data:
                lost[unit] = lost.get(unit, 0) + event.data["lost"]
            elif sentence := game.narrator.describe_event(event):
                if event.kind == "destroyed":
                    ends.append(sentence)
                else:
                    sentences[sentence] = None
        losses = fallen + [
            f"{game.narrator.name_of(unit)} lost {amount(count, game.narrator.loss_noun)}"
            for unit, count in lost.items()
        ]
        if sentences or losses or ends:
            lines.append(begin_sentence(join_sentences([*_first_and_last(list(sentences)), *losses, *ends])))
    return lines


def _cut_to_fit(words: str, room: int) -> str:
    """Return the words, cut to the room: after the name or a detail if possible, otherwise within a word."""
    if cell_len(words) <= room:
        return words
    ends = [index for index in range(room) if words.startswith((", ", " ("), index)]
    return f"{words[: ends[-1] if ends else room - 1]}…"


def strengths(game: Game[Any], state: Any, seat: str | None) -> dict[str, float]:
    """Return the share left of each unit of the scenario, and 1 or 0 for each leader, as far as a seat may know it.

    While an enemy may hide units, only the seat's own are included.
    """
    scenario, scoreboard = game.scenario, game.scoreboard(state)
    sides = {seat} if seat is not None and hides_units(game, seat) else set(scenario.sides)
    shares = {key: scoreboard.share_left((key,)) for key, unit in scenario.units.items() if unit.side in sides}
    for key, leader in scenario.leaders.items():
        if leader.side in sides:
            shares[key] = float(not scoreboard.leader_lost(key))
    return shares


def losses_in_words(
    game: Game[Any],
    steps: Sequence[Sequence[Event]],
    before: Mapping[str, float] | None = None,
    after: Mapping[str, float] | None = None,
) -> list[str]:
    """Return the losses of some steps, one line per side: each unit by name, units that are gone, and leaders.

    `before` and `after` are the `strengths` at both ends. They show units that ran away and leaders who fell, for
    which the rules may report no loss of figures.
    """
    lost: dict[str, dict[str, float]] = {side: {} for side in game.seats}
    for event in (event for events in steps for event in events if event.kind == "loss"):
        side, unit = event.data.get("side"), str(event.data.get("unit", ""))
        if side in lost and unit:
            lost[side][unit] = lost[side].get(unit, 0) + event.data["lost"]
    destroyed = {str(event.data.get("unit")) for events in steps for event in events if event.kind == "destroyed"}
    start, end = before or {}, after or {}
    gone = {key for key, share in start.items() if share > 0 and not end.get(key, share)}
    scenario, name, lines = game.scenario, game.narrator.name_of, []
    for side, losses in lost.items():
        leaders = [leader.name for key, leader in scenario.leaders.items() if leader.side == side and key in gone]
        parts = []
        for unit, count in losses.items():
            if name(unit) not in leaders:
                none_left = " (none left)" if unit in destroyed | gone else ""
                parts.append(f"{name(unit)}: {amount(count, game.narrator.loss_noun)}{none_left}")
        # Some rules split a unit of the scenario; its parts have been named already.
        parts += [
            f"{name(unit)}: none left"
            for unit in scenario.units_of(side)
            if unit in gone and not any(part_of_unit.startswith(unit) for part_of_unit in losses)
        ]
        if leaders:
            parts.append(f"leader{'s' if len(leaders) > 1 else ''}: {join_with_and(leaders)}")
        if parts:
            lines.append(f"Losses of {in_a_sentence(name(side))}: {'; '.join(parts)}")
    return lines


def _first_and_last(sentences: list[str]) -> list[str]:
    """Return sentences, without those in the middle if there are many."""
    if len(sentences) <= _MOST_SENTENCES:
        return sentences
    return [*sentences[:2], f"({len(sentences) - 4} more)", *sentences[-2:]]


def fit_news(lines: Sequence[str], width: int, most: int = NEWS_LINES) -> list[str]:
    """Return the news in at most `most` lines.

    Lines are printed separately if they fit, otherwise joined, otherwise reduced to the first and the last with the
    number left out between.
    """
    separate = [part for line in lines for part in hanging(f"- {line}", width, 2).split("\n")]
    if len(separate) <= most:
        return separate
    first, rest = f"- {lines[0]}", list(lines[1:])
    for left_out in range(len(rest) + 1):
        note = [f"({left_out} {_MORE}"] if left_out else []
        joined = hanging(" · ".join([first, *note, *rest[left_out:]]), width, 2).split("\n")
        if len(joined) <= most:
            return joined
    return [*joined[: most - 1], f"{joined[most - 1][: width - 1]}…"]


def is_cut(news: Sequence[str]) -> bool:
    """Return True if `fit_news` has left out some of the news."""
    return _MORE in " ".join(" ".join(news).split()) or any(line.endswith("…") for line in news)


# --- Show that an AI player is thinking, and let Ctrl-C make it decide ------------------------------------------------


_SECONDS_BEFORE_MESSAGE = 1.0


class ThinkingDisplay:
    """Shows which AI player has been thinking for more than a second. The first Ctrl-C makes it decide, the second
    leaves.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._confirmation = ""

    @contextmanager
    def while_choosing(self, player: str, question: Question) -> Iterator[None]:
        """Run while an AI player thinks about a choice."""
        choice = self._session.game.narrator.describe(self._session.state, question)
        with self.while_working(f"{player} is thinking about: {choice} (Ctrl-C: decide now)", "deciding now"):
            yield

    @contextmanager
    def while_working(self, message: str, confirmation: str) -> Iterator[None]:
        """Run during a long operation: print a message after a second, and a confirmation when the user ends it."""
        self._confirmation = confirmation
        timer = threading.Timer(_SECONDS_BEFORE_MESSAGE, print_to_stderr, (message,))
        timer.daemon = True
        timer.start()
        in_main_thread = threading.current_thread() is threading.main_thread()
        handler_before = signal.signal(signal.SIGINT, self._decide_now) if in_main_thread else None
        try:
            yield
        finally:
            timer.cancel()
            if in_main_thread:
                signal.signal(signal.SIGINT, handler_before)

    def _decide_now(self, _: int, __: FrameType | None) -> None:
        """Handle Ctrl-C: let the AI player decide; the second time, leave."""
        if self._session.decide_now:
            raise KeyboardInterrupt
        self._session.decide_now = True
        print_to_stderr(self._confirmation)
