"""One screen of the prompt: the unit map with a list of units next to it, and the news, act by act."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from zareba.base.grammar import in_a_sentence
from zareba.cli.output import hanging
from zareba.cli.prompt.render import BoardView, side_style
from zareba.cli.sanitize import sanitize
from zareba.game import Game
from zareba.picture.cells import place_at
from zareba.presentation.board import Board, group_by_place, with_goals
from zareba.scenario.model import Escort, Hold
from zareba.scenario.placement import place_of
from zareba.session.score import hides_units
from zareba.table import Event

__all__ = [
    "MAP_LINES",
    "NEWS_LINES",
    "acts_told",
    "figure_board",
    "is_cut",
    "lately",
    "legend_line",
    "losses_told",
    "map_lines",
    "strengths",
    "unit_board",
]

MAP_LINES = 12
"""Height of the map on a screen, including its headline."""
NEWS_LINES = 4
"""Lines of news shown by default."""
HEADLINE_WHOLE = 20
"""Maps lower than this get a headline of a single line."""
PANEL = 24
"""Smallest width next to a map for the list of units."""
SAID_WHOLE = 4
"""The most sentences shown for one act. If there are more, only the first two and the last two are shown."""
_MORE = "more: type more)"


def unit_board(game: Game[Any], state: Any) -> Board:
    """Return the board of a game at the scale of units."""
    names = {unit: game.narrator.name_of(unit) for unit in game.umpire_editor().named(state)}
    return group_by_place(figure_board(game, state), names, game.display.pieces(state), game.scenario.objects)


def figure_board(game: Game[Any], state: Any) -> Board:
    """Return the board of a game with every figure, and with the places of objectives."""
    board = game.display.drawn(state)
    places = {
        goal.name: place_at(board, at)
        for goal in game.scenario.objectives.values()
        if board.space == "free" and isinstance(goal, (Hold, Escort)) and (at := place_of(game.scenario, goal))
    }
    return with_goals(board, places)


def legend_line(marks: Mapping[str, str], width: int) -> list[str]:
    """Return the meaning of marks on a map in wrapped lines; none if there are no marks."""
    return hanging(f"On the map: {'; '.join(marks.values())}", width, 2).split("\n") if marks else []


def map_lines(board: Board, width: int, most: int = MAP_LINES) -> list[Text]:
    """Return the map in at most `most` lines, with as much of the list of units next to it as fits."""
    view = BoardView(board, most)
    head = view.headline(width)
    if len(head) > 1 and most < HEADLINE_WHOLE:
        head = [Text(f"{sanitize(board.headline)[: width - 1]}…", style="bold")]
    rows = BoardView(board, most - len(head) + 1).table(width)
    across = max((cell_len(line.plain) for line in rows), default=0) + 2
    if width - across >= PANEL:
        for number, beside in enumerate(_who(board, width - across, len(rows))):
            gap = " " * (across - cell_len(rows[number].plain))
            rows[number] = Text().append_text(rows[number]).append(gap).append_text(beside)
    return [*head, *rows]


def _who(board: Board, width: int, most: int) -> Iterator[Text]:
    """Yield the lines of the list of units, by side; in two columns if one is too short, and cut if both are."""
    texts = {piece.id: piece.text for piece in board.pieces}
    texts |= {one.id: f"{one.name}, {one.when}" for one in board.awaited}
    sides = {piece.id: piece.side for piece in board.pieces} | {one.id: one.side for one in board.awaited}
    entries = [
        (side, f"{key} {sanitize(texts[piece])}")
        for side in board.sides
        for piece, key in board.labels.items()
        if sides.get(piece) == side
    ]
    columns = 2 if len(entries) > most and width >= 2 * PANEL else 1
    room = width // columns - (columns - 1)
    shown = entries[: most * columns - (len(entries) > most * columns)]
    if len(shown) < len(entries):
        shown.append(("", f"{len(entries) - len(shown)} more: type units"))
    height = -(-len(shown) // columns)
    for row in range(height):
        line = Text()
        for side, words in shown[row::height]:
            line.append(set_cell_size(_fitted(words, room), room), style=side_style(board, side) if side else "dim")
            line.append(" ")
        line.rstrip()
        yield line


def acts_told(game: Game[Any], steps: Sequence[Sequence[Event]]) -> list[str]:
    """Return the news, one line per step: the acts, and the total losses of each unit."""
    found = []
    for events in steps:
        lost: dict[str, float] = {}
        sentences: dict[str, None] = {}
        for event in events:
            if event.kind == "loss" and "unit" in event.data:
                unit = str(event.data["unit"])
                lost[unit] = lost.get(unit, 0) + event.data["lost"]
            elif sentence := game.narrator.describe_event(event):
                sentences[sentence] = None
        told = [
            *_shortened(list(sentences)),
            *(f"{game.narrator.name_of(unit)} lost {count:g}" for unit, count in lost.items()),
        ]
        if told:
            found.append("; ".join(told))
    return found


def _fitted(words: str, room: int) -> str:
    """Return the words, cut to the room: after the name or a detail if possible, otherwise within a word."""
    if cell_len(words) <= room:
        return words
    ends = [place for place in range(room) if words.startswith((", ", " ("), place)]
    return f"{words[: ends[-1] if ends else room - 1]}…"


def strengths(game: Game[Any], state: Any, seat: str | None) -> dict[str, float]:
    """Return the share left of each unit of the scenario, and 1 or 0 for each leader, as far as a seat may know it.

    While an enemy may hide units, only the seat's own are included.
    """
    scenario, scoreboard = game.scenario, game.scoreboard(state)
    own = seat is not None and hides_units(game, seat)
    units = {key: unit.side for key, unit in scenario.units.items()}
    leaders = {key: leader.side for key, leader in scenario.leaders.items()}
    found = {key: scoreboard.share_left((key,)) for key, side in units.items() if not own or side == seat}
    found |= {key: float(not scoreboard.leader_lost(key)) for key, side in leaders.items() if not own or side == seat}
    return found


def losses_told(
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
    ended = {str(event.data.get("unit")) for events in steps for event in events if event.kind == "destroyed"}
    start, end = before or {}, after or {}
    gone = {key for key, share in start.items() if share > 0 and not end.get(key, share)}
    scenario, name, lines = game.scenario, game.narrator.name_of, []
    for side, units in lost.items():
        leaders = [one.name for key, one in scenario.leaders.items() if one.side == side and key in gone]
        told = [
            f"{name(unit)} {count:g}{' (none left)' if unit in ended | gone else ''}"
            for unit, count in units.items()
            if name(unit) not in leaders
        ]
        # Some rules split a unit of the scenario; its parts have been named already.
        told += [
            f"{name(unit)} (none left)"
            for unit in scenario.units_of(side)
            if unit in gone and not any(one.startswith(unit) for one in units)
        ]
        told += [f"its leader {leader}" for leader in leaders]
        if told:
            lines.append(f"Losses of {in_a_sentence(name(side))}: {', '.join(told)}")
    return lines


def _shortened(sentences: list[str]) -> list[str]:
    if len(sentences) <= SAID_WHOLE:
        return sentences
    return [*sentences[:2], f"({len(sentences) - 4} more)", *sentences[-2:]]


def lately(lines: Sequence[str], width: int, most: int = NEWS_LINES) -> list[str]:
    """Return the news in at most `most` lines.

    Lines are printed separately if they fit, otherwise joined, otherwise reduced to the first and the last with the
    number left out between.
    """
    if len(below := _below_each_other(lines, width)) <= most:
        return below
    first, rest = f"- {lines[0]}", list(lines[1:])
    for left in range(len(rest) + 1):
        between = [f"({left} {_MORE}"] if left else []
        told = hanging(" · ".join([first, *between, *rest[left:]]), width, 2).split("\n")
        if len(told) <= most:
            return told
    return [*told[: most - 1], f"{told[most - 1][: width - 1]}…"]


def is_cut(told: Sequence[str]) -> bool:
    """Return True if `lately` has left out some of the news."""
    return _MORE in " ".join(" ".join(told).split()) or any(line.endswith("…") for line in told)


def _below_each_other(lines: Sequence[str], width: int) -> list[str]:
    return [part for told in lines for part in hanging(f"- {told}", width, 2).split("\n")]
