"""A watchdog for house rules: a function that runs too long is stopped with an error that names the house rule.

It can stop Python code only; a call that never returns from a C library cannot be interrupted. If a function catches
every attempt to stop it, the process prints an error and exits.
"""

from __future__ import annotations

import ctypes
import os
import sys
from threading import Event, Lock, Thread, get_ident
from time import monotonic
from types import FrameType
from typing import NoReturn

from zareba.house_rules import purity_check

__all__ = ["LIMIT", "RuleTimeout", "start_watch", "stop_watch"]

LIMIT = 60.0
"""Longest time that a function of a house rule may take, in seconds, including everything it calls."""
LOOKS = 0.5
"""Time between two checks, in seconds."""
TRIES = 10
"""The number of attempts to stop a function before the process exits."""

_running: dict[int, float] = {}
"""The start time of the outermost house-rule function, by thread."""
_lock = Lock()
_started = Event()


class RuleTimeout(BaseException):
    """Raised inside a function that takes too long. It is not an Exception, so that a house rule cannot swallow it."""


def start_watch() -> bool:
    """Start to time a house-rule function; return True if it is the outermost of its thread, which must then call
    `stop_watch`.
    """
    thread = get_ident()
    if thread in _running:
        return False
    _running[thread] = monotonic()
    if not _started.is_set():
        _start()
    return True


def stop_watch() -> None:
    """Stop timing: the outermost function has returned."""
    _running.pop(get_ident(), None)


def _start() -> None:
    with _lock:
        if not _started.is_set():
            _started.set()
            purity_check.watch_imports(_running)
            Thread(target=_watch, name="zareba watchdog", daemon=True).start()


def _watch() -> None:
    pause, tries = Event(), dict[tuple[int, float], int]()
    while not pause.wait(LOOKS):
        for thread, since in list(_running.items()):
            if monotonic() - since > LIMIT and _running.get(thread) == since:
                tries[thread, since] = tries.get((thread, since), 0) + 1
                if tries[thread, since] > TRIES:
                    _end(thread)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(RuleTimeout))


def _end(thread: int) -> NoReturn:
    """Exit the process with an error that names the house rule in a thread. Earlier answers are already in the
    journal.
    """
    frame: FrameType | None = sys._current_frames().get(thread)
    while frame is not None and not str(frame.f_globals.get("__name__", "")).startswith(purity_check.MODULES):
        frame = frame.f_back
    where = f"{frame.f_code.co_filename}:{frame.f_lineno}" if frame is not None else "a house rule"
    sys.stderr.write(
        f"{where}: the house rule does not return, and catches every attempt to stop it ('except BaseException' or a bare "
        "'except'); zareba exits now; the game is saved up to its last answer. Write 'except Exception' in the rule, or "
        "leave out its --house-rule.\n"
    )
    sys.stderr.flush()
    os._exit(1)
