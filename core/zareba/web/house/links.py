"""Who may sit where: links with tokens that nobody can guess, of which only the hashes are kept, beside the journal."""

from __future__ import annotations

import hmac
import json
import os
import secrets
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from zareba.base.errors import ZarebaError

__all__ = ["Links"]

BYTES = 24
MOST_LINKS = 64


class Links:
    """The links of one game: each token opens some seats, or none to those who only watch."""

    def __init__(self, journal: Path) -> None:
        self._path = journal.with_suffix(".seats.json")
        self._known: tuple[tuple[int, ...], list[dict[str, Any]]] = (), []

    def grant(self, seats: Iterable[str]) -> str:
        """A new token for some seats; the oldest links end when there are too many."""
        token = secrets.token_urlsafe(BYTES)
        links = [*self._read(), {"hash": _hash(token), "seats": sorted(seats)}]
        self._write(links[-MOST_LINKS:])
        return token

    def seats_of(self, token: str) -> frozenset[str] | None:
        """The seats that a token opens; None for one that was never given or is no longer good."""
        wanted, found = _hash(token), None
        for link in self._read():
            if hmac.compare_digest(str(link["hash"]), wanted):
                found = frozenset(map(str, link["seats"]))
        return found

    def end_all(self) -> None:
        """No link that was given is good any more."""
        self._write([])

    def _read(self) -> list[dict[str, Any]]:
        """The links as they stand in the file, which is read again only when it is another one."""
        try:
            found = self._path.stat()
            mark = found.st_mtime_ns, found.st_ino, found.st_size
            if mark == self._known[0]:
                return self._known[1]
            links = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            raise ZarebaError(
                f"the links of the game in {self._path} cannot be read; remove it and give new ones"
            ) from error
        good = isinstance(links, list) and all(
            isinstance(link, dict) and isinstance(link.get("hash"), str) and isinstance(link.get("seats"), list)
            for link in links
        )
        self._known = mark, links if good else []
        return self._known[1]

    def _write(self, links: list[dict[str, Any]]) -> None:
        beside = self._path.with_suffix(f".{os.getpid()}.{secrets.token_hex(4)}")
        try:
            with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:  # noqa: PTH123 # its rights are given as it is made
                json.dump(links, file)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self._path)
        except OSError as error:
            raise ZarebaError(f"the links of the game cannot be written: {error.strerror}") from error


def _hash(token: str) -> str:
    return sha256(token.encode(errors="replace")).hexdigest()
