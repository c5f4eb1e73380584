"""A club edition that extends vcc, and an extension of a third-party ruleset, each as an installed distribution."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.external.conftest import install_wheel, install_with_pip
from typer.testing import CliRunner, Result

from zareba.cli import app
from zareba.web.app import create_app
from zareba.web.lobby.games import Games

PROGRAM = Path(sys.executable).with_name("zareba")
CLUB = Path(__file__).parents[2] / "examples" / "vcc_club"
Run = Callable[..., str]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install a copy of the example into a new folder; return that folder."""
    folder = tmp_path_factory.mktemp("club")
    shutil.copytree(CLUB, folder / "vcc_club")
    install_wheel(folder / "vcc_club", folder / "site")
    return folder / "site"


@pytest.fixture
def run_here(installed: Path, installed_here: Callable[..., Any], tmp_path: Path) -> Iterator[Callable[..., Result]]:
    """Return a function that runs a command in this process, where the example is installed."""
    with installed_here(installed, "zareba_vcc_club"), pytest.MonkeyPatch.context() as patched:
        patched.chdir(tmp_path)
        patched.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        yield lambda *words: CliRunner().invoke(app, [str(word) for word in words])


def test_the_tests_of_an_extended_ruleset_pass(installed: Path, tmp_path: Path, run: Run) -> None:
    tests = installed.parent / "vcc_club" / "tests"
    run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests, cwd=tmp_path, path=installed)


def test_every_number_says_which_ruleset_gave_it(run_here: Callable[..., Result]) -> None:
    def explained(path: str) -> dict[str, object]:
        found: dict[str, object] = json.loads(run_here("explain", "vcc_club", path, "--json").stdout)
        return found

    own, inherited, default = map(explained, ("weapons.rifle.long", "weapons.musket.close", "settings.mg_overheat"))
    assert own["value"] == 4 and own["was"] == 3
    assert str(own["source"]).startswith("vcc_club (") and "zareba_vcc_club/ruleset.yaml:" in str(own["source"])
    assert str(inherited["source"]).endswith(", inherited from vcc")
    assert (default["value"], default["was"]) == ("off", "on")
    assert str(default["source"]).startswith("vcc_club (")
    assert list(explained("tallies.fire_dice.modifiers")["changed_inside"]) == ["tallies.fire_dice.modifiers.prone"]  # type: ignore[call-overload]  # a dict
    sheet = run_here("sheet", "vcc_club").stdout
    assert "Changes to vcc" in sheet and "weapons rifle long" in sheet
    odds = json.loads(run_here("odds", "vcc_club", "rally", "bases=2", "leader=true", "--json").stdout)
    assert "vcc_club/ruleset.yaml:" in json.dumps(odds["explain"])
    assert "vcc/ruleset.yaml:" in json.dumps(odds["explain"])


def test_rules_are_listed_with_the_ids_of_the_parent(run_here: Callable[..., Result]) -> None:
    listed = json.loads(run_here("rules", "vcc_club", "--json").stdout)
    ids = [entry["id"] for entry in json.loads(run_here("rules", "vcc", "--json").stdout)]
    assert [entry["id"] for entry in listed] == [*ids, "CLB-001", "CLB-002", "CLB-003", "CLB-004"]
    assert "hooks.py:rally_again" in run_here("rules", "vcc_club", "clb4").stdout
    assert "vcc/ruleset.yaml:" in run_here("rules", "vcc_club", "81").stdout


def test_extended_ruleset_plays_and_replays(
    installed: Path, tmp_path: Path, run: Run, run_here: Callable[..., Result]
) -> None:
    seats = ("--seat", "patrol=doctrine", "--seat", "tribesmen=random")
    journal = tmp_path / "game.journal"
    words = ("play", "patrol_clash", "--ruleset", "vcc_club", "--house-rule", "second_wind", *seats, "--seed", "4")
    run(PROGRAM, *words, "--journal", journal, cwd=tmp_path, path=installed)
    assert run_here("replay", journal, "--check").exit_code == 0
    assert "patrol" in run_here("log", journal).stdout


def test_an_extended_ruleset_is_played_on_the_page(run_here: Callable[..., Result], tmp_path: Path) -> None:
    games = Games(tmp_path / "games")
    client = TestClient(create_app(games, "key", {"testserver"}), follow_redirects=False)
    client.get("/enter/key")
    assert "club edition" in client.get("/new/patrol_clash?ruleset=vcc_club").text
    seats = {"seat.patrol": "me", "seat.tribesmen": "doctrine", "seed": "3"}
    begun = client.post("/new/patrol_clash", data={"ruleset": "vcc_club", **seats})
    assert begun.status_code == 303, begun.text
    parts = client.get(begun.headers["location"] + "/parts", headers={"Accept": "application/json"})
    assert parts.status_code == 200, parts.text
    games.close()


def test_check_reads_the_files_of_a_ruleset_and_runs_its_hooks_if_asked(
    installed: Path, tmp_path: Path, run_here: Callable[..., Result]
) -> None:
    package = installed / "zareba_vcc_club"
    assert "fine" in run_here("check", package / "rules.yaml").stdout
    checked = run_here("check", "--run", package / "ruleset.yaml")
    assert checked.exit_code == 0 and "fine" in checked.stdout
    (tmp_path / "ruleset.yaml").write_text(
        "ruleset: bad\nextends: vcc_club\ntitle: Bad\nweapons: {rifel: {long: 4}}\n", encoding="utf-8"
    )
    done = run_here("check", "ruleset.yaml")
    assert done.exit_code == 1
    assert "ruleset.yaml:4:11: weapons.rifel: vcc_club has no weapons.rifel; did you mean 'rifle'?" in done.stderr


def test_a_copy_of_an_extended_ruleset_is_refused(run_here: Callable[..., Result]) -> None:
    assert "use --extends vcc_club" in run_here("new", "ruleset", "home", "--from", "vcc_club").stderr


@pytest.mark.deep
def test_a_third_party_ruleset_can_be_extended(tmp_path: Path, run: Run) -> None:
    site = tmp_path / "site"
    run(PROGRAM, "new", "ruleset", "hills", "--bare", cwd=tmp_path)
    install_with_pip(tmp_path / "hills", site)
    run(PROGRAM, "new", "ruleset", "high_hills", "--extends", "hills", cwd=tmp_path, path=site)
    install_with_pip(tmp_path / "high_hills", site)
    tests = tmp_path / "high_hills" / "tests"
    run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests, cwd=tmp_path, path=site)
    found = json.loads(run(PROGRAM, "explain", "high_hills", "settings.rout", "--json", cwd=tmp_path, path=site))
    assert (found["value"], found["was"]) == ("once", "twice")
