"""Files written by `zareba new` are valid at once: they pass `check` and can be played."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

SEATS = ("--seat=patrol=random", "--seat=tribesmen=random", "--seed=1")


def test_a_house_rule_in_yaml_changes_the_game_named(run: Any) -> None:
    assert run("new", "house-rule", "our_way", "--from", "vcc").exit_code == 0
    assert run("check", "our_way.yaml").stdout == "our_way.yaml: fine\n"
    switch = Path("our_way.yaml").read_text().partition("{set: ")[2].partition(",")[0]
    found = json.loads(run("explain", "vcc", f"settings.{switch}", "--house-rule=our_way.yaml", "--json").stdout)
    assert found["source"].startswith("house rule our_way (")
    assert found["value"] != found["was"]
    played = run("play", "patrol_clash", "--ruleset=vcc", "--house-rule=our_way.yaml", "--journal=a.jsonl", *SEATS)
    assert played.stdout.startswith("The game is over: ")


def test_a_house_rule_in_python_adds_its_line(run: Any) -> None:
    assert run("new", "house-rule", "steady", "--python", "--from", "vcc").exit_code == 0
    assert run("check", "steady.py").stdout == "steady.py: fine\n"
    shot = ("odds", "vcc", "fire_pool", "bases=2", "--json")
    (tally,) = json.loads(run(*shot, "--house-rule=steady.py").stdout)["explain"]
    assert tally["total"] == 3
    assert tally["parts"][-1]["id"] == "steady"
    assert "house rule steady" in tally["parts"][-1]["source"]


def test_a_house_rule_works_without_a_ruleset_named(run: Any) -> None:
    assert run("new", "house-rule", "any").exit_code == 0
    assert run("check", "any.yaml").exit_code == 0


def test_a_new_scenario_is_valid_and_can_be_played(run: Any) -> None:
    assert run("new", "scenario", "ridge").exit_code == 0
    assert run("check", "ridge.yaml").stdout == "ridge.yaml: fine\n"
    seats = ("--seat=column=random", "--seat=hillmen=random", "--seed=1")
    played = run("play", "ridge.yaml", "--ruleset=vcc", "--journal=a.jsonl", *seats)
    assert played.stdout.startswith("The game is over: ")


@pytest.fixture
def copied(run: Any, tmp_path: Path) -> Path:
    result = run("new", "ruleset", "our_vcc", "--from", "vcc")
    assert result.exit_code == 0, result.stderr
    return tmp_path / "our_vcc"


def test_a_new_ruleset_is_a_distribution_of_its_own(copied: Path) -> None:
    """`tests/external/test_third_party.py` installs and plays it."""
    project = tomllib.loads((copied / "pyproject.toml").read_text())["project"]
    assert project["name"] == "zareba-our-vcc"
    assert project["entry-points"] == {"zareba.rulesets": {"our_vcc": "zareba_our_vcc"}}
    for file in (copied / "src").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert "zareba_rulesets" not in text and '"vcc"' not in text, file


def test_a_scenario_takes_its_units_from_the_templates_of_a_ruleset(run: Any) -> None:
    asked = ("--force=column=infantry_company", "--force=column=artillery_section", "--force=hillmen=native_regiment:2")
    assert run("new", "scenario", "pass", "--from=paychest", *asked).exit_code == 0
    assert run("check", "pass.yaml").stdout.startswith("pass.yaml: fine for ")
    shown = json.loads(run("roster", "pass.yaml", "--ruleset=paychest", "--json").stdout)
    ranks = [figure["Rank"] for unit in shown["units"] for figure in unit["figures"] if unit["side"] == "column"]
    assert ranks.count("private") == 19 and sorted(set(ranks)) == ["captain", "lieutenant", "private", "sergeant"]
    seats = ("--seat=column=random", "--seat=hillmen=random", "--seed=1")
    played = run("play", "pass.yaml", "--ruleset=vcc", "--journal=a.jsonl", *seats)
    assert played.stdout.startswith("The game is over: ")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("scenario", "a", "--from=vcc", "--force=column=battalion"), "no organisation templates"),
        (("scenario", "a", "--from=paychest", "--force=colum=battalion"), "did you mean 'column'"),
        (("scenario", "a", "--from=paychest", "--force=column=batallion"), "battalion"),
        (("scenario", "a", "--from=paychest", "--force=battalion"), "SIDE=TEMPLATE"),
        (("scenario", "a", "--from=paychest", "--force=column=platoon", "--force=column=platoon"), "twice"),
        (("house-rule", "a", "--from=vcc", "--force=column=battalion"), "--force is for scenarios"),
    ],
)
def test_an_invalid_force_is_refused(run: Any, args: tuple[str, ...], words: str) -> None:
    result = run("new", *args)
    assert result.exit_code == 2 and words in " ".join(result.stderr.split())
    assert not Path("a.yaml").exists()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("ruleset", "class"), "'class' is a Python keyword; choose another name"),
        (("ruleset", "None"), "'None' is not a valid name"),
        (("ruleset", "rulesets"), "there is a Python package 'zareba_rulesets' already; choose another name"),
        (("house-rule", "import"), "'import' is a Python keyword"),
        (("house-rule", "lambda", "--python"), "'lambda' is a Python keyword"),
        (("house-rule", "random", "--python"), "there is a Python module 'random' already"),
        (("house-rule", "zareba_rulesets"), "there is a Python module 'zareba_rulesets' already"),
        (("house-rule", "gatling_never_jams"), "a house rule called 'gatling_never_jams' is installed already"),
    ],
)
def test_a_name_that_python_or_another_package_has_is_refused(
    run: Any, tmp_path: Path, args: tuple[str, ...], words: str
) -> None:
    result = run("new", *args)
    assert result.exit_code == 2 and words in result.stderr
    assert list(tmp_path.iterdir()) == []
