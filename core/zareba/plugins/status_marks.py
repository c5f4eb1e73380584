"""Find the status marks of units and figures in a ruleset: the words that conditions like `unit.is.MARK` may use.

A house rule that tests a mark that is never set is rejected, because it would silently do nothing for a whole game.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from zareba.base.errors import Problem, nearest
from zareba.base.yamlfile import KeyPath, read_shared_yaml
from zareba.plugins.rule_files import HouseRule, texts_of
from zareba.plugins.ruleset import Ruleset

MARK_CONDITION = re.compile(r"(?:unit|target)\.is\.(.+)")
MARK_NAME = re.compile(r"[a-z]+(?:[_ ][a-z]+)*")


@cache
def marks_of(folder: Path) -> frozenset[str]:
    """Return the marks in the source of a ruleset: those it sets, removes or tests, and those that its YAML names."""
    marks: set[str] = set()
    for file in folder.rglob("*.py"):
        text = file.read_text("utf-8")
        if "mark" in text.lower():
            marks |= _marks_in(text)
    marks_in_yaml: Any = read_shared_yaml(folder / "ruleset.yaml").data.get("marks", {})
    return frozenset(marks | set(marks_in_yaml))


def _marks_in(text: str) -> set[str]:
    """Return the marks that a Python text sets, removes or tests."""
    tree = ast.parse(text)
    assigned = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    strings = (string for expression in _expressions_with_marks(tree) for string in _strings(expression, assigned))
    return {string for string in strings if MARK_NAME.fullmatch(string)}


def _expressions_with_marks(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield the arguments of `mark` and `unmark`, what is tested `in ...marks`, and what is assigned to marks."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("mark", "unmark"):
            yield from node.args
        elif isinstance(node, ast.Compare) and any(_is_marks(right) for right in node.comparators):
            yield node.left
        elif isinstance(node, (ast.Assign, ast.AugAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any("mark" in getattr(target, "id", "").lower() or _is_marks(target) for target in targets):
                yield node.value


def _is_marks(node: ast.AST) -> bool:
    """Return True if an expression is the attribute `marks` of something."""
    return getattr(node, "attr", "") == "marks"


def _strings(expression: ast.AST, assigned: Mapping[str, ast.expr]) -> Iterator[str]:
    """Yield the strings in an expression, except formatted ones; a name in `assigned` counts as its value."""
    if isinstance(expression, ast.JoinedStr):
        return
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
        yield expression.value
    if isinstance(expression, ast.Name) and expression.id in assigned:
        yield from _strings(assigned[expression.id], {})
    for inner in ast.iter_child_nodes(expression):
        yield from _strings(inner, assigned)


def marks_never_set(
    rule: HouseRule, systems: Sequence[Callable[[], Ruleset]], others: Sequence[HouseRule]
) -> Iterator[Problem]:
    """Yield a problem for each mark that a house rule tests but none of its rulesets, and no house rule, sets."""
    conditions = [*_conditions_in_yaml(rule), *_conditions_in_python(rule)]
    if not conditions:
        return
    marks = {mark for source in [rule, *others] for _, text in texts_of(source) for mark in _marks_in(text)}
    for find in systems:  # the ruleset in play comes first and usually has all marks
        if marks.issuperset(condition.mark for condition in conditions):
            return
        try:
            marks |= {mark for folder in find().folders for mark in marks_of(folder)}
        except Exception:  # noqa: BLE001  # a broken ruleset is not the fault of the house rule
            return
    for condition in conditions:
        if condition.mark not in marks:
            guess = nearest(condition.mark, sorted(marks))
            hint = f"did you mean '{guess}'?" if guess else "'zareba hooks RULESET' lists the marks"
            message = (
                f"house rule '{rule.name}' tests '{condition.words}', "
                f"a mark that is never set under its rulesets; {hint}"
            )
            yield Problem(condition.file, condition.line, condition.column, "", message)


class _MarkCondition(NamedTuple):
    """A place where a house rule tests a mark. `words` is the whole condition, such as `unit.is.shaken`."""

    file: str
    line: int
    column: int
    words: str
    mark: str


def _conditions_in_python(rule: HouseRule) -> Iterator[_MarkCondition]:
    for file, text in texts_of(rule):
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            if match := MARK_CONDITION.fullmatch(node.value):
                yield _MarkCondition(file, node.lineno, node.col_offset + 1, node.value, match[1])


def _conditions_in_yaml(rule: HouseRule) -> Iterator[_MarkCondition]:
    if rule.manifest is None:
        return
    document = rule.manifest.document
    for path in _paths(document.data):
        words = str(path[-1])
        if "when" in path and (match := MARK_CONDITION.fullmatch(words)):
            line, column = document.place(path)
            yield _MarkCondition(document.file, line, column, words, match[1])


def _paths(data: Any, above: KeyPath = ()) -> Iterator[KeyPath]:
    """Yield the path of each entry in nested YAML data, outer entries first."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        yield (*above, key)
        yield from _paths(value, (*above, key))
