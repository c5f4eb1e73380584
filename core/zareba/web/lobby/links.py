"""The secret links of a game's seats: only hashes of their tokens are stored, next to the journal.

Tokens are derived from a key of the games folder, so that the owner can see a link again.
"""

from __future__ import annotations

import base64
import hmac
import json
import secrets
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from zareba.base.errors import ZarebaError
from zareba.base.filenames import write_atomically

_TOKEN_BYTES = 24
_MOST_LINKS = 64
KEY_FILE = ".links-key"
OWNER, WATCHERS = "you", "whoever watches"
"""The holders of links that are no friends. A friend's link has the name of the side as its holder."""
_writing = Lock()


class Link(NamedTuple):
    """A link: its holder, the seats it opens, and its token; None if only the hash is known."""

    holder: str
    seats: tuple[str, ...]
    token: str | None


class Links:
    """The links of one game. Each token opens some seats, or none for watchers."""

    def __init__(self, journal: Path) -> None:
        self._path = journal.with_suffix(".seats.json")
        self._game = journal.stem
        self._cached: list[dict[str, Any]] = []
        self._cached_version: tuple[int, ...] = ()

    def grant(self, seats: Iterable[str], holder: str = WATCHERS) -> str:
        """Create a link to some seats and return its token. If there are too many links, the oldest expire."""
        nonce = secrets.token_hex(_TOKEN_BYTES)
        with _writing:
            token = self._token(_key(self._path.with_name(KEY_FILE), create=True), nonce)
            link = {"hash": _hash(token), "seats": sorted(seats), "whom": holder, "nonce": nonce}
            self._write([*self._read(), link][-_MOST_LINKS:])
        return token

    def all(self) -> list[Link]:
        """Return the valid links, the newest last. Show them only to the owner."""
        key = _key(self._path.with_name(KEY_FILE), create=False)
        return [
            Link(str(link.get("whom", "")), tuple(map(str, link["seats"])), self._token_of(link, key))
            for link in self._read()
        ]

    def _token_of(self, link: dict[str, Any], key: bytes) -> str | None:
        """Return the token of a link; None for one that an older zareba created, or one made with a different key."""
        if not key:
            return None
        token = self._token(key, str(link.get("nonce", "")))
        return token if hmac.compare_digest(_hash(token), str(link["hash"])) else None

    def _token(self, key: bytes, nonce: str) -> str:
        """Return the token that belongs to a nonce under the key of the folder."""
        derived = hmac.digest(key, f"{self._game}/{nonce}".encode(), "sha256")
        return base64.urlsafe_b64encode(derived[:_TOKEN_BYTES]).decode()

    def seats_of(self, token: str) -> frozenset[str] | None:
        """Return the seats that a token opens; None for an unknown or expired one."""
        wanted, found = _hash(token), None
        for link in self._read():
            if hmac.compare_digest(str(link["hash"]), wanted):
                found = frozenset(map(str, link["seats"]))
        return found

    def replace(self, holder: str) -> None:
        """End the links of a holder, and create a new one for the same seats."""
        ended = [link for link in self.all() if link.holder == holder]
        with _writing:
            self._write([link for link in self._read() if link.get("whom") != holder])
        if ended:
            self.grant(ended[-1].seats, holder)

    def move(self, seat: str, holder: str) -> None:
        """Let another holder play a seat. Links that have lost their only seat end; the holder's own link stays the
        same.
        """
        remaining, has_link = [], False
        with _writing:
            for link in self._read():
                if link["seats"] == [seat] and link.get("whom") != holder:
                    continue
                seats = {linked for linked in link["seats"] if linked != seat}
                if link.get("whom") == holder and holder != WATCHERS:
                    seats.add(seat)
                    has_link = True
                remaining.append({**link, "seats": sorted(seats)})
            self._write(remaining)
        if not has_link:
            self.grant([seat], holder)

    def end_all(self) -> None:
        """Make all existing links invalid."""
        with _writing:
            self._write([])

    def _read(self) -> list[dict[str, Any]]:
        """Return the links from the file, which is read again only after a change."""
        try:
            status = self._path.stat()
            version = status.st_mtime_ns, status.st_ino, status.st_size
            if version == self._cached_version:
                return self._cached
            links = json.loads(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            raise ZarebaError(
                f"the links of the game in {self._path.name} cannot be read; remove that file and give new ones"
            ) from error
        is_valid = isinstance(links, list) and all(
            isinstance(link, dict) and isinstance(link.get("hash"), str) and isinstance(link.get("seats"), list)
            for link in links
        )
        self._cached, self._cached_version = links if is_valid else [], version
        return self._cached

    def _write(self, links: list[dict[str, Any]]) -> None:
        try:
            write_atomically(self._path, json.dumps(links), private=True)
        except OSError as error:
            raise ZarebaError(f"the links of the game cannot be written: {error.strerror}") from error


def _hash(token: str) -> str:
    return sha256(token.encode(errors="replace")).hexdigest()


def _key(path: Path, *, create: bool) -> bytes:
    """Return the key of a folder from which its tokens are derived; b"" if there is none and `create` is False."""
    try:
        if (key := path.read_bytes()) or not create:
            return key
    except FileNotFoundError:
        if not create:
            return b""
    except OSError as error:
        raise ZarebaError(f"the key of the links cannot be read: {error.strerror}") from error
    try:
        write_atomically(path, secrets.token_hex(32), private=True)
        return path.read_bytes()
    except OSError as error:
        raise ZarebaError(f"the links of the game cannot be written: {error.strerror}") from error
