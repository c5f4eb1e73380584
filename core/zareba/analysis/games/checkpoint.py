"""Save the games of a comparison on disk as they finish, so that an interrupted run loses none.

The file is next to the report. The same command continues from it, and removes it once the report is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from zareba.analysis.games.records import GameRecord
from zareba.base.errors import ZarebaError
from zareba.base.state import canonical_json, digest
from zareba.journal.ledger import Ledger, NotWritten, entry_line, read_ledger

__all__ = ["GameCheckpoint"]

WHAT = "list of games"


class GameCheckpoint:
    """Saved games of a comparison. `records` were there at the start; `has_games` is True if the file holds any now.

    `identity` contains everything that the numbers depend on. If a write fails, the games are written again with the
    next ones, and `tell` receives one message. Use as a context manager.
    """

    def __init__(
        self, folder: Path, identity: Mapping[str, Any], tell: Callable[[str], None], bank: Path | None = None
    ) -> None:
        """Open a file next to the report, or the file `bank`, which is kept after the report is written."""
        self.path = bank or folder / f"games-{digest(identity)[:12]}.jsonl"
        self._stays = bank is not None
        self._tell = tell
        self._told = False
        self._waiting: list[GameRecord] = []
        self._ledger = Ledger(self.path, WHAT, new=not self.path.exists())
        try:
            self.records = self._taken_over({"comparison": dict(identity)})
            self.has_games = bool(self.records)
        except BaseException:
            self._ledger.close()
            raise

    def _taken_over(self, header: dict[str, Any]) -> tuple[GameRecord, ...]:
        lines = read_ledger(self.path, WHAT)
        if not lines.entries:
            # Overwrite only an incomplete header; anything else is a user's file.
            if not entry_line(header).startswith(self.path.read_bytes()):
                raise ZarebaError(
                    f"{self.path} already exists and holds no games; remove it, or choose another"
                    f" {'--save-games' if self._stays else '--out'}"
                )
            self._ledger.cut(0)
            self._ledger.write(header)
            return ()
        if lines.damage:
            self._ledger.cut(lines.good)
        try:
            if canonical_json(lines.entries[0]) != canonical_json(header):
                raise ValueError("it begins with another comparison")
            return tuple(GameRecord.from_dict(data) for entry in lines.entries[1:] for data in entry["games"])
        except (ZarebaError, LookupError, TypeError, ValueError, AttributeError) as error:
            raise ZarebaError(
                f"{self.path} does not hold the games of this comparison; remove it, or choose another"
                f" {'--save-games' if self._stays else '--out'}"
            ) from error

    def keep(self, records: Sequence[GameRecord]) -> None:
        """Write these games, and any that could not be written before."""
        self._waiting += records
        try:
            self._ledger.write({"games": [record.to_dict() for record in self._waiting]})
        except NotWritten as error:
            if not self._told:
                self._tell(f"{error}; play continues, and writing is tried again with the next games")
            self._told = True
        else:
            self._told = False
            self._waiting = []
            self.has_games = True

    def remove(self) -> None:
        """Delete the file, unless it is a `bank`. Its games are in the report, or there are none."""
        if not self._stays:
            self.path.unlink()

    def __enter__(self) -> GameCheckpoint:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ledger.close()
