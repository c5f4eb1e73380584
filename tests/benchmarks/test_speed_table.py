"""The page written by `make speed`: it holds the table, and the separate notes stay unchanged."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks import speed_table
from tests.benchmarks.speed_table import TABLE, Figure, Pace, play_line, write_table


def test_the_speed_table_is_written_to_a_page_of_its_own(tmp_path: Path) -> None:
    notes = Path(speed_table.__file__).with_name("README.md")
    assert notes != TABLE
    assert f"({TABLE.name})" in notes.read_text(encoding="utf-8"), "the notes lead to the table"
    rows = [Figure("vcc, copy of a state", "3.8 microseconds", "", "25, aim 10")]
    play = play_line(
        "vcc river_ford random", [(Pace(300.0, 3.0), Pace(200.0, 4.0)), (Pace(100.0, 1.0), Pace(200.0, 2.0))]
    )
    write_table([play], "3fa54e1", rows, tmp_path / "speed.md")
    written = (tmp_path / "speed.md").read_text(encoding="utf-8")
    assert "| vcc, copy of a state | 3.8 microseconds |  | 25, aim 10 |\n" in written
    assert "| vcc | river_ford | random | 200 | 1.00 (0.50 to 1.50) | 0.62 |\n" in written
    assert TABLE.read_text(encoding="utf-8").split("at commit")[0] == written.split("at commit")[0]
