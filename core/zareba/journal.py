"""The journal: the only record of a session, one JSON line an entry, each line with its own checksum.

The header holds all that the session stands on: the resolved rules, house rules, scenario, settings, seed and seats, so
that an old game goes on under its own rules. Then follow the answers, each with the fingerprint of its question, and
after every step a hash of the state. An entry is on the disk before anyone is told that it was accepted.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any
from zlib import crc32

from pydantic import BaseModel, ConfigDict, ValidationError

from zareba.errors import ZarebaError, first_misfit
from zareba.state import canonical_json

__all__ = ["Journal", "JournalFile", "read_journal"]

FORMAT = 1


class _HouseRule(BaseModel):
    model_config = ConfigDict(strict=True)

    name: str
    file: str
    digest: str
    python: bool


class _Header(BaseModel):
    """What the first line holds at least."""

    model_config = ConfigDict(strict=True)

    ruleset: str
    rules: dict[str, Any]
    settings: dict[str, Any]
    house_rules: list[_HouseRule]
    scenario: dict[str, Any]
    seed: int
    physical: bool
    seats: dict[str, str]


@dataclass(frozen=True)
class JournalFile:
    """A journal as read. `damage` says what was wrong after the last good entry, "" if nothing; `good` counts bytes."""

    path: Path
    header: dict[str, Any]
    entries: tuple[dict[str, Any], ...]
    damage: str
    good: int


def _line(entry: dict[str, Any]) -> bytes:
    text = canonical_json(entry)
    return f"{crc32(text.encode()):08x} {text}\n".encode()


class Journal:
    """Writes entries through to the disk. Use as a context manager, or call `close`."""

    def __init__(self, path: Path, *, keep: int | None = None) -> None:
        """Open a new journal (refused if the file is there), or go on after the first `keep` bytes of an old one."""
        self.path = path
        try:
            if keep is None:
                self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
                _sync_folder(path)
            else:
                self._file = os.open(path, os.O_WRONLY)
                os.ftruncate(self._file, keep)
                os.lseek(self._file, 0, os.SEEK_END)
        except FileExistsError:
            raise ZarebaError(
                f"{path} is there already; go on with 'zareba resume {path}' or name another file"
            ) from None
        except OSError as error:
            raise ZarebaError(f"the journal {path} cannot be written: {error.strerror}") from error
        self._size = os.lseek(self._file, 0, os.SEEK_END)

    def write(self, entry: dict[str, Any]) -> None:
        """Append one entry and wait until the disk has it; when that fails the file is as it was before."""
        data = _line(entry)
        try:
            written = os.write(self._file, data)
            if written != len(data):
                raise OSError(28, "no space left on the device")
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, self._size)
            os.lseek(self._file, self._size, os.SEEK_SET)
            raise ZarebaError(
                f"the journal {self.path} cannot be written ({error.strerror}); nothing was played"
            ) from error
        self._size += len(data)

    def close(self) -> None:
        """Close the file; it can be read and gone on with."""
        os.close(self._file)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _sync_folder(path: Path) -> None:
    folder = os.open(path.resolve().parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def read_journal(path: Path) -> JournalFile:
    """Read a journal up to its first damaged entry.

    Raises ZarebaError when there is no such file, or its header cannot be read or is of another format.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ZarebaError(f"the journal {path} cannot be read: {error.strerror}") from error
    entries: list[dict[str, Any]] = []
    good = 0
    damage = ""
    for number, (line, end) in enumerate(_lines(data), start=1):
        entry = _read_line(line)
        if entry is None:
            damage = f"line {number} is damaged or cut off; the {len(entries[1:])} entries before it are whole"
            break
        entries.append(entry)
        good = end
    if not entries or "journal" not in entries[0]:
        raise ZarebaError(
            f"{path} is no journal of zareba, or its first line is damaged; nothing can be recovered from it"
        )
    header = entries[0]
    if header["journal"] != FORMAT:
        raise ZarebaError(f"{path} has journal format {header['journal']}, this zareba reads format {FORMAT}")
    try:
        _Header.model_validate(header)
    except ValidationError as error:
        raise ZarebaError(f"{path}: the first line was not written by 'zareba play'; {first_misfit(error)}") from error
    return JournalFile(path, header, tuple(entries[1:]), damage, good)


def _lines(data: bytes) -> Iterator[tuple[bytes, int]]:
    start = 0
    while start < len(data):
        end = data.find(b"\n", start)
        if end < 0:
            yield data[start:], len(data)
            return
        yield data[start : end + 1], end + 1
        start = end + 1


def _read_line(line: bytes) -> dict[str, Any] | None:
    checksum, _, text = line.partition(b" ")
    body = text.removesuffix(b"\n")
    try:
        if not text.endswith(b"\n") or checksum.decode() != f"{crc32(body):08x}":
            return None
        entry = json.loads(body)
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None
