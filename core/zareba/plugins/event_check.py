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
from typing import Any, NamedTuple

import zareba.battle
from zareba.base.errors import Problem, nearest
from zareba.base.yamlfile import read_shared_yaml
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
    mentions, emitted = list(_mentions(rule)), set(COMMON)
    if not mentions:
        return
    sources: list[Callable[[], Iterable[str]]] = [  # the slow ones last
        partial(_emitted_by_rules, [rule, *others]),
        *[partial(_emitted_by_ruleset, find) for find in systems],
        _emitted_by_installed_rules,
    ]
    for kinds in sources:
        emitted.update(kinds())
        if all(mention.is_among(emitted) for mention in mentions):
            return
    for mention in mentions:
        if not mention.is_among(emitted):
            guess = nearest(mention.kind, sorted(emitted))
            hint = f"; did you mean '{guess}'?" if guess else "; 'zareba hooks RULESET' lists the events"
            message = (
                f"house rule '{rule.name}' listens for '{mention.kind}', "
                f"which is never emitted under its rulesets{hint}"
            )
            yield Problem(mention.file, mention.line, mention.column, "", message)


# --- the events that rules emit ---------------------------------------------------------------------------------------


def _emitted_by_rules(rules: Sequence[HouseRule]) -> set[str]:
    """Return the kinds of events that house rules emit; if a rule computes a kind, every string in its text counts."""
    return set().union(*[_emitted_in_text(text) for rule in rules for _, text in texts_of(rule)])


def _emitted_in_text(text: str) -> set[str]:
    tree = ast.parse(text)
    kinds = [call.args[0] for call in _emitting_calls(tree)]
    if all(isinstance(kind, ast.Constant) for kind in kinds):
        return {str(kind.value) for kind in kinds if isinstance(kind, ast.Constant)}
    return {string.value for string in _strings(tree)}


def _emitting_calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls of `emit` and `tell`; the first argument of each is the kind of event."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("emit", "tell") and node.args:
            yield node


def _emitted_by_ruleset(find: Callable[[], Ruleset]) -> frozenset[str]:
    """Return the kinds of events that a ruleset emits or has a sentence for; empty for a broken ruleset, which is not
    the house rule's fault.
    """
    try:
        system = find()
    except Exception:  # noqa: BLE001  # any fault of the ruleset
        return frozenset()
    return frozenset().union(
        *[_emitted_in(folder, system.package, system.procedure_modules) for folder in system.folders]
    )


@cache
def _emitted_in(folder: Path, package: str, borrowed: tuple[str, ...]) -> frozenset[str]:
    """Return the kinds of events in the source and in the sentences of one ruleset."""
    files = _source_files(folder, package, borrowed)
    kinds = {kind for file in files for kind in EMITS.findall(file.read_text("utf-8"))}
    sentences: list[Any] = [read_shared_yaml(file).data for file in folder.rglob("words.yaml")]
    sentences.append(read_shared_yaml(folder / "ruleset.yaml").data.get("words", {}))
    return frozenset(kinds.union(*[words.get("events", {}) for words in sentences]))


def _source_files(folder: Path, package: str, borrowed: tuple[str, ...]) -> set[Path]:
    """Return the files whose events a ruleset may emit: its own, those of modules it borrows, and the core's."""
    modules = [
        module
        for name, module in list(sys.modules.items())
        if name in (package, *borrowed) or name.startswith((f"{package}.", "zareba.battle."))
    ]
    files = {Path(file) for module in [zareba.battle, *modules] if (file := getattr(module, "__file__", None))}
    return {*files, *folder.rglob("*.py")}


@cache
def _emitted_by_installed_rules() -> frozenset[str]:
    """Return the kinds of events that the house rules of installed packages emit."""
    kinds: set[str] = set()
    for path in house_rule_files().values():
        text = source_of(path)
        texts = [text] if path.suffix == ".py" else json.loads(text).values() if path.is_dir() else []
        kinds |= {kind for python in texts for kind in EMITS.findall(python)}
    return frozenset(kinds)


# --- the events that a house rule mentions ----------------------------------------------------------------------------


class _Mention(NamedTuple):
    """A place where a house rule listens for a kind of event or has a sentence for it.

    `is_part` is True if the rule tests only for a part of the kind, as in `"fire" in event.kind`.
    """

    file: str
    line: int
    column: int
    kind: str
    is_part: bool

    def is_among(self, kinds: Iterable[str]) -> bool:
        return any(self.kind in kind for kind in kinds) if self.is_part else self.kind in kinds


def _mentions(rule: HouseRule) -> Iterator[_Mention]:
    if rule.manifest is not None:
        document = rule.manifest.document
        for name in rule.manifest.file.words:
            if name.startswith("event "):
                line, column = document.place(("words", name))
                yield _Mention(document.file, line, column, name.removeprefix("event "), is_part=False)
    for file, text in texts_of(rule):
        for constant, kind, is_part in _kinds_in(ast.parse(text)):
            yield _Mention(file, constant.lineno, constant.col_offset + 1, kind, is_part)


def _kinds_in(tree: ast.Module) -> Iterator[tuple[ast.Constant, str, bool]]:
    """Yield the kinds of event in a Python text: the string, the kind, and True if it is only part of a kind.

    They are in comparisons and matches of `event.kind`, and in the keys of `zareba_words`.
    """
    assigned = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = node.left, node.comparators[0]
            is_part = isinstance(node.ops[0], (ast.In, ast.NotIn)) and _is_event_kind(right)
            if _is_event_kind(left) or _is_event_kind(right):
                for string in _possible_strings(right if _is_event_kind(left) else left, assigned):
                    yield string, string.value, is_part
        elif isinstance(node, ast.Match) and _is_event_kind(node.subject):
            for case in node.cases:
                for pattern in ast.walk(case.pattern):
                    if isinstance(pattern, ast.MatchValue):
                        yield from [(string, string.value, False) for string in _strings(pattern)]
        elif isinstance(node, ast.FunctionDef) and node.name == "zareba_words":
            for string in _strings(node):
                if string.value.startswith("event "):
                    yield string, string.value.removeprefix("event "), False


def _is_event_kind(node: ast.expr) -> bool:
    """Return True if an expression is `event.kind`."""
    return isinstance(node, ast.Attribute) and node.attr == "kind" and getattr(node.value, "id", "") == "event"


def _possible_strings(node: ast.expr, assigned: Mapping[str, ast.expr]) -> Iterator[Any]:
    """Yield the strings that an expression can evaluate to; a name in `assigned` counts as its value, a dict as its
    values.
    """
    if isinstance(node, ast.Constant):
        yield from _strings(node)
    elif isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        for element in node.elts:
            yield from _possible_strings(element, assigned)
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from _possible_strings(value, assigned)
    elif isinstance(node, ast.Name) and node.id in assigned:
        yield from _possible_strings(assigned[node.id], {})
    elif isinstance(node, ast.Subscript):
        yield from _possible_strings(node.value, assigned)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
        yield from _possible_strings(node.func.value, assigned)


def _strings(tree: ast.AST) -> Iterator[Any]:
    """Yield the string constants in a syntax tree."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))


# --- fields -----------------------------------------------------------------------------------------------------------


def fields_in_text(text: str) -> Fields:
    """Return the fields of the events that a Python text emits."""
    fields_by_kind: dict[str, frozenset[str] | None] = {}
    if ".emit(" not in text and ".tell(" not in text:
        return fields_by_kind
    for call in _emitting_calls(ast.parse(text)):
        names = [keyword.arg for keyword in call.keywords]  # None stands for **fields
        fields = None if None in names else frozenset(name for name in names if name is not None)
        for kind in _kinds_of_argument(call.args[0]):
            fields_by_kind[kind] = _union(fields_by_kind.get(kind, frozenset()), fields)
    return fields_by_kind


def fields_in_ruleset(system: Ruleset) -> Fields:
    """Return the fields of the events that a ruleset and those it extends emit, read from their source."""
    return _merge_fields(_fields_in(folder, system.package, system.procedure_modules) for folder in system.folders)


@cache
def _fields_in(folder: Path, package: str, borrowed: tuple[str, ...]) -> Fields:
    return _merge_fields(fields_in_text(file.read_text("utf-8")) for file in _source_files(folder, package, borrowed))


def _merge_fields(tables: Iterable[Fields]) -> Fields:
    merged: dict[str, frozenset[str] | None] = {}
    for table in tables:
        for kind, fields in table.items():
            merged[kind] = _union(merged.get(kind, frozenset()), fields)
    return merged


def fields_of_event(kind: str, sources: Iterable[Fields]) -> frozenset[str] | None:
    """Return the fields that any event of a kind has; None if no source names the kind, or if fields are computed."""
    tables = list(sources)
    if not any(kind in table for table in tables):
        return None
    fields: frozenset[str] | None = frozenset()
    for table in tables:
        for possible_kind in (kind, _COMPUTED):  # an event of a computed kind may be of this one
            fields = _union(fields, table.get(possible_kind, frozenset()))
    return fields


def _kinds_of_argument(argument: ast.expr) -> list[str]:
    """Return the kinds that the first argument of `emit` can have; `_COMPUTED` for one that the source does not
    show.
    """
    if isinstance(argument, ast.IfExp):
        return [*_kinds_of_argument(argument.body), *_kinds_of_argument(argument.orelse)]
    return [str(argument.value) if isinstance(argument, ast.Constant) else _COMPUTED]


def _union(fields: frozenset[str] | None, others: frozenset[str] | None) -> frozenset[str] | None:
    """Return the fields in either set; None if one of them is not known."""
    return None if fields is None or others is None else fields | others
