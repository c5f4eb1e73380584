"""Checkpoint files of a comparison: the same comparison resumes from them, and any other refuses them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from tests.core.analysis.fabricated import run_games

from zareba.analysis.games.records import GameCheckpoint, GameRecord, GameTask, Variant
from zareba.base.errors import ZarebaError

AGENTS = (("british", "doctrine"), ("zulu", "random"))
RECORDS = run_games(GameTask(Variant("a", "mild"), "river_ford", 0, 8, 7, AGENTS, swap=True))
THIS = {"seed": 7, "variants": ["a"]}


def kept(folder: Path, told: list[str] | None = None, **identity: Any) -> GameCheckpoint:
    heard: list[str] = [] if told is None else told
    return GameCheckpoint(folder, THIS | identity, heard.append)


def begun(folder: Path) -> Path:
    with kept(folder) as games:
        assert games.records == ()
        games.write(RECORDS[:4])
        games.write(RECORDS[4:6])
    return games.path


def found(folder: Path) -> list[GameRecord]:
    with kept(folder) as games:
        return list(games.records)


def test_checkpoint_returns_games_unchanged(tmp_path: Path) -> None:
    begun(tmp_path)
    with kept(tmp_path) as games:
        assert list(games.records) == RECORDS[:6]
        games.write(RECORDS[6:])
    with kept(tmp_path) as games:
        assert list(games.records) == RECORDS
        games.remove()
    assert list(tmp_path.iterdir()) == []


def test_each_comparison_has_its_own_checkpoint(tmp_path: Path) -> None:
    path = begun(tmp_path)
    with kept(tmp_path, seed=8) as games:
        assert games.records == () and games.path != path
    path.rename(games.path)
    with pytest.raises(ZarebaError, match="does not hold the games of this comparison; remove it, or choose another"):
        kept(tmp_path, seed=8)


def test_two_processes_cannot_write_one_checkpoint(tmp_path: Path) -> None:
    with kept(tmp_path), pytest.raises(ZarebaError, match="is being written by another process"):
        kept(tmp_path)


def test_a_truncated_file_gives_its_whole_batches(tmp_path: Path) -> None:
    data = begun(tmp_path).read_bytes()
    path = next(tmp_path.iterdir())
    ends = [index + 1 for index, byte in enumerate(data) if byte == 10]
    for length in {*range(0, len(data), 61), *ends, *(end - 1 for end in ends)}:
        path.write_bytes(data[:length])
        whole = sum(end - 1 <= length for end in ends)  # the last newline may be missing
        assert found(tmp_path) == RECORDS[: {0: 0, 1: 0, 2: 4, 3: 6}[whole]]
        with kept(tmp_path) as games:
            games.write(RECORDS[6:])
        assert found(tmp_path)[-2:] == RECORDS[6:]


@pytest.mark.parametrize("text", ["Dear diary,\n", "half a line", "0000 {}\n", "\n"])
def test_a_file_that_holds_something_else_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(ZarebaError, match=r"notes.txt already exists and holds no games; .* another --save-games"):
        GameCheckpoint(tmp_path, THIS, print, path)
    assert path.read_text() == text


def test_games_with_other_line_endings_are_read(tmp_path: Path) -> None:
    path = begun(tmp_path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    with kept(tmp_path) as games:
        games.write(RECORDS[6:])
    assert found(tmp_path) == RECORDS


@pytest.mark.parametrize("entry", [{}, {"games": 3}, {"games": [3]}, {"games": [{}]}, {"games": [{"effort": 3}]}])
def test_checkpoint_rejects_records_that_are_no_games(tmp_path: Path, entry: dict[str, Any]) -> None:
    with kept(tmp_path) as games:
        games._ledger.write(entry)
    with pytest.raises(ZarebaError, match="does not hold the games of this comparison"):
        kept(tmp_path)


def test_games_that_could_not_be_written_are_offered_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: Any) -> None:
        raise OSError(28, "No space left on device")

    told: list[str] = []
    with kept(tmp_path, told) as games:
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", fail)
            games.write(RECORDS[:4])
            games.write(RECORDS[4:6])
        games.write(RECORDS[6:])
    assert found(tmp_path) == RECORDS
    assert len(told) == 1 and "cannot be written (No space left on device)" in told[0]
    assert told[0].endswith("play continues, and writing is tried again with the next games")
