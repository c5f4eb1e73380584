"""A copy of a built-in ruleset as a separate distribution: built and installed by pip, listed, played and tested."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.external.conftest import install_with_pip, write_ruleset
from typer.testing import CliRunner

from zareba.cli import app

PROGRAM = Path(sys.executable).with_name("zareba")
SAME = ("play", "patrol_clash", "--seat=patrol=random", "--seat=tribesmen=random", "--seed=4")


def test_a_copied_ruleset_plays_the_game_of_its_original_and_its_test_passes(
    tmp_path: Path, run: Callable[..., str], installed_here: Callable[..., Any]
) -> None:
    copied, site = write_ruleset(tmp_path, "zulu", "--from", "vcc"), tmp_path / "site"
    install_with_pip(copied, site)
    journal = tmp_path / "game.journal"
    played = run(PROGRAM, *SAME, "--ruleset=zulu", f"--journal={journal}", cwd=tmp_path, path=site)
    original = CliRunner().invoke(app, [*SAME, "--ruleset=vcc", f"--journal={tmp_path / 'vcc.journal'}"])
    assert "The game is over" in played and played == original.stdout
    with installed_here(site, "zareba_zulu"):
        assert CliRunner().invoke(app, ["replay", str(journal), "--check"]).exit_code == 0
        listed = json.loads(CliRunner().invoke(app, ["plugins", "--json"]).stdout)
    plugins = {plugin["name"]: plugin for plugin in listed}
    assert plugins["zulu"]["distribution"] == "zareba-zulu"
    run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", copied / "tests", cwd=tmp_path, path=site)
