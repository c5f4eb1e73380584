"""Quick reference sheets show the numbers of the resolved rules."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.web.chromium import chromium

from zareba.base.grammar import percent
from zareba.registry import find_house_rule, load_rules, ruleset_names
from zareba.report.sheet import NOT_ON_SHEET, sheet_of, sheet_page

LEFT_OUT_OF_PRINT = "no Chromium is on the PATH: how many pages a sheet prints on is NOT tested"


def numbers(data: Any) -> Iterator[int | float]:
    """Yield all numbers in nested data."""
    if isinstance(data, Mapping):
        for value in data.values():
            yield from numbers(value)
    elif isinstance(data, list):
        for value in data:
            yield from numbers(value)
    elif isinstance(data, (int, float)) and not isinstance(data, bool):
        yield data


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_a_sheet_has_every_chart_value_and_every_step(ruleset: str) -> None:
    rules = load_rules(ruleset)
    sheet = sheet_of(rules)
    told = "\n".join(" ".join(row) for table in sheet.tables for row in table.rows)
    for key, value in rules.data.items():
        if key not in NOT_ON_SHEET and key != "tallies":
            assert all(f"{number:g}" in told or percent(number) in told for number in numbers(value) if number), key
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
    assert "With the house rule 'Long rifles'." in changed.notes
    assert any(row[0] == "rifle" and "5" in row for table in changed.tables for row in table.rows)


def shown(tables: Any) -> dict[str, tuple[tuple[str, ...], ...]]:
    return {table.title: table.rows for table in tables}


def test_additions_of_python_house_rules_are_on_the_sheet(tmp_path: Path) -> None:
    gusts = tmp_path / "gusts.py"
    gusts.write_text(
        "from zareba.api import Modifier, DiceResult, hookimpl\n\n"
        "@hookimpl\n"
        "def zareba_modifiers():\n"
        "    wind = Modifier('gusts', 'HOUSE-1', 'add', DiceResult(1, 6, times=-1), summary='gusts of wind')\n"
        "    sand = Modifier('sand', 'HOUSE-2', 'add', lambda facts, here: here.turn)\n"
        "    return {'shooting': [wind], 'fire_dice': [sand]}\n"
    )
    house = [find_house_rule(name) for name in ("weather", "smoke_and_dust", str(gusts))]
    tables = shown(sheet_of(load_rules("vcc", {"weather.changes_on": 3}, house), house).tables)
    (fire,) = (rows for title, rows in tables.items() if title.startswith("Fire dice"))
    assert ("a cloud of dust", "-1", "HOUSE-WEATHER") in fire
    assert ("gusts of wind", "-D6", "HOUSE-1") in fire and ("sand", "depends on play", "HOUSE-2") in fire
    assert [row[1] for row in fire].count("× 3/4") == 1
    assert ("the weather changes on this or more on a D6", "3", "HOUSE-WEATHER") in tables["Settings of house rules"]
    said = {row[0]: row[1] for row in tables["House rules"]}
    assert (
        said["weather"].startswith("Weather: every turn it may change") and said["smoke and dust"] == "Smoke and dust"
    )
    assert "House rules" not in shown(sheet_of(load_rules("vcc")).tables)


def test_a_sheet_says_what_to_roll_and_leaves_out_what_no_player_looks_up() -> None:
    tables = {table.title: table for table in sheet_of(load_rules("paychest")).tables}
    assert "Supported words" not in tables
    changes = {row[0]: row[1] for row in tables["Firearms (this number or less on a die)"].rows}
    assert (
        changes["arm wounds of the firer"] == "minus arm wounds" and changes["massed target"] == "plus bonus for mass"
    )
    assert changes["medium range"] == "-1"
    assert "hold" in tables["Second morale"].rows[0], "not 'result hold'"


def test_a_line_for_all_systems_is_on_the_sheet_as_each_counts() -> None:
    house = [find_house_rule("weather")]
    for ruleset in ruleset_names():
        tables = sheet_of(load_rules(ruleset, {}, house)).tables
        changes = {row[1] for table in tables for row in table.rows if "HOUSE-WEATHER" in row and len(row) == 3}
        assert changes & {"-1", "+1"}, ruleset


def test_shared_rule_id_is_in_the_heading_and_mapping_is_left_out() -> None:
    tables = {table.title: table for table in sheet_of(load_rules("paychest")).tables}
    assert tables["Figures (PAY-017†)"].heads[-1] != "rule"
    assert tables["Obstacles (inches of move to cross)"].heads[-1] == "rule"
    assert not any("apping" in title for title in tables)
    cells = [cell for table in tables.values() for row in table.rows for cell in row]
    assert "None" not in cells and not any("_" in cell for cell in cells)


def test_headings_say_what_the_column_means() -> None:
    tables = {table.title: table for table in sheet_of(load_rules("paychest")).tables}
    assert "figures for each bonus of 1" in tables["Guns"].heads
    assert all("" not in table.heads[1:] for table in tables.values() if len(table.heads) > 4)


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_every_column_of_a_sheet_has_a_heading(ruleset: str) -> None:
    for table in sheet_of(load_rules(ruleset, {}, [find_house_rule("weather")])).tables:
        assert all(table.heads), table.title


def test_other_numbers_are_sentences_of_the_ruleset(tmp_path: Path) -> None:
    """A value that a house rule changes is in the sentence."""
    other = {row[0]: row[1] for row in shown(sheet_of(load_rules("fixed_baynet")).tables)["Other numbers"]}
    assert other["machine gun"] == "6 shots in a salvo, at most 3 salvos a turn"
    assert other["reach of a close-combat weapon"] == "1 inch; bases touch up to 0.05 inches apart"
    rule = tmp_path / "one_salvo.yaml"
    rule.write_text(
        "house_rule: one_salvo\ntitle: One salvo\nruleset: fixed_baynet\nchanges:\n"
        "  - {at: salvo.salvos, was: 3, to: 1}\n"
    )
    changed = sheet_of(load_rules("fixed_baynet", {}, [find_house_rule(str(rule))]))
    assert ("machine gun", "6 shots in a salvo, at most 1 salvo a turn") in {
        row[:2] for row in shown(changed.tables)["Other numbers"]
    }


def test_a_row_has_its_zeros_and_the_values_that_settings_give() -> None:
    tables = shown(sheet_of(load_rules("fixed_baynet", {"light_gun_range": 70})).tables)
    european = next(row for row in tables["Stat lines"] if row[0] == "European")
    assert "CS 0, DS 5, SP 5, GL 4" in european
    ranges = {row[0]: row[1] for row in tables["Guns"]}
    assert ranges["light gun"] == "70" and ranges["trench mortar"] == "30" and ranges["medium gun"] == "90"


def test_columns_stand_in_the_order_of_the_ruleset() -> None:
    tables = {table.title: table for table in sheet_of(load_rules("fixed_baynet")).tables}
    assert tables["Weapons"].heads[:6] == ("weapon", "short", "medium", "long", "AC", "damage")
    tables = {table.title: table for table in sheet_of(load_rules("afriboria")).tables}
    above = tables["Figures above which a unit may ignore all flags"]
    assert above.heads[:5] == ("troops", "A", "B", "C", "N") and ("mounted", "4", "5", "5") in {
        r[:4] for r in above.rows
    }


def test_no_two_modifiers_of_a_breakdown_have_the_same_name() -> None:
    for ruleset in ruleset_names():
        for table in sheet_of(load_rules(ruleset)).tables:
            if table.heads[:2] == ("modifier", "change"):
                names = [row[0] for row in table.rows]
                assert len(names) == len(set(names)), (ruleset, table.title)


def test_a_chart_of_charts_is_a_table_for_each() -> None:
    tables = {table.title: table for table in sheet_of(load_rules("risk_factor")).tables}
    missile = tables["Action table: missile troops"]
    assert missile.heads == ("Risk Factor", "1", "2", "3", "4", "5", "6", "rule")
    assert missile.rows[2][:7] == ("1", "halt", "advance", "advance", "advance", "advance", "attack")


def test_a_text_of_an_entry_stands_instead_of_its_values() -> None:
    tables = {table.title: table for table in sheet_of(load_rules("afriboria")).tables}
    (charge,) = (row for row in tables["Cards"].rows if row[0] == "cavalry charge")
    assert "up to three mounted units, with one more die in close combat" in charge


@pytest.mark.deep
@pytest.mark.skipif(chromium() is None, reason=LEFT_OUT_OF_PRINT)
@pytest.mark.parametrize("ruleset", ruleset_names())
def test_a_sheet_prints_on_at_most_two_pages(ruleset: str, tmp_path: Path) -> None:
    page, printed = tmp_path / "sheet.html", tmp_path / "sheet.pdf"
    page.write_text(sheet_page(sheet_of(load_rules(ruleset))), encoding="utf-8")
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={printed}"]
    subprocess.run([str(chromium()), *options, page.as_uri()], check=True, capture_output=True, timeout=120)
    assert len(re.findall(rb"/Type\s*/Page[^s]", printed.read_bytes())) in (1, 2)
