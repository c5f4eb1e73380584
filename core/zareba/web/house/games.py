"""The games of a server: sessions that are opened from their journals when somebody comes to them."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from threading import Lock, RLock, Thread
from typing import Any, NamedTuple, TypeVar

from zareba.base.errors import ZarebaError
from zareba.game import Game
from zareba.session import Correction, Session, open_session
from zareba.session.saved import Kept, kept_game
from zareba.table import Question
from zareba.web.house.links import Links

__all__ = ["Face", "Games", "NoSuchGame", "OpenGame", "Proposal", "Saved"]

Made = TypeVar("Made")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")

AT_ONCE, SLICE, GAP = 0.06, 0.15, 0.005
"""Seconds for which programs play before a person's answer is shown; then between two looks at the table; and for others."""


class Proposal(NamedTuple):
    """An umpire's act that somebody wants done: by whom, what, in words, and the seats that have agreed."""

    by: str
    act: Correction
    words: str
    agreed: frozenset[str]


class Face(NamedTuple):
    """A page from which something is hidden: its version, the version in which its question appeared, its digest."""

    version: int
    asks: int
    digest: str
    question: Question | None


class NoSuchGame(ZarebaError):
    """No journal of this name is in the folder."""


class OpenGame:
    """A game that people play or watch. `version` grows with every change; whoever works with the session holds `lock`.

    It begins with the time, so that a page of a server that has died never takes this one's for its own. `asked_since` is
    the version that first had the pending question. `faces` are the pages from which something is hidden, by seats. `thinking`: programs play on behind. `kept` is what was worked out
    for this version (`once`); `sought`, when somebody last came to the game.
    """

    def __init__(self, name: str, path: Path, session: Session) -> None:
        self.name = name
        self.path = path
        self.session = session
        self.links = Links(path)
        self.lock = RLock()
        self.began = self.version = self.asked_since = int(1e6 * time.time())
        self.faces: dict[frozenset[str], Face] = {}
        self._asked = session.pending
        self.trouble = ""
        self.closed = False
        self.thinking = False
        self.kept: dict[Any, Any] = {}
        self.sought = time.monotonic()
        self.proposal: Proposal | None = None
        self.ground: dict[float, tuple[tuple[Any, ...], str, str]] = {}
        self._watchers: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}

    @property
    def game(self) -> Game[Any]:
        """The game that is played."""
        return self.session.game

    def change(self, act: Callable[[Session], object]) -> None:
        """Do something to the session, let the programs play on, and tell everybody who watches.

        Raises ZarebaError with nothing changed when it is refused.
        """
        with self.lock:
            if self.closed:
                raise ZarebaError("this game has just been put away; do it again")
            act(self.session)
            self.proposal = None
            self.play_on()

    def once(self, key: Any, make: Callable[[], Made]) -> Made:
        """What is the same for all who ask, worked out for the first of them and kept until something changes."""
        if key not in self.kept:
            self.kept[key] = make()
        made: Made = self.kept[key]
        return made

    def propose(self, proposal: Proposal | None) -> None:
        """Have an umpire's act wait for agreement, or have none wait; whatever is played meanwhile ends it."""
        with self.lock:
            self.proposal = proposal
            self._changed()

    def put_away(self) -> None:
        """Close the journal; the game is opened anew when somebody comes to it."""
        with self.lock:
            self.closed = True
            self.session.close()

    def play_on(self) -> None:
        """Let chance and programs answer until a person is asked; `trouble` says why they could not.

        What takes long goes on behind, slice by slice: a person sees his own answer at once, and the rest as it comes.
        """
        with self.lock:
            self.trouble = ""
            if self.thinking or self._play_for(AT_ONCE):
                return
            self.thinking = True
        Thread(target=self._play_behind, name=f"playing {self.name}", daemon=True).start()

    def _play_behind(self) -> None:
        while True:
            time.sleep(GAP)
            with self.lock:
                if self.closed or self._play_for(SLICE):
                    self.thinking = False
                    self._changed()
                    return

    def _play_for(self, seconds: float) -> bool:
        """Play on for so many seconds; gives whether that was enough."""
        until = time.perf_counter() + seconds
        try:
            return self.session.drive(enough=lambda: time.perf_counter() > until)
        except ZarebaError as error:
            self.trouble = str(error)
            return True
        finally:
            self._changed()

    def _changed(self) -> None:
        self.version += 1
        self.kept.clear()
        if self.session.pending is not self._asked:
            self._asked, self.asked_since = self.session.pending, self.version
        for woken, loop in list(self._watchers.items()):
            if not loop.is_closed():
                loop.call_soon_threadsafe(woken.set)

    def watch(self, woken: asyncio.Event) -> None:
        """Set an event of the running loop whenever the game has changed."""
        self._watchers[woken] = asyncio.get_running_loop()

    def leave(self, woken: asyncio.Event) -> None:
        """Tell it no more."""
        self._watchers.pop(woken, None)

    @property
    def watched(self) -> int:
        """How many watch."""
        return len(self._watchers)


class Saved(NamedTuple):
    """A game in the folder, or the sentence why it cannot be gone on with."""

    name: str
    game: Kept | None
    trouble: str = ""


class Games:
    """The games of one folder; `most` are open at once, those that nobody watches are closed first.

    `trusted` gives the house rules in Python that a journal may be gone on with: files that the owner has named himself.
    """

    def __init__(
        self, folder: Path, *, trusted: Callable[[Path], Sequence[Path]] = lambda _: (), most: int = 64
    ) -> None:
        self.folder = folder
        self._trusted = trusted
        self._most = most
        self._open: dict[str, OpenGame] = {}
        self._lock = Lock()

    def new_path(self, scenario: str, ruleset: str) -> Path:
        """A free name for a new journal."""
        self.folder.mkdir(parents=True, exist_ok=True)
        names = (self.folder / f"{scenario}-{ruleset}-{number}.jsonl" for number in count(1))
        return next(path for path in names if not path.exists())

    def add(self, path: Path, session: Session) -> OpenGame:
        """A game that has just begun."""
        game = OpenGame(path.stem, path, session)
        with self._lock:
            self._make_room()
            self._open[game.name] = game
        game.play_on()
        return game

    def at_hand(self, name: str) -> OpenGame | None:
        """The game of this name if it is open; nothing is waited for."""
        found = self._open.get(name)
        if found is not None:
            found.sought = time.monotonic()
        return found

    def at(self, name: str) -> OpenGame:
        """The game of this name, opened from its journal if need be; raises ZarebaError when it cannot be had."""
        with self._lock:
            if (found := self.at_hand(name)) is not None:
                return found
            path = self._path(name)
            self._make_room()
            found = OpenGame(name, path, open_session(path, house_rules=self._trusted(path)).session)
            self._open[name] = found
        found.play_on()
        return found

    def _path(self, name: str) -> Path:
        path = self.folder / f"{name}.jsonl"
        if not _NAME.fullmatch(name) or not path.is_file() or path.is_symlink():
            raise NoSuchGame("there is no such game")
        return path

    def links(self, name: str) -> Links:
        """The links of a game, open or not; raises ZarebaError when there is no such game."""
        path, found = self._path(name), self._open.get(name)
        return Links(path) if found is None else found.links

    def _make_room(self) -> None:
        idle = [name for name, game in self._open.items() if not game.watched]
        for name in sorted(idle, key=lambda name: self._open[name].sought)[: max(0, len(self._open) - self._most + 1)]:
            self._open.pop(name).put_away()

    def saved(self) -> Sequence[Saved]:
        """The journals of the folder, the last one first."""
        found = []
        for path in self.folder.glob("*.jsonl") if self.folder.is_dir() else ():
            if not _NAME.fullmatch(path.stem) or path.is_symlink():
                continue
            try:
                found.append(Saved(path.stem, kept_game(path)))
            except (ZarebaError, OSError) as error:
                found.append(Saved(path.stem, None, str(error)))
        return sorted(found, key=lambda one: -(one.game.when if one.game else 0.0))

    def close(self) -> None:
        """Close all journals; every game can be gone on with."""
        with self._lock:
            for game in self._open.values():
                game.put_away()
            self._open.clear()
