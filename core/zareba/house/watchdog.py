"""A watchdog over functions of house rules: one that does not come back within a stated time is broken off, and blamed.

It breaks off what runs in Python; a call that never comes back from a library written in C cannot be reached. A function that
catches what breaks it off, again and again, cannot be stopped within the process: then the process says so and ends.
"""

from __future__ import annotations

import ctypes
import os
import sys
from threading import Event, Lock, Thread, get_ident
from time import monotonic
from types import FrameType
from typing import NoReturn

from zareba.house import outside

__all__ = ["LIMIT", "Hangs", "rests", "runs"]

LIMIT = 60.0
"""Seconds that a function of a house rule may take, with all that it calls."""
LOOKS = 0.5
"""How often it is looked, in seconds."""
TRIES = 10
"""How often a function is broken off before the process ends."""

_running: dict[int, float] = {}
"""Since when the outermost function of a house rule runs, by thread."""
_lock = Lock()
_started = Event()


class Hangs(BaseException):
    """Thrown into a function that takes too long. No Exception, so that it is not swallowed."""


def runs() -> bool:
    """A function of a house rule begins; gives whether it is the outermost of its thread, for `rests`."""
    thread = get_ident()
    if thread in _running:
        return False
    _running[thread] = monotonic()
    if not _started.is_set():
        _start()
    return True


def rests() -> None:
    """The outermost has come back."""
    _running.pop(get_ident(), None)


def _start() -> None:
    with _lock:
        if not _started.is_set():
            _started.set()
            outside.watches(_running)
            Thread(target=_watch, name="zareba watchdog", daemon=True).start()


def _watch() -> None:
    pause, tries = Event(), dict[tuple[int, float], int]()
    while not pause.wait(LOOKS):
        for thread, since in list(_running.items()):
            if monotonic() - since > LIMIT and _running.get(thread) == since:
                tries[thread, since] = tries.get((thread, since), 0) + 1
                if tries[thread, since] > TRIES:
                    _end(thread)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Hangs))


def _end(thread: int) -> NoReturn:
    """End the process with a word on the house rule that runs in a thread. What was answered before is in the journal."""
    frame: FrameType | None = sys._current_frames().get(thread)
    while frame is not None and not str(frame.f_globals.get("__name__", "")).startswith(outside.MODULES):
        frame = frame.f_back
    where = f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame is not None else "a house rule"
    sys.stderr.write(
        f"{where}: the house rule does not come back, and catches every attempt to stop it ('except BaseException' or a bare "
        "'except'); zareba ends here, and the game is kept up to its last answer. Write 'except Exception' in the rule, or "
        "leave out its --house-rule.\n"
    )
    sys.stderr.flush()
    os._exit(1)
