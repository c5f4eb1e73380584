"""Mutation testing: change lines of rule code, one at a time, and report the changes that no test detects.

    python tests/mutate.py RULESET [--lines 60] [--seed 1] [--only fire.py] [--quick]

A change is a small error: a reversed comparison, a missing term or condition, a number one higher, or a skipped call.
It is made while a forked process imports the module, never in the tree.

Three rounds of tests try to detect a change: the tests marked with the rules that the function cites, the test files
that import the changed module, and all tests of the ruleset. Random and golden games are left out: they show that
something changed, not what is right. `--quick` leaves out the third round. For each surviving change, add a test or
delete the line.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

import hypothesis  # noqa: F401  # imported once here, and not by each forked process; the next three lines too
import pytest

import zareba.api
import zareba.session
import zareba.testing  # noqa: F401
from zareba.testing.rule_tests import test_index

TESTS = Path(__file__).parent
RULESETS = TESTS.parent / "rulesets"
SECONDS = 600  # processor time of one round; an endless loop counts as detected
NOT_RULES = {
    "words",
    "drawing",
    "odds_hints",
    "roster",
    "option_text",
    "names",
    "events",
    "evaluation",
    "odds",
}
"""Modules that describe or evaluate the rules. Changing them does not change a rule."""
NOT_PROOF = "not random_games and not golden"
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
RULE = re.compile(r"\b[A-Z]{3}-\d{3}\b")


@dataclass(frozen=True)
class Change:
    """One faulty line: the file, the changed expression, its replacement, and the rules the function cites."""

    file: Path
    function: str
    rules: tuple[str, ...]
    node: ast.expr | ast.stmt
    instead: str

    def made(self, source: str) -> str:
        """Return the source with the change applied."""
        lines = source.encode().splitlines(keepends=True)
        first, last = self.node.lineno - 1, (self.node.end_lineno or self.node.lineno) - 1
        before, after = lines[first][: self.node.col_offset], lines[last][self.node.end_col_offset :]
        whole = [*lines[:first], before + self.instead.encode() + after, *lines[last + 1 :]]
        return b"".join(whole).decode()

    def __str__(self) -> str:
        was = " ".join(ast.unparse(self.node).split())
        place = f"{self.file.relative_to(RULESETS)}:{self.node.lineno}"
        return f"{place} {self.function} [{', '.join(self.rules)}]\n    {was}\n    -> {self.instead}"


def changes_of(file: Path, source: str) -> Iterator[Change]:
    """Yield every change that can be made in a module, function by function."""
    tree = ast.parse(source)
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        rules = tuple(sorted(set(RULE.findall(ast.get_source_segment(source, function) or ""))))
        for node in (inner for statement in function.body[_first(function) :] for inner in ast.walk(statement)):
            for instead in _instead(node):
                assert isinstance(node, (ast.expr, ast.stmt)), "only these have a place"
                yield Change(file, function.name, rules, node, instead)


def _first(function: ast.FunctionDef) -> int:
    return int(ast.get_docstring(function) is not None)


def _instead(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPPED:
        yield f"({ast.unparse(ast.Compare(node.left, [_swapped(node.ops[0])], node.comparators))})"  # type: ignore[list-item]  # a comparison swaps for a comparison
    elif isinstance(node, ast.BinOp) and type(node.op) in SWAPPED and not isinstance(node.left, ast.JoinedStr):
        yield f"({ast.unparse(ast.BinOp(node.left, _swapped(node.op), node.right))})"  # type: ignore[arg-type]  # an operator swaps for an operator
    elif isinstance(node, ast.BoolOp):
        for left_out in range(len(node.values)):
            kept = [value for place, value in enumerate(node.values) if place != left_out]
            yield f"({f' {_word(node.op)} '.join(f'({ast.unparse(value)})' for value in kept)})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield repr(node.value + 1)  # type: ignore[operator]  # a number, as was just asked
    elif isinstance(node, ast.AugAssign) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)):
        yield "pass"


def _swapped(operator: ast.AST) -> ast.AST:
    return SWAPPED[type(operator)]()


def _word(operator: ast.boolop) -> str:
    return "and" if isinstance(operator, ast.And) else "or"


def rule_modules(folder: Path) -> list[Path]:
    """Return the modules of a ruleset that implement its rulebook."""
    return [
        file
        for file in sorted(folder.rglob("*.py"))
        if not NOT_RULES & {*file.relative_to(folder).with_suffix("").parts} and file.stem != "__init__"
    ]


def rounds(change: Change, name: str, marked: dict[str, list[str]], quick: bool) -> Iterator[list[str]]:
    """Yield the tests to run for a change, the most likely to detect it first."""
    tests = TESTS / "rulesets" / name
    files = {file.name: file for file in sorted(tests.rglob("test_*.py"))}
    cited = sorted({test for rule in change.rules for test in marked.get(rule, ())})
    yield [f"{files[file]}::{test}" for file, test in (each.split("::") for each in cited)]
    module = _module(change)
    imports = re.compile(rf"\b(from|import) {re.escape(module)}\b")
    refusals = f"{tests.parent / 'test_refusals.py'}::test_what_cannot_be_is_refused_at_its_line[{name}]"
    near = [str(file) for file in files.values() if imports.search(file.read_text(encoding="utf-8"))]
    yield [refusals, *near] if "book" in module.split(".") else near
    if not quick:
        yield [refusals, str(tests)]


def detected(change: Change, chosen: list[str]) -> bool:
    """Return True if one of the chosen tests fails with the change. The tests run in a forked process."""
    child = os.fork()
    if not child:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.dup2(nowhere, sys.stderr.fileno())
        if not _import_changed(change):
            os._exit(pytest.ExitCode.TESTS_FAILED)
        without = ["no:cacheprovider", "no:xdist"]
        result = pytest.main(
            ["-x", "-k", NOT_PROOF, "--benchmark-disable", *(f"-p{plugin}" for plugin in without), *chosen]
        )
        os._exit(result)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)  # negative if a signal ended an endless loop
    assert code not in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.INTERNAL_ERROR), chosen
    return code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def _import_changed(change: Change) -> bool:
    """Import the changed source as this module until the process ends; return False if the import fails."""
    changed = compile(change.made(change.file.read_text(encoding="utf-8")), change.file, "exec", dont_inherit=True)
    unchanged = SourceFileLoader.get_code

    def get_code(loader: Any, name: str) -> CodeType | None:
        return changed if Path(loader.path) == change.file else unchanged(loader, name)

    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]
    try:
        import_module(_module(change))
    except Exception:  # noqa: BLE001  # whatever the change causes
        return False
    return True


def _module(change: Change) -> str:
    return ".".join(change.file.relative_to(RULESETS).with_suffix("").parts)


def survivors(name: str, lines: int, seed: int, only: str = "", quick: bool = False) -> tuple[int, list[Change]]:
    """Make changes drawn by the seed; return their number and those that no test detects. Prints progress."""
    folder = RULESETS / "zareba_rulesets" / name
    marked = test_index(folder) or {}
    found = [
        change
        for file in rule_modules(folder)
        if only in str(file)
        for change in changes_of(file, file.read_text(encoding="utf-8"))
    ]
    by_line = {(change.file, change.node.lineno): change for change in random.Random(seed).sample(found, len(found))}
    chosen = random.Random(seed).sample(sorted(by_line, key=str), min(lines, len(by_line)))
    left = []
    for number, place in enumerate(chosen, start=1):
        change = by_line[place]
        seen = any(detected(change, tests) for tests in rounds(change, name, marked, quick) if tests)
        print(f"{number:3} {'seen' if seen else 'NOT SEEN'}: {change}", flush=True)
        if not seen:
            left.append(change)
    return len(chosen), left


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ruleset")
    parser.add_argument("--lines", type=int, default=60, help="how many lines are changed")
    parser.add_argument("--seed", type=int, default=1, help="which lines are drawn")
    parser.add_argument("--only", default="", help="only modules whose path holds this")
    parser.add_argument("--quick", action="store_true", help="only tests that cite the rule or import the module")
    given = parser.parse_args()
    assert f"zareba_rulesets.{given.ruleset}" not in sys.modules, "a forked process imports it"
    made, left = survivors(given.ruleset, given.lines, given.seed, given.only, given.quick)
    print(f"{given.ruleset}: {made} lines changed, {made - len(left)} detected, {len(left)} not")
    for change in left:
        print(change)
    sys.exit(bool(left))


if __name__ == "__main__":
    main()
