"""Find the status marks of units and figures in a ruleset: the words that conditions like `unit.is.MARK` may use.

A house rule that tests a mark that is never set is rejected, because it would silently do nothing for a whole game.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from zareba.base.errors import Problem, nearest
from zareba.base.yamlfile import KeyPath, read_yaml
from zareba.plugins.rule_files import HouseRule, texts_of
from zareba.plugins.ruleset import Ruleset

ASKED = re.compile(r"(?:unit|target)\.is\.(.+)")
NAMED = re.compile(r"[a-z]+(?:[_ ][a-z]+)*")


@cache
def marks_of(folder: Path) -> frozenset[str]:
    """Return the marks in the source of a ruleset: those it sets, removes or tests, and those that its YAML names."""
    found: set[str] = set()
    for file in folder.rglob("*.py"):
        if "mark" in (text := file.read_text("utf-8")).lower():
            found |= _marks_in(text)
    marks: Any = read_yaml(folder / "ruleset.yaml").data.get("marks", {})
    return frozenset(found | set(marks))


def _marks_in(text: str) -> set[str]:
    tree = ast.parse(text)
    tops = {name.id: node.value for node in tree.body if isinstance(node, ast.Assign)
            for name in node.targets if isinstance(name, ast.Name)}  # fmt: skip
    return {mark for given in _of_marks(tree) for mark in _words(given, tops) if NAMED.fullmatch(mark)}


def _of_marks(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions in a text that contain marks."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("mark", "unmark"):
            yield from node.args
        elif isinstance(node, ast.Compare) and any(getattr(one, "attr", "") == "marks" for one in node.comparators):
            yield node.left
        elif isinstance(node, (ast.Assign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any("mark" in getattr(one, "id", "").lower() or getattr(one, "attr", "") == "marks" for one in targets):
                yield node.value


def _words(given: ast.AST, tops: Mapping[str, ast.expr]) -> Iterator[str]:
    """Yield the strings in an expression, except formatted ones; a top-level name counts as its value."""
    if isinstance(given, ast.JoinedStr):
        return
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        yield given.value
    if isinstance(given, ast.Name) and given.id in tops:
        yield from _words(tops[given.id], {})
    for inner in ast.iter_child_nodes(given):
        yield from _words(inner, tops)


def marks_never_set(
    rule: HouseRule, systems: Sequence[Callable[[], Ruleset]], others: Sequence[HouseRule]
) -> Iterator[Problem]:
    """Yield a problem for each mark that a house rule tests but none of its rulesets, and no house rule, sets."""
    asked = [*_in_sheet(rule), *_in_python(rule)]
    if not asked:
        return
    known = {mark for one in [rule, *others] for _, text in texts_of(one) for mark in _marks_in(text)}
    for find in systems:  # the ruleset in play comes first and usually has all marks
        if known.issuperset(mark for *_, mark in asked):
            return
        try:
            known |= {mark for folder in find().folders for mark in marks_of(folder)}
        except Exception:  # noqa: BLE001  # a broken ruleset is not the fault of the house rule
            return
    for file, line, column, word, mark in asked:
        if mark not in known:
            guess = nearest(mark, sorted(known))
            hint = f"did you mean '{guess}'?" if guess else "'zareba hooks RULESET' lists the marks"
            said = f"house rule '{rule.name}' tests '{word}', a mark that is never set under its rulesets; {hint}"
            yield Problem(file, line, column, "", said)


def _in_python(rule: HouseRule) -> Iterator[tuple[str, int, int, str, str]]:
    for file, text in texts_of(rule):
        for node in ast.walk(ast.parse(text)):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and (found := ASKED.fullmatch(node.value))
            ):
                yield file, node.lineno, node.col_offset + 1, node.value, found[1]


def _in_sheet(rule: HouseRule) -> Iterator[tuple[str, int, int, str, str]]:
    if rule.manifest is None:
        return
    document = rule.manifest.document
    for path in _paths(document.data):
        if "when" in path and (found := ASKED.fullmatch(str(path[-1]))):
            yield document.file, *document.place(path), str(path[-1]), found[1]


def _paths(data: Any, above: KeyPath = ()) -> Iterator[KeyPath]:
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        yield (*above, key)
        yield from _paths(value, (*above, key))
