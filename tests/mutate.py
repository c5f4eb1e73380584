"""Mutation testing: change lines of rule code, one at a time, and report the changes that no test detects.

    python tests/mutate.py RULESET [--lines 60] [--seed 1] [--only fire.py] [--quick] [--detections 1]

A change is a small error: a reversed comparison, a missing term or condition, a number one higher, or a skipped call.
It is made in a forked process, which replaces the code of the functions, and never in the tree. pytest collects the
tests once. Values computed while a module is imported are those of the unchanged code.

Three rounds of tests try to detect a change: the tests marked with the rules that the function cites, the test files
that import the changed module, and all tests of the ruleset. Random and golden games are left out: they show that
something changed, not what is right. `--quick` leaves out the third round. For each surviving change, add a test or
delete the line.

`--detections 2` continues until two test functions have detected a change, and lists the tests that alone detected
one. A test that is not listed may repeat others.
"""

from __future__ import annotations

import argparse
import ast
import gc
import os
import random
import re
import signal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import CodeType, FunctionType

import pytest
from _pytest.runner import runtestprotocol

from zareba.testing.rule_tests import test_index

TESTS = Path(__file__).parent
RULESETS = TESTS.parent / "rulesets"
SECONDS = 60  # processor time of one test; an endless loop counts as detected
NOT_RULES = {
    "words",
    "drawing",
    "odds_hints",
    "roster",
    "estimates",
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
            for instead in _replacements(node):
                assert isinstance(node, (ast.expr, ast.stmt)), "only these have a place"
                yield Change(file, function.name, rules, node, instead)


def _first(function: ast.FunctionDef) -> int:
    return int(ast.get_docstring(function) is not None)


def _replacements(node: ast.AST) -> Iterator[str]:
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


def order_of_tests(
    change: Change, tests: Sequence[pytest.Item], rules: dict[str, list[str]], quick: bool
) -> list[pytest.Item]:
    """Return the tests to run for a change, the most likely to detect it first."""
    cited = {test for rule in change.rules for test in rules.get(rule, ())}
    imports = re.compile(rf"\b(from|import) {re.escape(_module(change))}\b")
    near = {file for file in {test.path for test in tests} if imports.search(file.read_text(encoding="utf-8"))}

    def rank(test: pytest.Item) -> int:
        if f"{test.path.name}::{_function(test)}" in cited:
            return 0
        is_refusal = test.path.name == "test_refusals.py" and "book" in _module(change).split(".")
        return 1 if test.path in near or is_refusal else 2

    ranked = sorted(tests, key=rank)
    return [test for test in ranked if rank(test) < 2] if quick else ranked


def _function(test: pytest.Item) -> str:
    return test.name.partition("[")[0]


def detections(change: Change, tests: Sequence[pytest.Item], most: int) -> list[str]:
    """Return up to `most` test functions that fail with the change. The tests run in a forked process."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.dup2(nowhere, sys.stderr.fileno())
        try:
            _run_changed(change, tests, most, write)
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as lines:
        told = [line.rstrip("\n").partition(" ") for line in lines]
    _, status = os.waitpid(child, 0)
    failed = [test for what, _, test in told if what == "failed"]
    if os.waitstatus_to_exitcode(status) < 0 and told:  # a signal ended an endless loop
        failed.append(told[-1][2])
    return list(dict.fromkeys(failed))


def _run_changed(change: Change, tests: Sequence[pytest.Item], most: int, write: int) -> None:
    """Make the change in this process, run the tests, and write each one before it runs and after it has failed."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    failed = {""} if make(change) else {"", "every test"}
    os.write(write, b"" if len(failed) == 1 else b"failed every test\n")
    for test, following in pairwise([*tests, None]):
        if test is None or len(failed) > most:
            break
        name = f"{test.path.name}::{_function(test)}"
        if name in failed:
            continue
        os.write(write, f"runs {name}\n".encode())
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        if any(report.failed for report in runtestprotocol(test, log=False, nextitem=following)):
            failed.add(name)
            os.write(write, f"failed {name}\n".encode())


def make(change: Change) -> bool:
    """Replace the code of the changed function in this process; return False if Python refuses it."""
    module = compile(change.made(change.file.read_text(encoding="utf-8")), change.file, "exec", dont_inherit=True)
    changed = {(code.co_name, code.co_firstlineno): code for code in _codes_in(module)}
    gc.unfreeze()
    for function in [candidate for candidate in gc.get_objects() if isinstance(candidate, FunctionType)]:
        code = function.__code__
        place = code.co_name, code.co_firstlineno
        # Functions below the change are the same; their lines may have moved.
        if Path(code.co_filename) == change.file and code.co_firstlineno <= change.node.lineno and place in changed:
            try:
                function.__code__ = changed[place]
            except ValueError:  # it uses other variables of the function around it
                return False
    return True


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes_in(constant)


def _module(change: Change) -> str:
    return ".".join(change.file.relative_to(RULESETS).with_suffix("").parts)


def chosen_changes(folder: Path, lines: int, seed: int, only: str = "") -> list[Change]:
    """Return one change for each of some lines of a ruleset, drawn by the seed."""
    found = [
        change
        for file in rule_modules(folder)
        if only in str(file)
        for change in changes_of(file, file.read_text(encoding="utf-8"))
    ]
    by_line = {(change.file, change.node.lineno): change for change in random.Random(seed).sample(found, len(found))}
    return [by_line[place] for place in random.Random(seed).sample(sorted(by_line, key=str), min(lines, len(by_line)))]


class Mutations:
    """A plugin of pytest that runs the collected tests against each change, instead of once."""

    def __init__(self, ruleset: str, changes: list[Change], quick: bool, most: int) -> None:
        self.rules = test_index(RULESETS / "zareba_rulesets" / ruleset) or {}
        self.changes, self.quick, self.most = changes, quick, most
        self.left: list[Change] = []
        self.alone: set[str] = set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Print what detects each change."""
        for number, change in enumerate(self.changes, start=1):
            tests = order_of_tests(change, session.items, self.rules, self.quick)
            found = detections(change, tests, self.most)
            print(f"{number:3} {'detected by ' + ', '.join(found) if found else 'NOT DETECTED'}: {change}", flush=True)
            if not found:
                self.left.append(change)
            elif len(found) == 1:
                self.alone.add(found[0])
        return True


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ruleset")
    parser.add_argument("--lines", type=int, default=60, help="how many lines are changed")
    parser.add_argument("--seed", type=int, default=1, help="which lines are drawn")
    parser.add_argument("--only", default="", help="only modules whose path holds this")
    parser.add_argument("--quick", action="store_true", help="only tests that cite the rule or import the module")
    parser.add_argument("--detections", type=int, default=1, help="how many tests to find for each change")
    given = parser.parse_args()
    changes = chosen_changes(RULESETS / "zareba_rulesets" / given.ruleset, given.lines, given.seed, given.only)
    run = Mutations(given.ruleset, changes, given.quick, given.detections)
    places = [str(TESTS / "rulesets" / given.ruleset), str(TESTS / "rulesets" / "test_refusals.py")]
    without = [f"-pno:{plugin}" for plugin in ("cacheprovider", "xdist")]
    pytest.main(["-qq", "--benchmark-disable", *without, "-k", NOT_PROOF, *places], plugins=[run])
    print(
        f"{given.ruleset}: {len(changes)} lines changed, {len(changes) - len(run.left)} detected, {len(run.left)} not"
    )
    for change in run.left:
        print(change)
    if given.detections > 1:
        print("tests that alone detected a change:", *sorted(run.alone), sep="\n    ")
    sys.exit(bool(run.left))


if __name__ == "__main__":
    main()
