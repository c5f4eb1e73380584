"""A checkpoint: the state after an entry of a journal, in a file next to the journal, so that a long game opens at once.

The journal stays the only record. A checkpoint counts only if the digest of its state is the one that the journal has for
that entry. The game up to there is replayed afterwards (`History.put_before`). Without a checkpoint the whole journal is
replayed first.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from zareba.base.whole_file import write_whole
from zareba.journal.journal import JournalFile

__all__ = ["Checkpoint", "boundary_of", "checkpoint_of", "keep_checkpoint"]

FORMAT = 1
MOST_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True)
class Checkpoint:
    """The state after so many entries of a journal, as data, at the start of a step. The header is not counted."""

    entries: int
    state: dict[str, Any]


def _path(journal: Path) -> Path:
    return journal.with_suffix(".checkpoint.json")


def keep_checkpoint(journal: Path, version: str, entries: int, compressed: bytes) -> bool:
    """Write the compressed state after so many entries beside a journal; False if the disk refuses it."""
    data = {
        "checkpoint": FORMAT,
        "zareba": version,
        "entries": entries,
        "state": base64.b64encode(compressed).decode(),
    }
    try:
        write_whole(_path(journal), json.dumps(data), private=True, durable=False)
    except OSError:
        return False
    return True


def checkpoint_of(whole: JournalFile, rest: Sequence[Mapping[str, Any]], version: str) -> Checkpoint | None:
    """Return the checkpoint of a journal if it is sound; `rest` are the entries since its rules last changed.

    The journal and the checkpoint must be of this `version` of zareba, and the digest must be the one in the journal.
    Nothing before the checkpoint may have been undone since.
    """
    if whole.header.get("zareba") != version:
        return None
    with suppress(OSError, ValueError, TypeError, KeyError, IndexError, AttributeError, zlib.error, binascii.Error):
        data = json.loads(_path(whole.path).read_text(encoding="utf-8"))
        count = data["entries"] - (len(whole.entries) - len(rest))
        if data["checkpoint"] != FORMAT or data["zareba"] != version or not 0 < count <= len(rest):
            return None
        text = _decompressed(base64.b64decode(data["state"], validate=True))
        digest = blake2b(text, digest_size=16).hexdigest()
        if rest[count - 1]["steps"][-1][1] == digest and not _goes_back(rest[count:]):
            return Checkpoint(count, json.loads(text))
    return None


def boundary_of(entries: Sequence[Mapping[str, Any]], digest: str) -> int | None:
    """Return after how many entries the current step began, at a state of this digest.

    None if an undo, a correction or a change of rules led to it.
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
    """Return True if entries undo or correct anything that came before them."""
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
