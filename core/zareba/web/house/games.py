"""The games of a server: sessions that are opened from their journals when somebody comes to them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Lock, RLock, Thread
from typing import Any, NamedTuple, TypeVar

from zareba.base.errors import ZarebaError
from zareba.base.filenames import is_game_name
from zareba.game import Game
from zareba.session import Correction, Replayed, Session, earlier_history, open_session
from zareba.session.saved import GameIndex, Kept
from zareba.table import Question
from zareba.web.house.links import Links

__all__ = ["Face", "Games", "NoSuchGame", "OpenGame", "Proposal", "Saved"]

Made = TypeVar("Made")

AT_ONCE, SLICE, GAP = 0.06, 0.15, 0.005
"""Seconds for which programs play before a person's answer is shown; then between two looks at the table; and for others."""
THINK = 1.0
"""Seconds that an AI player may take for a choice by default."""
CHECKPOINT_AFTER = 40
"""Answers after which a checkpoint is kept: what a game that is opened from it plays again at most."""
OPENERS = 4
"""How many games are opened from their journals at the same time."""
MOST_WATCHING, MOST_OF_LINK, MOST_OF_SEAT = 500, 200, 50
"""Streams of one game: to all who only watch, to those of one of their links, and to those of a link that opens a seat."""


class Proposal(NamedTuple):
    """An umpire's act that somebody wants done: by whom, what, in words, and the seats that have agreed."""

    by: str
    act: Correction
    words: str
    agreed: frozenset[str]


class Stopped(BaseException):
    """The server ends, so a game that is being read is read no further."""


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

    def __init__(self, name: str, path: Path, session: Session, think: float | None = THINK) -> None:
        self.name = name
        self.path = path
        self.session = session
        session.think = think
        self.links = Links(path)
        self.lock = RLock()
        self.began = self.version = self.asked_since = int(1e6 * time.time())
        self.faces: dict[frozenset[str], Face] = {}
        self._asked = session.pending
        self.trouble = self.broken = ""
        self.closed = False
        self._kept_at = session.recorded
        self.thinking = False
        self.kept: dict[Any, Any] = {}
        self.sought = time.monotonic()
        self.proposal: Proposal | None = None
        self.ground: dict[float, tuple[tuple[Any, ...], str, str]] = {}
        self._watchers: dict[asyncio.Event, tuple[asyncio.AbstractEventLoop, str, bool]] = {}
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=f"game {name}")

    @property
    def game(self) -> Game[Any]:
        """The game that is played."""
        return self.session.game

    async def work(self, task: Callable[[], Made]) -> Made:
        """Run a task in this game's own thread, so that those who wait for one game take no thread from another."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, task)

    def change(self, act: Callable[[Session], object]) -> None:
        """Do something to the session, let the programs play on, and tell everybody who watches.

        Raises ZarebaError with nothing changed when it is refused.
        """
        with self.lock:
            if self.closed:
                raise ZarebaError("this game has just been put away; do it again")
            if self.broken:
                raise ZarebaError(self.broken)
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
            self._keep_checkpoint(1)
            self.session.close()

    def read_earlier(self, replayed: Replayed, breathe: Callable[[], object]) -> None:
        """Play what came before the checkpoint from which the game was opened, and have it before what came since.

        Nobody waits for it. Where it does not come to the checkpoint, nothing more is played.
        """
        try:
            earlier = earlier_history(replayed, breathe)
            with self.lock:
                self.session.history.put_before(earlier)
                self._changed()
        except Stopped:
            return
        except ZarebaError as error:
            with self.lock:
                self.broken = self.trouble = f"this game cannot go on: {error}"
                self._changed()

    def keep_first_checkpoint(self) -> None:
        """Keep a checkpoint of a long game that was opened without one."""
        with self.lock:
            self._kept_at = 0
            self._keep_checkpoint(CHECKPOINT_AFTER)

    def _keep_checkpoint(self, after: int) -> None:
        """Keep a checkpoint of a long game if so many entries have come since the last one."""
        recorded = self.session.recorded
        if recorded >= CHECKPOINT_AFTER and recorded - self._kept_at >= after:
            self._kept_at = recorded if self.session.keep_checkpoint(self.path) else self._kept_at

    def play_on(self) -> None:
        """Let chance and programs answer until a person is asked; `trouble` says why they could not.

        What takes long goes on behind, slice by slice: a person sees his own answer at once, and the rest as it comes.
        """
        with self.lock:
            self.trouble = self.broken
            if self.broken or self.thinking or self._play_for(AT_ONCE):
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
        self._keep_checkpoint(CHECKPOINT_AFTER)
        if self.session.pending is not self._asked:
            self._asked, self.asked_since = self.session.pending, self.version
        self.wake()

    def wake(self) -> None:
        """Have every stream of the game look at it."""
        for woken, (loop, _, _) in list(self._watchers.items()):
            if not loop.is_closed():
                loop.call_soon_threadsafe(woken.set)

    def watch(self, woken: asyncio.Event, link: str = "", *, plays: bool = False) -> bool:
        """Set an event of the running loop whenever the game has changed; False if there are too many streams already.

        `link` is the one by which the stream was asked for, and `plays` says whether it opens a seat. Those who play are
        never refused because of those who watch.
        """
        others = [(one, by_player) for _, one, by_player in list(self._watchers.values())]
        of_link = sum(one == link for one, _ in others)
        watching = sum(not by_player for _, by_player in others)
        if of_link >= (MOST_OF_SEAT if plays else MOST_OF_LINK) or (not plays and watching >= MOST_WATCHING):
            return False
        self._watchers[woken] = asyncio.get_running_loop(), link, plays
        return True

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
    `think` are the seconds that an AI player may take for a choice, None: as many as it likes. Each game has a lock of its
    own for being opened and put away, so that a long one keeps nobody from the others.
    """

    def __init__(
        self,
        folder: Path,
        *,
        trusted: Callable[[Path], Sequence[Path]] = lambda _: (),
        most: int = 64,
        think: float | None = THINK,
    ) -> None:
        self.folder = folder
        self.ending = False
        self._trusted = trusted
        self._most = most
        self._think = think
        self._index = GameIndex(folder)
        self._open: dict[str, OpenGame] = {}
        self._new: set[Path] = set()
        self._turns: dict[str, Lock] = {}
        self._lock = Lock()
        self._openers = ThreadPoolExecutor(OPENERS, thread_name_prefix="opening")
        self._coming: dict[tuple[asyncio.AbstractEventLoop, str], asyncio.Future[OpenGame]] = {}

    @contextmanager
    def new_path(self, scenario: str, ruleset: str) -> Iterator[Path]:
        """Keep a free name for a new journal, which no other new game takes meanwhile."""
        with self._lock:
            self.folder.mkdir(parents=True, exist_ok=True)
            names = (self.folder / f"{scenario}-{ruleset}-{number}.jsonl" for number in count(1))
            path = next(path for path in names if path not in self._new and not path.exists())
            self._new.add(path)
        try:
            yield path
        finally:
            with self._lock:
                self._new.discard(path)

    def add(self, path: Path, session: Session) -> OpenGame:
        """Take in a game that has just begun."""
        game = OpenGame(path.stem, path, session, self._think)
        self._make_room()
        with self._lock:
            self._open[game.name] = game
        game.play_on()
        return game

    def at_hand(self, name: str) -> OpenGame | None:
        """Return the game of this name if it is open; nothing is waited for."""
        found = self._open.get(name)
        if found is not None:
            found.sought = time.monotonic()
        return found

    async def opened(self, name: str) -> OpenGame:
        """Return the game of this name as `at` does; many who come at once wait for it together, and take one thread."""
        if (found := self.at_hand(name)) is not None:
            return found
        loop = asyncio.get_running_loop()
        key = loop, name
        if (coming := self._coming.get(key)) is None:
            coming = self._coming[key] = loop.run_in_executor(self._openers, self.at, name)
            coming.add_done_callback(lambda _: self._coming.pop(key, None))
        return await asyncio.shield(coming)  # who goes away leaves it to the others

    def at(self, name: str) -> OpenGame:
        """Return the game of this name, opened from its journal if need be; raises ZarebaError when it cannot be had."""
        if (found := self.at_hand(name)) is not None:
            return found
        path = self._path(name)
        with self._turn(name):
            if (found := self.at_hand(name)) is not None:
                return found
            replayed = open_session(
                path, house_rules=self._trusted(path), shortcut=True, breathe=self._breathe_while(lambda: self.ending)
            )
            found = OpenGame(name, path, replayed.session, self._think)
            self._make_room()
            with self._lock:
                self._open[name] = found
        if replayed.begun is None:
            found.keep_first_checkpoint()
        else:
            breathe = self._breathe_while(lambda: self.ending or found.closed)
            Thread(target=found.read_earlier, args=(replayed, breathe), name=f"reading {name}", daemon=True).start()
        found.play_on()
        return found

    @staticmethod
    def _breathe_while(ended: Callable[[], bool]) -> Callable[[], None]:
        """Return what is called between two entries of a journal that is read: others come to their turn meanwhile."""

        def breathe() -> None:
            if ended():
                raise Stopped
            time.sleep(0)

        return breathe

    def _turn(self, name: str) -> Lock:
        """Return the lock under which the game of this name is opened and put away."""
        with self._lock:
            return self._turns.setdefault(name, Lock())

    def _path(self, name: str) -> Path:
        path = self.folder / f"{name}.jsonl"
        if not is_game_name(name) or not path.is_file() or path.is_symlink():
            raise NoSuchGame("there is no such game")
        return path

    def links(self, name: str) -> Links:
        """The links of a game, open or not; raises ZarebaError when there is no such game."""
        path, found = self._path(name), self._open.get(name)
        return Links(path) if found is None else found.links

    def _make_room(self) -> None:
        """Put away those that nobody watches, the longest unsought first, until one more has room."""
        with self._lock:
            idle = [name for name, game in self._open.items() if not game.watched]
            idle.sort(key=lambda name: self._open[name].sought)
            chosen = idle[: max(0, len(self._open) - self._most + 1)]
        for name in chosen:
            with self._turn(name):
                with self._lock:
                    game = self._open.get(name)
                    if game is None or game.watched:
                        continue
                    del self._open[name]
                game.put_away()

    def saved(self) -> Sequence[Saved]:
        """List the journals of the folder, the last one first."""
        paths = self.folder.glob("*.jsonl") if self.folder.is_dir() else ()
        found = self._index.games([path for path in paths if is_game_name(path.stem) and not path.is_symlink()])
        listed = [
            Saved(path.stem, one) if isinstance(one, Kept) else Saved(path.stem, None, one)
            for path, one in found.items()
        ]
        return sorted(listed, key=lambda one: -(one.game.when if one.game else 0.0))

    def end_streams(self) -> None:
        """Let every stream come to its end: the server stops."""
        self.ending = True
        for game in list(self._open.values()):
            game.wake()

    def close(self) -> None:
        """Close all journals; every game can be gone on with."""
        with self._lock:
            games = list(self._open.values())
            self._open.clear()
        for game in games:
            game.put_away()
