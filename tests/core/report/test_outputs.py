"""Output files of a comparison: identical bytes for identical input, safe cells, and a note about missing formats."""

from __future__ import annotations

import csv
import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tests.core.analysis.fabricated import run_games
from tests.core.analysis.hand_made import draw, reversal

from zareba.analysis.compare import Comparison, compare
from zareba.analysis.games.records import GameRecord, Variant
from zareba.analysis.studies.sweep import Sweep
from zareba.base.errors import ZarebaError
from zareba.report.outputs import games_csv, write_outputs

AGENTS = (("british", "doctrine"), ("zulu", "doctrine"))


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    variants = (Variant("a", "mild"), Variant("b", "fierce"))
    notes = {"a": ("searching fire of rockets",)}
    said = {"b": ("british: zulu",)}
    header = {"command": "zareba compare river_ford", "digests": {"scenario": "ab12"}}
    return compare("river_ford", variants, 8, 7, 1, AGENTS, run_games, header=header, notes=notes, overrides=said)


@pytest.fixture(scope="module")
def written(comparison: Comparison, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with the output files of the comparison."""
    folder = tmp_path_factory.mktemp("written")
    write_outputs(comparison, folder)
    return folder


@pytest.fixture
def blank_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the charts out of reports, for tests that look at something else."""
    monkeypatch.setattr("zareba.report.plots.draw_all", lambda *of: [])


def of(record: GameRecord) -> Comparison:
    """Return a comparison of one game."""
    return Comparison("river_ford", (Variant(record.variant, "mild"),), 1, 7, tuple(record.agents.items()), (record,))


def test_the_same_comparison_gives_the_same_bytes(comparison: Comparison, written: Path, tmp_path: Path) -> None:
    again = write_outputs(comparison, tmp_path)
    assert [path.name for path in again.files] == ["summary.json", "games.csv", "report.html", "games.parquet"]
    for file in again.files:
        assert file.read_bytes() == (written / file.name).read_bytes(), file.name


def test_the_summary_repeats_header_and_notes(written: Path) -> None:
    summary = json.loads((written / "summary.json").read_text(encoding="utf-8"))
    assert summary["header"]["digests"] == {"scenario": "ab12"}
    assert summary["header"]["seed"] == 7
    assert summary["variants"][0]["not_in_these_rules"] == ["searching fire of rockets"]
    assert summary["variants"][1]["not_in_these_rules"] == []
    assert [variant["for_these_rules_alone"] for variant in summary["variants"]] == [[], ["british: zulu"]]


def test_parquet_and_csv_hold_the_same_games(comparison: Comparison, written: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = parquet.read_table(written / "games.parquet").to_pylist()
    lines = list(csv.DictReader((written / "games.csv").open(encoding="utf-8", newline="")))
    assert len(rows) == len(lines) == 16
    for row, line, record in zip(rows, lines, comparison.records, strict=True):
        assert (row["game"], row["turns"]) == (int(line["game"]), int(line["turns"])) == (record.game, record.turns)
        assert row["strength_zulu"] == list(record.strength["zulu"])
        assert [float(share) for share in line["strength_zulu"].split()] == row["strength_zulu"]
        assert row["lost_british_fire"] == float(line["lost_british_fire"])


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", " ="])
def test_no_text_cell_starts_a_formula(start: str) -> None:
    record = replace(draw(), variant=f"{start}cmd|' /C calc'!A0", winner=None)
    (line,) = csv.DictReader(io.StringIO(games_csv(of(record)), newline=""))
    assert line["variant"] == f"'{start}cmd|' /C calc'!A0"


def test_numbers_stay_numbers() -> None:
    record = replace(reversal(), points={"red": -3, "blue": 0})
    (line,) = csv.DictReader(io.StringIO(games_csv(of(record))))
    assert float(line["points_red"]) == -3


@pytest.mark.usefixtures("blank_charts")
def test_without_pyarrow_csv_is_written_instead(
    comparison: Comparison, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    written = write_outputs(comparison, tmp_path)
    assert not (tmp_path / "games.parquet").exists()
    assert (tmp_path / "games.csv").exists()
    assert [remark for remark in written.remarks if "games.parquet needs pyarrow" in remark]


@pytest.mark.usefixtures("blank_charts")
def test_a_folder_that_cannot_be_created_is_named(comparison: Comparison, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(ZarebaError, match=r"cannot write to .*taken.*choose another --out"):
        write_outputs(comparison, tmp_path / "taken")


def test_every_row_has_the_command_that_replays_its_game(comparison: Comparison) -> None:
    lines = list(csv.DictReader(io.StringIO(games_csv(comparison), newline="")))
    assert all(
        line["again"].startswith(f"zareba play river_ford --ruleset={comparison.variants[number // 8].ruleset}")
        for number, line in enumerate(lines)
    )
    assert all(f"--seed={line['seed']}" in line["again"] for line in lines)


def test_a_sweep_and_set_pieces_are_in_the_report(
    comparison: Comparison, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    twins = tuple(Variant(f"bite={bite}", "mild", (("bite", bite),)) for bite in (0.0, 0.04))
    swept = compare("river_ford", twins, 20, 7, 1, AGENTS, run_games)
    swept = replace(swept, sweep=Sweep("bite", "mild", 0.0, ((0.0, "bite=0.0"), (0.04, "bite=0.04"))))
    write_outputs(swept, tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "bite (0.0 in the unchanged rules)" in page and "per step of 1" in page
    assert "Games that differ most" not in page
    monkeypatch.setattr("zareba.report.plots.draw_all", lambda *of: [])  # they have been drawn above
    write_outputs(replace(swept, sweep=None), tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Games that differ most" in page and "zareba play river_ford --ruleset=mild" in page
