"""A third-party ruleset and house rule: separate distributions, installed and played."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

PROGRAM = Path(sys.executable).with_name("zareba")
Run = Callable[..., str]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, run: Run, install: Callable[[Path, Path], None]) -> Path:
    """Build a renamed copy of a built-in ruleset as a wheel and install it into a separate folder; return that folder."""
    folder = tmp_path_factory.mktemp("third_party")
    run(PROGRAM, "new", "ruleset", "zulu", "--from", "vcc", cwd=folder)
    site = folder / "site"
    install(folder / "zulu", site)
    return site


def test_the_copy_stands_beside_the_built_in_rulesets(installed: Path, tmp_path: Path, run: Run) -> None:
    listed = json.loads(run(PROGRAM, "rulesets", "--json", cwd=tmp_path, path=installed))
    assert {"vcc", "zulu"} <= {entry["id"] for entry in listed}


def test_the_copy_plays_a_whole_game_of_its_own(installed: Path, tmp_path: Path, run: Run) -> None:
    seats = ("--seat", "patrol=doctrine", "--seat", "tribesmen=random")
    journal = tmp_path / "game.journal"
    shown = run(
        PROGRAM, "play", "patrol_clash", "--ruleset", "zulu", *seats, "--seed", "4", "--journal", journal,
        cwd=tmp_path, path=installed,
    )  # fmt: skip
    assert "patrol" in shown
    run(PROGRAM, "replay", journal, "--check", cwd=tmp_path, path=installed)


def test_the_copy_gives_the_odds_of_the_original(installed: Path, tmp_path: Path, run: Run) -> None:
    facts = ("bases=5", "leader=true", "band=close", "--json")
    found = {
        name: json.loads(run(PROGRAM, "odds", name, "fire_pool", *facts, cwd=tmp_path, path=installed))
        for name in ("vcc", "zulu")
    }
    assert found["zulu"]["outcomes"] == found["vcc"]["outcomes"]


def test_it_comes_with_a_test_that_passes(installed: Path, tmp_path: Path, run: Run) -> None:
    tests = installed.parent / "zulu" / "tests"
    run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests, cwd=tmp_path, path=installed)
