"""A third-party ruleset and house rule: separate distributions, installed and played."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.external.conftest import install_with_pip

PROGRAM = Path(sys.executable).with_name("zareba")
Run = Callable[..., str]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, run: Run) -> Path:
    """Let pip build a renamed copy of a built-in ruleset as a wheel and install it into a separate folder; return that folder."""
    folder = tmp_path_factory.mktemp("third_party")
    run(PROGRAM, "new", "ruleset", "zulu", "--from", "vcc", cwd=folder)
    site = folder / "site"
    install_with_pip(folder / "zulu", site)
    return site


def test_the_copy_plays_a_game_of_its_own_and_its_test_passes(installed: Path, tmp_path: Path, run: Run) -> None:
    seats = ("--seat", "patrol=random", "--seat", "tribesmen=random")
    journal = tmp_path / "game.journal"
    words = ("play", "patrol_clash", "--ruleset", "zulu", *seats, "--seed", "4", "--journal", journal)
    assert "The game is over" in run(PROGRAM, *words, cwd=tmp_path, path=installed)
    run(PROGRAM, "replay", journal, "--check", cwd=tmp_path, path=installed)
    tests = installed.parent / "zulu" / "tests"
    run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests, cwd=tmp_path, path=installed)
