"""Check that every kind of event that a house rule listens for can be emitted under its rulesets.

Without this check, a house rule that listens for a misspelt kind would silently do nothing for a whole game. The
emitted kinds are found in source text: the rules, their sentences, the core, and the house rules themselves.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import zareba.battle
from zareba.base.errors import Problem, nearest
from zareba.base.yamlfile import read_yaml
from zareba.plugins.entry_points import house_rule_files
from zareba.plugins.rule_files import HouseRule, source_of, texts_of
from zareba.plugins.ruleset import Ruleset

EMITS = re.compile(r"""\.(?:emit|tell)\(\s*["']([^"'{}]+)["']""")
COMMON = frozenset({"note", "umpire"})
"""Kinds of events that any code may emit under every ruleset: a sentence, and an umpire's edit."""
_COMPUTED = ""
"""Stands for all events whose kind is computed in play."""

Fields = Mapping[str, frozenset[str] | None]
"""The fields of events by kind, read from source text. None means that some of them are computed in play."""


def events_never_emitted(
    rule: HouseRule, systems: Sequence[Callable[[], Ruleset]], others: Sequence[HouseRule]
) -> Iterator[Problem]:
    """Yield a problem for each kind of event that a house rule names but none of its rulesets, and no house rule,
    emits.
    """
    named, known = list(_named(rule)), set(COMMON)
    if not named:
        return
    sources: list[Callable[[], Iterable[str]]] = [
        partial(_emitted_by_rules, [rule, *others]),
        *[partial(_emitted_by, one) for one in systems],
        _emitted_by_shipped,
    ]
    for emitted in sources:
        known.update(emitted())
        if all(_is_emitted(kind, part, known) for _, _, _, kind, part in named):
            return
    for file, line, column, kind, part in named:
        if not _is_emitted(kind, part, known):
            guess = nearest(kind, sorted(known))
            hint = f"; did you mean '{guess}'?" if guess else "; 'zareba hooks RULESET' lists the events"
            said = f"house rule '{rule.name}' listens for '{kind}', which is never emitted under its rulesets{hint}"
            yield Problem(file, line, column, "", said)


def _is_emitted(kind: str, part: bool, known: Iterable[str]) -> bool:
    return any(kind in one for one in known) if part else kind in known


def _source_files(folder: Path, package: str, lends: tuple[str, ...]) -> set[Path]:
    """Return the files whose events a ruleset may emit: its own, those of modules it borrows, and the core's."""
    whole = (package, *lends)
    modules = [
        module
        for name, module in list(sys.modules.items())
        if name in whole or name.startswith((f"{package}.", "zareba.battle."))
    ]
    files = {Path(file) for module in [zareba.battle, *modules] if (file := getattr(module, "__file__", None))}
    return {*files, *folder.rglob("*.py")}


@cache
def _emitted_in(folder: Path, package: str, lends: tuple[str, ...]) -> frozenset[str]:
    files = _source_files(folder, package, lends)
    found = {kind for file in files for kind in EMITS.findall(file.read_text("utf-8"))}
    for file in folder.rglob("words.yaml"):
        found |= _sentences(read_yaml(file).data)
    words: Any = read_yaml(folder / "ruleset.yaml").data.get("words", {})
    return frozenset(found | _sentences(words))


def _sentences(words: Mapping[str, Any]) -> set[str]:
    return set(words.get("events", {}))


def _emitted_by(find: Callable[[], Ruleset]) -> frozenset[str]:
    """Return the kinds of events that a ruleset emits or has a sentence for; empty for a broken ruleset, which is not the
    house rule's fault.
    """
    try:
        system = find()
    except Exception:  # noqa: BLE001  # any fault of the ruleset
        return frozenset()
    return frozenset().union(*[_emitted_in(folder, system.package, system.lends) for folder in system.folders])


def _emitted_by_rules(rules: Sequence[HouseRule]) -> set[str]:
    """Return the kinds of events that house rules emit; if a rule computes a kind, every string in its text counts."""
    return set().union(*[_emitted_in_text(text) for rule in rules for _, text in texts_of(rule)])


def _emitted_in_text(text: str) -> set[str]:
    tree = ast.parse(text)
    calls = [
        one
        for one in ast.walk(tree)
        if isinstance(one, ast.Call) and getattr(one.func, "attr", "") in ("emit", "tell") and one.args
    ]
    if all(isinstance(one.args[0], ast.Constant) for one in calls):
        return {str(one.args[0].value) for one in calls if isinstance(one.args[0], ast.Constant)}
    return {one.value for one in _words(tree)}


@cache
def _emitted_by_shipped() -> frozenset[str]:
    """Return the kinds of events that installed house rules emit."""
    found: set[str] = set()
    for path in house_rule_files().values():
        text = source_of(path)
        texts = [text] if path.suffix == ".py" else json.loads(text).values() if path.is_dir() else []
        found |= {kind for one in texts for kind in EMITS.findall(one)}
    return frozenset(found)


def _named(rule: HouseRule) -> Iterator[tuple[str, int, int, str, bool]]:
    """Yield each kind of event that a house rule listens for or has a sentence for: file, line, column, kind, True if it
    is only part of a kind.
    """
    if rule.manifest is not None:
        for name in rule.manifest.file.words:
            if name.startswith("event "):
                place = rule.manifest.document.place(("words", name))
                yield rule.manifest.document.file, *place, name.partition(" ")[2], False
    for file, text in texts_of(rule):
        tree = ast.parse(text)
        for constant, part in _asked(tree):
            yield file, constant.lineno, constant.col_offset + 1, constant.value, part


def _asked(tree: ast.Module) -> Iterator[tuple[Any, bool]]:
    tops = {name.id: node.value for node in tree.body if isinstance(node, ast.Assign)
            for name in node.targets if isinstance(name, ast.Name)}  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, [right] = node.left, node.comparators
            part = isinstance(node.ops[0], (ast.In, ast.NotIn)) and _is_kind(right)
            if _is_kind(left) or _is_kind(right):
                yield from [(word, part) for word in _meant(right if _is_kind(left) else left, tops)]
        elif isinstance(node, ast.Match) and _is_kind(node.subject):
            patterns = [one for case in node.cases for one in ast.walk(case.pattern) if isinstance(one, ast.MatchValue)]
            yield from [(word, False) for pattern in patterns for word in _words(pattern)]
        elif isinstance(node, ast.FunctionDef) and node.name == "zareba_words":
            for word in _words(node):
                if word.value.startswith("event "):
                    yield _of_kind(word), False


def _is_kind(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "kind" and getattr(node.value, "id", "") == "event"


def _meant(node: ast.expr, tops: Mapping[str, ast.expr]) -> Iterator[Any]:
    """Yield the strings that an expression can evaluate to; a top-level name counts as its value, a dict as its
    values.
    """
    if isinstance(node, ast.Constant):
        yield from _words(node)
    elif isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        for one in node.elts:
            yield from _meant(one, tops)
    elif isinstance(node, ast.Dict):
        for one in node.values:
            yield from _meant(one, tops)
    elif isinstance(node, ast.Name) and node.id in tops:
        yield from _meant(tops[node.id], {})
    elif isinstance(node, ast.Subscript):
        yield from _meant(node.value, tops)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
        yield from _meant(node.func.value, tops)


def _words(tree: ast.AST) -> Iterator[Any]:
    return (one for one in ast.walk(tree) if isinstance(one, ast.Constant) and isinstance(one.value, str))


def _of_kind(word: Any) -> Any:
    """Return the node of `event dust` as a node of `dust`, at the same location."""
    return ast.copy_location(ast.Constant(word.value.partition(" ")[2]), word)


# --- fields ---------------------------------------------------------------------------------------------------------------


def fields_in_text(text: str) -> Fields:
    """Return the fields of the events that a Python text emits."""
    found: dict[str, frozenset[str] | None] = {}
    for call in ast.walk(ast.parse(text)) if ".emit(" in text or ".tell(" in text else ():
        if isinstance(call, ast.Call) and getattr(call.func, "attr", "") in ("emit", "tell") and call.args:
            fields = frozenset(word.arg for word in call.keywords if word.arg is not None)
            given = fields if all(word.arg is not None for word in call.keywords) else None
            for kind in _kinds(call.args[0]):
                found[kind] = _both(found.get(kind, frozenset()), given)
    return found


def fields_in_ruleset(system: Ruleset) -> Fields:
    """Return the fields of the events that a ruleset and those it extends emit, read from their source."""
    found: dict[str, frozenset[str] | None] = {}
    for folder in system.folders:
        for kind, fields in _fields_in(folder, system.package, system.lends).items():
            found[kind] = _both(found.get(kind, frozenset()), fields)
    return found


@cache
def _fields_in(folder: Path, package: str, lends: tuple[str, ...]) -> Fields:
    found: dict[str, frozenset[str] | None] = {}
    for file in _source_files(folder, package, lends):
        for kind, fields in fields_in_text(file.read_text("utf-8")).items():
            found[kind] = _both(found.get(kind, frozenset()), fields)
    return found


def fields_of_event(kind: str, sources: Iterable[Fields]) -> frozenset[str] | None:
    """Return the fields that any event of a kind has; None if no source names the kind, or if fields are computed."""
    tables = list(sources)
    if not any(kind in table for table in tables):
        return None
    found: frozenset[str] | None = frozenset()
    for table in tables:
        for name in (kind, _COMPUTED):  # an event of a computed kind may be of this one
            found = _both(found, table.get(name, frozenset()))
    return found


def _kinds(given: ast.expr) -> list[str]:
    if isinstance(given, ast.IfExp):
        return [*_kinds(given.body), *_kinds(given.orelse)]
    return [str(given.value) if isinstance(given, ast.Constant) else _COMPUTED]


def _both(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    return None if one is None or other is None else one | other
