"""`zareba generate`: a battle on the screen or in a new file; existing files are not overwritten."""

from __future__ import annotations

from pathlib import Path

from tests.core.cli.conftest import Run

from zareba.authoring import generate


def test_a_new_battle_is_written_checked_and_never_overwrites_another(run: Run, tmp_path: Path) -> None:
    assert run("generate", "7", "--size", "small").stdout == generate(7, "small")
    file = tmp_path / "mine.yaml"
    assert run("generate", "7", "--size", "small", "--out", str(file)).exit_code == 0
    assert file.read_text() == generate(7, "small")
    assert run("check", str(file)).exit_code == 0
    again = run("generate", "8", "--out", str(file))
    assert again.exit_code == 2 and "already exists" in again.stderr
    assert file.read_text() == generate(7, "small")
    wrong = run("generate", "7", "--theatre", "zul")
    assert wrong.exit_code == 2 and "did you mean 'zulu'" in wrong.stderr
