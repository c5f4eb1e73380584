"""The journal: the only record of a session.

The header holds all that the session stands on: the resolved rules, house rules, scenario, settings, seed and seats, so
that an old game goes on under its own rules. Then follow the answers, each with the fingerprint of its question, and
after every step a hash of the state. An entry is on the disk before anyone is told that it was accepted.

A journal is data and may be a stranger's: nothing in it makes the program run, import or open anything.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, ValidationError

from zareba.base.errors import ZarebaError, first_misfit
from zareba.journal.ledger import Ledger, read_ledger

__all__ = ["FORMAT", "Journal", "JournalFile", "RulePlayed", "games_folder", "read_journal"]

FORMAT = 2
"""Since format 2 a journal may hold umpires' acts, standing orders and changes of who plays; what format 1 holds is the same."""
READ = (1, FORMAT)
MOST_BYTES = 64 * 1024 * 1024


def games_folder() -> Path:
    """Where the journals of this user's games are kept."""
    folder = user_data_path("zareba", ensure_exists=True) / "journals"
    folder.mkdir(exist_ok=True)
    return folder


class RulePlayed(BaseModel):
    """A house rule of the game: its `text`, of which `digest` is the digest. `file` tells people where it was; nobody opens it.

    `brought` is the package that it came with, and its version. Older journals have no texts.
    """

    model_config = ConfigDict(strict=True, frozen=True)

    name: str
    file: str
    digest: str
    python: bool
    text: str = ""
    brought: str = ""


class _Header(BaseModel):
    """What the first line holds at least."""

    model_config = ConfigDict(strict=True)

    ruleset: str
    rules: dict[str, Any]
    settings: dict[str, Any]
    house_rules: list[RulePlayed]
    scenario: dict[str, Any]
    seed: int
    physical: bool
    seats: dict[str, str]


@dataclass(frozen=True)
class JournalFile:
    """A journal as read. `damage` says what was wrong after the last good entry, "" if nothing; `good` counts bytes."""

    path: Path
    header: dict[str, Any]
    house_rules: tuple[RulePlayed, ...]
    entries: tuple[dict[str, Any], ...]
    damage: str
    good: int

    def _changed_at(self) -> int | None:
        places = reversed(range(len(self.entries)))
        return next((place for place in places if "rules_changed" in self.entries[place]), None)

    def before_change(self) -> tuple[dict[str, Any], ...]:
        """What was written before it was last gone on with under other rules; nothing if it never was."""
        at = self._changed_at()
        return () if at is None else self.entries[:at]

    def since_change(self) -> JournalFile:
        """The journal from where it was last gone on with under other rules: that entry for a header, and what follows."""
        at = self._changed_at()
        if at is None:
            return self
        changed = self.entries[at]["rules_changed"]
        try:
            read = _Header.model_validate(changed)
        except ValidationError as error:
            raise ZarebaError(f"{self.path}: a change of rules cannot be read; {first_misfit(error)}") from error
        if not isinstance(changed.get("start"), dict):
            raise ZarebaError(f"{self.path}: a change of rules says not how the battle stood")
        return replace(self, header=changed, house_rules=tuple(read.house_rules), entries=self.entries[at + 1 :])


class Journal(Ledger):
    """A journal to be written: a new one, or an old one that is gone on with."""

    def __init__(self, path: Path, *, new: bool = True) -> None:
        try:
            super().__init__(path, "journal", new=new)
        except FileExistsError:
            if path.is_dir():
                raise ZarebaError(f"{path} is a folder; name a file in it for the journal") from None
            raise ZarebaError(
                f"{path} is there already; go on with 'zareba resume {path}' or name another file"
            ) from None


def read_journal(path: Path) -> JournalFile:
    """Read a journal up to its first damaged entry.

    Raises ZarebaError when there is no such file, or its header cannot be read or is of another format.
    """
    lines = read_ledger(path, "journal", most=MOST_BYTES)
    if not lines.entries or "journal" not in lines.entries[0]:
        raise ZarebaError(
            f"{path} is no journal of zareba, or its first line is damaged; nothing can be recovered from it"
        )
    header = lines.entries[0]
    if header["journal"] not in READ:
        raise ZarebaError(
            f"{path} has journal format {header['journal']}, this zareba reads formats up to {FORMAT}; "
            f"zareba {header.get('zareba', 'of a later version')} wrote it, and plays it"
        )
    try:
        read = _Header.model_validate(header)
    except ValidationError as error:
        raise ZarebaError(f"{path}: the first line was not written by 'zareba play'; {first_misfit(error)}") from error
    return JournalFile(path, header, tuple(read.house_rules), lines.entries[1:], lines.damage, lines.good)
