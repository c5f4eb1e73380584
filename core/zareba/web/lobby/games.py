"""The games of a server: sessions opened from their journals on demand."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from threading import Lock, RLock, Thread
from typing import Any, NamedTuple, TypeVar

from zareba.base.errors import ZarebaError
from zareba.base.filenames import is_game_name
from zareba.game import Game
from zareba.session import Correction, Replayed, Session, Settlement, earlier_history, open_session
from zareba.session.saved_games import GameIndex, SavedGame
from zareba.table import Question, seat_of
from zareba.web.lobby.links import Links
from zareba.web.lobby.people import AWAY_AFTER, POLL_GRACE, People, Presence

Made = TypeVar("Made")

AT_ONCE, _SLICE, _GAP = 0.06, 0.15, 0.005
"""Seconds of AI play before a person's answer is shown, between two page updates, and pause for other threads."""
THINK = 1.0
"""Default number of seconds that an AI player may take for a choice."""
CHECKPOINT_AFTER = 40
"""Number of answers between checkpoints, and thus the most that opening a game has to replay."""
_OPENERS = 4
"""Number of games that can be opened at the same time."""
MOST_WATCHING, MOST_OF_LINK, MOST_OF_SEAT = 500, 200, 50
"""Most streams of one game, by kind: all watchers, one watching link, one link with a seat."""


class Proposal(NamedTuple):
    """A proposed umpire correction or draw: the seat that proposes it, the act, its description, and the seats that have
    agreed.
    """

    by: str
    act: Correction | Settlement
    words: str
    agreed: frozenset[str]


class _Watcher(NamedTuple):
    """An open stream: the loop in which it runs, its link, and the seats that the link opens."""

    loop: asyncio.AbstractEventLoop
    link: str
    seats: frozenset[str]


class Stopped(BaseException):
    """Raised to stop reading a game when the server ends."""


class Face(NamedTuple):
    """The page state of viewers who cannot see everything: its version, the version in which its question appeared, and
    its digest.
    """

    version: int
    asks: int
    digest: str
    question: Question | None


class NoSuchGame(ZarebaError):
    """Raised if the folder has no journal of this name."""


class OpenGame:
    """A game in play. `version` grows with every change; hold `lock` when using the session.

    Versions start at the current time, so that they never repeat after a restart. `asked_since` is the first version
    with the pending question. `faces` holds the page states of seats that cannot see everything. `thinking` is True
    while AI players play in the background. `cache` holds results for this version (`once`), and `acts` finished acts
    (`zareba.web.seat.acts`). `sought` is the time of the last access. `people_version` grows when the people at the
    table change: who is online, chat, names, turns.
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
        self.cache: dict[Any, Any] = {}
        self.acts: dict[Any, dict[str, Any]] = {}
        self.sought = time.monotonic()
        self.proposal: Proposal | None = None
        self.ground: tuple[tuple[Any, ...], str, str] = ((), "", "")
        self.people = People(path)
        self.people_version = self.began
        self._presence = Presence()
        self._announced: tuple[frozenset[str], int] = frozenset(), 0
        self._watchers: dict[asyncio.Event, _Watcher] = {}
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=f"game {name}")

    @property
    def game(self) -> Game[Any]:
        """The game in play."""
        return self.session.game

    async def work(self, task: Callable[[], Made]) -> Made:
        """Run a task in this game's own thread, so that waiting for one game does not block another."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, task)

    def change(self, act: Callable[[Session], object]) -> None:
        """Change the session, let the AI players continue, and notify all viewers.

        Raises ZarebaError with nothing changed if the session refuses.
        """
        with self.lock:
            if self.closed:
                raise ZarebaError("this game was just closed; try again")
            if self.broken:
                raise ZarebaError(self.broken)
            act(self.session)
            self.proposal = None
            self.play_on()

    def once(self, key: Any, make: Callable[[], Made]) -> Made:
        """Return a result shared by all viewers; it is computed once and cached until something changes."""
        if key not in self.cache:
            self.cache[key] = make()
        made: Made = self.cache[key]
        return made

    def propose(self, proposal: Proposal | None) -> None:
        """Set or clear the proposal that waits for agreement. Any move in the game also clears it."""
        with self.lock:
            self.proposal = proposal
            self._changed()

    def put_away(self) -> None:
        """Close the journal; the game is opened again at the next access."""
        with self.lock:
            self.closed = True
            self._keep_checkpoint(1)
            with suppress(ZarebaError):  # the journal matters more than a clock
                self.people.close()
            self.session.close()

    def read_earlier(self, replayed: Replayed, breathe: Callable[[], object]) -> None:
        """Replay the part before the checkpoint in the background, and put it before the rest.

        If it does not lead to the checkpoint, the game cannot continue.
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
                self.broken = self.trouble = f"this game cannot continue: {error}"
                self._changed()

    def keep_first_checkpoint(self) -> None:
        """Save a checkpoint of a long game that was opened without one."""
        with self.lock:
            self._kept_at = 0
            self._keep_checkpoint(CHECKPOINT_AFTER)

    def _keep_checkpoint(self, after: int) -> None:
        """Save a checkpoint of a long game if at least `after` entries were added since the last one."""
        recorded = self.session.recorded
        if recorded >= CHECKPOINT_AFTER and recorded - self._kept_at >= after:
            self._kept_at = recorded if self.session.keep_checkpoint(self.path) else self._kept_at

    def play_on(self) -> None:
        """Let chance and AI players answer until a person must; `trouble` is the reason if they cannot.

        Long computations continue in the background in short slices, so that people see their own answer at once.
        """
        with self.lock:
            self.trouble = self.broken
            if self.broken or self.thinking or self._play_for(AT_ONCE):
                return
            self.thinking = True
        Thread(target=self._play_behind, name=f"playing {self.name}", daemon=True).start()

    def _play_behind(self) -> None:
        while True:
            time.sleep(_GAP)
            with self.lock:
                if self.closed or self._play_for(_SLICE):
                    self.thinking = False
                    self._changed()
                    return

    def _play_for(self, seconds: float) -> bool:
        """Play for some seconds; return True if nothing is left to play."""
        until = time.perf_counter() + seconds
        try:
            return self.session.drive(enough=lambda: time.perf_counter() > until)
        except ZarebaError as error:
            self.trouble = str(error)
            return True
        except Exception as error:
            if not self.thinking:
                raise
            logging.getLogger(__name__).exception("%s stopped", self.name)
            self.trouble = f"zareba failed with {type(error).__name__}; every accepted answer is in the journal"
            return True
        finally:
            self._changed()

    def _changed(self) -> None:
        self.version += 1
        self.cache.clear()
        self._keep_checkpoint(CHECKPOINT_AFTER)
        if self.session.pending is not self._asked:
            self._asked, self.asked_since = self.session.pending, self.version
        self._follow_turn()
        self.wake()

    def _follow_turn(self) -> None:
        """Note whose turn it is."""
        question = self.session.pending
        seat = (seat_of(question) or "") if question is not None else ""
        with suppress(ZarebaError):  # a full disk must not stop the game
            passed = self.people.follow(seat, question, person=bool(seat) and self.session.asks_person())
            if passed or self.people.clock is not None:
                self.people_version += 1

    def wake(self) -> None:
        """Make every stream of the game check for changes."""
        for change, watcher in list(self._watchers.items()):
            if not watcher.loop.is_closed():
                watcher.loop.call_soon_threadsafe(change.set)

    def watch(self, change: asyncio.Event, link: str = "", *, seats: Collection[str] = ()) -> bool:
        """Set an event of the running loop at every change of the game; return False if there are too many streams.

        `link` is the link of the stream, and `seats` are those that it opens. Watchers never take the place of
        players.
        """
        others = list(self._watchers.values())
        of_link = sum(one.link == link for one in others)
        watching = sum(not one.seats for one in others)
        if of_link >= (MOST_OF_SEAT if seats else MOST_OF_LINK) or (not seats and watching >= MOST_WATCHING):
            return False
        self._watchers[change] = _Watcher(asyncio.get_running_loop(), link, frozenset(seats))
        self.announce_presence()
        return True

    def leave(self, change: asyncio.Event) -> None:
        """Stop setting the event. The seats of the stream stay online for some seconds: a page may only reload."""
        watcher = self._watchers.pop(change, None)
        if watcher is not None:
            self._stay_online(watcher.seats, AWAY_AFTER)

    def note_poll(self, seats: Collection[str]) -> None:
        """Count some seats as online, because a page without a stream has asked for news. Call it in a running loop."""
        self._stay_online(seats, POLL_GRACE)
        self.announce_presence()

    def _stay_online(self, seats: Collection[str], seconds: float) -> None:
        self._presence.note(seats, seconds)
        asyncio.get_running_loop().call_later(seconds + 0.1, self.announce_presence)

    def online(self) -> frozenset[str]:
        """Return the seats whose people are online."""
        streams = list(self._watchers.values())
        return self._presence.recent().union(*(one.seats for one in streams))

    @property
    def spectators(self) -> int:
        """The number of open streams without a seat."""
        return sum(not one.seats for one in list(self._watchers.values()))

    def announce_presence(self) -> None:
        """Notify all pages if a person has come online or left."""
        now = self.online(), self.spectators
        if now != self._announced:
            self._announced = now
            self.announce_people()

    def announce_people(self) -> None:
        """Notify all pages that the people at the table have changed."""
        self.people_version += 1
        self.wake()

    @property
    def watched(self) -> int:
        """The number of open streams."""
        return len(self._watchers)


class GameSummary(NamedTuple):
    """A game of the folder, or the reason why it cannot be continued."""

    name: str
    game: SavedGame | None
    trouble: str = ""


class Games:
    """The games of one folder. At most `most` are open at once; games without viewers are closed first.

    `trusted` returns the Python house rules that a journal may run: files that the owner has named. `think` is the
    number of seconds an AI player may take for a choice; None sets no limit. Each game has its own lock for opening
    and closing, so that a long one does not delay the others.
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
        self.trusted = trusted
        self._most = most
        self._think = think
        self._index = GameIndex(folder)
        self._open: dict[str, OpenGame] = {}
        self._new: set[Path] = set()
        self._turns: dict[str, Lock] = {}
        self._lock = Lock()
        self._openers = ThreadPoolExecutor(_OPENERS, thread_name_prefix="opening")
        self._coming: dict[tuple[asyncio.AbstractEventLoop, str], asyncio.Future[OpenGame]] = {}

    @contextmanager
    def new_path(self, scenario: str, ruleset: str) -> Iterator[Path]:
        """Reserve a free file name for a new journal."""
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
        """Add a newly started game."""
        game = OpenGame(path.stem, path, session, self._think)
        self._make_room()
        with self._lock:
            self._open[game.name] = game
        game.play_on()
        return game

    def at_hand(self, name: str) -> OpenGame | None:
        """Return the game if it is open, without waiting."""
        found = self._open.get(name)
        if found is not None:
            found.sought = time.monotonic()
        return found

    async def opened(self, name: str) -> OpenGame:
        """Return the game as `at` does. Simultaneous requests share one thread."""
        if (found := self.at_hand(name)) is not None:
            return found
        loop = asyncio.get_running_loop()
        key = loop, name
        if (coming := self._coming.get(key)) is None:
            coming = self._coming[key] = loop.run_in_executor(self._openers, self.at, name)
            coming.add_done_callback(lambda _: self._coming.pop(key, None))
        return await asyncio.shield(coming)  # a request that is cancelled must not cancel the others

    def at(self, name: str) -> OpenGame:
        """Return the game, opened from its journal if necessary. Raises ZarebaError if that fails."""
        if (found := self.at_hand(name)) is not None:
            return found
        path = self._path(name)
        with self._turn(name):
            if (found := self.at_hand(name)) is not None:
                return found
            replayed = open_session(
                path, house_rules=self.trusted(path), shortcut=True, breathe=self._breathe_while(lambda: self.ending)
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
        """Return the function that is called between two journal entries; it lets other threads run."""

        def breathe() -> None:
            if ended():
                raise Stopped
            time.sleep(0)

        return breathe

    def _turn(self, name: str) -> Lock:
        """Return the lock for opening and closing the game of this name."""
        with self._lock:
            return self._turns.setdefault(name, Lock())

    def _path(self, name: str) -> Path:
        path = self.folder / f"{name}.jsonl"
        if not is_game_name(name) or not path.is_file() or path.is_symlink():
            raise NoSuchGame("there is no such game")
        return path

    def links(self, name: str) -> Links:
        """Return the links of a game, open or not. Raises ZarebaError if there is no such game."""
        path, found = self._path(name), self._open.get(name)
        return Links(path) if found is None else found.links

    def people(self, name: str) -> People:
        """Return the people at the table of a game, open or not. Raises ZarebaError if there is no such game."""
        path, found = self._path(name), self._open.get(name)
        return People(path) if found is None else found.people

    def _make_room(self) -> None:
        """Close games without viewers, the least recently used first, until there is room for one more."""
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

    def saved(self) -> Sequence[GameSummary]:
        """Return the journals of the folder, the newest first."""
        paths = self.folder.glob("*.jsonl") if self.folder.is_dir() else ()
        found = self._index.games([path for path in paths if is_game_name(path.stem) and not path.is_symlink()])
        listed = [
            GameSummary(path.stem, one) if isinstance(one, SavedGame) else GameSummary(path.stem, None, one)
            for path, one in found.items()
        ]
        return sorted(listed, key=lambda one: -(one.game.when if one.game else 0.0))

    def end_streams(self) -> None:
        """End every stream, because the server stops."""
        self.ending = True
        for game in list(self._open.values()):
            game.wake()

    def close(self) -> None:
        """Close all journals; every game can be continued later."""
        with self._lock:
            games = list(self._open.values())
            self._open.clear()
        for game in games:
            game.put_away()
