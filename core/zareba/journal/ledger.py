"""A file that only grows: one JSON line an entry, each line with its own checksum, on the disk before anyone is told.

One process writes it at a time. The lock is the operating system's: it ends with the process, however that ends.
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
"""How deep an entry may be nested: twice as deep as a YAML file, whose content is part of a journal's header."""

_BINARY = getattr(os, "O_BINARY", 0)
_BOM = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_FAR = 2**62  # Windows keeps others from reading what is locked, so a byte is locked that no file has


class NotWritten(ZarebaError):
    """The disk refused what was to be recorded. Nothing has changed, and the same can be done again."""


@dataclass(frozen=True)
class Lines:
    """A ledger as read. `damage` says what was wrong after the last good entry, "" if nothing; `good` counts bytes."""

    entries: tuple[dict[str, Any], ...]
    damage: str
    good: int


class Ledger:
    """Writes entries through to the disk. `what` it is, as "journal", stands in its errors. Use as a context manager."""

    def __init__(self, path: Path, what: str, *, new: bool) -> None:
        """Make a new file (refused if it is there), or open an old one; refused while another process writes it."""
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
        """Append one entry and wait until the disk has it; raises NotWritten, with the file as it was before, or later is.

        While entries are held (`hold`), for the disk is waited later.
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
        """Write what comes without waiting for the disk, until `release`: one wait for many entries."""
        self._held_from = self._size
        self._held_open = self._open_line

    def release(self) -> None:
        """Wait until the disk has all that was held; raises NotWritten with none of it in the file."""
        began, self._held_from = self._held_from, None
        if began is None or began == self._size:
            return
        try:
            os.fsync(self._file)
        except OSError as error:
            self._size, self._torn, self._open_line = began, True, self._held_open
            raise self._refused(error) from error

    def _refused(self, error: OSError) -> NotWritten:
        """The file is as it was before, or later is."""
        with suppress(OSError):
            self._mend()
        return NotWritten(
            f"the {self._what} {self.path} cannot be written ({error.strerror}); nothing has changed, so do it again"
        )

    def cut(self, size: int) -> None:
        """Take off what stands behind the first `size` bytes."""
        try:
            os.ftruncate(self._file, size)
            os.fsync(self._file)
        except OSError as error:
            raise NotWritten(f"the {self._what} {self.path} cannot be written: {error.strerror}") from error
        self._size = size
        self._open_line = self._ends_in_open_line()

    def _ends_in_open_line(self) -> bool:
        """Return True if the last line has no line end, as after an editor that removes the last one."""
        if not self._size:
            return False
        os.lseek(self._file, self._size - 1, os.SEEK_SET)
        return os.read(self._file, 1) != b"\n"

    def _mend(self) -> None:
        """Take off the part of an entry that a refused write left behind."""
        if self._torn:
            os.ftruncate(self._file, self._size)
            self._torn = False

    def _changed(self) -> str:
        """What somebody else did to the file, where no lock keeps him off."""
        found = os.fstat(self._file)
        if found.st_nlink == 0:
            return "was removed by another program"
        return "" if found.st_size == self._size else "was changed by another program"

    def close(self) -> None:
        """Close the file; others may write it now."""
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
    """Keep other processes off a file until it is closed; False when one of them has it.

    Where the file system knows no locks, nobody is kept off; what others write is then seen before the next entry.
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
    """Have the name of a new file on the disk too, where folders can be opened for that."""
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
    """Copy a file to a new one beside it, `NAME.ENDING` or with the next free number; nothing is written over."""
    number = 1
    while True:
        kept = path.with_name(f"{path.name}.{ending}" if number == 1 else f"{path.name}.{ending}-{number}")
        number += 1
        try:
            with kept.open("xb") as file:  # a link that stands there is not followed
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
    """Return an entry as the line that is written for it."""
    text = canonical_json(entry)
    return f"{crc32(text.encode()):08x} {text}\n".encode()


def read_ledger(path: Path, what: str, *, most: int | None = None) -> Lines:
    """Read a ledger up to its first damaged entry. Raises ZarebaError when it cannot be read or has over `most` bytes."""
    try:
        with path.open("rb") as file:
            data = file.read(-1 if most is None else most + 1)
    except OSError as error:
        raise ZarebaError(f"the {what} {path} cannot be read: {error.strerror}") from error
    if most is not None and len(data) > most:
        raise ZarebaError(f"the {what} {path} is longer than {most:,} bytes; zareba wrote none of that length")
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
                f"line {number} is damaged or cut off; the {whole} entries before it are whole",
                good,
            )
        entries.append(entry)
        good = end
    return Lines(tuple(entries), "", good)


def _lines(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Split into lines without their ends, each with where the next one begins.

    Editors on Windows write a byte order mark and end lines with CR LF; the checksums were made without them.
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
        )  # what could not be written again, as a number without end or half a character, was not written here
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) and _is_flat(entry) else None


def _is_flat(entry: dict[str, Any]) -> bool:
    """Whether an entry is nested no deeper than any that is written here."""
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
