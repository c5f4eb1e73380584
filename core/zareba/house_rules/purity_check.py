"""Find and block house-rule code that reaches outside the game: its own random numbers, the clock, files, programs, the
network.

A game must go the same way every time it is replayed. Forbidden names in the text of a house rule are found before any
of it runs. Forbidden actions of libraries are blocked while it runs. Both checks catch mistakes, not malice: anyone
who plays with a Python rule runs it on their own machine.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator
from threading import get_ident
from types import FrameType
from typing import Any

from zareba.base.errors import Problem, ZarebaError
from zareba.house_rules.source_check import CHANCE, called_name, library_chance, module_memory, swallowed_stops

__all__ = ["MODULES", "ImpureRule", "find_impure_names", "impurity_problems", "watch_imports"]

MODULES = "zareba_house_rule_"
"""The prefix of the module names of house rules written in Python."""
BY_SETTING = "use a setting for input (zareba_settings) and a StateVariable for storage (zareba_state)"
CLOCK = "reads the clock, but a replay must give the same game; count turns (zareba_turn)"
FILES = f"reaches for files; {BY_SETTING}"
SYSTEM = f"reaches outside the game; {BY_SETTING}"
PROGRAMS = "starts or ends programs, which no rule may do; report events with table.emit"
NETWORK = f"reaches for the network; {BY_SETTING}"
BESIDE = "runs in parallel to the game, which cannot track it; use a hook of play (zareba_turn, zareba_step)"
UNSEEN = "runs code that cannot be checked; write it out"

IMPORTED = {
    **dict.fromkeys(("random", "secrets", "uuid"), CHANCE),
    **dict.fromkeys(("time", "datetime", "timeit"), CLOCK),
    **dict.fromkeys(("io", "glob", "shutil", "tempfile", "pathlib", "fileinput", "linecache", "sqlite3", "mmap"), FILES),
    **dict.fromkeys(("os", "posix", "nt", "sys", "platform", "builtins", "gc", "locale", "getpass"), SYSTEM),
    **dict.fromkeys(("subprocess", "signal", "ctypes", "pty", "faulthandler", "atexit", "resource"), PROGRAMS),
    **dict.fromkeys(("socket", "urllib", "requests", "http", "ssl", "httpx", "ftplib", "smtplib", "webbrowser"), NETWORK),
    **dict.fromkeys(("threading", "multiprocessing", "asyncio", "concurrent", "sched"), BESIDE),
    **dict.fromkeys(("importlib", "runpy", "pickle", "code", "codeop"), "runs code that cannot be checked; import it by its name"),
}  # fmt: skip
CALLED = {
    "open": f"reads or writes a file; {BY_SETTING}",
    "input": "asks without the table; use table.choose",
    "print": "writes to the terminal; report events with table.emit",
    "eval": UNSEEN,
    "exec": UNSEEN,
    "compile": UNSEEN,
    "__import__": "reaches outside the game; import modules by name",
    "id": "differs in every game; identify things by their ids",
    "hash": "gives another number for the same text after every start of zareba; compare and sort by the text itself",
}
SHOWN = frozenset({"print", "id", "hash"})
"""Functions that may be called while a rule is being written. `zareba check` reports them; they do not break a game."""
REACHED = {"_exit": PROGRAMS, "__builtins__": UNSEEN, "__subclasses__": UNSEEN, "__globals__": UNSEEN}
"""Names and attributes that lead outside the game, wherever they come from."""

DONE = {
    **dict.fromkeys(("open", "os", "shutil", "glob", "tempfile", "sqlite3", "mmap"), FILES),
    **dict.fromkeys(("subprocess", "ctypes", "pty", "signal"), PROGRAMS),
    **dict.fromkeys(("socket", "urllib", "http", "ftplib", "smtplib", "webbrowser"), NETWORK),
    "time": "waits for the clock; a game advances by steps (zareba_step)",
}
"""Python audit events that are blocked, by their first word."""

ENGINE = frozenset(
    {"zareba", "zareba_rulesets", "importlib", "_frozen_importlib", "_frozen_importlib_external", "zipimport"}
)
"""Modules that may read files while a house rule runs: the engine, and Python's import system."""


class ImpureRule(ZarebaError):
    """A house rule made a library reach outside the game."""


def find_impure_names(text: str, leave: Collection[str] = ()) -> Iterator[tuple[int, int, str]]:
    """Yield the line, the column and the fault of each forbidden name in a Python text, except calls to `leave`.

    If `leave` is empty, also report state kept in the module and `except` clauses that swallow stops.
    """
    tree = ast.parse(text)
    yield from library_chance(tree)
    if not leave:
        yield from module_memory(tree)
        yield from swallowed_stops(tree)
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *[name.name for name in node.names if name.name in IMPORTED]]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if (name := node.func.id) in CALLED and name not in leave:
                yield node.lineno, node.col_offset + 1, f"{name}() {CALLED[name]}"
        elif (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and called_name(node.value) in ("override_values", "otherwise")
        ):
            yield (
                node.lineno,
                node.col_offset + 1,
                "override_values() alone does nothing; write 'with override_values(...):' around the code that reads the value",
            )
        elif isinstance(node, ast.Global):
            said = (
                f"'global {', '.join(node.names)}' is stored outside the game state; use a StateVariable (zareba_state)"
            )
            yield node.lineno, node.col_offset + 1, said
        elif isinstance(node, (ast.Attribute, ast.Name)):
            word = node.attr if isinstance(node, ast.Attribute) else node.id
            if word in REACHED:
                yield node.lineno, node.col_offset + 1, f"'{ast.unparse(node)}' {REACHED[word]}"
        for name in names:
            if said := IMPORTED.get(name.partition(".")[0], ""):
                assert isinstance(node, ast.stmt), "only statements import"
                yield node.lineno, node.col_offset + 1, f"'{name}' {said}"


def impurity_problems(name: str, file: Any, text: str) -> list[Problem]:
    """Return the faults that prevent a house rule from running; empty for a text with a syntax error, which Python
    reports itself.
    """
    try:
        found = list(find_impure_names(text, SHOWN))
    except (SyntaxError, ValueError):
        return []
    return [Problem(str(file), line, column, "", f"house rule '{name}': {said}") for line, column, said in found]


def watch_imports(running: Collection[int]) -> None:
    """From now on, block forbidden actions of house rules in the `running` threads."""

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        word = event.partition(".")[0]
        if word in DONE and get_ident() in running and _asked_by_a_rule():
            about = f" ({str(arguments[0])[:60]})" if arguments else ""
            raise ImpureRule(f"'{event}'{about} {DONE[word]}")

    sys.addaudithook(hear)


def _asked_by_a_rule() -> bool:
    """Return True if a house rule caused the current action, directly or through a library, and not the engine or an
    import.
    """
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        module = frame.f_globals.get("__name__") or ""
        if module.startswith(MODULES):
            return True
        if module.partition(".")[0] in ENGINE:
            return False
        frame = frame.f_back
    return False
