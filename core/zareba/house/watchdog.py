"""A watchdog over functions of house rules: one that does not come back within a stated time is broken off, and blamed.

It breaks off what runs in Python; a call that never comes back from a library written in C cannot be reached.
"""

from __future__ import annotations

import ctypes
from threading import Event, Lock, Thread, get_ident
from time import monotonic

from zareba.house import outside

__all__ = ["LIMIT", "Hangs", "rests", "runs"]

LIMIT = 60.0
"""Seconds that a function of a house rule may take, with all that it calls."""
LOOKS = 0.5
"""How often it is looked, in seconds."""

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
    pause = Event()
    while not pause.wait(LOOKS):
        for thread, since in list(_running.items()):
            if monotonic() - since > LIMIT and _running.get(thread) == since:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Hangs))
