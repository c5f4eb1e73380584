"""Mistakes that the source of a house rule shows before it runs: dice of a library, memory in the module, stops that are swallowed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TypeAlias

__all__ = ["BY_TABLE", "CHANCE", "Found", "called_name", "library_chance", "module_memory", "swallowed_stops"]

Found: TypeAlias = tuple[int, int, str]
"""Line, column and what is wrong there."""
Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"

BY_TABLE = "throw dice with table.roll, or draw with table.draw"
CHANCE = f"asks chance of its own; {BY_TABLE}"

RANDOM = ("numpy.random", "scipy.stats.qmc", "scipy.stats.sampling", "statistics.kde_random")
"""Modules and functions of libraries that draw random numbers; the rest of these libraries only calculates."""
SAMPLERS = {"scipy": "rvs", "statistics": "samples"}
"""The method of a library's distributions that draws at random."""

CONTAINERS = ("dict", "list", "set", "bytearray", "defaultdict", "Counter", "OrderedDict", "deque", "SimpleNamespace")
ITERATORS = ("iter", "count", "cycle", "map", "zip", "enumerate")
CHANGERS = (
    *("add", "append", "appendleft", "clear", "discard", "extend", "extendleft", "insert", "pop", "popitem"),
    *("popleft", "remove", "reverse", "rotate", "setdefault", "sort", "update"),
)
"""Methods that change a container."""
BY_ITEM: tuple[str, ...] = ("container", "class")
BY_ATTRIBUTE = ("container", "class", "function", "module")


def called_name(call: ast.Call) -> str:
    """Return the name that a call ends in: `rvs` for `norm.rvs()`."""
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


# --- randomness of libraries ----------------------------------------------------------------------------------------------


def library_chance(tree: ast.Module) -> Iterator[Found]:
    """Yield where a text draws random numbers from numpy, scipy or statistics; once a line."""
    bound = _imported_names(tree)
    samplers = {SAMPLERS[top] for name in bound.values() if (top := name.partition(".")[0]) in SAMPLERS}
    told: set[int] = set()
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{one.name}" for one in node.names]
        elif isinstance(node, ast.Attribute):
            names = [_full_name(node, bound)]
        found = [name for name in names if any(name == one or name.startswith(f"{one}.") for one in RANDOM)]
        if isinstance(node, ast.Attribute) and node.attr in samplers:
            found.append(node.attr)
        if found and node.lineno not in told:  # type: ignore[attr-defined]  # imports and attributes have a place
            told.add(node.lineno)  # type: ignore[attr-defined]  # as above
            yield node.lineno, node.col_offset + 1, f"'{found[0]}' {CHANCE}"  # type: ignore[attr-defined]  # as above


def _imported_names(tree: ast.Module) -> dict[str, str]:
    """Return the names that imports bind, each with what it stands for: `np` for `numpy`."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                top = one.name.partition(".")[0]
                found[one.asname or top] = one.name if one.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update({one.asname or one.name: f"{node.module}.{one.name}" for one in node.names})
    return found


def _full_name(node: ast.expr, bound: Mapping[str, str]) -> str:
    """Return `numpy.random.default_rng` for `np.random.default_rng`; "" for anything but a chain of imported names."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([bound[node.id], *reversed(parts)]) if isinstance(node, ast.Name) and node.id in bound else ""


# --- memory in the module -------------------------------------------------------------------------------------------------


def module_memory(tree: ast.Module) -> Iterator[Found]:
    """Yield where a function changes an object of the module, or a default argument: no game saves, undoes or replays these."""
    tops, told = _module_objects(tree), set[tuple[int, int]]()
    for function in ast.walk(tree):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            continue
        lasting = dict.fromkeys(_lasting_arguments(function), "container")
        own = _local_names(function)
        shared = {name: kind for name, kind in tops.items() if name not in own} | lasting
        for node in _nodes_in(function):
            name = _changed_object(node, shared)
            place = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
            if name and place not in told:
                told.add(place)
                said = f"'{name}' is changed here and remembered outside the game; keep it with Kept (zareba_state)"
                yield place[0], place[1] + 1, said


def _module_objects(tree: ast.Module) -> dict[str, str]:
    """Return the names at the top of a file whose objects can be changed, with their kind."""
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            value, kind = node.value, ""
            if _is_container(value) or (isinstance(value, ast.Call) and called_name(value) in classes):
                kind = "container"
            elif isinstance(value, ast.GeneratorExp) or (
                isinstance(value, ast.Call) and called_name(value) in ITERATORS
            ):
                kind = "iterator"
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found.update({one.id: kind for one in targets if isinstance(one, ast.Name) and kind})
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = "class" if isinstance(node, ast.ClassDef) else "function"
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update({(one.asname or one.name).partition(".")[0]: "module" for one in node.names})
    return found


def _is_container(value: ast.expr | None) -> bool:
    if isinstance(value, ast.Call):
        return called_name(value) in CONTAINERS
    return isinstance(value, (ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp))


def _lasting_arguments(function: Function) -> Iterator[str]:
    """Yield the arguments whose default is a container, which outlives the call."""
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    pairs = [
        *zip(reversed(positional), reversed(given.defaults), strict=False),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    yield from [argument.arg for argument, default in pairs if _is_container(default)]


def _nodes_in(function: Function) -> Iterator[ast.AST]:
    body = function.body if isinstance(function.body, list) else [function.body]
    for part in body:
        yield from ast.walk(part)


def _local_names(function: Function) -> set[str]:
    """Return the names that a function has for itself: its arguments and what it assigns."""
    given = function.args
    args = [*given.posonlyargs, *given.args, *given.kwonlyargs, *[one for one in (given.vararg, given.kwarg) if one]]
    stored = {node.id for node in _nodes_in(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    shared = {name for node in _nodes_in(function) if isinstance(node, ast.Global) for name in node.names}
    return ({one.arg for one in args} | stored) - shared


def _changed_object(node: ast.AST, shared: Mapping[str, str]) -> str:
    """Return the name of the shared object that a node changes: by item, attribute, method or `next`; "" if none."""
    root, kinds = "", BY_ITEM
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, (ast.Store, ast.Del)):
        root, kinds = _root(node.value), BY_ITEM
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, (ast.Store, ast.Del)):
        root, kinds = _root(node.value), BY_ATTRIBUTE
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGERS:
        root, kinds = _root(node.func.value), BY_ITEM
    elif isinstance(node, ast.Call) and called_name(node) == "next" and node.args:
        root, kinds = _root(node.args[0]), ("iterator",)
    return root if shared.get(root) in kinds else ""


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


# --- swallowed stops ------------------------------------------------------------------------------------------------------


def swallowed_stops(tree: ast.Module) -> Iterator[Found]:
    """Yield every `except` that catches all without raising again, and so the stop of an endless loop too."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ExceptHandler) or not _catches_all(node):
            continue
        if not any(isinstance(inner, ast.Raise) for inner in ast.walk(node)):
            written = "a bare 'except'" if node.type is None else "'except BaseException'"
            said = "also catches the question to a player and the stop of an endless loop; write 'except Exception'"
            yield node.lineno, node.col_offset + 1, f"{written} {said}"


def _catches_all(handler: ast.ExceptHandler) -> bool:
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return handler.type is None or "BaseException" in {getattr(one, "id", getattr(one, "attr", "")) for one in caught}
