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
from threading import BoundedSemaphore, Lock, RLock, Thread
from typing import Any, NamedTuple, TypeVar

from zareba.base.errors import ZarebaError
from zareba.base.filenames import is_game_name
from zareba.game import Game
from zareba.session import Correction, Replayed, Session, Settlement, earlier_history, open_session
from zareba.session.saved_games import GameIndex, SavedGame
from zareba.session.thinking import Thought
from zareba.table import Question, seat_of
from zareba.web.lobby.links import Links
from zareba.web.lobby.people import AWAY_AFTER, POLL_GRACE, People, Presence

Result = TypeVar("Result")

FIRST_SLICE = 0.06
"""Seconds that AI players may play before the page shows a person's own answer."""
_SLICE = 0.15
"""Seconds that AI players play in the background between two updates of the page."""
_GAP = 0.005
"""Seconds between two such slices, in which other threads can use the game."""
THINK = 1.0
"""Default number of seconds that an AI player may take for a choice."""
CHECKPOINT_AFTER = 40
"""Number of answers between checkpoints, and thus the most that opening a game has to replay."""
_OPENERS = 4
"""Number of games that can be opened at the same time."""
_THINKERS = BoundedSemaphore(1)
"""The searches of AI players that run at the same time. Python runs one thread at a time, so a second search would not
end sooner, and would slow the pages down.
"""
MOST_SPECTATORS = 500
"""Most streams of one game that show no seat."""
MOST_PER_SPECTATOR_LINK, MOST_PER_PLAYER_LINK = 200, 50
"""Most streams of one link: of one without a seat, and of one with a seat."""


class Proposal(NamedTuple):
    """A proposed umpire correction or draw: the seat that proposes it, the act, its description, and the seats that
    have agreed.
    """

    by: str
    act: Correction | Settlement
    words: str
    agreed: frozenset[str]


class _Stream(NamedTuple):
    """An open stream: the loop in which it runs, its link, and the seats that the link opens."""

    loop: asyncio.AbstractEventLoop
    link: str
    seats: frozenset[str]


class Stopped(BaseException):
    """Raised to stop reading a game when the server ends."""


class SeatPage(NamedTuple):
    """The latest page of viewers who cannot see everything.

    It tells whether the page of these viewers has changed: a change that they cannot see must not show.
    """

    version: int
    question_version: int
    """The version in which `question` appeared."""
    digest: str
    """The digest of the contents."""
    question: Question | None


class NoSuchGame(ZarebaError):
    """Raised if the folder has no journal of this name."""


class OpenGame:
    """A game in play. `version` grows with every change; hold `lock` when using the session.

    Versions start at the current time, so that they never repeat after a restart. `asked_since` is the first version
    with the pending question, and `seat_pages` has the latest page of each seat that cannot see everything.
    `last_full_versions` has the last version announced or sent to each seat while nothing was hidden from it.
    `people_version` grows when the people at the table change: who is online, chat, names, turns.

    `thinking` is True while AI players play in the background, and `thinker` is the search of one of them. `trouble` is
    the reason why play stopped, "" if it did not; `broken` is the reason why the game can never continue. `cache` holds
    results for the present version (`cached`), and `acts` finished acts (`zareba.web.seat.acts`). `last_access` is a
    monotonic time.
    """

    def __init__(self, name: str, path: Path, session: Session, think: float | None = THINK) -> None:
        self.name = name
        self.path = path
        self.session = session
        session.think = think
        self.links = Links(path)
        self.lock = RLock()
        self.first_version = self.version = self.asked_since = int(1e6 * time.time())
        self.seat_pages: dict[frozenset[str], SeatPage] = {}
        self.last_full_versions: dict[frozenset[str], int] = {}
        self._last_question = session.pending
        self.trouble = self.broken = ""
        self.closed = False
        self._checkpoint_at = session.recorded
        self.thinking = False
        self.thinker: Thought | None = None
        self.cache: dict[Any, Any] = {}
        self.acts: dict[Any, Any] = {}
        self.last_access = time.monotonic()
        self.proposal: Proposal | None = None
        self._drawings: dict[Any, tuple[Any, Any]] = {}
        self.people = People(path)
        self.people_version = self.first_version
        self._presence = Presence()
        self._announced: tuple[frozenset[str], int] = frozenset(), 0
        self._streams: dict[asyncio.Event, _Stream] = {}
        self._worker = ThreadPoolExecutor(1, thread_name_prefix=f"game {name}")

    @property
    def game(self) -> Game[Any]:
        """The game in play."""
        return self.session.game

    async def work(self, task: Callable[[], Result]) -> Result:
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

    def cached(self, key: Any, compute: Callable[[], Result]) -> Result:
        """Return a result shared by all viewers; it is computed once and cached until something changes."""
        if key not in self.cache:
            self.cache[key] = compute()
        result: Result = self.cache[key]
        return result

    def drawn(self, key: Any, shown: object, draw: Callable[[], Result]) -> Result:
        """Return a drawing that depends only on `shown`. Unlike a `cached` result it is kept until that changes,
        because many answers change nothing on the map.
        """
        last = self._drawings.get(key)
        if last is None or last[0] != shown:
            last = self._drawings[key] = shown, draw()
        result: Result = last[1]
        return result

    def propose(self, proposal: Proposal | None) -> None:
        """Set or clear the proposal that waits for agreement. Any move in the game also clears it."""
        with self.lock:
            self.proposal = proposal
            self._changed()

    def close(self) -> None:
        """Close the journal; the game is opened again at the next access."""
        with self.lock:
            self.closed = True
            self._save_checkpoint(least_entries=1)
            with suppress(ZarebaError):  # the journal matters more than a clock
                self.people.close()
            self.session.close()

    def replay_before_checkpoint(self, replayed: Replayed, on_entry: Callable[[], object]) -> None:
        """Replay the part before the checkpoint in the background, and put it before the rest.

        If it does not lead to the checkpoint, the game cannot continue.
        """
        try:
            earlier = earlier_history(replayed, on_entry)
            with self.lock:
                self.session.history.prepend(earlier)
                self._changed()
        except Stopped:
            return
        except ZarebaError as error:
            with self.lock:
                self.broken = self.trouble = f"this game cannot continue: {error}"
                self._changed()

    def save_first_checkpoint(self) -> None:
        """Save a checkpoint of a long game that was opened without one."""
        with self.lock:
            self._checkpoint_at = 0
            self._save_checkpoint()

    def _save_checkpoint(self, least_entries: int = CHECKPOINT_AFTER) -> None:
        """Save a checkpoint of a long game if the journal has at least `least_entries` more than at the last one."""
        recorded = self.session.recorded
        is_due = recorded - self._checkpoint_at >= least_entries
        if recorded >= CHECKPOINT_AFTER and is_due and self.session.save_checkpoint(self.path):
            self._checkpoint_at = recorded

    def play_on(self) -> None:
        """Let chance and AI players answer until a person must; `trouble` is the reason if they cannot.

        Long play continues in the background in short slices, so that people see their own answer at once.
        """
        with self.lock:
            self.trouble = self.broken
            if self.broken or self.thinking or self._play_for(FIRST_SLICE):
                return
            self.thinking = True
        Thread(target=self._play_in_background, name=f"playing {self.name}", daemon=True).start()

    def _play_in_background(self) -> None:
        while True:
            time.sleep(_GAP)
            with self.lock:
                thought = None if self.closed else self.session.thought()
                if thought is None and (self.closed or self._play_for(_SLICE)):
                    self.thinking = False
                    self._changed()
                    return
                if thought is not None:
                    self.thinker = thought
                    self._changed()
            if thought is not None:
                self._think(thought)

    def _think(self, thought: Thought) -> None:
        """Let an AI player search without the lock, so that the page answers meanwhile; then keep what it found."""
        try:
            with _THINKERS:
                thought.think()
        except Exception:
            logging.getLogger(__name__).exception("%s: the AI player %s failed", self.name, thought.player)
        with self.lock:
            self.thinker = None
            self.session.keep(thought)

    def decide_now(self) -> None:
        """Tell the AI player that is searching to decide by what it has found so far."""
        self.session.decide_now = True

    def _play_for(self, seconds: float) -> bool:
        """Play for some seconds; return True if nothing is left to play."""
        until = time.perf_counter() + seconds
        try:
            if self.session.needs_thought():
                return False
            return self.session.drive(enough=lambda: time.perf_counter() > until or self.session.needs_thought())
        except ZarebaError as error:
            self.trouble = str(error)
            return True
        except Exception as error:
            if not self.thinking:  # a request waits, and reports the error
                raise
            logging.getLogger(__name__).exception("%s stopped", self.name)
            self.trouble = f"zareba failed with {type(error).__name__}; every accepted answer is in the journal"
            return True
        finally:
            self._changed()

    def _changed(self) -> None:
        """Give the game a new version, and notify all viewers."""
        self.version += 1
        self.cache.clear()
        self._save_checkpoint()
        if self.session.pending is not self._last_question:
            self._last_question, self.asked_since = self.session.pending, self.version
        self._note_turn()
        self.wake()

    def _note_turn(self) -> None:
        """Tell the people at the table whose turn it is."""
        question = self.session.pending
        seat = (seat_of(question) or "") if question is not None else ""
        with suppress(ZarebaError):  # a full disk must not stop the game
            is_person = bool(seat) and self.session.asks_person() and not self.session.deputy_answers()
            progress = self._progress() if is_person else ""  # the list shows it only while it waits for a person
            is_new_turn = self.people.note_turn(seat, question, person=is_person, progress=progress)
            if is_new_turn or self.people.clock is not None:
                self.people_version += 1

    def _progress(self) -> str:
        """Return the turn and the phase of the pending question in words."""
        state = self.session.state
        phase = next((title for title, is_now in self.game.display.phases(state) if is_now), "setting up")
        turn = self.game.game_turn(state)
        return f"turn {turn}, {phase}" if turn else f"before turn 1, {phase}"

    def wake(self) -> None:
        """Make every stream of the game check for changes."""
        for change, stream in list(self._streams.items()):
            if not stream.loop.is_closed():
                stream.loop.call_soon_threadsafe(change.set)

    def add_stream(self, change: asyncio.Event, link: str = "", *, seats: Collection[str] = ()) -> bool:
        """Set `change`, an event of the running loop, whenever the game changes. Return False for one stream too many.

        `link` is the link of the stream, and `seats` are those that it opens. Watchers never take the place of
        players.
        """
        same_link = sum(stream.link == link for stream in list(self._streams.values()))
        if same_link >= (MOST_PER_PLAYER_LINK if seats else MOST_PER_SPECTATOR_LINK):
            return False
        if not seats and self.spectators >= MOST_SPECTATORS:
            return False
        self._streams[change] = _Stream(asyncio.get_running_loop(), link, frozenset(seats))
        self.announce_presence()
        return True

    def remove_stream(self, change: asyncio.Event) -> None:
        """Stop setting the event. The seats of the stream stay online for some seconds, because a page may reload."""
        stream = self._streams.pop(change, None)
        if stream is not None:
            self._stay_online(stream.seats, AWAY_AFTER)

    def note_poll(self, seats: Collection[str]) -> None:
        """Count some seats as online, because a page without a stream has asked for news. Call it in a running loop."""
        self._stay_online(seats, POLL_GRACE)
        self.announce_presence()

    def _stay_online(self, seats: Collection[str], seconds: float) -> None:
        self._presence.note(seats, seconds)
        asyncio.get_running_loop().call_later(seconds + 0.1, self.announce_presence)

    def online(self) -> frozenset[str]:
        """Return the seats whose people are online."""
        streams = list(self._streams.values())
        return self._presence.recent().union(*(stream.seats for stream in streams))

    @property
    def spectators(self) -> int:
        """The number of open streams without a seat."""
        return sum(not stream.seats for stream in list(self._streams.values()))

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
    def stream_count(self) -> int:
        """The number of open streams."""
        return len(self._streams)


class GameSummary(NamedTuple):
    """A game of the folder, or the reason why it cannot be continued."""

    name: str
    game: SavedGame | None
    trouble: str = ""


class Games:
    """The games of one folder. At most `most` are open at once; games without viewers are closed first.

    `trusted` returns the Python house rules that a journal may run: files that the owner has named. `think` is the
    number of seconds an AI player may take for a choice; None sets no limit. Each game has its own lock for opening
    and closing, so that a long one does not delay the others. `ending` is True once the server stops.
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
        self._reserved_paths: set[Path] = set()
        self._opening_locks: dict[str, Lock] = {}
        self._lock = Lock()
        self._openers = ThreadPoolExecutor(_OPENERS, thread_name_prefix="opening")
        self._opening: dict[tuple[asyncio.AbstractEventLoop, str], asyncio.Future[OpenGame]] = {}

    @contextmanager
    def new_path(self, scenario: str, ruleset: str) -> Iterator[Path]:
        """Reserve a free file name for a new journal."""
        with self._lock:
            self.folder.mkdir(parents=True, exist_ok=True)
            names = (self.folder / f"{scenario}-{ruleset}-{number}.jsonl" for number in count(1))
            path = next(path for path in names if path not in self._reserved_paths and not path.exists())
            self._reserved_paths.add(path)
        try:
            yield path
        finally:
            with self._lock:
                self._reserved_paths.discard(path)

    def add(self, path: Path, session: Session) -> OpenGame:
        """Add a newly started game."""
        game = OpenGame(path.stem, path, session, self._think)
        self._close_idle_games()
        with self._lock:
            self._open[game.name] = game
        game.play_on()
        return game

    def get_if_open(self, name: str) -> OpenGame | None:
        """Return the game if it is open, without waiting."""
        game = self._open.get(name)
        if game is not None:
            game.last_access = time.monotonic()
        return game

    async def open_async(self, name: str) -> OpenGame:
        """Return the game as `open` does. Simultaneous requests share one thread."""
        if (game := self.get_if_open(name)) is not None:
            return game
        loop = asyncio.get_running_loop()
        key = loop, name
        if (opening := self._opening.get(key)) is None:
            opening = self._opening[key] = loop.run_in_executor(self._openers, self.open, name)
            opening.add_done_callback(lambda _: self._opening.pop(key, None))
        return await asyncio.shield(opening)  # a request that is cancelled must not cancel the others

    def open(self, name: str) -> OpenGame:
        """Return the game, opened from its journal if necessary. Raises ZarebaError if that fails."""
        if (game := self.get_if_open(name)) is not None:
            return game
        path = self._path(name)
        with self._opening_lock(name):
            if (game := self.get_if_open(name)) is not None:  # another thread has opened it meanwhile
                return game
            let_others_run = self._yield_to_threads_until(lambda: self.ending)
            replayed = open_session(path, house_rules=self.trusted(path), shortcut=True, on_entry=let_others_run)
            game = OpenGame(name, path, replayed.session, self._think)
            self._close_idle_games()
            with self._lock:
                self._open[name] = game
        if replayed.checkpoint is None:
            game.save_first_checkpoint()
        else:
            opened = game
            let_others_run = self._yield_to_threads_until(lambda: self.ending or opened.closed)
            arguments = replayed, let_others_run
            Thread(target=game.replay_before_checkpoint, args=arguments, name=f"reading {name}", daemon=True).start()
        game.play_on()
        return game

    @staticmethod
    def _yield_to_threads_until(ended: Callable[[], bool]) -> Callable[[], None]:
        """Return a function for the pauses between two journal entries: it lets other threads run.

        It raises Stopped once `ended` returns True.
        """

        def let_others_run() -> None:
            if ended():
                raise Stopped
            time.sleep(0)

        return let_others_run

    def _opening_lock(self, name: str) -> Lock:
        """Return the lock for opening and closing the game of this name."""
        with self._lock:
            return self._opening_locks.setdefault(name, Lock())

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

    def _close_idle_games(self) -> None:
        """Close games without viewers, the least recently used first, until there is room for one more."""
        with self._lock:
            idle = [name for name, game in self._open.items() if not game.stream_count]
            idle.sort(key=lambda name: self._open[name].last_access)
            chosen = idle[: max(0, len(self._open) - self._most + 1)]
        for name in chosen:
            with self._opening_lock(name):
                with self._lock:
                    game = self._open.get(name)
                    if game is None or game.stream_count:
                        continue
                    del self._open[name]
                game.close()

    def saved(self) -> Sequence[GameSummary]:
        """Return the journals of the folder, the newest first."""
        paths = self.folder.glob("*.jsonl") if self.folder.is_dir() else ()
        found = self._index.games([path for path in paths if is_game_name(path.stem) and not path.is_symlink()])
        listed = [
            GameSummary(path.stem, entry) if isinstance(entry, SavedGame) else GameSummary(path.stem, None, entry)
            for path, entry in found.items()
        ]
        return sorted(listed, key=lambda entry: -(entry.game.when if entry.game else 0.0))

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
            game.close()
