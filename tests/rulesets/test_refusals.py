"""Changes that house rules cannot make, with their errors: one listing for each ruleset.

`golden/<ruleset>_refusals.txt` has a line for each change, such as `weapons.rifle.long = -4` or `remove terrain.open`,
and below it the errors. To add a change, write its line, and run
`ZAREBA_REWRITE_GOLDEN=1 pytest tests/rulesets/test_refusals.py`.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from zareba.base.errors import FileError
from zareba.registry import find_house_rule, load_rules, ruleset_names

GOLDEN = Path(__file__).parent / "golden"
VALID = "title = Our rules"
"""A valid change, which comes first in each house rule. No error may point to it."""


def change(data: Any, line: str) -> str:
    """Return the change of a house rule that a line of a listing stands for."""
    if line.startswith("remove "):
        return f"{{remove: {line.removeprefix('remove ')}}}"
    path, _, value = line.partition(" = ")
    *above, last = path.split(".")
    for key in above:
        data = data[key]
    if last not in data:
        return f"{{add: {path}, entry: {value}}}"
    return f"{{at: {path}, was: {json.dumps(data[last])}, to: {value}}}"


def refusals(ruleset: str, data: Any, line: str, folder: Path) -> list[str]:
    """Return the errors of a house rule with a change, after checking that they point to the line of the change."""
    file = folder / "club.yaml"
    changes = "".join(f"  - {change(data, text)}\n" for text in (VALID, line))
    file.write_text(f"house_rule: club\nruleset: {ruleset}\nchanges:\n{changes}", encoding="utf-8")
    with pytest.raises(FileError) as refused:
        load_rules(ruleset, {}, [find_house_rule(str(file))])
    for problem in refused.value.problems:
        assert (problem.file, problem.line) == (str(file), 5), line
    return [f"    {problem.message}" for problem in refused.value.problems]


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_invalid_changes_are_rejected_at_their_line(ruleset: str, tmp_path: Path) -> None:
    listing, data = GOLDEN / f"{ruleset}_refusals.txt", load_rules(ruleset).data
    found = ""
    for line in listing.read_text(encoding="utf-8").splitlines():
        if not line.startswith("    "):
            found += "".join(f"{text}\n" for text in (line, *refusals(ruleset, data, line, tmp_path)))
    if os.environ.get("ZAREBA_REWRITE_GOLDEN"):
        listing.write_text(found, encoding="utf-8")
    assert found == listing.read_text(encoding="utf-8")
