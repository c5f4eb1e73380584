"""Packages with report sections, sheet tables, commands and scenarios. A broken one affects nothing else."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from tests.plugins.test_hooks import example
from typer.testing import CliRunner

import zareba_plugins
from zareba import cli, scenario
from zareba.analysis.games.records import GameTask, Variant
from zareba.analysis.games.simulate import run_games
from zareba.base.errors import ZarebaError
from zareba.campaign_result import campaign_result
from zareba.cli import app
from zareba.plugins import entry_points
from zareba.plugins.entry_points import warn
from zareba.registry import load_rules
from zareba.report import page
from zareba.scenario import known_scenarios, load, load_scenario, shipped_scenarios
from zareba.session import new_session
from zareba_plugins.dice_chances import CHANCES
from zareba_plugins.narrow_victories import NARROWEST

SCENARIOS = Path(scenario.__file__).parent / "shipped"


@pytest.fixture
def warnings(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    monkeypatch.setattr(logging.getLogger("zareba"), "propagate", True)
    warn.cache_clear()
    return caplog


# --- sections of reports ----------------------------------------------------------------------------------------------


def records(games: int = 6) -> list[Any]:
    agents = (("patrol", "random"), ("tribesmen", "random"))
    return run_games(GameTask(Variant("vcc", "vcc"), "patrol_clash", 0, games, 4, agents, True))


def test_zareba_sections_gives_tables_that_the_report_shows() -> None:
    assert zareba_plugins.zareba_sections() == [NARROWEST]
    played = records()
    (shown,) = page.sections(played, {"vcc": "Victorian"}, {"patrol": "The patrol", "tribesmen": "The tribesmen"})
    assert shown.title == NARROWEST.title and shown.rows[0][1].startswith("The ")
    won = [record for record in played if record.winner is not None]
    (row,) = shown.rows
    least = min(abs(record.points["patrol"] - record.points["tribesmen"]) for record in won)
    assert (row[0], row[2]) == ("Victorian", f"{float(least):g}")
    (example_of,) = example("zareba_sections").zareba_sections()
    assert example_of.rows(played, {"vcc": "Victorian"}) == [["Victorian", str(max(record.turns for record in played))]]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            replace(NARROWEST, rows=lambda records, titles: [[str(1 // 0)]]),
            "ZeroDivisionError: integer division or modulo by zero",
        ),
        (replace(NARROWEST, rows=lambda records, titles: [["too short"]]), "is not as long as its heads"),
        ("a section", "'a section' is no ReportSection"),
    ],
)
def test_a_section_that_fails_is_left_out_and_the_report_is_whole(
    given: Any, sentence: str, warnings: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "installed_sections", lambda: (("club", given), ("other", NARROWEST)))
    assert [section.title for section in page.sections(records(2), {"vcc": "vcc"})] == [NARROWEST.title]
    assert "the report sections of 'club' are left out: " in warnings.messages[-1] and sentence in warnings.messages[-1]


# --- tables of quick sheets -------------------------------------------------------------------------------------------


def test_zareba_sheets_gives_tables_that_the_sheet_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    assert zareba_plugins.zareba_sheets() == [CHANCES]
    rules = load_rules("vcc")
    (shown,) = page.sheet_tables("vcc", rules.data, rules.settings)
    rows = {row[0]: row[1:] for row in shown.rows}
    assert rows["2 or more"] == ("83\u00a0%", "", "90\u00a0%") and rows["7 or more"] == ("", "58\u00a0%", "40\u00a0%")
    told = CliRunner().invoke(app, ["sheet", "vcc"]).output
    assert CHANCES.title in told and "58\u00a0%" in told
    brought_here = tuple(("club", sheet) for sheet in example("zareba_sheets").zareba_sheets())
    monkeypatch.setattr(page, "installed_sheets", lambda: brought_here)
    assert "from barrel to butt" in CliRunner().invoke(app, ["sheet", "vcc"]).output
    assert "A rifle as a measure" not in CliRunner().invoke(app, ["sheet", "paychest"]).output


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (replace(CHANCES, rows=lambda ruleset, data, settings: [[data["no such"]]]), "KeyError: 'no such'"),
        (replace(CHANCES, rows=lambda ruleset, data, settings: [["short"]]), "is not as long as its heads"),
        (NARROWEST, "is no SheetTable"),
    ],
)
def test_a_table_that_fails_is_left_out_and_the_sheet_is_whole(
    given: Any, sentence: str, warnings: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "installed_sheets", lambda: (("club", given), ("other", CHANCES)))
    assert [table.title for table in page.sheet_tables("vcc", {}, {})] == [CHANCES.title]
    assert "the sheets of 'club' are left out: " in warnings.messages[-1] and sentence in warnings.messages[-1]


# --- commands ---------------------------------------------------------------------------------------------------------


def bring(monkeypatch: pytest.MonkeyPatch, **commands: Callable[..., Any]) -> None:
    found = {name: ("club", function) for name, function in commands.items()}
    monkeypatch.setattr(entry_points, "installed_commands", lambda: found)


def test_zareba_commands_gives_commands_of_zareba(monkeypatch: pytest.MonkeyPatch) -> None:
    bring(monkeypatch, **example("zareba_commands").zareba_commands())
    assert CliRunner().invoke(app, ["toss", "--sides", "8"]).output == "8\n"
    assert "campaign" in next(plugin.commands for plugin in entry_points.plugins() if plugin.name == "shipped")
    assert "--sides" in CliRunner().invoke(app, ["toss", "--help"]).output


def test_a_command_that_fails_is_blamed_on_its_package_at_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise ValueError("no dice")

    bring(monkeypatch, fails=fails)
    result = CliRunner().invoke(app, ["fails"])
    assert result.exit_code != 0
    line = fails.__code__.co_firstlineno + 1
    assert f"the command 'fails' of the package 'club' failed ({__file__}:{line}): ValueError: no dice" in result.output


def test_a_package_cannot_replace_a_command_of_zareba(
    monkeypatch: pytest.MonkeyPatch, warnings: pytest.LogCaptureFixture
) -> None:
    bring(monkeypatch, play=lambda: print("mine"))
    assert "play" not in cli.brought_commands()
    assert "the command 'play' of 'club'" in warnings.messages[-1]


def test_the_next_battle_of_a_campaign_has_the_survivors(tmp_path: Path) -> None:
    patrol = load_scenario("patrol_clash")
    journal, out = tmp_path / "friday.jsonl", tmp_path / "saturday.yaml"
    session = new_session("vcc", patrol, {"patrol": "doctrine", "tribesmen": "random"}, seed=4, path=journal)
    session.drive()
    session.close()
    fought = campaign_result(journal)
    assert set(fought.left) == set(patrol.units) and 0 < sum(fought.left.values()) < len(fought.left)
    words = ["campaign", str(journal), "patrol_clash", "--out", str(out), "--back", "0", "--veterans"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    following = load_scenario(out)
    for name, unit in patrol.units.items():
        assert following.units[name].figures == max(1, round(unit.figures * fought.left[name]))
    better = {unit.side for name, unit in following.units.items() if unit.quality != patrol.units[name].quality}
    assert better == {fought.outcome.winner}
    assert load_rules("vcc").game(following).start()
    assert "already exists" in CliRunner().invoke(app, words).output


def test_a_campaign_continues_only_from_a_finished_battle(tmp_path: Path) -> None:
    journal = tmp_path / "friday.jsonl"
    new_session(
        "vcc", load_scenario("patrol_clash"), {"patrol": "human", "tribesmen": "human"}, seed=4, path=journal
    ).close()
    with pytest.raises(ZarebaError, match="the battle is not over"):
        campaign_result(journal)


# --- scenarios --------------------------------------------------------------------------------------------------------


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Install a scenario pack named sudan, in a package that raises an error if imported."""
    folder = tmp_path / "sudan_battles"
    folder.mkdir()
    (folder / "__init__.py").write_text("raise RuntimeError('nobody runs this')\n")
    text = (SCENARIOS / "patrol_clash.yaml").read_text(encoding="utf-8")
    (folder / "abu_klea.yaml").write_text(text.replace("id: patrol_clash", "id: abu_klea"), encoding="utf-8")
    (folder / "patrol_clash.yaml").write_text(text.replace("turns: ", "turns: 1"), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    installed = [
        EntryPoint("sudan", "sudan_battles", load.GROUP),
        EntryPoint("gone", "no_such_package", load.GROUP),
    ]
    monkeypatch.setattr(load, "entry_points", lambda group: installed if group == load.GROUP else [])
    load.packed_scenarios.cache_clear()
    yield folder
    load.packed_scenarios.cache_clear()


def test_scenarios_of_a_package_are_known_by_name_and_do_not_hide_shipped_ones(pack: Path) -> None:
    assert known_scenarios() == (*shipped_scenarios(), "abu_klea", "sudan:patrol_clash")
    assert load_scenario("abu_klea") == load_scenario("sudan:abu_klea")
    assert load_scenario("patrol_clash").turns < load_scenario("sudan:patrol_clash").turns
    with pytest.raises(ZarebaError, match="did you mean 'abu_klea'"):
        load_scenario("abu_kle")
    shown = CliRunner().invoke(app, ["briefing", "abu_klea", "--ruleset", "vcc"])
    assert shown.exit_code == 0, shown.output


def test_a_package_of_scenarios_is_listed_with_its_problems(pack: Path) -> None:
    listed = {plugin.name: plugin for plugin in entry_points.plugins() if plugin.group == load.GROUP}
    assert listed["sudan"].scenarios == ("abu_klea", "patrol_clash") and not listed["sudan"].error
    assert listed["gone"].error == "there are no scenario files in no_such_package"


def test_a_faulty_scenario_of_a_package_disables_only_itself(pack: Path, warnings: pytest.LogCaptureFixture) -> None:
    (pack / "abu_klea.yaml").write_text("scenario: 1\n", encoding="utf-8")
    from zareba.cli.author.scenarios import _overviews

    rows, sound = _overviews()
    assert not sound and [row["id"] for row in rows] == [*shipped_scenarios(), "sudan:patrol_clash"]
    assert "the scenario 'abu_klea' is left out: abu_klea.yaml:" in warnings.messages[-1]
