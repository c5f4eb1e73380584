"""Quick sheets: what they hold is what the resolved rules hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from zareba.registry import find_house_rule, load_rules, ruleset_names
from zareba.report.sheet import LEFT_OUT, sheet_of, sheet_page


def numbers(data: Any) -> Iterator[int | float]:
    """All numbers in some data."""
    if isinstance(data, Mapping):
        for value in data.values():
            yield from numbers(value)
    elif isinstance(data, list):
        for value in data:
            yield from numbers(value)
    elif isinstance(data, (int, float)) and not isinstance(data, bool):
        yield data


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_a_sheet_has_every_number_that_is_looked_up_and_every_step(ruleset: str) -> None:
    rules = load_rules(ruleset)
    sheet = sheet_of(rules)
    told = "\n".join(" ".join(row) for table in sheet.tables for row in table.rows)
    for key, value in rules.data.items():
        if key not in LEFT_OUT and key != "tallies":
            assert all(str(number) in told for number in numbers(value) if number), key
    assert all(str(phase["title"]) in told for phase in rules.data["sequence"].values() if "title" in phase)
    assert "†" in told and any("text" in note for note in sheet.notes)
    assert all(len(row) == len(table.heads) for table in sheet.tables for row in table.rows)
    html = sheet_page(sheet)
    assert html.count("<section") == len(sheet.tables) and "color-scheme: light dark" in html


def test_settings_and_house_rules_are_on_the_sheet(tmp_path: Path) -> None:
    told = {row[0] for table in sheet_of(load_rules("vcc")).tables for row in table.rows}
    off = sheet_of(load_rules("vcc", {"fire_includes_leader_base": False}))
    assert "the leader base fires too" in told
    assert "the leader base fires too" not in {row[0] for table in off.tables for row in table.rows}
    assert any("fire_includes_leader_base" in note for note in off.notes)
    rule = tmp_path / "long_rifles.yaml"
    rule.write_text(
        "house_rule: long_rifles\ntitle: Long rifles\nruleset: vcc\nchanges:\n"
        "  - {at: weapons.rifle.long, was: 3, to: 5}\n"
    )
    changed = sheet_of(load_rules("vcc", {}, [find_house_rule(str(rule))]))
    assert any("long_rifles" in note for note in changed.notes)
    assert any(row[0] == "rifle" and "5" in row for table in changed.tables for row in table.rows)
