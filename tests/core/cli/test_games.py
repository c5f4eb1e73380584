"""Evening files, saved games and the after-action page on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from zareba.session import replay

PATROL = ("patrol_clash", "--ruleset=vcc", "--seat=tribesmen=random")


def test_an_evening_is_written_checked_played_and_continued(run: Any) -> None:
    assert run("games").stderr == "there are no saved games; start one with 'zareba play'\n"
    assert run("new", "evening", "monday", "--from", "vcc").exit_code == 0
    assert run("check", "monday.yaml").stdout == "monday.yaml: fine\n"
    assert run("play", "monday.yaml", "--name", "first night", typed="do phase\nquit\n").exit_code == 0
    (kept,) = json.loads(run("games", "--json").stdout)
    assert kept["name"] == "first night" and kept["scenario"] == "patrol_clash" and kept["ruleset"] == "vcc"
    assert kept["progress"].startswith("turn 1") and not kept["over"] and "The band: doctrine" in kept["seats"]
    assert kept["stands"] == kept["progress"], "the key of the last release"
    shown = run("continue", "first night", typed="do game\n").stdout
    assert "The game is over: " in shown and "Turning points" in shown
    assert json.loads(run("games", "--json").stdout)[0]["over"]
    assert "there is no unfinished game" in run("continue").stderr
    journal = kept["file"]
    assert replay(Path(journal)).session.pending is None
    assert run("log", journal, "--page", "page.html").exit_code == 0
    assert "<svg" in Path("page.html").read_text()


def test_a_running_game_is_kept_as_an_evening(run: Any) -> None:
    args = ("play", "patrol_clash", "--ruleset=vcc", "--seat=tribesmen=random", "--set=hits_per_base=4")
    shown = run(*args, typed="keep again.yaml\nkeep again.yaml\nkeep\nquit\n").stdout
    assert "written: again.yaml" in shown and "already exists" in shown and "name a file" in shown
    assert "hits_per_base: 4" in Path("again.yaml").read_text()
    assert run("check", "again.yaml").exit_code == 0


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("ruleset: vcc", "Field required"),
        ("evening: x\nruleset: vccc\nscenario: patrol_clash", "did you mean 'vcc'?"),
        ("evening: x\nruleset: vcc\nscenario: patrol_clsh", "did you mean 'patrol_clash'?"),
        ("evening: x\nruleset: vcc\nscenario: mine.yaml", "there is no file mine.yaml"),
        ("evening: x\nruleset: vcc\nscenario: patrol_clash\nseats: {tribes: random}", "did you mean 'tribesmen'?"),
        ("evening: x\nruleset: vcc\nscenario: patrol_clash\nseats: {tribesmen: doctrin}", "did you mean 'doctrine'?"),
        ("evening: x\nruleset: vcc\nscenario: patrol_clash\ndice: real", "dice"),
        ("evening: x\nruleset: vcc\nscenario: patrol_clash\nthink: 0", "think"),
        ("evening: x\nruleset: vcc\nscenario: patrol_clash\nplayers: {}", "players"),
        ("evening: x\nruleset: vcc\nscenario: patrol_clash\nsettings: {hits_per_bse: 4}", "hits_per_base"),
        ("evening: x\nruleset: vcc\nscenario: patrol_clash\nhouse_rules: [nobody]", "nobody"),
    ],
)
def test_faulty_evening_is_reported_and_not_started(run: Any, wrong: str, told: str) -> None:
    Path("wrong.yaml").write_text(wrong + "\n")
    for command in ("check", "play"):
        result = run(command, "wrong.yaml")
        assert result.exit_code in (1, 2)
        if not wrong.startswith("ruleset"):
            assert told in result.stderr
    assert json.loads(run("games", "--json").stdout) == []


def test_mistakes_with_saved_games_are_reported(run: Any) -> None:
    run("play", "patrol_clash", "--ruleset=vcc", "--seat=tribesmen=random", "--name=monday", typed="quit\n")
    assert "did you mean 'monday'?" in run("continue", "munday").stderr
    assert "already exists" in run("play", "patrol_clash", "--ruleset=vcc", "--name=monday").stderr
    assert "is not a valid name for a game" in run("play", "patrol_clash", "--ruleset=vcc", "--name=../x").stderr
    assert "name a ruleset" in run("play", "patrol_clash").stderr
    assert "did you mean 'tribesmen'?" in run("continue", "--seat=tribesman=random").stderr
    assert run("continue", "--seat=tribesmen=general", "--think=0.2", typed="seat\nquit\n").exit_code == 0
    journal = json.loads(run("games", "--json").stdout)[0]["file"]
    assert "the battle is not over" in run("log", journal, "--page", "page.html").stderr
    assert not Path("page.html").exists()


@pytest.mark.parametrize("name", ["میوند ۱۸۸۰", "شمشیر\u200cزنان", "पहली लड़ाई", "club night 3.1"])
def test_games_have_names_in_any_script(run: Any, name: str) -> None:
    assert run("play", *PATROL, f"--name={name}", typed="quit\n").exit_code == 0
    assert [game["name"] for game in json.loads(run("games", "--json").stdout)] == [name]
    assert run("continue", name, typed="quit\n").exit_code == 0


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("   ", "it is blank"),
        ("", "it is blank"),
        ("\u3000", "it is blank"),
        ("CON", "Windows keeps it for a device; choose another"),
        ("nul.old", "Windows keeps it for a device; choose another"),
        ("com1", "Windows keeps it for a device; choose another"),
        ("monday.", "a dot at the end, which Windows drops"),
        (" monday", "leave out spaces at either end"),
        ("mon\u200cday", "use letters, digits, spaces"),
        ("x" * 61, "up to 60 characters, not 61"),
    ],
)
def test_names_that_are_no_portable_file_names_are_refused(run: Any, name: str, told: str) -> None:
    result = run("play", *PATROL, f"--name={name}", typed="quit\n")
    assert result.exit_code == 2
    assert "is not a valid name for a game" in result.stderr and told in result.stderr
    assert json.loads(run("games", "--json").stdout) == []


@pytest.mark.parametrize(
    "command",
    [
        "play patrol_clash --ruleset vcc --seat tribesmen=random --journal aux.jsonl",
        "generate 7 --size small --out nul.yaml",
        "new scenario con",
        "new evening com1",
        "sheet vcc --out PRN.html",
        "roster patrol_clash --ruleset paychest --out lpt1.html",
        "compare patrol_clash --games 2 --out aux",
        "compare patrol_clash --games 2 --save-games con.jsonl --out fine",
    ],
)
def test_no_output_has_a_name_reserved_by_windows(run: Any, tmp_path: Path, command: str) -> None:
    result = run(*command.split())
    assert result.exit_code == 2
    assert "reserved name on Windows; choose another" in result.stderr
    assert not [
        path for path in tmp_path.rglob("*") if path.stem.casefold() in ("aux", "nul", "con", "com1", "prn", "lpt1")
    ]
