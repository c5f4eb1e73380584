"""The journal: the append-only file that records a session."""

from __future__ import annotations

import base64
import binascii
import errno
import json
import os
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Any
from zlib import crc32

from platformdirs import user_data_path
from pydantic import BaseModel, ConfigDict, ValidationError

from zareba.base.errors import ZarebaError, first_misfit
from zareba.base.filenames import write_atomically
from zareba.base.state import canonical_json

# --- Ledger -----------------------------------------------------------------------------------------------------------
# Append-only files: one JSON entry per line, each with a checksum, flushed to disk before anything else sees it.
#
# Only one process writes a file at a time. The lock belongs to the operating system and ends with the process, even
# after a crash.


if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


_MOST_DEPTH = 64
"""The deepest nesting of an entry: twice that of a YAML file, because the header of a journal contains YAML data."""

_BINARY = getattr(os, "O_BINARY", 0)
_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_LOCKED_BYTE = 2**62  # on Windows, other processes cannot read locked bytes, so lock a byte beyond the end of any file


class NotWritten(ZarebaError):
    """The disk refused a write. Nothing has changed, and the same action can be repeated."""


@dataclass(frozen=True)
class Lines:
    """The entries of a file, as far as they could be read."""

    entries: tuple[dict[str, Any], ...]
    damage: str
    """The fault after the last good entry; "" if there is none."""
    good: int
    """The number of good bytes."""


class Ledger:
    """Writes entries through to disk. `what` names the kind of file in errors, such as "journal". Use it as a context
    manager.
    """

    def __init__(self, path: Path, what: str, *, new: bool) -> None:
        """Create a new file, or open an existing one; raise an error if a new file exists already or another process
        writes the old one.
        """
        self.path = path
        self._what = what
        self._has_partial_entry = False
        self._held_size: int | None = None
        self._held_open_line = False
        made = os.O_CREAT | os.O_EXCL if new else 0
        try:
            self._file = os.open(path, os.O_RDWR | os.O_APPEND | _BINARY | made, 0o644)
        except OSError as error:
            if new and isinstance(error, FileExistsError):
                raise
            raise NotWritten(f"the {what} {path} cannot be written: {error.strerror}") from error
        try:
            if not _locked(self._file):
                raise ZarebaError(
                    f"the {what} {path} is being written by another process; end that one first, or take another file"
                )
            if new:
                _sync_folder(path)
            self._size = os.fstat(self._file).st_size
            self._open_line = self._ends_in_open_line()
        except OSError as error:
            self.close()
            if new:
                path.unlink()
            raise NotWritten(f"the {what} {path} cannot be written: {error.strerror}") from error
        except ZarebaError:
            self.close()
            raise

    def write(self, entry: dict[str, Any]) -> None:
        """Append one entry and wait until it is on disk. Raises NotWritten, with the file restored to its earlier
        content at once or before the next write.

        Between `hold` and `release`, the wait for the disk is postponed.
        """
        line = b"\n" * self._open_line + entry_line(entry)
        data = memoryview(line)
        try:
            self._remove_partial_entry()
            if change := self._foreign_change():
                raise NotWritten(f"the {self._what} {self.path} {change}; nothing more is written to it")
            self._has_partial_entry = True
            while data:
                data = data[os.write(self._file, data) :]
            if self._held_size is None:
                os.fsync(self._file)
            self._has_partial_entry = False
            self._open_line = False
            self._size += len(line)
        except OSError as error:
            raise self._write_error(error) from error

    def hold(self) -> None:
        """Write further entries without waiting for the disk, until `release` waits once for all of them."""
        self._held_size = self._size
        self._held_open_line = self._open_line

    def release(self) -> None:
        """Wait until all held entries are on disk; raise NotWritten, with none of them in the file, if that fails."""
        began, self._held_size = self._held_size, None
        if began is None or began == self._size:
            return
        try:
            os.fsync(self._file)
        except OSError as error:
            self._size, self._has_partial_entry, self._open_line = began, True, self._held_open_line
            raise self._write_error(error) from error

    def _write_error(self, error: OSError) -> NotWritten:
        """Restore the earlier content of the file, now or before the next write, and return the error."""
        with suppress(OSError):
            self._remove_partial_entry()
        return NotWritten(
            f"the {self._what} {self.path} cannot be written ({error.strerror}); nothing has changed, so do it again"
        )

    def cut(self, size: int) -> None:
        """Remove everything after the first `size` bytes."""
        try:
            os.ftruncate(self._file, size)
            os.fsync(self._file)
        except OSError as error:
            raise NotWritten(f"the {self._what} {self.path} cannot be written: {error.strerror}") from error
        self._size = size
        self._open_line = self._ends_in_open_line()

    def _ends_in_open_line(self) -> bool:
        """Return True if the file does not end with a line end, as after some editors."""
        if not self._size:
            return False
        os.lseek(self._file, self._size - 1, os.SEEK_SET)
        return os.read(self._file, 1) != b"\n"

    def _remove_partial_entry(self) -> None:
        """Remove the partial entry that a failed write left behind."""
        if self._has_partial_entry:
            os.ftruncate(self._file, self._size)
            self._has_partial_entry = False

    def _foreign_change(self) -> str:
        """Return a description of a change by another program, or ""; it can happen where the file system has no
        locks.
        """
        found = os.fstat(self._file)
        if found.st_nlink == 0:
            return "was removed by another program"
        return "" if found.st_size == self._size else "was changed by another program"

    def close(self) -> None:
        """Close the file and release the lock."""
        with suppress(OSError):
            self._remove_partial_entry()
        os.close(self._file)

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _locked(file: int) -> bool:
    """Lock a file against other processes until it is closed; return False if another process holds the lock.

    If the file system has no locks, return True; a foreign change is then detected before the next entry.
    """
    try:
        if sys.platform == "win32":
            os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)
    return True


def _sync_folder(path: Path) -> None:
    """Flush the folder entry of a new file to disk, on systems that can open folders."""
    if sys.platform == "win32":
        return
    try:
        folder = os.open(path.resolve().parent, os.O_RDONLY)
    except PermissionError:
        return
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def copy_aside(path: Path, ending: str) -> Path:
    """Copy a file to a new file next to it, `NAME.ENDING` or with the next free number; never overwrite a file."""
    number = 1
    while True:
        copy = path.with_name(f"{path.name}.{ending}" if number == 1 else f"{path.name}.{ending}-{number}")
        number += 1
        try:
            with copy.open("xb") as file:  # never follows an existing link
                file.write(path.read_bytes())
                file.flush()
                os.fsync(file.fileno())
        except FileExistsError:
            continue
        except OSError as error:
            with suppress(OSError):
                copy.unlink()
            raise NotWritten(f"{path} cannot be copied to {copy.name} beside it: {error.strerror}") from error
        return copy


def entry_line(entry: dict[str, Any]) -> bytes:
    """Return an entry as a line of the file."""
    text = canonical_json(entry)
    return f"{crc32(text.encode()):08x} {text}\n".encode()


def read_ledger(path: Path, what: str, *, most: int | None = None) -> Lines:
    """Read a ledger up to its first damaged entry. Raises ZarebaError if it cannot be read or exceeds `most` bytes."""
    try:
        with path.open("rb") as file:
            data = file.read(-1 if most is None else most + 1)
    except OSError as error:
        raise ZarebaError(f"the {what} {path} cannot be read: {error.strerror}") from error
    if most is not None and len(data) > most:
        raise ZarebaError(
            f"the {what} {path} is longer than {most:,} bytes; zareba does not write files of that length"
        )
    if data.startswith(_UTF_16):
        raise ZarebaError(f"the {what} {path} was saved as UTF-16; save it as UTF-8")
    entries: list[dict[str, Any]] = []
    good = 0
    for number, (line, end) in enumerate(_lines(data), start=1):
        if entries and not line.strip(b"\r\n"):
            good = end
            continue
        entry = _read_line(line)
        if entry is None:
            whole = len(entries[1:])
            return Lines(
                tuple(entries),
                f"line {number} is damaged or cut off; the {whole} entries before it are intact",
                good,
            )
        entries.append(entry)
        good = end
    return Lines(tuple(entries), "", good)


def _lines(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Split data into lines without their ends, each with the position of the next line.

    Windows editors may add a byte order mark and end lines with CR LF; checksums do not include these.
    """
    start = len(_BOM) if data.startswith(_BOM) else 0
    while start < len(data):
        end = data.find(b"\n", start)
        if end < 0:
            yield data[start:], len(data)
            return
        yield data[start:end].removesuffix(b"\r"), end + 1
        start = end + 1


def _read_line(line: bytes) -> dict[str, Any] | None:
    checksum, _, body = line.partition(b" ")
    try:
        if checksum.decode() != f"{crc32(body):08x}":
            return None
        entry = json.loads(body)
        # An entry that cannot be written again, such as infinity or half a character, was not written by zareba.
        entry_line(entry)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) and _is_flat(entry) else None


def _is_flat(entry: dict[str, Any]) -> bool:
    """Return True if an entry is nested no deeper than the entries written here."""
    level: list[Any] = [entry]
    for _ in range(_MOST_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return True
    return False


# --- The journal: the complete record of a session --------------------------------------------------------------------
#
# The header holds everything the session depends on: the resolved rules, house rules, scenario, settings, seed and
# seats. An old game therefore continues under its own rules. The answers follow, each with the fingerprint of its
# question, and after every step a hash of the state. An entry is on disk before anything reports it as accepted.
#
# A journal is data and may come from a stranger: nothing in it makes the program run, import or open anything.


FORMAT = 2
"""Format 2 added umpire edits, standing orders and changes of players; files of format 1 are read unchanged."""
_READABLE_FORMATS = (1, FORMAT)
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
    """A journal as read."""

    path: Path
    header: dict[str, Any]
    house_rules: tuple[RulePlayed, ...]
    entries: tuple[dict[str, Any], ...]
    """The entries after the header."""
    damage: str
    """The fault after the last good entry; "" if there is none."""
    good: int
    """The number of good bytes."""

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
                f"{path} already exists; continue it with 'zareba continue {path}' or name another file"
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
    if header["journal"] not in _READABLE_FORMATS:
        raise ZarebaError(
            f"{path} has journal format {header['journal']}, but this version of zareba reads formats up to {FORMAT}; "
            f"open it with zareba {header.get('zareba', 'of a later version')}, which wrote it"
        )
    try:
        read = _Header.model_validate(header)
    except ValidationError as error:
        raise ZarebaError(f"{path}: the first line was not written by 'zareba play'; {first_misfit(error)}") from error
    return JournalFile(path, header, tuple(read.house_rules), lines.entries[1:], lines.damage, lines.good)


# --- Checkpoint -------------------------------------------------------------------------------------------------------
# Checkpoints: the state after an entry of a journal, stored next to the journal, so that a long game opens at once.
#
# The journal remains the only record. A checkpoint is used only if the digest of its state matches the one in the
# journal for that entry. The game before it is replayed afterwards (`History.prepend`). Without a checkpoint, the
# whole journal is replayed first.


CHECKPOINT_FORMAT = 1


@dataclass(frozen=True)
class Checkpoint:
    """The state after some entries of a journal, as data, at the start of a step. `entries` does not count the
    header.
    """

    entries: int
    state: dict[str, Any]


def _path(journal: Path) -> Path:
    return journal.with_suffix(".checkpoint.json")


def save_checkpoint(journal: Path, version: str, entries: int, compressed: bytes) -> bool:
    """Write the compressed state after `entries` entries next to a journal; return False if the disk refuses it."""
    data = {
        "checkpoint": CHECKPOINT_FORMAT,
        "zareba": version,
        "entries": entries,
        "state": base64.b64encode(compressed).decode(),
    }
    try:
        write_atomically(_path(journal), json.dumps(data), private=True, durable=False)
    except OSError:
        return False
    return True


def checkpoint_of(whole: JournalFile, rest: Sequence[Mapping[str, Any]], version: str) -> Checkpoint | None:
    """Return the checkpoint of a journal if it is valid; `rest` are the entries since the last change of rules.

    The journal and the checkpoint must be of this `version` of zareba, and the digest must match the one in the
    journal. Nothing before the checkpoint may have been undone since.
    """
    if whole.header.get("zareba") != version:
        return None
    with suppress(OSError, ValueError, TypeError, KeyError, IndexError, AttributeError, zlib.error, binascii.Error):
        data = json.loads(_path(whole.path).read_text(encoding="utf-8"))
        count = data["entries"] - (len(whole.entries) - len(rest))
        if data["checkpoint"] != CHECKPOINT_FORMAT or data["zareba"] != version or not 0 < count <= len(rest):
            return None
        text = _decompressed(base64.b64decode(data["state"], validate=True))
        digest = blake2b(text, digest_size=16).hexdigest()
        if rest[count - 1]["steps"][-1][1] == digest and not _goes_back(rest[count:]):
            return Checkpoint(count, json.loads(text))
    return None


def boundary_of(entries: Sequence[Mapping[str, Any]], digest: str) -> int | None:
    """Return the number of entries before the current step, which starts from a state with this digest.

    Returns None if an undo, a correction or a change of rules led to it.
    """
    for count in range(len(entries), 0, -1):
        entry = entries[count - 1]
        if steps := entry.get("steps"):
            same = "answer" in entry and steps[-1][1] == digest
            return count if same and not _goes_back(entries[count:]) else None
    return None


def _decompressed(data: bytes) -> bytes:
    reader = zlib.decompressobj()
    text = reader.decompress(data, MOST_BYTES)
    if reader.unconsumed_tail or not reader.eof:
        raise ValueError("the state is cut off or too long")
    return text


def _goes_back(entries: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if entries undo or correct anything before them."""
    answers = 0
    for entry in entries:
        if "umpire" in entry:
            return True
        if "answer" in entry:
            answers += 1
        answers += entry.get("redo", 0) - entry.get("undo", 0)
        if answers < 0:
            return True
    return False


# --- Compressed snapshots of game states, taken between two steps -----------------------------------------------------


class CompressedState:
    """A state as compressed JSON, at most a fifth of its size in memory. `digest` is the digest of the state's data."""

    __slots__ = ("_text", "digest")

    def __init__(self, state: Any) -> None:
        text = canonical_json(state.to_data()).encode()
        self._text = zlib.compress(text)
        self.digest = blake2b(text, digest_size=16).hexdigest()

    @property
    def compressed(self) -> bytes:
        """The compressed text."""
        return self._text

    def decompressed(self, read: Callable[[dict[str, Any]], Any]) -> Any:
        """Rebuild the state from its data with `read`."""
        return read(json.loads(zlib.decompress(self._text)))
