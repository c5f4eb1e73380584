"""The people at a table: their names, who is online, chat, clocks, and whose turn it is.

All of it is in a small file next to the journal. The journal and the rules know nothing of it.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ValidationError

from zareba.base.errors import ZarebaError
from zareba.base.filenames import write_atomically
from zareba.base.hidden_characters import is_one_line

MOST_NAME, MOST_LINE, MOST_LINES = 24, 300, 400
"""Most characters of a name and of a chat line, and most lines kept."""
AWAY_AFTER, POLL_GRACE = 5.0, 60.0
"""Seconds for which a seat counts as online after its last stream ended, and after its last poll."""


class ChatLine(BaseModel):
    """A line of chat: when it was sent (seconds since the epoch), by which seat, under which name."""

    at: float
    seat: str
    name: str
    text: str


class Clock(BaseModel):
    """The clock of a game: `seconds` for all choices of a seat together, or for each choice.

    `used` are the seconds used so far by each seat, `pardoned` the seats whose time no longer counts.
    """

    kind: Literal["total", "choice"]
    seconds: int
    used: dict[str, float] = {}
    pardoned: list[str] = []


class _PeopleFile(BaseModel):
    """The contents of the file. `turn` is the seat that must answer, `since` when its turn began, and `progress` the
    turn and phase of its question in words.

    `rematch_wanted` are the seats that have asked for a rematch, `rematch` is the name of that game.
    """

    names: dict[str, str] = {}
    chat: list[ChatLine] = []
    turn: str = ""
    since: float = 0.0
    progress: str = ""
    clock: Clock | None = None
    rematch_wanted: list[str] = []
    rematch: str = ""


class People:
    """The people at one table. Not thread-safe; hold the lock of the game."""

    def __init__(self, journal: Path) -> None:
        self._path = journal.with_suffix(".people.json")
        self._file = _read(self._path)
        self._clock_start: float | None = None  # monotonic time since which the clock of `turn` runs
        self._question: object = None

    @property
    def names(self) -> Mapping[str, str]:
        """The name that the person at each seat has chosen."""
        return self._file.names

    @property
    def chat(self) -> list[ChatLine]:
        """The lines of chat, the oldest first."""
        return self._file.chat

    @property
    def turn(self) -> str:
        """The seat that must answer; "" if none."""
        return self._file.turn

    @property
    def since(self) -> float:
        """The time when the present turn began, in seconds since the epoch."""
        return self._file.since

    @property
    def progress(self) -> str:
        """The turn and phase of the pending question, such as "turn 3, step 1: rally"; "" if not known."""
        return self._file.progress

    @property
    def clock(self) -> Clock | None:
        """The clock of the game, if it has one."""
        return self._file.clock

    @property
    def rematch(self) -> str:
        """The name of the rematch; "" if there is none."""
        return self._file.rematch

    @property
    def rematch_wanted(self) -> list[str]:
        """The seats that have asked for a rematch."""
        return self._file.rematch_wanted

    def set_names(self, names: Mapping[str, str]) -> None:
        """Set the names of several seats."""
        self._file.names |= names
        self._write()

    def rename(self, seats: Collection[str], name: str) -> None:
        """Set the name of the person at some seats; "" removes it. Raises ZarebaError for an unsuitable name."""
        if len(name) > MOST_NAME or not is_one_line(name):
            raise ZarebaError(f"a name is one line of up to {MOST_NAME} characters")
        for seat in seats:
            self._file.names.pop(seat, None)
            if name:
                self._file.names[seat] = name
        self._write()

    def say(self, seat: str, name: str, text: str) -> None:
        """Add a line of chat. Raises ZarebaError for an unsuitable one."""
        if not text or len(text) > MOST_LINE or not is_one_line(text):
            raise ZarebaError(f"a chat message is one line of up to {MOST_LINE} characters")
        self._file.chat = [*self._file.chat, ChatLine(at=time.time(), seat=seat, name=name, text=text)][-MOST_LINES:]
        self._write()

    def set_clock(self, clock: Clock | None) -> None:
        """Set the clock of a new game."""
        self._file.clock = clock
        self._write()

    def want_rematch(self, seats: Collection[str]) -> None:
        """Note that the people at some seats want a rematch."""
        self._file.rematch_wanted = [*dict.fromkeys([*self._file.rematch_wanted, *seats])]
        self._write()

    def note_rematch(self, name: str) -> None:
        """Note the name of the rematch."""
        self._file.rematch = name
        self._write()

    # --- whose turn it is, and the clock ------------------------------------------------------------------------------

    def note_turn(self, seat: str, question: object, *, person: bool, progress: str = "") -> bool:
        """Note the seat that must answer, its question, and the turn and phase in words.

        Return True if the turn passed to another seat.

        The clock runs only for people, and only while the server runs.
        """
        if question is self._question and seat == self._file.turn:
            return False
        self._stop_clock()
        self._question = question
        self._clock_start = time.monotonic() if person else None
        is_new_turn = seat != self._file.turn
        if is_new_turn:
            self._file.turn, self._file.since = seat, time.time()
        if is_new_turn or progress != self._file.progress:
            self._file.progress = progress
            self._write()
        return is_new_turn

    def _stop_clock(self) -> None:
        """Stop the clock, and add the time that it ran to the time used by the seat that had to answer."""
        clock = self._file.clock
        if clock is not None and clock.kind == "total" and self._clock_start is not None:
            elapsed = time.monotonic() - self._clock_start
            clock.used[self._file.turn] = clock.used.get(self._file.turn, 0.0) + elapsed
        self._clock_start = None

    def seconds_left(self, seat: str) -> float | None:
        """Return the seconds left on the clock of a seat, below 0 if it is out of time; None without a clock."""
        clock = self._file.clock
        if clock is None or seat in clock.pardoned:
            return None
        running = 0.0
        if self._clock_start is not None and seat == self._file.turn:
            running = time.monotonic() - self._clock_start
        return clock.seconds - clock.used.get(seat, 0.0) - running

    @property
    def clock_runs(self) -> bool:
        """True while the clock of the seat that must answer runs."""
        return self._file.clock is not None and self._clock_start is not None

    def stop_clock_of(self, seat: str) -> None:
        """Let a seat that is out of time play on without a clock."""
        if self._file.clock is not None and seat not in self._file.clock.pardoned:
            self._file.clock.pardoned.append(seat)
            self._write()

    def close(self) -> None:
        """Save the time used so far; it is counted on when the game is opened again."""
        if self._file.clock is not None:
            self._stop_clock()
            self._write()
        self._question = None

    def _write(self) -> None:
        try:
            write_atomically(self._path, self._file.model_dump_json(), private=True, durable=False)
        except OSError as error:
            raise ZarebaError(f"{self._path.name} cannot be written: {error.strerror}") from error


def _read(path: Path) -> _PeopleFile:
    """Return the contents of the file; those of a new game if it is missing or damaged."""
    try:
        return _PeopleFile.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, ValidationError):
        return _PeopleFile()


def read_clock(kind: str, minutes: str) -> Clock | None:
    """Return the clock that a form asks for; None for no clock. Raises ZarebaError for an impossible one."""
    if kind in ("", "none"):
        return None
    kinds: dict[str, Literal["total", "choice"]] = {"total": "total", "choice": "choice"}
    if kind not in kinds:
        raise ZarebaError("a clock counts the total time of a side, or the time for each choice")
    try:
        seconds = round(60 * float(minutes))
    except (ValueError, OverflowError):
        seconds = 0  # refused below
    if not 10 <= seconds <= 24 * 3600:
        raise ZarebaError("a clock has from 10 seconds (0.17 minutes) to 24 hours (1440 minutes)")
    return Clock(kind=kinds[kind], seconds=seconds)


class Presence:
    """The seats that are online: those with an open stream, and those that asked for news a short time ago."""

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def note(self, seats: Collection[str], seconds: float) -> None:
        """Count some seats as online for a number of seconds."""
        until = time.monotonic() + seconds
        self._until |= {seat: max(until, self._until.get(seat, 0.0)) for seat in seats}

    def recent(self) -> frozenset[str]:
        """Return the seats that count as online without a stream."""
        now = time.monotonic()
        return frozenset(seat for seat, until in self._until.items() if until > now)
