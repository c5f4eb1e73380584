"""Append-only files: one JSON entry per line, each with a checksum, flushed to disk before anything else sees it.

Only one process writes a file at a time. The lock belongs to the operating system and ends with the process, even
after a crash.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any
from zlib import crc32

from zareba.base.errors import ZarebaError
from zareba.base.state import canonical_json

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

__all__ = ["Ledger", "Lines", "NotWritten", "copy_aside", "entry_line", "read_ledger"]

MOST_DEPTH = 64
"""The deepest nesting of an entry: twice that of a YAML file, because the header of a journal contains YAML data."""

_BINARY = getattr(os, "O_BINARY", 0)
_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_FAR = 2**62  # on Windows, other processes cannot read locked bytes, so lock a byte beyond the end of any file


class NotWritten(ZarebaError):
    """The disk refused a write. Nothing has changed, and the same action can be repeated."""


@dataclass(frozen=True)
class Lines:
    """A ledger as read. `damage` describes the fault after the last good entry, or is ""; `good` is the number of good
    bytes.
    """

    entries: tuple[dict[str, Any], ...]
    damage: str
    good: int


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
        self._torn = False
        self._held_from: int | None = None
        self._held_open = False
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
        """Append one entry and wait until it is on disk. Raises NotWritten, with the file restored to its earlier content
        at once or before the next write.

        Between `hold` and `release`, the wait for the disk is postponed.
        """
        line = b"\n" * self._open_line + entry_line(entry)
        data = memoryview(line)
        try:
            self._mend()
            if changed := self._changed():
                raise NotWritten(f"the {self._what} {self.path} {changed}; nothing more is written to it")
            self._torn = True
            while data:
                data = data[os.write(self._file, data) :]
            if self._held_from is None:
                os.fsync(self._file)
            self._torn = False
            self._open_line = False
            self._size += len(line)
        except OSError as error:
            raise self._refused(error) from error

    def hold(self) -> None:
        """Write further entries without waiting for the disk, until `release` waits once for all of them."""
        self._held_from = self._size
        self._held_open = self._open_line

    def release(self) -> None:
        """Wait until all held entries are on disk; raise NotWritten, with none of them in the file, if that fails."""
        began, self._held_from = self._held_from, None
        if began is None or began == self._size:
            return
        try:
            os.fsync(self._file)
        except OSError as error:
            self._size, self._torn, self._open_line = began, True, self._held_open
            raise self._refused(error) from error

    def _refused(self, error: OSError) -> NotWritten:
        """Restore the earlier content of the file, now or before the next write, and return the error."""
        with suppress(OSError):
            self._mend()
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

    def _mend(self) -> None:
        """Remove the partial entry that a failed write left behind."""
        if self._torn:
            os.ftruncate(self._file, self._size)
            self._torn = False

    def _changed(self) -> str:
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
            self._mend()
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
            os.lseek(file, _FAR, os.SEEK_SET)
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
        kept = path.with_name(f"{path.name}.{ending}" if number == 1 else f"{path.name}.{ending}-{number}")
        number += 1
        try:
            with kept.open("xb") as file:  # never follows an existing link
                file.write(path.read_bytes())
                file.flush()
                os.fsync(file.fileno())
        except FileExistsError:
            continue
        except OSError as error:
            with suppress(OSError):
                kept.unlink()
            raise NotWritten(f"{path} cannot be copied to {kept.name} beside it: {error.strerror}") from error
        return kept


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
        entry_line(
            entry
        )  # an entry that cannot be written again, such as infinity or half a character, was not written by zareba
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) and _is_flat(entry) else None


def _is_flat(entry: dict[str, Any]) -> bool:
    """Return True if an entry is nested no deeper than the entries written here."""
    level: list[Any] = [entry]
    for _ in range(MOST_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
        if not level:
            return True
    return False
