"""The games that are kept in a folder, as their journals tell of them: what is played by whom, and how far it has come."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from zareba.journal import read_journal

__all__ = ["Kept", "kept_game"]


@dataclass(frozen=True)
class Kept:
    """A game: its name, its file, scenario and title, who plays, how far it has come in words, and when it was last played.

    `when` is in seconds since the epoch.
    """

    name: str
    file: str
    scenario: str
    title: str
    ruleset: str
    seats: dict[str, str]
    stands: str
    over: bool
    when: float


def kept_game(path: Path) -> Kept:
    """The game of a journal, which is read and not played; raises ZarebaError when nothing can be recovered from it."""
    file = read_journal(path)
    header = file.header
    steps = [str(steps[-1][0]) for entry in file.entries if (steps := entry.get("steps"))]
    over = bool(file.entries) and bool(file.entries[-1].get("over"))
    seats = dict(header["seats"])
    for entry in file.entries:
        if isinstance(entry.get("seats"), dict):
            seats |= entry["seats"]
    return Kept(
        path.stem,
        str(path),
        str(header["scenario"].get("id", "")),
        str(header["scenario"].get("title", "")),
        header["ruleset"],
        seats,
        "over" if over else _stands(steps[-1]) if steps else "not begun",
        over,
        path.stat().st_mtime,
    )


def _stands(key: str) -> str:
    """The key of the last step in words: `3/british_moves/move.units` is turn 3, british moves."""
    turn, _, rest = key.partition("/")
    about = re.sub(r"[ ._]?[0-9]+$", "", rest.rpartition("/")[0])
    return f"turn {turn}, {about.replace('_', ' ')}".rstrip(", ")
