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

_PUBLIC = ("zareba.hookimpl", "zareba.api")
"""The parts of zareba that a house rule may import, including all modules below them."""


def unrun_house_rule(path: Path) -> HouseRule:
    """Return the house rule of a file or folder without running its Python; raise FileError with the faults of its
    YAML.
    """
    return house_rule_in(path, source_of(path), run=False)


def source_faults(rule: HouseRule) -> list[Problem]:
    """Return the places where the source of a house rule imports private modules, reaches outside the game or keeps
    state in the module.
    """
    problems = []
    for file, text in texts_of(rule):
        for line, column, fault in sorted({*find_impure_names(text), *private_imports(text)}):
            problems.append(Problem(file, line, column, "", f"house rule '{rule.name}': {fault}"))
    for file, text in _imported_modules(rule):
        for line, column, fault in private_imports(text):
            problems.append(Problem(file, line, column, "", f"house rule '{rule.name}' imports this file: {fault}"))
    return problems


def private_imports(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the line, column and fault of each import of a ruleset, or of a zareba module outside the public API."""
    rulesets = {"zareba_rulesets", *(entry.module for entry in entries(RULESETS))}
    for node in ast.walk(ast.parse(text)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "zareba":
            names = [f"zareba.{node.attr}"]
        for name in names:
            fault = ""
            if any(_is_within(name, module) for module in rulesets):
                fault = (
                    f"'{name}' belongs to a ruleset, and may be renamed in any release; call its procedures by name with "
                    "zareba.api.call, and shoot with zareba.api.shoot ('zareba hooks RULESET' lists the names)"
                )
            elif name.startswith("zareba.") and not any(_is_within(name, public) for public in _PUBLIC):
                fault = (
                    f"'{name}' is private to zareba, and may be renamed in any release; "
                    "import from zareba.api (docs/reference/api.md lists what it offers)"
                )
            if fault:
                yield node.lineno, node.col_offset + 1, fault  # type: ignore[attr-defined]  # imports and attributes have a line
                break


def _is_within(name: str, module: str) -> bool:
    return name == module or name.startswith(f"{module}.")


def _imported_modules(rule: HouseRule) -> Iterator[tuple[str, str]]:
    """Yield the modules that an installed house rule imports from its package, directly or indirectly.

    Each is a file with its text.
    """
    root = next((folder for folder in packages() if folder.is_dir() and rule.file.is_relative_to(folder)), None)
    if root is None:
        return
    seen: set[Path] = set()
    unread = [text for _, text in texts_of(rule)]
    while unread:
        for name in _imported_names(unread.pop()):
            file = _defining_file(root, name)
            if file is not None and file not in seen:
                seen.add(file)
                text = file.read_text(encoding="utf-8-sig")
                unread.append(text)
                yield str(file), text


def _defining_file(root: Path, name: str) -> Path | None:
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


def _imported_names(text: str) -> Iterator[str]:
    """Yield the full names of the modules and objects that a text imports, except by relative imports."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from [f"{node.module}.{alias.name}" for alias in node.names]


# --- the whole check --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Hook:
    """A function of a house rule that implements a hook, with its file."""

    file: str
    function: ast.FunctionDef | ast.AsyncFunctionDef
    marker: ast.expr


def check_source(rule: HouseRule, systems: Sequence[Rules]) -> None:
    """Raise ZarebaError with the faults in the source of a house rule; `systems` are the rulesets it is for."""
    _check_syntax(rule)
    if faults := source_faults(rule):
        raise FileError(faults)
    hooks = list(_hooks_in(rule))
    for hook in hooks:
        _check_hook(rule, hook)
    if not hooks:
        raise ZarebaError(
            f"house rule '{rule.name}' ({rule.file}) implements no hook; mark its functions with @zareba.hookimpl"
        )
    if rule.manifest is None and all(_returns_nothing(hook.function) for hook in hooks):
        names = ", ".join(rules.ruleset.id for rules in systems)
        raise ZarebaError(f"house rule '{rule.name}' ({rule.file}) changes nothing in {names}")
    rulesets = [partial(getattr, rules, "ruleset") for rules in systems]
    if problems := [
        *events_never_emitted(rule, rulesets, [rule]),
        *marks_never_set(rule, rulesets, [rule]),
        *invalid_texts(rule),
        *unfilled_placeholders(rule, rulesets, [rule]),
        *_unknown_names(rule, hooks, systems),
        *_conditions_never_true(rule, systems),
    ]:
        raise FileError(problems)


def _check_syntax(rule: HouseRule) -> None:
    for file, text in texts_of(rule):
        try:
            ast.parse(text)
        except (SyntaxError, ValueError) as error:
            line = f":{error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
            raise ZarebaError(
                f"house rule '{rule.name}' ({file}{line}) cannot be loaded: {type(error).__name__}: {error}"
            ) from error


def _hooks_in(rule: HouseRule) -> Iterator[_Hook]:
    """Yield the functions with `@hookimpl` or `@hookimpl(...)` at the top level of a house rule."""
    for file, text in texts_of(rule):
        if rule.file.is_dir() and Path(file).name != CODE:
            continue
        for node in ast.parse(text).body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                for marker in node.decorator_list:
                    decorator = marker.func if isinstance(marker, ast.Call) else marker
                    if getattr(decorator, "attr", getattr(decorator, "id", "")) == "hookimpl":
                        yield _Hook(file, node, marker)


def _check_hook(rule: HouseRule, hook: _Hook) -> None:
    """Raise ZarebaError for a hook that does not exist, takes an unknown argument, or is not a plain function."""
    name = HOOKS.get(hook.function.name, hook.function.name)
    where = f"house rule '{rule.name}' ({hook.file}:{hook.function.lineno})"
    known = [spec for spec in dir(hook_specs) if spec.startswith("zareba_")]
    if name not in known:
        guess = nearest(name, known)
        hint = f"; did you mean '{guess}'?" if guess else ""
        raise ZarebaError(f"{where} implements a hook that does not exist: {name}{hint}")
    possible = {*inspect.signature(getattr(hook_specs, name)).parameters, "ruleset", "settings"}
    arguments = [argument.arg for argument in [*hook.function.args.posonlyargs, *hook.function.args.args]]
    if unknown := [argument for argument in arguments if argument not in possible]:
        raise ZarebaError(
            f"{where}: {name} has the argument {', '.join(unknown)}; "
            f"its possible arguments are {', '.join(sorted(possible))}"
        )
    options = [keyword.arg for keyword in hook.marker.keywords] if isinstance(hook.marker, ast.Call) else []
    if order := [option for option in options if option in ("wrapper", "hookwrapper", "tryfirst", "trylast")]:
        raise ZarebaError(
            f"{where}: {name} is marked {order[0]}=True; house rules act in the order in which the session lists them; "
            "write @zareba.hookimpl without it"
        )
    has_yield = any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in _own_nodes(hook.function))
    if isinstance(hook.function, ast.AsyncFunctionDef) or has_yield:
        written = "a function with yield" if has_yield else "async def"
        raise ZarebaError(f"{where}: {name} is {written}, which would never run; write it with def and return")


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, without those of nested functions."""
    for node in ast.iter_child_nodes(function):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield node
            yield from _own_nodes(node)


def _returns_nothing(function: ast.AST) -> bool:
    """Return True if a function does nothing, or only returns None or an empty collection."""
    body = [node for node in function.body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]  # type: ignore[attr-defined]  # a function has a body
    if len(body) != 1 or not isinstance(body[0], (ast.Return, ast.Pass)):
        return not body
    value = getattr(body[0], "value", None)
    empty_dict = isinstance(value, ast.Dict) and not value.keys
    empty_list = isinstance(value, (ast.List, ast.Tuple)) and not value.elts
    return value is None or empty_dict or empty_list or (isinstance(value, ast.Constant) and value.value is None)


# --- names and conditions ---------------------------------------------------------------------------------------------


def _unknown_names(rule: HouseRule, hooks: Sequence[_Hook], systems: Sequence[Rules]) -> Iterator[Problem]:
    """Yield the tallies and procedures that a house rule names and that none of its rulesets has."""
    if not systems:
        return
    known = {
        "zareba_modifiers": ("tally", {*get_args(Decides), *(name for rules in systems for name in rules.tallies)}),
        "zareba_procedures": ("procedure", {name for rules in systems for name in rules.ruleset.wrappable}),
    }
    for hook in hooks:
        what, names = known.get(hook.function.name, ("", set()))
        for key in _returned_keys(hook.function) if names else ():
            if key.value not in names:
                message = f"house rule '{rule.name}': {unknown_name(what, str(key.value), names)}"
                yield Problem(hook.file, key.lineno, key.col_offset + 1, "", message)


def _conditions_never_true(rule: HouseRule, systems: Sequence[Rules]) -> Iterator[Problem]:
    """Yield the conditions of modifiers that hold in none of the rule's rulesets."""
    for file, text in texts_of(rule) if systems else ():
        tree = ast.parse(text)
        tallies = _tally_of_modifiers(tree)
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and getattr(call.func, "id", getattr(call.func, "attr", "")) == "Modifier":
                yield from _conditions_without_facts(rule, file, call, _facts(systems, tallies.get(call)))


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
    tallies: dict[ast.AST, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    for inner in ast.walk(value):
                        tallies.setdefault(inner, key.value)
    return tallies


def _facts(systems: Sequence[Rules], name: str | None) -> list[tuple[str, dict[str, Any]]]:
    """Return the facts of the tallies that a name means, or of all tallies (None), each after the name of its tally."""
    return [
        (tally, known_facts(rules.ruleset.facts[tally]))
        for rules in systems
        for tally, entry in rules.book.tallies.items()
        if tally in rules.ruleset.facts and (name is None or name in (tally, entry.decides))
    ]


def _conditions_without_facts(
    rule: HouseRule, file: str, call: ast.Call, facts: Sequence[tuple[str, dict[str, Any]]]
) -> Iterator[Problem]:
    """Yield the conditions of a modifier that hold for none of these facts."""
    fifth_argument = call.args[4] if len(call.args) > 4 else None
    when = next((keyword.value for keyword in call.keywords if keyword.arg == "when"), fifth_argument)
    if not isinstance(when, ast.Dict) or not facts:
        return
    for key, value in zip(when.keys, when.values, strict=True):
        if key is None:  # **conditions
            continue
        try:
            fact, wanted = ast.literal_eval(key), ast.literal_eval(value)
        except ValueError:  # computed in play
            continue
        if not isinstance(fact, str) or "." in fact:
            continue
        reasons = [why_never_true(fact, wanted, known, tally) for tally, known in facts]
        if all(reasons):
            most_helpful = next((reason for reason in reasons if "did you mean" in reason), reasons[0])
            yield Problem(file, key.lineno, key.col_offset + 1, "", f"house rule '{rule.name}': {most_helpful}")
