"""The journal: the complete record of a session.

The header holds everything the session depends on: the resolved rules, house rules, scenario, settings, seed and
seats. An old game therefore continues under its own rules. The answers follow, each with the fingerprint of its
question, and after every step a hash of the state. An entry is on disk before anything reports it as accepted.

A journal is data and may come from a stranger: nothing in it makes the program run, import or open anything.
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
"""Format 2 added umpire edits, standing orders and changes of players; files of format 1 are read unchanged."""
READ = (1, FORMAT)
MOST_BYTES = 64 * 1024 * 1024


def games_folder() -> Path:
    """Return the folder with the journals of this user's games; create it if needed."""
    folder = user_data_path("zareba", ensure_exists=True) / "journals"
    folder.mkdir(exist_ok=True)
    return folder


class RulePlayed(BaseModel):
    """A house rule of the game: its `text`, and the `digest` of that text. `file` only tells people where it was; it is
    never opened.

    `brought` is the package that shipped it, with the version. Older journals have no texts.
    """

    model_config = ConfigDict(strict=True, frozen=True)

    name: str
    file: str
    digest: str
    python: bool
    text: str = ""
    brought: str = ""


class _Header(BaseModel):
    """The fields that the first line must have."""

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
    """A journal as read. `damage` describes the fault after the last good entry, or is ""; `good` is the number of good
    bytes.
    """

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
        """Return the entries before the last change of rules; empty if the rules never changed."""
        at = self._changed_at()
        return () if at is None else self.entries[:at]

    def since_change(self) -> JournalFile:
        """Return the journal from the last change of rules on: that entry as the header, and the entries after it."""
        at = self._changed_at()
        if at is None:
            return self
        changed = self.entries[at]["rules_changed"]
        try:
            read = _Header.model_validate(changed)
        except ValidationError as error:
            raise ZarebaError(f"{self.path}: a change of rules cannot be read; {first_misfit(error)}") from error
        if not isinstance(changed.get("start"), dict):
            raise ZarebaError(f"{self.path}: a change of rules does not contain the state of the battle")
        return replace(self, header=changed, house_rules=tuple(read.house_rules), entries=self.entries[at + 1 :])


class Journal(Ledger):
    """A journal opened for writing: a new one, or an old one that is continued."""

    def __init__(self, path: Path, *, new: bool = True) -> None:
        try:
            super().__init__(path, "journal", new=new)
        except FileExistsError:
            if path.is_dir():
                raise ZarebaError(f"{path} is a folder; name a file in it for the journal") from None
            raise ZarebaError(
                f"{path} already exists; continue it with 'zareba resume {path}' or name another file"
            ) from None


def read_journal(path: Path) -> JournalFile:
    """Read a journal up to its first damaged entry.

    Raises ZarebaError if the file does not exist, or if its header cannot be read or has another format.
    """
    lines = read_ledger(path, "journal", most=MOST_BYTES)
    if not lines.entries or "journal" not in lines.entries[0]:
        raise ZarebaError(
            f"{path} is not a zareba journal, or its first line is damaged; nothing can be recovered from it"
        )
    header = lines.entries[0]
    if header["journal"] not in READ:
        raise ZarebaError(
            f"{path} has journal format {header['journal']}, but this version of zareba reads formats up to {FORMAT}; "
            f"open it with zareba {header.get('zareba', 'of a later version')}, which wrote it"
        )
    try:
        read = _Header.model_validate(header)
    except ValidationError as error:
        raise ZarebaError(f"{path}: the first line was not written by 'zareba play'; {first_misfit(error)}") from error
    return JournalFile(path, header, tuple(read.house_rules), lines.entries[1:], lines.damage, lines.good)
