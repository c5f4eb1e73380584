"""Find the options of a ruleset's questions in its source code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from copy import copy
from typing import NamedTuple

__all__ = ["Options", "OptionsIn", "enclosing"]

WORD = re.compile(r"[a-z][a-z' ]*")
DEEP = 6
"""The most names and functions followed from a question to the words of its options."""
OTHERS = "and others"


class Options(NamedTuple):
    """The words of a question's options. `more` is True if units, places or numbers are options too."""

    words: frozenset[str] = frozenset()
    more: bool = False

    def __or__(self, other: object) -> Options:
        assert isinstance(other, Options)
        return Options(self.words | other.words, self.more or other.more)

    def __str__(self) -> str:
        return ", ".join([*sorted(self.words), *([OTHERS] if self.more else [])])


class OptionsIn:
    """Finds options in the modules of a ruleset, by following names, local lists and the functions that create them.

    It searches for a name in the module that uses it, then in the module from which it is imported. `modules` is keyed
    by module name within the package.
    """

    def __init__(self, modules: Mapping[str, ast.Module]) -> None:
        self._tops = {name: _constants(tree) for name, tree in modules.items()}
        self._functions = {
            name: {node.name: node for node in _statements(tree) if isinstance(node, ast.FunctionDef)}
            for name, tree in modules.items()
        }
        self._imports = {
            name: {
                one.asname or one.name: (
                    next((key for key in modules if f".{node.module}".endswith(f".{key}")), ""),
                    one.name,
                )
                for node in tree.body
                if isinstance(node, ast.ImportFrom) and node.module
                for one in node.names
            }
            for name, tree in modules.items()
        }
        self._module = ""

    def in_module(self, module: str) -> OptionsIn:
        """Return a finder that looks up names in a module."""
        other = copy(self)
        other._module = module
        return other

    def _top(self, name: str) -> tuple[OptionsIn, ast.expr | None]:
        """Return the value of a top-level name of this module or of the one it is imported from."""
        if name in self._tops.get(self._module, {}):
            return self, self._tops[self._module][name]
        module, known_as = self._imports.get(self._module, {}).get(name, ("", ""))
        return self.in_module(module), self._tops.get(module, {}).get(known_as)

    def _function(self, name: str) -> tuple[OptionsIn, ast.FunctionDef | None]:
        if name in self._functions.get(self._module, {}):
            return self, self._functions[self._module][name]
        module, known_as = self._imports.get(self._module, {}).get(name, ("", ""))
        return self.in_module(module), self._functions.get(module, {}).get(known_as)

    def of(self, call: ast.Call, function: ast.FunctionDef | None) -> Options:
        """Return the options of a call of `table.choose` in a function."""
        given = call.args[1] if len(call.args) > 1 else None
        return Options() if given is None else self._found(given, function, DEEP)

    def _found(self, node: ast.expr, function: ast.FunctionDef | None, deep: int) -> Options:
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            found = Options()
            for element in node.elts:
                found |= self._element(element, function, deep)
            return found
        if isinstance(node, ast.BinOp):
            return self._found(node.left, function, deep) | self._found(node.right, function, deep)
        if isinstance(node, ast.IfExp):
            return self._found(node.body, function, deep) | self._found(node.orelse, function, deep)
        if isinstance(node, (ast.Dict, ast.DictComp)):  # a choice among its keys
            found = Options()
            for key in node.keys if isinstance(node, ast.Dict) else [node.key]:
                found |= Options(more=True) if key is None else self._element(key, function, deep)
            return found
        if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
            return self._element(node.elt, function, deep)
        if isinstance(node, ast.Name):
            return self._named(node.id, function, deep)
        if isinstance(node, ast.Call) and deep:
            home, made = self._function(str(getattr(node.func, "id", getattr(node.func, "attr", ""))))
            if made is not None:
                return home._made_by(made, deep - 1)
            if getattr(node.func, "id", "") in ("list", "tuple", "sorted", "dict") and node.args:
                return self._found(node.args[0], function, deep)
        return Options(more=True)

    def _element(self, node: ast.expr, function: ast.FunctionDef | None, deep: int) -> Options:
        """Return the options from one element: a word, a word with an object, or an option without words."""
        if isinstance(node, ast.Starred):
            return self._found(node.value, function, deep)
        if isinstance(node, ast.Tuple) and node.elts:
            head = self._element(node.elts[0], function, deep)
            return (
                Options(frozenset(f"{word} ..." for word in head.words if not word.endswith("...")))
                if head.words
                else Options(more=True)
            )
        if isinstance(node, ast.IfExp):
            return self._element(node.body, function, deep) | self._element(node.orelse, function, deep)
        if isinstance(node, ast.Name):
            _, value = self._top(node.id)
            return Options(more=True) if not isinstance(value, ast.Constant) else self._element(value, None, deep)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and WORD.fullmatch(node.value):
            return Options(frozenset({node.value}))
        return Options(more=True)

    def _named(self, name: str, function: ast.FunctionDef | None, deep: int) -> Options:
        """Return the options of a local list, including everything added to it, or of a constant."""
        found, local = Options(), False
        for node in ast.walk(function) if function is not None and deep else ():
            value: ast.expr | None = None
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(one, ast.Name) and one.id == name for one in targets):
                    value = node.value
            elif isinstance(node, ast.Call) and node.args and _is_method_of(node.func, name, "append"):
                found |= self._element(node.args[0], function, deep - 1)
            elif isinstance(node, ast.Call) and node.args and _is_method_of(node.func, name, "insert"):
                found |= self._element(node.args[-1], function, deep - 1)
            elif isinstance(node, ast.Call) and node.args and _is_method_of(node.func, name, "extend"):
                value = node.args[0]
            if value is not None and not (isinstance(value, ast.Name) and value.id == name):
                local = True
                found |= self._found(value, function, deep - 1)
        if local:
            return found
        home, top = self._top(name)
        return Options(more=True) if top is None or not deep else home._found(top, None, deep - 1)

    def _made_by(self, function: ast.FunctionDef, deep: int) -> Options:
        """Return the options that a function returns or yields."""
        found = Options()
        for node in ast.walk(function):
            if isinstance(node, ast.Return) and node.value is not None:
                found |= self._found(node.value, function, deep)
            elif isinstance(node, ast.Yield) and node.value is not None:
                found |= self._element(node.value, function, deep)
            elif isinstance(node, ast.YieldFrom):
                found |= self._found(node.value, function, deep)
        return found


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    """Return the values of a module's top-level names, including names assigned together."""
    found: dict[str, ast.expr] = {}
    for node in tree.body:
        for target in node.targets if isinstance(node, ast.Assign) else ():
            value = node.value  # type: ignore[attr-defined]  # only of an assignment
            pairs = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = list(zip(target.elts, value.elts, strict=False))
            found.update({name.id: one for name, one in pairs if isinstance(name, ast.Name)})
    return found


def _is_method_of(function: ast.expr, name: str, method: str) -> bool:
    called = function.value if isinstance(function, ast.Attribute) and function.attr == method else None
    return isinstance(called, ast.Name) and called.id == name


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements of a module and of the classes in it."""
    for node in tree.body:
        yield node
        yield from node.body if isinstance(node, ast.ClassDef) else ()


def enclosing(
    node: ast.AST, function: ast.FunctionDef | None = None
) -> Iterator[tuple[ast.Call, ast.FunctionDef | None]]:
    """Yield every call below a node with the innermost function around it."""
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.Call):
            yield inner, function
        yield from enclosing(inner, inner if isinstance(inner, ast.FunctionDef) else function)
