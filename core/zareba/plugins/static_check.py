"""Check a Python house rule by its source alone, without running it.

The check finds unknown names of hooks, tallies, procedures and steps, conditions that can never hold, placeholders
without a value, and imports outside the public API. Faults that only show in play need a test game.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, get_args

from zareba.base.errors import FileError, Problem, ZarebaError, nearest, unknown_name
from zareba.house_rules.source_check import find_impure_names
from zareba.plugins import hook_specs
from zareba.plugins.content_digest import packages
from zareba.plugins.entry_points import RULESETS, entries
from zareba.plugins.event_check import events_never_emitted
from zareba.plugins.placeholder_check import invalid_texts, unfilled_placeholders
from zareba.plugins.rule_files import CODE, HouseRule, house_rule_in, source_of, texts_of
from zareba.plugins.status_marks import marks_never_set
from zareba.renamed import HOOKS
from zareba.rules.resolved import Rules
from zareba.rules.schema import Decides
from zareba.rules.tallies import known_facts, why_never_true

_OFFERED = ("zareba.hookimpl", "zareba.api")
"""The parts of zareba that a house rule may import, including all modules below them."""


def unrun_house_rule(path: Path) -> HouseRule:
    """Return the house rule of a file or folder without running its Python; raise FileError with the faults of its
    YAML.
    """
    return house_rule_in(path, source_of(path), run=False)


def source_faults(rule: HouseRule) -> list[Problem]:
    """Return the places where the source of a house rule imports private modules, reaches outside the game or keeps state
    in the module.
    """
    found = []
    for file, text in texts_of(rule):
        for line, column, said in sorted({*find_impure_names(text), *private_imports(text)}):
            found.append(Problem(file, line, column, "", f"house rule '{rule.name}': {said}"))
    for file, text in _helpers(rule):
        for line, column, said in private_imports(text):
            found.append(Problem(file, line, column, "", f"house rule '{rule.name}' imports this file: {said}"))
    return found


def private_imports(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield each import of a ruleset, or of a zareba module outside the public API."""
    rulesets = {"zareba_rulesets", *(entry.module for entry in entries(RULESETS))}
    for node in ast.walk(ast.parse(text)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{one.name}" for one in node.names]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "zareba":
            names = [f"zareba.{node.attr}"]
        for name in names:
            said = ""
            if any(_is_within(name, module) for module in rulesets):
                said = (
                    f"'{name}' belongs to a ruleset, and may be renamed in any release; call its procedures by name with "
                    "zareba.api.call, and shoot with zareba.api.shoot ('zareba hooks RULESET' lists the names)"
                )
            elif _is_within(name, "zareba") and name != "zareba" and not any(_is_within(name, one) for one in _OFFERED):
                said = (
                    f"'{name}' is private to zareba, and may be renamed in any release; "
                    "import from zareba.api (docs/reference/api.md lists what it offers)"
                )
            if said:
                yield node.lineno, node.col_offset + 1, said  # type: ignore[attr-defined]  # imports and attributes have a line
                break


def _is_within(name: str, module: str) -> bool:
    return name == module or name.startswith(f"{module}.")


def _helpers(rule: HouseRule) -> Iterator[tuple[str, str]]:
    """Yield the modules that an installed house rule imports from its package, directly or indirectly, with their
    texts.
    """
    root = next((one for one in packages() if one.is_dir() and rule.file.is_relative_to(one)), None)
    seen: set[Path] = set()
    waiting = [text for _, text in texts_of(rule)] if root is not None else []
    while waiting:
        for name in _modules_imported(waiting.pop()):
            file = _file_of(root, name) if root is not None else None
            if file is not None and file not in seen:
                seen.add(file)
                waiting.append(file.read_text(encoding="utf-8-sig"))
                yield str(file), waiting[-1]


def _file_of(root: Path, name: str) -> Path | None:
    """Return the file below a package's folder that defines a module, or an object of this name."""
    head, *below = name.split(".")
    if head != root.name:
        return None
    for depth in range(len(below), 0, -1):
        module = root.joinpath(*below[:depth])
        for file in (module.with_suffix(".py"), module / "__init__.py"):
            if file.is_file():
                return file
    return None


def _modules_imported(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from [f"{node.module}.{one.name}" for one in node.names]


# --- the whole check ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Hook:
    """A function of a house rule that implements a hook, with its file."""

    file: str
    function: ast.FunctionDef | ast.AsyncFunctionDef
    marker: ast.expr


def check_source(rule: HouseRule, systems: Sequence[Rules]) -> None:
    """Raise ZarebaError with the faults in the source of a house rule; `systems` are the rulesets it is for."""
    _parse(rule)
    if faults := source_faults(rule):
        raise FileError(faults)
    found = list(_hooks_in(rule))
    for one in found:
        _check_hook(rule, one)
    if not found:
        raise ZarebaError(
            f"house rule '{rule.name}' ({rule.file}) implements no hook; mark its functions with @zareba.hookimpl"
        )
    if rule.manifest is None and all(_gives_nothing(one.function) for one in found):
        names = ", ".join(rules.ruleset.id for rules in systems)
        raise ZarebaError(f"house rule '{rule.name}' ({rule.file}) changes nothing in {names}")
    finds = [partial(getattr, rules, "ruleset") for rules in systems]
    if problems := [
        *events_never_emitted(rule, finds, [rule]),
        *marks_never_set(rule, finds, [rule]),
        *invalid_texts(rule),
        *unfilled_placeholders(rule, finds, [rule]),
        *_unknown(rule, found, systems),
    ]:
        raise FileError(problems)


def _parse(rule: HouseRule) -> None:
    for file, text in texts_of(rule):
        try:
            ast.parse(text)
        except (SyntaxError, ValueError) as error:
            line = f":{error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
            raise ZarebaError(
                f"house rule '{rule.name}' ({file}{line}) cannot be loaded: {type(error).__name__}: {error}"
            ) from error


def _hooks_in(rule: HouseRule) -> Iterator[_Hook]:
    for file, text in texts_of(rule):
        if rule.file.is_dir() and Path(file).name != CODE:
            continue
        for node in ast.parse(text).body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                for marker in node.decorator_list:
                    named = marker.func if isinstance(marker, ast.Call) else marker
                    if getattr(named, "attr", getattr(named, "id", "")) == "hookimpl":
                        yield _Hook(file, node, marker)


def _check_hook(rule: HouseRule, one: _Hook) -> None:
    """Raise ZarebaError for a hook that does not exist, takes an unknown argument, or is not a plain function."""
    name = HOOKS.get(one.function.name, one.function.name)
    whose = f"house rule '{rule.name}' ({one.file}:{one.function.lineno})"
    known = [spec for spec in dir(hook_specs) if spec.startswith("zareba_")]
    if name not in known:
        guess = nearest(name, known)
        hint = f"; did you mean '{guess}'?" if guess else ""
        raise ZarebaError(f"{whose} implements a hook that does not exist: {name}{hint}")
    offered = {*inspect.signature(getattr(hook_specs, name)).parameters, "ruleset", "settings"}
    given = one.function.args
    if strange := [arg.arg for arg in [*given.posonlyargs, *given.args] if arg.arg not in offered]:
        raise ZarebaError(
            f"{whose}: {name} has the argument {', '.join(strange)}; its possible arguments are {', '.join(sorted(offered))}"
        )
    asked = [word.arg for word in one.marker.keywords] if isinstance(one.marker, ast.Call) else []
    if rank := [word for word in asked if word in ("wrapper", "hookwrapper", "tryfirst", "trylast")]:
        raise ZarebaError(
            f"{whose}: {name} is marked {rank[0]}=True; house rules act in the order in which the session lists them; "
            "write @zareba.hookimpl without it"
        )
    own = [node for node in _own_nodes(one.function) if isinstance(node, (ast.Yield, ast.YieldFrom))]
    if isinstance(one.function, ast.AsyncFunctionDef) or own:
        written = "a function with yield" if own else "async def"
        raise ZarebaError(f"{whose}: {name} is {written}, which would never run; write it with def and return")


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without those of nested functions."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield node
            yield from _own_nodes(node)


def _gives_nothing(function: ast.AST) -> bool:
    """Return True if a function does nothing, or only returns None or an empty collection."""
    body = [node for node in function.body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]  # type: ignore[attr-defined]  # a function has a body
    if len(body) != 1 or not isinstance(body[0], (ast.Return, ast.Pass)):
        return not body
    value = getattr(body[0], "value", None)
    empty_dict = isinstance(value, ast.Dict) and not value.keys
    empty_list = isinstance(value, (ast.List, ast.Tuple)) and not value.elts
    return value is None or empty_dict or empty_list or (isinstance(value, ast.Constant) and value.value is None)


# --- names and conditions -------------------------------------------------------------------------------------------------


def _unknown(rule: HouseRule, found: Sequence[_Hook], systems: Sequence[Rules]) -> Iterator[Problem]:
    """Yield names that none of the rule's rulesets has, and conditions that hold in none of them."""
    if not systems:
        return
    known = {
        "zareba_modifiers": ("tally", {*get_args(Decides), *(name for rules in systems for name in rules.tallies)}),
        "zareba_procedures": ("procedure", {name for rules in systems for name in rules.ruleset.wrappable}),
    }
    for one in found:
        what, names = known.get(one.function.name, ("", set()))
        for key in _returned_keys(one.function) if names else ():
            if key.value not in names:
                said = f"house rule '{rule.name}': {unknown_name(what, str(key.value), names)}"
                yield Problem(one.file, key.lineno, key.col_offset + 1, "", said)
    for file, text in texts_of(rule):
        tree = ast.parse(text)
        named = _tally_of_modifiers(tree)
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and getattr(call.func, "id", getattr(call.func, "attr", "")) == "Modifier":
                yield from _unfit(rule, file, call, _facts(systems, named.get(call)))


def _returned_keys(function: ast.AST) -> Iterator[ast.Constant]:
    """Yield the literal keys of the dicts that a function returns."""
    for node in _own_nodes(function):
        if isinstance(node, ast.Return) and node.value is not None:
            values = [node.value.body, node.value.orelse] if isinstance(node.value, ast.IfExp) else [node.value]
            for value in values:
                for key in value.keys if isinstance(value, ast.Dict) else ():
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        yield key


def _tally_of_modifiers(tree: ast.Module) -> dict[ast.AST, str]:
    """Return the tally of each modifier that is written inside a dict of tallies."""
    found: dict[ast.AST, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    for inner in ast.walk(value):
                        found.setdefault(inner, key.value)
    return found


def _facts(systems: Sequence[Rules], name: str | None) -> list[tuple[str, dict[str, Any]]]:
    """Return the facts of the tallies that a name means, or of all tallies, each with the name of the tally."""
    return [
        (tally, known_facts(rules.ruleset.facts[tally]))
        for rules in systems
        for tally, entry in rules.book.tallies.items()
        if tally in rules.ruleset.facts and (name is None or name in (tally, entry.decides))
    ]


def _unfit(
    rule: HouseRule, file: str, call: ast.Call, facts: Sequence[tuple[str, dict[str, Any]]]
) -> Iterator[Problem]:
    """Yield the conditions of a modifier that hold for none of these facts."""
    when = next(
        (word.value for word in call.keywords if word.arg == "when"), call.args[4] if len(call.args) > 4 else None
    )
    if not isinstance(when, ast.Dict) or not facts:
        return
    for key, value in zip(when.keys, when.values, strict=True):
        try:
            word, wanted = ast.literal_eval(key) if key is not None else None, ast.literal_eval(value)
        except ValueError:
            continue
        if not isinstance(word, str) or "." in word:
            continue
        said = [why_never_true(word, wanted, known, tally) for tally, known in facts]
        if key is not None and all(said):
            best = next((one for one in said if "did you mean" in one), said[0])
            yield Problem(file, key.lineno, key.col_offset + 1, "", f"house rule '{rule.name}': {best}")
