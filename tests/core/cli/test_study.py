"""`sensitivity` and `tournament` on the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from zareba.analysis.compare import compare as run_comparison

SENSITIVITY = ("sensitivity", "patrol_clash", "--ruleset=vcc", "--only=rocket.on_*", "--agents=random", "--jobs=1")


def test_sensitivity_ranks_and_writes_its_results(run: Any) -> None:
    result = run(*SENSITIVITY, "--budget=60", "--out=out")
    assert result.exit_code == 0, result.stderr
    data = json.loads(Path("out/sensitivity.json").read_text(encoding="utf-8"))
    assert data["steps"] == 2 and data["fdr"] == 0.1
    assert data["no_effect"] == ["rocket.on_target"], "there are no rockets in this battle"
    assert "1 number is without effect" in " ".join(result.stdout.split())
    result = run(
        "sensitivity",
        "patrol_clash",
        "--ruleset=vcc",
        "--only=hits_per_base",
        "--agents=random",
        "--jobs=1",
        "--budget=60",
        "--out=out",
        "--json",
    )
    ranked = json.loads(result.stdout)["numbers"]
    assert {row["to"] for row in ranked} == {5, 7} and all(row["games"] >= 12 for row in ranked)
    picture = Path("out/sensitivity.svg").read_text(encoding="utf-8")
    assert picture.startswith("<svg") and "hits_per_base" in picture, "the full path of a number is listed with it"
    assert "points of 100" in picture and "turns" in picture, "each measure has a separate scale"
    result = run(*SENSITIVITY[:3], "--only=hits_per_base", "--agents=random", "--jobs=1", "--budget=60", "--out=out")
    told = " ".join(result.stdout.split())
    assert "The columns say by how much the moved number changes the share of games won" in told
    assert "won by the patrol" in told and (
        "No change is statistically clear" in told or " statistically clear; at most" in told
    )


def test_a_budget_too_small_and_a_pattern_that_fits_nothing_are_reported(run: Any) -> None:
    small = run("sensitivity", "patrol_clash", "--ruleset=vcc", "--only=weapons.*", "--budget=50", "--out=out")
    assert small.exit_code != 0 and "more than --budget" in small.stderr
    nothing = run("sensitivity", "patrol_clash", "--ruleset=vcc", "--only=elephants", "--out=out")
    assert nothing.exit_code != 0 and "no number or group of numbers of vcc" in nothing.stderr


def test_a_tournament_rates_its_players(run: Any) -> None:
    result = run(
        "tournament", "patrol_clash", "--ruleset=vcc", "--players=random,doctrine", "--games=8", "--jobs=1", "--json"
    )
    assert result.exit_code == 0, result.stderr
    data = json.loads(result.stdout)
    assert [rating["player"] for rating in data["ratings"]] == ["doctrine", "random"]
    (match,) = data["matches"]
    assert match["wins"] + match["draws"] + match["losses"] == 8 and match["pairs"] == 4
    shown = run("tournament", "patrol_clash", "--ruleset=vcc", "--players=random,doctrine", "--games=4", "--jobs=1")
    told = " ".join(shown.stdout.split())
    assert told.startswith(("The strongest player is doctrine.", "No player is clearly the strongest; doctrine took"))
    assert "random against doctrine: won" in told


def test_an_interrupted_tournament_leaves_its_table(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the second match, after five of its eight games; four of them form whole pairs."""
    played = []

    def until_interrupted(*asked: Any, **more: Any) -> Any:
        found = run_comparison(*asked, **more)
        played.append(found)
        return replace(found, partial=True, records=found.records[:5]) if len(played) == 2 else found

    monkeypatch.setattr("zareba.cli.study.tournament.run_comparison", until_interrupted)
    asked = ("tournament", "patrol_clash", "--ruleset=vcc", "--players=random,doctrine,bold", "--games=8", "--jobs=1")
    result = run(*asked, "--json")
    assert result.exit_code == 130
    data = json.loads(result.stdout)
    assert data["partial"] and [match["pairs"] for match in data["matches"]] == [4, 2]
    assert "interrupted after 12 of 24 games" in " ".join(result.stderr.split())
    played.clear()
    shown = run(*asked)
    assert shown.exit_code == 130 and "random against bold: won" in " ".join(shown.stdout.split())


def test_denying_an_option_that_is_never_offered_is_reported(run: Any) -> None:
    result = run(
        "tournament",
        "patrol_clash",
        "--ruleset=vcc",
        "--players=doctrine,doctrine without chrage",
        "--games=4",
        "--jobs=1",
    )
    assert result.exit_code != 0 and "chrage" in result.stderr
    alone = run("tournament", "patrol_clash", "--ruleset=vcc", "--players=doctrine", "--games=4")
    assert alone.exit_code != 0 and "at least two players" in alone.stderr
