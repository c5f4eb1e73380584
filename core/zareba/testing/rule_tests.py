"""The index from the rules of a catalogue to the tests that show them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from zareba.rules.catalogue import marked_tests


@lru_cache(maxsize=16)
def test_index(folder: Path) -> dict[str, list[str]] | None:
    """Return rule id -> the tests marked with it, as `test_fire.py::test_name`.

    Returns None if the tests are not available, as in an installed wheel.
    """
    tests = next((up / "tests" for up in folder.parents if (up / "tests" / "rulesets" / folder.name).is_dir()), None)
    if tests is None:
        return None
    index: dict[str, list[str]] = {}
    for file in sorted((tests / "rulesets" / folder.name).rglob("test_*.py")):
        for name, rule in marked_tests(file.read_text(encoding="utf-8")):
            index.setdefault(rule, []).append(f"{file.name}::{name}")
    return index
