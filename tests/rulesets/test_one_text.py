"""The odds repeat no sequence of play: they set up a small state and call the functions that play calls.

The code of the odds is checked. It makes no rolls, draws or choices. It calls only one rule function at a time,
because two in a row would copy a part of the sequence of play. The exceptions are listed here with their reasons.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import zareba_rulesets

ROOT = Path(zareba_rulesets.__path__[0])
FILES = sorted([*ROOT.glob("*/odds/*.py"), *ROOT.glob("*/presentation/odds_hints.py")])
ASKS = frozenset({"roll", "draw", "choose", "place", "confirm", "faces_of", "each", "emit"})
ASKED = {
    "risk_factor/odds/melee.py": "which men were wounded before the fight is a fact that play has had from an earlier one"
}
SEVERAL = {
    ("fixed_baynet/odds/artillery.py", "roll"): "a closed calculation, of one man under a burst",
    ("fixed_baynet/odds/buildings.py", "shoot"): "a gun or a man, not both",
    ("fixed_baynet/odds/fire.py", "shoot"): "a closed calculation, of one shot; and what is told of it is read before and after",
    ("fixed_baynet/odds/glory.py", "run"): "events of a turn by the facts, then the phase",
    ("fixed_baynet/presentation/odds_hints.py", "_alone"): "the end of a man's step, after his shot or blow",
    ("fixed_baynet/presentation/odds_hints.py", "_answer"): "the rest of a volley, in the midst of which he was asked",
    ("paychest/odds/fire.py", "act"): "what was told of the shot is read",
    ("paychest/odds/morale.py", "act"): "what was told of the roll is read",
    ("paychest/odds/morale.py", "run"): "the first move of a rout, or the roll before a later one",
    ("risk_factor/odds/action.py", "throw"): "the phase ends with it",
    ("risk_factor/odds/shooting.py", "fire"): "the phase ends with it",
    ("risk_factor/presentation/odds_hints.py", "_fire"): "the phase ends with it",
}  # fmt: skip


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


def with_table(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.Lambda]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)) and any(one.arg == "table" for one in node.args.args):
            yield node


def own_calls(function: ast.FunctionDef | ast.Lambda) -> Iterator[ast.Call]:
    """Yield the calls in a function's own body, without those in nested functions."""
    body = function.body if isinstance(function.body, list) else [function.body]
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            continue
        if isinstance(node, ast.Call):
            yield node
        waiting.extend(ast.iter_child_nodes(node))


def is_table(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "table"


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_odds_throw_and_ask_nothing_themselves(file: Path) -> None:
    asked = [
        f"line {node.lineno}: table.{node.func.attr}"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and is_table(node.func.value)
        and node.func.attr in ASKS
    ]
    assert bool(asked) == (name_of(file) in ASKED), asked


def test_odds_do_one_thing_of_the_rules_at_a_time() -> None:
    found = set()
    for file in FILES:
        for function in with_table(ast.parse(file.read_text(encoding="utf-8"))):
            called = [call for call in own_calls(function) if call.args and is_table(call.args[0])]
            if len(called) > 1:
                found.add((name_of(file), getattr(function, "name", "lambda")))
    assert found == SEVERAL.keys()


def test_there_is_something_to_read() -> None:
    assert len({file.relative_to(ROOT).parts[0] for file in FILES}) == 5 and len(FILES) > 30
