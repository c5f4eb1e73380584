"""The page written by `make bench`: it holds the table, and the separate notes stay unchanged."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks import speed_table
from tests.benchmarks.speed_table import TABLE, Figure, write_table


def test_the_table_goes_to_a_page_of_its_own(tmp_path: Path) -> None:
    notes = Path(speed_table.__file__).with_name("README.md")
    assert notes != TABLE
    assert f"({TABLE.name})" in notes.read_text(encoding="utf-8"), "the notes lead to the table"
    write_table([Figure("vcc, copy of a state", "3.8 microseconds", "", "25, aim 10")], tmp_path / "speed.md")
    written = (tmp_path / "speed.md").read_text(encoding="utf-8")
    assert "| vcc, copy of a state | 3.8 microseconds |  | 25, aim 10 |\n" in written
    assert TABLE.read_text(encoding="utf-8").split("(20")[0] == written.split("(20")[0]
