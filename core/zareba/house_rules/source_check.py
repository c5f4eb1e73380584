"""Checks of a house rule's source: imports, randomness, memory outside the state."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator, Mapping
from threading import get_ident
from types import FrameType
from typing import Any, TypeAlias

from zareba.base.errors import Problem, ZarebaError

# --- Source check -----------------------------------------------------------------------------------------------------
# Find mistakes in the source of a house rule before it runs: library random numbers, state kept in the module,
# swallowed
# stops.


Fault: TypeAlias = tuple[int, int, str]
"""A line, a column and the fault there."""
_Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"

BY_TABLE = "roll dice with table.roll, or draw with table.draw"
CHANCE = f"uses its own random numbers; {BY_TABLE}"

_RANDOM = ("numpy.random", "scipy.stats.qmc", "scipy.stats.sampling", "statistics.kde_random")
"""Modules and functions of libraries that draw random numbers; the rest of these libraries only calculates."""
SAMPLERS = {"scipy": "rvs", "statistics": "samples"}
"""For each library, the method of its distributions that draws random numbers."""

_CONTAINERS = ("dict", "list", "set", "bytearray", "defaultdict", "Counter", "OrderedDict", "deque", "SimpleNamespace")
_ITERATORS = ("iter", "count", "cycle", "map", "zip", "enumerate")
_CHANGERS = (
    *("add", "append", "appendleft", "clear", "discard", "extend", "extendleft", "insert", "pop", "popitem"),
    *("popleft", "remove", "reverse", "rotate", "setdefault", "sort", "update"),
)
"""Methods that change a container."""
_BY_ITEM: tuple[str, ...] = ("container", "class")
_BY_ATTRIBUTE = ("container", "class", "function", "module")


def called_name(call: ast.Call) -> str:
    """Return the last name of the called function: `rvs` for `norm.rvs()`."""
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


# --- random numbers from libraries ------------------------------------------------------------------------------------


def random_numbers(tree: ast.Module) -> Iterator[Fault]:
    """Yield each place that draws random numbers from numpy, scipy or statistics, at most one per line."""
    bound = _imported_names(tree)
    samplers = {SAMPLERS[top] for name in bound.values() if (top := name.partition(".")[0]) in SAMPLERS}
    reported: set[int] = set()
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Attribute):
            names = [_full_name(node, bound)]
        random_names = [
            name for name in names if any(name == module or name.startswith(f"{module}.") for module in _RANDOM)
        ]
        if isinstance(node, ast.Attribute) and node.attr in samplers:
            random_names.append(node.attr)
        if random_names and node.lineno not in reported:  # type: ignore[attr-defined]  # imports and attributes have a place
            reported.add(node.lineno)  # type: ignore[attr-defined]  # as above
            yield node.lineno, node.col_offset + 1, f"'{random_names[0]}' {CHANCE}"  # type: ignore[attr-defined]  # as above


def _imported_names(tree: ast.Module) -> dict[str, str]:
    """Return the names that imports bind, each with its full name: `np` for `numpy`."""
    full_names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                full_names[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            full_names.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
    return full_names


def _full_name(node: ast.expr, bound: Mapping[str, str]) -> str:
    """Return `numpy.random.default_rng` for `np.random.default_rng`; "" for anything but a chain of imported names."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([bound[node.id], *reversed(parts)]) if isinstance(node, ast.Name) and node.id in bound else ""


# --- state in the module ----------------------------------------------------------------------------------------------


def module_memory(tree: ast.Module) -> Iterator[Fault]:
    """Yield each place where a function changes a module-level object or a default argument, which no game saves,
    undoes or replays.
    """
    tops, reported = _module_objects(tree), set[tuple[int, int]]()
    for function in ast.walk(tree):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        lasting = dict.fromkeys(_shared_defaults(function), "container")
        local_names = _local_names(function)
        shared = {name: kind for name, kind in tops.items() if name not in local_names} | lasting
        for node in _nodes_in(function):
            name = _changed_object(node, shared)
            position = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
            if name and position not in reported:
                reported.add(position)
                fault = (
                    f"'{name}' is changed here and stored outside the game state; use a StateVariable (zareba_state)"
                )
                yield position[0], position[1] + 1, fault


def _module_objects(tree: ast.Module) -> dict[str, str]:
    """Return the top-level names of a file whose objects can be changed, with their kind."""
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    kinds: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            value, kind = node.value, ""
            if _is_container(value) or (isinstance(value, ast.Call) and called_name(value) in classes):
                kind = "container"
            elif isinstance(value, ast.GeneratorExp) or (
                isinstance(value, ast.Call) and called_name(value) in _ITERATORS
            ):
                kind = "iterator"
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            kinds.update({target.id: kind for target in targets if isinstance(target, ast.Name) and kind})
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            kinds[node.name] = "class" if isinstance(node, ast.ClassDef) else "function"
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            kinds.update({(alias.asname or alias.name).partition(".")[0]: "module" for alias in node.names})
    return kinds


def _is_container(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call):
        return called_name(value) in _CONTAINERS
    return isinstance(value, (ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp))


def _shared_defaults(function: _Function) -> Iterator[str]:
    """Yield the arguments whose default is a container, because it outlives the call."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    pairs = [
        *zip(reversed(positional), reversed(given.defaults), strict=False),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    yield from [argument.arg for argument, default in pairs if _is_container(default)]


def _nodes_in(function: _Function) -> Iterator[ast.AST]:
    body = function.body if isinstance(function.body, list) else [function.body]
    for part in body:
        yield from ast.walk(part)


def _local_names(function: _Function) -> set[str]:
    """Return the local names of a function: its arguments and the names it assigns."""
    given = function.args
    args = [*given.posonlyargs, *given.args, *given.kwonlyargs, *[arg for arg in (given.vararg, given.kwarg) if arg]]
    stored = {node.id for node in _nodes_in(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    shared = {name for node in _nodes_in(function) if isinstance(node, ast.Global) for name in node.names}
    return ({arg.arg for arg in args} | stored) - shared


def _changed_object(node: ast.AST, shared: Mapping[str, str]) -> str:
    """Return the name of the shared object that a node changes by item, attribute, method or `next`; "" if there is
    none.
    """
    root, kinds = "", _BY_ITEM
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
        root, kinds = _root(node.value), _BY_ITEM
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, (ast.Store, ast.Del)):
        root, kinds = _root(node.value), _BY_ATTRIBUTE
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGERS:
        root, kinds = _root(node.func.value), _BY_ITEM
    elif isinstance(node, ast.Call) and called_name(node) == "next" and node.args:
        root, kinds = _root(node.args[0]), ("iterator",)
    return root if shared.get(root) in kinds else ""


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


# --- swallowed stops --------------------------------------------------------------------------------------------------


def catch_all_handlers(tree: ast.Module) -> Iterator[Fault]:
    """Yield each `except` that catches everything without re-raising, because it also catches the stop of an endless
    loop.
    """
    for node in ast.walk(tree):
        if not isinstance(node, ast.ExceptHandler) or not _catches_all(node):
            continue
        if not any(isinstance(inner, ast.Raise) for inner in ast.walk(node)):
            written = "a bare 'except'" if node.type is None else "'except BaseException'"
            fault = "also catches the question to a player and the stop of an endless loop; write 'except Exception'"
            yield node.lineno, node.col_offset + 1, f"{written} {fault}"


def _catches_all(handler: ast.ExceptHandler) -> bool:
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return handler.type is None or "BaseException" in {
        getattr(error, "id", getattr(error, "attr", "")) for error in caught
    }


# --- Purity check -----------------------------------------------------------------------------------------------------
# Find and block house-rule code that reaches outside the game: its own random numbers, the clock, files, programs,
# the
# network.
#
# A game must go the same way every time it is replayed. Forbidden names in the text of a house rule are found before
# any of it runs. Forbidden actions of libraries are blocked while it runs. Both checks catch mistakes, not malice:
# anyone who plays with a Python rule runs it on their own machine.


MODULES = "zareba_house_rule_"
"""The prefix of the module names of house rules written in Python."""
BY_SETTING = "use a setting for input (zareba_settings) and a StateVariable for storage (zareba_state)"
CLOCK = "reads the clock, but a replay must give the same game; count turns (zareba_turn)"
FILES = f"reaches for files; {BY_SETTING}"
SYSTEM = f"reaches outside the game; {BY_SETTING}"
PROGRAMS = "starts or ends programs, which no rule may do; report events with table.emit"
NETWORK = f"reaches for the network; {BY_SETTING}"
PARALLEL = "runs in parallel to the game, which cannot track it; use a hook of play (zareba_turn, zareba_step)"
UNCHECKED = "runs code that cannot be checked; write it out"

_FORBIDDEN_IMPORTS = {
    **dict.fromkeys(("random", "secrets", "uuid"), CHANCE),
    **dict.fromkeys(("time", "datetime", "timeit"), CLOCK),
    **dict.fromkeys(("io", "glob", "shutil", "tempfile", "pathlib", "fileinput", "linecache", "sqlite3", "mmap"), FILES),
    **dict.fromkeys(("os", "posix", "nt", "sys", "platform", "builtins", "gc", "locale", "getpass"), SYSTEM),
    **dict.fromkeys(("subprocess", "signal", "ctypes", "pty", "faulthandler", "atexit", "resource"), PROGRAMS),
    **dict.fromkeys(("socket", "urllib", "requests", "http", "ssl", "httpx", "ftplib", "smtplib", "webbrowser"), NETWORK),
    **dict.fromkeys(("threading", "multiprocessing", "asyncio", "concurrent", "sched"), PARALLEL),
    **dict.fromkeys(("importlib", "runpy", "pickle", "code", "codeop"), "runs code that cannot be checked; import it by its name"),
}  # fmt: skip
FORBIDDEN_CALLS = {
    "open": f"reads or writes a file; {BY_SETTING}",
    "input": "asks without the table; use table.choose",
    "print": "writes to the terminal; report events with table.emit",
    "eval": UNCHECKED,
    "exec": UNCHECKED,
    "compile": UNCHECKED,
    "__import__": "reaches outside the game; import modules by name",
    "id": "differs in every game; identify things by their ids",
    "hash": "gives another number for the same text after every start of zareba; compare and sort by the text itself",
}
_HARMLESS = frozenset({"print", "id", "hash"})
"""Functions that may be called while a rule is being written. `zareba check` reports them; they do not break a game."""
FORBIDDEN_NAMES = {"_exit": PROGRAMS, "__builtins__": UNCHECKED, "__subclasses__": UNCHECKED, "__globals__": UNCHECKED}
"""Names and attributes that lead outside the game, wherever they come from."""

BLOCKED_EVENTS = {
    **dict.fromkeys(("open", "os", "shutil", "glob", "tempfile", "sqlite3", "mmap"), FILES),
    **dict.fromkeys(("subprocess", "ctypes", "pty", "signal"), PROGRAMS),
    **dict.fromkeys(("socket", "urllib", "http", "ftplib", "smtplib", "webbrowser"), NETWORK),
    "time": "waits for the clock; a game advances by steps (zareba_step)",
}
"""Python audit events that are blocked, by their first word."""

_ENGINE = frozenset(
    {"zareba", "zareba_rulesets", "importlib", "_frozen_importlib", "_frozen_importlib_external", "zipimport"}
)
"""Modules that may read files while a house rule runs: the engine, and Python's import system."""


class ImpureRule(ZarebaError):
    """A house rule made a library reach outside the game."""


def find_impure_names(text: str, allowed: Collection[str] = ()) -> Iterator[tuple[int, int, str]]:
    """Yield the line, the column and the fault of each forbidden name in a Python text, except calls to `allowed`.

    If `allowed` is empty, also report state kept in the module and `except` clauses that swallow stops.
    """
    tree = ast.parse(text)
    yield from random_numbers(tree)
    if not allowed:
        yield from module_memory(tree)
        yield from catch_all_handlers(tree)
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *[alias.name for alias in node.names if alias.name in _FORBIDDEN_IMPORTS]]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if (name := node.func.id) in FORBIDDEN_CALLS and name not in allowed:
                yield node.lineno, node.col_offset + 1, f"{name}() {FORBIDDEN_CALLS[name]}"
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
            fault = (
                f"'global {', '.join(node.names)}' is stored outside the game state; use a StateVariable (zareba_state)"
            )
            yield node.lineno, node.col_offset + 1, fault
        elif isinstance(node, (ast.Attribute, ast.Name)):
            word = node.attr if isinstance(node, ast.Attribute) else node.id
            if word in FORBIDDEN_NAMES:
                yield node.lineno, node.col_offset + 1, f"'{ast.unparse(node)}' {FORBIDDEN_NAMES[word]}"
        for name in names:
            if fault := _FORBIDDEN_IMPORTS.get(name.partition(".")[0], ""):
                assert isinstance(node, ast.stmt), "only statements import"
                yield node.lineno, node.col_offset + 1, f"'{name}' {fault}"


def impurity_problems(name: str, file: Any, text: str) -> list[Problem]:
    """Return the faults that prevent a house rule from running; empty for a text with a syntax error, which Python
    reports itself.
    """
    try:
        found = list(find_impure_names(text, _HARMLESS))
    except (SyntaxError, ValueError):
        return []
    return [Problem(str(file), line, column, "", f"house rule '{name}': {fault}") for line, column, fault in found]


def watch_imports(running: Collection[int]) -> None:
    """From now on, block forbidden actions of house rules in the `running` threads."""

    def check_event(event: str, arguments: tuple[Any, ...]) -> None:
        word = event.partition(".")[0]
        if word in BLOCKED_EVENTS and get_ident() in running and _caused_by_house_rule():
            about = f" ({str(arguments[0])[:60]})" if arguments else ""
            raise ImpureRule(f"'{event}'{about} {BLOCKED_EVENTS[word]}")

    sys.addaudithook(check_event)


def _caused_by_house_rule() -> bool:
    """Return True if a house rule caused the current action, directly or through a library, and not the engine or an
    import.
    """
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        module = frame.f_globals.get("__name__") or ""
        if module.startswith(MODULES):
            return True
        if module.partition(".")[0] in _ENGINE:
            return False
        frame = frame.f_back
    return False
