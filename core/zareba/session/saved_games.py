"""The list of saved games in a folder, read from their journals: scenario, players and progress."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from typing import Any, TypeAlias

from zareba.base.errors import ZarebaError
from zareba.base.filenames import write_atomically
from zareba.base.grammar import in_a_sentence
from zareba.journal import read_journal

INDEX_FILE = ".games-index.json"
_INDEX_FORMAT = 2


@dataclass(frozen=True)
class SavedGame:
    """A saved game: name, file, scenario, title, ruleset, players, progress in words, and time of the last move.

    `seats` are the players by side, `sides` the names of the sides; `when` is in seconds since the epoch.
    """

    name: str
    file: str
    scenario: str
    title: str
    ruleset: str
    seats: dict[str, str]
    sides: dict[str, str]
    progress: str
    over: bool
    when: float

    @property
    def players(self) -> str:
        """Return the sides by name, each with its player."""
        return ", ".join(f"{self.sides.get(side, side)}: {player}" for side, player in self.seats.items())


def saved_game(path: Path) -> SavedGame:
    """Return the saved game of a journal without replaying it. Raises ZarebaError if the journal cannot be read."""
    file = read_journal(path)
    header = file.header
    steps = [str(steps[-1][0]) for entry in file.entries if (steps := entry.get("steps"))]
    over = bool(file.entries) and bool(file.entries[-1].get("over"))
    seats = dict(header["seats"])
    for entry in file.entries:
        if isinstance(entry.get("seats"), dict):
            seats |= entry["seats"]
    return SavedGame(
        path.stem,
        str(path),
        str(header["scenario"].get("id", "")),
        str(header["scenario"].get("title", "")),
        header["ruleset"],
        seats,
        {side: _name(side, side_data) for side, side_data in header["scenario"].get("sides", {}).items()},
        "over" if over else _progress(steps[-1], header["scenario"]) if steps else "not started",
        over,
        path.stat().st_mtime,
    )


def _name(word: str, entry: Any) -> str:
    """Return the name of an entry of a scenario, or the word itself in readable form."""
    name = entry.get("name") if isinstance(entry, dict) else None
    return str(name) if name else word.replace("_", " ")


def _progress(key: str, scenario: dict[str, Any]) -> str:
    """Return the key of the last step in words: `3/british_moves/move.units` is turn 3, british moves.

    Sides, units and leaders appear by name.
    """
    turn, _, rest = key.partition("/")
    forces = {word: entry for kind in ("units", "leaders", "sides") for word, entry in scenario.get(kind, {}).items()}
    words = [word if word in forces else re.sub(r"[ ._]?[0-9]+$", "", word) for word in rest.split("/")[:-1]]
    about = ", ".join(in_a_sentence(_name(word, forces.get(word))) for word in words if word)
    return f"{f'turn {turn}' if turn != '0' else 'before turn 1'}, {about}".rstrip(", ")


_Entries: TypeAlias = dict[str, tuple[list[int], SavedGame | str]]
"""The version of each journal by file name (time, size and inode), and its game or the reason why it cannot be read."""


class GameIndex:
    """The saved games of a folder. A journal is read again only when its file has changed.

    The index is stored in a file in the folder, only to save time. If the file is missing or damaged, the journals are
    read.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / INDEX_FILE
        self._entries: _Entries | None = None
        self._lock = Lock()

    def games(self, paths: Sequence[Path]) -> dict[Path, SavedGame | str]:
        """Return the saved game of each journal, or the reason why it cannot be read."""
        with self._lock:
            known = self._read() if self._entries is None else self._entries
            entries: _Entries = {}
            games: dict[Path, SavedGame | str] = {}
            for path in paths:
                try:
                    status = path.stat()
                    version = [status.st_mtime_ns, status.st_size, status.st_ino]
                    known_version, game = known.get(path.name, (None, ""))
                    if known_version != version:
                        game = _game_or_reason(path)
                except OSError as error:
                    games[path] = str(error.strerror)
                    continue
                entries[path.name] = version, game
                games[path] = game
            if entries != known:
                self._write(entries)
            self._entries = entries
            return games

    def _read(self) -> _Entries:
        """Return the entries of the index file; none if it is missing or damaged."""
        with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            data: Any = json.loads(self._file.read_text(encoding="utf-8"))
            if data["format"] == _INDEX_FORMAT:
                folder = self._file.parent
                return {
                    name: (version, game if isinstance(game, str) else SavedGame(file=str(folder / name), **game))
                    for name, (version, game) in data["games"].items()
                }
        return {}

    def _write(self, entries: _Entries) -> None:
        games = {name: (version, _entry_data(game)) for name, (version, game) in entries.items()}
        with suppress(OSError):
            write_atomically(self._file, json.dumps({"format": _INDEX_FORMAT, "games": games}), durable=False)


def _entry_data(game: SavedGame | str) -> dict[str, Any] | str:
    """Return a game for the index, without its folder, which may be moved."""
    return game if isinstance(game, str) else {key: value for key, value in asdict(game).items() if key != "file"}


def _game_or_reason(path: Path) -> SavedGame | str:
    """Return the saved game of a journal, or the reason why it cannot be read."""
    try:
        return saved_game(path)
    except ZarebaError as error:
        return str(error)
