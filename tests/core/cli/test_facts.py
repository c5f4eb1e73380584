"""Facts that are lists, and lists of rows with a field for each kind of value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest

from zareba.base.errors import ZarebaError
from zareba.cli.study.facts import fact_text, read_facts
from zareba.odds import Procedure, SmallBattle

Man = tuple[Literal["rifle", "musket"], int, bool]


@dataclass(frozen=True)
class Rows:
    men: tuple[Man, ...] = ()
    pairs: tuple[tuple[Man, tuple[Man, ...]], ...] = ()
    numbers: tuple[int, ...] = (4, 5)


PROCEDURE = Procedure(
    "rows", "X-001", "rows", Rows, Rows, lambda rules, facts: SmallBattle([], [], lambda state, gave: facts)
)


def read(tmp_path: Path, data: dict[str, Any]) -> Any:
    file = tmp_path / "facts.json"
    file.write_text(json.dumps(data), "utf-8")
    return read_facts(PROCEDURE, str(file), [])


def test_rows_are_read_from_a_file(tmp_path: Path) -> None:
    ours, theirs = ["rifle", 3, True], ["musket", 1, False]
    found = read(tmp_path, {"men": [ours, theirs], "pairs": [[ours, [theirs, theirs]]]})
    assert found.men == (("rifle", 3, True), ("musket", 1, False))
    assert found.pairs == ((("rifle", 3, True), (("musket", 1, False), ("musket", 1, False))),)
    assert hash(found) is not None


@pytest.mark.parametrize(
    "row", [["rifle", 3], ["rifle", 3, True, 1], ["bow", 3, True], ["rifle", True, True], ["rifle", 3, 1], "rifle"]
)
def test_a_row_of_another_shape_is_refused_with_what_it_takes(tmp_path: Path, row: Any) -> None:
    taken = "a list, in a file of facts, of: \\[rifle, musket; a whole number; true, false\\]"
    with pytest.raises(ZarebaError, match=f"the fact men cannot be .*; it takes {taken}"):
        read(tmp_path, {"men": [row]})


def test_facts_are_listed_in_the_form_that_options_take() -> None:
    assert fact_text((("rifle", 3, True), ("musket", 1, False))) == '[["rifle", 3, true], ["musket", 1, false]]'
    assert (fact_text((4, 5)), fact_text(("a", True)), fact_text(()), fact_text(False)) == (
        "4,5",
        "a,true",
        "",
        "false",
    )


def test_nested_rows_cannot_be_typed_as_options_and_plain_lists_can() -> None:
    assert read_facts(PROCEDURE, None, ["numbers=1,2"]).numbers == (1, 2)
    with pytest.raises(ZarebaError, match=r"the fact men cannot be 'rifle,3,true'; .* in a file of facts, of"):
        read_facts(PROCEDURE, None, ["men=rifle,3,true"])


@pytest.mark.parametrize("content", ['\ufeff{"numbers": [1, 2]}\r\n', "\ufeffnumbers: [1, 2]\r\n"])
def test_a_file_of_facts_may_begin_with_a_byte_order_mark(tmp_path: Path, content: str) -> None:
    file = tmp_path / "facts.json"
    file.write_bytes(content.encode())
    assert read_facts(PROCEDURE, str(file), []).numbers == (1, 2)
