"""The numbers of each ruleset as a listing, defaults included: a changed value appears as one changed line.

`ZAREBA_REWRITE_GOLDEN=1 pytest tests/rulesets/test_golden_numbers.py` rewrites the listings. Compare each changed line
with the rulebook before you keep it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from zareba.registry import load_rules, ruleset_names

GOLDEN = Path(__file__).parent / "golden"


def entries(data: Any, place: str = "") -> Iterator[str]:
    """Yield a line for every value but summaries, with its place. A list of plain values is one line."""
    if isinstance(data, dict):
        for key, value in data.items():
            if key != "summary":
                yield from entries(value, f"{place}.{key}" if place else str(key))
    elif isinstance(data, list) and any(isinstance(value, (dict, list)) for value in data):
        for number, value in enumerate(data):
            yield from entries(value, f"{place}.{number}")
    else:
        yield f"{place} = {data!r}"


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_every_number_of_a_ruleset_is_as_listed(ruleset: str) -> None:
    book, listing = load_rules(ruleset).book, GOLDEN / f"{ruleset}_numbers.txt"
    found = "\n".join(entries(book.model_dump(mode="json", by_alias=True, warnings=False))) + "\n"
    if os.environ.get("ZAREBA_REWRITE_GOLDEN"):
        listing.write_text(found, encoding="utf-8")
    assert found == listing.read_text(encoding="utf-8")
