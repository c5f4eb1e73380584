"""What reaches outside the game: chance of its own, the clock, files, other programs, the network, what is remembered elsewhere.

A game must go the same way whenever and wherever it is played again. What a house rule names in its text is found before any
of it is run; what libraries do for it, while it does it. Both keep mistakes out, not malice: whoever plays with a rule in
Python runs it on his own machine.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator
from threading import get_ident
from types import FrameType
from typing import Any

from zareba.base.errors import Problem, ZarebaError
from zareba.house.source_check import CHANCE, called_name, library_chance, module_memory, swallowed_stops

__all__ = ["MODULES", "Reaches", "named_outside", "refused", "watches"]

MODULES = "zareba_house_rule_"
"""How the names of modules begin that are the Python of house rules."""
BY_SETTING = "what a rule hangs on is a setting (zareba_settings), what it keeps is Kept (zareba_state)"
CLOCK = "reads the clock, and a game must go the same way whenever it is played; count turns (zareba_turn)"
FILES = f"reaches for files; {BY_SETTING}"
SYSTEM = f"reaches outside the game; {BY_SETTING}"
PROGRAMS = "starts or ends programs, which no rule does; say what happened with table.tell"
NETWORK = f"reaches for the network; {BY_SETTING}"
BESIDE = "goes on beside the game, which knows nothing of it; do it in a hook of play (zareba_turn, zareba_step)"
UNSEEN = "runs what nobody can check; write it out"

IMPORTED = {
    **dict.fromkeys(("random", "secrets", "uuid"), CHANCE),
    **dict.fromkeys(("time", "datetime", "timeit"), CLOCK),
    **dict.fromkeys(("io", "glob", "shutil", "tempfile", "pathlib", "fileinput", "linecache", "sqlite3", "mmap"), FILES),
    **dict.fromkeys(("os", "posix", "nt", "sys", "platform", "builtins", "gc", "locale", "getpass"), SYSTEM),
    **dict.fromkeys(("subprocess", "signal", "ctypes", "pty", "faulthandler", "atexit", "resource"), PROGRAMS),
    **dict.fromkeys(("socket", "urllib", "requests", "http", "ssl", "httpx", "ftplib", "smtplib", "webbrowser"), NETWORK),
    **dict.fromkeys(("threading", "multiprocessing", "asyncio", "concurrent", "sched"), BESIDE),
    **dict.fromkeys(("importlib", "runpy", "pickle", "code", "codeop"), "runs what nobody can check; import it by its name"),
}  # fmt: skip
CALLED = {
    "open": f"reads or writes a file; {BY_SETTING}",
    "input": "asks without the table; use table.choose",
    "print": "writes over the table; say what happened with table.tell",
    "eval": UNSEEN,
    "exec": UNSEEN,
    "compile": UNSEEN,
    "__import__": "reaches outside the game; import what is needed by its name",
    "id": "is another number in every game; know things by their names",
    "hash": "gives another number for the same text whenever zareba is started; compare and sort by the text itself",
}
SHOWN = frozenset({"print", "id", "hash"})
"""What may be called while a rule is written, and stands out when it is checked: it breaks no game by itself."""
REACHED = {"_exit": PROGRAMS, "__builtins__": UNSEEN, "__subclasses__": UNSEEN, "__globals__": UNSEEN}
"""Names and attributes that lead outside, whatever they are had from."""

DONE = {
    **dict.fromkeys(("open", "os", "shutil", "glob", "tempfile", "sqlite3", "mmap"), FILES),
    **dict.fromkeys(("subprocess", "ctypes", "pty", "signal"), PROGRAMS),
    **dict.fromkeys(("socket", "urllib", "http", "ftplib", "smtplib", "webbrowser"), NETWORK),
    "time": "waits by the clock; a game goes on by steps (zareba_step)",
}
"""What Python says that somebody does (its audit events, by their first word)."""

ENGINE = frozenset(
    {"zareba", "zareba_rulesets", "importlib", "_frozen_importlib", "_frozen_importlib_external", "zipimport"}
)
"""Who reads files while a house rule runs, and may: the engine its own, and Python what is imported."""


class Reaches(ZarebaError):
    """A house rule has a library reach outside the game."""


def named_outside(text: str, leave: Collection[str] = ()) -> Iterator[tuple[int, int, str]]:
    """Line, column and what is wrong, wherever a text of Python names what leads outside, but for calls to `leave`.

    With nothing to leave out, memory in the module and swallowed stops are among it.
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
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and called_name(node.value) == "otherwise":
            yield (
                node.lineno,
                node.col_offset + 1,
                "otherwise() alone does nothing; write 'with otherwise(...):' around what reads it",
            )
        elif isinstance(node, ast.Global):
            said = f"'global {', '.join(node.names)}' is remembered outside the game; keep it with Kept (zareba_state)"
            yield node.lineno, node.col_offset + 1, said
        elif isinstance(node, (ast.Attribute, ast.Name)):
            word = node.attr if isinstance(node, ast.Attribute) else node.id
            if word in REACHED:
                yield node.lineno, node.col_offset + 1, f"'{ast.unparse(node)}' {REACHED[word]}"
        for name in names:
            if said := IMPORTED.get(name.partition(".")[0], ""):
                assert isinstance(node, ast.stmt), "only statements import"
                yield node.lineno, node.col_offset + 1, f"'{name}' {said}"


def refused(name: str, file: Any, text: str) -> list[Problem]:
    """What of a house rule's text keeps it from being run; none where the text cannot be read, which Python tells itself."""
    try:
        found = list(named_outside(text, SHOWN))
    except (SyntaxError, ValueError):
        return []
    return [Problem(str(file), line, column, "", f"house rule '{name}': {said}") for line, column, said in found]


def watches(running: Collection[int]) -> None:
    """From now on refuse what a house rule has done outside the game, in the threads where one is `running`."""

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        word = event.partition(".")[0]
        if word in DONE and get_ident() in running and _asked_by_a_rule():
            about = f" ({str(arguments[0])[:60]})" if arguments else ""
            raise Reaches(f"'{event}'{about} {DONE[word]}")

    sys.addaudithook(hear)


def _asked_by_a_rule() -> bool:
    """Whether it is a house rule that has it done, itself or by a library, and neither the engine nor an import."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        module = frame.f_globals.get("__name__") or ""
        if module.startswith(MODULES):
            return True
        if module.partition(".")[0] in ENGINE:
            return False
        frame = frame.f_back
    return False
