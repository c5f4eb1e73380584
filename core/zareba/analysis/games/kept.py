"""The games of a comparison on the disk as they come, so that none is lost when the run does not reach its report.

They stand in a file beside the report; the same command goes on from them, and takes them away once the report is there.
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

__all__ = ["KeptGames"]

WHAT = "list of games"


class KeptGames:
    """Games that were played and are on the disk. `identity` is all on which their numbers hang; `records` are there already;
    `has_games` says whether any are there now.

    Where the disk refuses a game it is offered again with the next; `tell` hears of it once. Use as a context manager.
    """

    def __init__(
        self, folder: Path, identity: Mapping[str, Any], tell: Callable[[str], None], bank: Path | None = None
    ) -> None:
        """In a file of their own beside the report, or in a `bank`, which stays when the report is there."""
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
            # Only a header whose writing was cut short is overwritten; anything else is somebody's file.
            if not entry_line(header).startswith(self.path.read_bytes()):
                raise ZarebaError(
                    f"{self.path} is there already and holds no games; remove it, or choose another"
                    f" {'--bank' if self._stays else '--out'}"
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
                f" {'--bank' if self._stays else '--out'}"
            ) from error

    def keep(self, records: Sequence[GameRecord]) -> None:
        """Have these games on the disk, and those that it refused before."""
        self._waiting += records
        try:
            self._ledger.write({"games": [record.to_dict() for record in self._waiting]})
        except NotWritten as error:
            if not self._told:
                self._tell(f"{error}; play goes on, and the games are offered again")
            self._told = True
        else:
            self._told = False
            self._waiting = []
            self.has_games = True

    def remove(self) -> None:
        """Take the file away, if it is no bank: its games are in the report, or there are none."""
        if not self._stays:
            self.path.unlink()

    def __enter__(self) -> KeptGames:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ledger.close()
