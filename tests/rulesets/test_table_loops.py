"""Loops over `Table.each` meet the conditions of the odds: nothing outlives an item, and no loop is left early."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from zareba.registry import ruleset, ruleset_names


def faults(source: str) -> list[str]:
    """Return the faults in the loops of a module, with their lines."""
    found: list[str] = []
    if ".each(" not in source:
        return found  # most modules, and parsing takes long
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            for loop in ast.walk(function):
                if isinstance(loop, ast.For) and _is_left_to_the_table(loop):
                    found += [f"line {loop.lineno}: {fault}" for fault in _of_loop(function, loop)]
    return found


def _is_left_to_the_table(loop: ast.For) -> bool:
    call = loop.iter
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "each"


def _of_loop(function: ast.FunctionDef, loop: ast.For) -> Iterator[str]:
    inside = [node for statement in loop.body for node in ast.walk(statement)]
    if any(isinstance(node, ast.Return) for node in inside):
        yield "returns out of the loop"
    nested = {child for node in inside if isinstance(node, (ast.For, ast.While)) for child in ast.walk(node)}
    if any(isinstance(node, ast.Break) and node not in nested for node in inside):
        yield "breaks out of the loop"
    of_comprehensions = {
        name.id
        for node in inside
        if isinstance(node, ast.comprehension)
        for name in ast.walk(node.target)
        if isinstance(name, ast.Name)
    }
    made = {node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    outside = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node not in set(inside)]
    for name in sorted(made - of_comprehensions):
        if any(node.id == name and node.lineno < loop.lineno and isinstance(node.ctx, ast.Store) for node in outside):
            yield f"'{name}' is made before the loop and made anew in it"
        if any(node.id == name and node.lineno > (loop.end_lineno or 0) for node in outside):
            yield f"'{name}' is used after the loop"


def modules() -> list[Path]:
    return [path for name in ruleset_names() for path in sorted(ruleset(name).folder.rglob("*.py"))]


def test_no_loop_of_a_ruleset_keeps_state_beyond_its_items() -> None:
    found = {f"{path.parent.name}/{path.name}: {fault}" for path in modules() for fault in faults(path.read_text())}
    assert not found


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("    for shot in table.each(shots):\n        if shot:\n            break\n", "breaks out"),
        ("    for shot in table.each(shots):\n        return shot\n", "returns out"),
        ("    hits = 0\n    for shot in table.each(shots):\n        hits += shot\n", "'hits' is made before"),
        ("    for shot in table.each(shots):\n        last = shot\n    return last\n", "'last' is used after"),
        ("    for shot in table.each(shots, hits):\n        for one in shot:\n            break\n", ""),
        ("    for shot in shots:\n        break\n", ""),
    ],
)
def test_each_fault_in_a_loop_is_found(body: str, fault: str) -> None:
    found = faults(f"def volley(table, shots, hits):\n{body}")
    assert [fault in message for message in found] == [True] if fault else not found
