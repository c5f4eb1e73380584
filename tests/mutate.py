"""Mutation testing: change lines of rule code, one at a time, and report the changes that no test detects.

    python tests/mutate.py RULESET [--lines 60] [--seed 1] [--only fire.py] [--quick]

A change is a small error: a reversed comparison, a missing term or condition, a number one higher, or a skipped call.
It is made in a copy of the rulesets, never in the tree.

First the tests marked with the rules that the function cites are run, then all tests of the ruleset. Random and golden
games are left out: they show that something changed, not what is right. `--quick` leaves out the second run and all
functions that cite no rule. For each surviving change, add a test or delete the line.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from zareba.registry import ruleset
from zareba.testing.rule_tests import test_index

TESTS = Path(__file__).parent
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
        return f"{self.file}:{self.node.lineno} {self.function} [{', '.join(self.rules)}]\n    {was}\n    -> {self.instead}"


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


def seen_by(change: Change, name: str, marked: dict[str, list[str]], quick: bool) -> bool:
    """Return True if a test of the ruleset fails when the change is made in a copy of the rulesets."""
    tests = TESTS / "rulesets" / name
    package = ruleset(name).folder.parent
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(package, Path(copy) / package.name, ignore=shutil.ignore_patterns("__pycache__"))
        wrong = Path(copy) / change.file.relative_to(package.parent)
        wrong.write_text(change.made(wrong.read_text(encoding="utf-8")), encoding="utf-8")
        places = {file.name: file for file in tests.rglob("test_*.py")}
        close = sorted({test for rule in change.rules for test in marked.get(rule, ())})
        near = [f"{places[file]}::{test}" for file, test in (each.split("::") for each in close)]
        rounds = [near] if quick else [near, [str(tests)]]
        return any(_fails(chosen, copy) for chosen in rounds if chosen)


def _fails(chosen: list[str], copy: str) -> bool:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-k", NOT_PROOF]
    run = subprocess.run(
        [*command, "--benchmark-disable", *chosen],
        cwd=TESTS.parent,
        env=os.environ | {"PYTHONPATH": copy, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        timeout=1200,
        check=False,
    )
    return run.returncode not in (0, 5)  # 5: no test was selected


def survivors(name: str, lines: int, seed: int, only: str = "", quick: bool = False) -> list[Change]:
    """Make the given number of changes, drawn by the seed, and return those that no test detects. Prints progress."""
    package = ruleset(name).folder.parent
    marked = test_index(ruleset(name).folder) or {}
    found = [
        change
        for file in rule_modules(ruleset(name).folder)
        if only in str(file)
        for change in changes_of(file.relative_to(package.parent.parent), file.read_text(encoding="utf-8"))
        if not quick or any(rule in marked for rule in change.rules)
    ]
    by_line = {(change.file, change.node.lineno): change for change in random.Random(seed).sample(found, len(found))}
    chosen = random.Random(seed).sample(sorted(by_line, key=str), min(lines, len(by_line)))
    left = []
    for number, place in enumerate(chosen, start=1):
        change = by_line[place]
        inner = Change(package.parent.parent / change.file, change.function, change.rules, change.node, change.instead)
        seen = seen_by(inner, name, marked, quick)
        print(f"{number:3} {'seen' if seen else 'NOT SEEN'}: {change}", flush=True)
        if not seen:
            left.append(change)
    return left


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ruleset")
    parser.add_argument("--lines", type=int, default=60, help="how many lines are changed")
    parser.add_argument("--seed", type=int, default=1, help="which lines are drawn")
    parser.add_argument("--only", default="", help="only modules whose path holds this")
    parser.add_argument("--quick", action="store_true", help="only the tests marked with the rules of the function")
    given = parser.parse_args()
    left = survivors(given.ruleset, given.lines, given.seed, given.only, given.quick)
    print(f"{given.ruleset}: {given.lines} lines changed, {len(left)} not seen")
    for change in left:
        print(change)
    sys.exit(bool(left))


if __name__ == "__main__":
    main()
