"""Shared fixtures of the command line tests: a way to run a command and a finished game."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from zareba.cli import app

Run = Callable[..., Any]


@pytest.fixture(autouse=True)
def _narrow_and_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Give every command 80 columns, and folders of the test for its games and caches."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run() -> Run:
    """Run a command in this process: `run("rules", "vcc")`; the result has `exit_code`, `stdout` and `stderr`."""

    def run_it(*args: str, typed: str | None = None) -> Any:
        return CliRunner().invoke(app, list(args), input=typed)

    return run_it


@pytest.fixture(scope="session")
def _game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("game") / "game.jsonl"
    seats = ["--seat=patrol=random", "--seat=tribesmen=random"]
    args = ["play", "patrol_clash", "--ruleset=vcc", "--seed=3", f"--journal={path}", *seats]
    result = CliRunner().invoke(app, args)
    assert result.exit_code == 0, result.stderr
    return path


@pytest.fixture
def game(_game: Path, tmp_path: Path) -> Path:
    """Return the journal of a whole game between two random players; the test may modify it."""
    path = tmp_path / "game.jsonl"
    shutil.copy(_game, path)
    return path


@pytest.fixture
def house_rule(tmp_path: Path) -> Path:
    """Return a valid house rule that changes a value and a setting."""
    path = tmp_path / "long_rifles.yaml"
    path.write_text(
        "house_rule: long_rifles\n"
        "ruleset: vcc\n"
        "changes:\n"
        "  - {at: weapons.rifle.long, was: 3, to: 4, why: long ranges}\n"
        "  - {set: fire_includes_leader_base, to: false, why: he gives the orders}\n",
        encoding="utf-8",
    )
    return path


@pytest.fixture
def bare_environment() -> dict[str, str]:
    """Return the environment of the test for a separate process."""
    return dict(os.environ, PYTHONUTF8="1", TERM="xterm-256color")
