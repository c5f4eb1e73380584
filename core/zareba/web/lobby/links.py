"""The secret links of a game's seats: only hashes of their tokens are stored, next to the journal.

Tokens are derived from a key of the games folder, so that the owner can see a link again.
"""

from __future__ import annotations

import base64
import hmac
import json
import secrets
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from zareba.base.errors import ZarebaError
from zareba.base.filenames import write_whole

_BYTES = 24
_MOST_LINKS = 64
KEY_FILE = ".links-key"
OWNER, WATCHERS = "you", "whoever watches"
_changing = Lock()


class Link(NamedTuple):
    """A link: its holder, the seats it opens, and its token; None if only the hash is known."""

    whom: str
    seats: tuple[str, ...]
    token: str | None


class Links:
    """The links of one game. Each token opens some seats, or none for watchers."""

    def __init__(self, journal: Path) -> None:
        self._path = journal.with_suffix(".seats.json")
        self._game = journal.stem
        self._known: tuple[tuple[int, ...], list[dict[str, Any]]] = (), []

    def grant(self, seats: Iterable[str], whom: str = WATCHERS) -> str:
        """Create a token for some seats. If there are too many links, the oldest expire."""
        nonce = secrets.token_hex(_BYTES)
        with _changing:
            token = self._token(_key(self._path.with_name(KEY_FILE), make=True), nonce)
            link = {"hash": _hash(token), "seats": sorted(seats), "whom": whom, "nonce": nonce}
            self._write([*self._read(), link][-_MOST_LINKS:])
        return token

    def all(self) -> list[Link]:
        """Return the valid links, the newest last. Show them only to the owner."""
        key = _key(self._path.with_name(KEY_FILE), make=False)
        return [
            Link(str(one.get("whom", "")), tuple(map(str, one["seats"])), self._token_of(one, key))
            for one in self._read()
        ]

    def _token_of(self, link: dict[str, Any], key: bytes) -> str | None:
        """Return the token of a link; None for one that an older zareba created, or one made with a different key."""
        if not key:
            return None
        token = self._token(key, str(link.get("nonce", "")))
        return token if hmac.compare_digest(_hash(token), str(link["hash"])) else None

    def _token(self, key: bytes, nonce: str) -> str:
        derived = hmac.digest(key, f"{self._game}/{nonce}".encode(), "sha256")
        return base64.urlsafe_b64encode(derived[:_BYTES]).decode()

    def seats_of(self, token: str) -> frozenset[str] | None:
        """Return the seats that a token opens; None for an unknown or expired one."""
        wanted, found = _hash(token), None
        for link in self._read():
            if hmac.compare_digest(str(link["hash"]), wanted):
                found = frozenset(map(str, link["seats"]))
        return found

    def replace(self, whom: str) -> None:
        """End the links of a holder, and create a new one for the same seats."""
        ended = [link for link in self.all() if link.whom == whom]
        self._drop(lambda link: link.get("whom") == whom)
        if ended:
            self.grant(ended[-1].seats, whom)

    def move(self, seat: str, whom: str) -> None:
        """Let another holder play a seat. Links that have lost their only seat end; the holder's own link stays the same."""
        with _changing:
            links = [{**link, "seats": [one for one in link["seats"] if one != seat]} for link in self._read()]
            before = self._read()
            kept = [link for link, was in zip(links, before, strict=True) if link["seats"] or not was["seats"]]
            own = [link for link in kept if link.get("whom") == whom and whom != WATCHERS]
            for link in own:
                link["seats"] = sorted([*link["seats"], seat])
            self._write(kept)
        if not own:
            self.grant([seat], whom)

    def _drop(self, ends: Callable[[dict[str, Any]], bool]) -> None:
        with _changing:
            self._write([link for link in self._read() if not ends(link)])

    def end_all(self) -> None:
        """Make all existing links invalid."""
        self._drop(lambda _: True)

    def _read(self) -> list[dict[str, Any]]:
        """Return the links from the file, which is read again only after a change."""
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
                f"the links of the game in {self._path.name} cannot be read; remove that file and give new ones"
            ) from error
        good = isinstance(links, list) and all(
            isinstance(link, dict) and isinstance(link.get("hash"), str) and isinstance(link.get("seats"), list)
            for link in links
        )
        self._known = mark, links if good else []
        return self._known[1]

    def _write(self, links: list[dict[str, Any]]) -> None:
        try:
            write_whole(self._path, json.dumps(links), private=True)
        except OSError as error:
            raise ZarebaError(f"the links of the game cannot be written: {error.strerror}") from error


def _hash(token: str) -> str:
    return sha256(token.encode(errors="replace")).hexdigest()


def _key(path: Path, *, make: bool) -> bytes:
    """Return the key of a folder from which its tokens are derived; with `make`, create it if there is none."""
    try:
        if (found := path.read_bytes()) or not make:
            return found
    except FileNotFoundError:
        if not make:
            return b""
    except OSError as error:
        raise ZarebaError(f"the key of the links cannot be read: {error.strerror}") from error
    try:
        write_whole(path, secrets.token_hex(32), private=True)
        return path.read_bytes()
    except OSError as error:
        raise ZarebaError(f"the links of the game cannot be written: {error.strerror}") from error
