"""`zareba tactics` on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TWO = ("--position=use_the_last_turn", "--position=form_square")


def test_the_table_shows_position_action_and_score(run: Any) -> None:
    result = run("tactics", "vcc", *TWO)
    assert result.exit_code == 0, result.stderr
    shown = " ".join(result.stdout.split())
    assert "use_the_last_turn holds the knoll 4/4 passed" in shown
    assert "vcc: 2 of 2 positions passed (100 %)" in shown
    assert run("tactics", "vcc", *TWO, "--failed").stdout.count("4/4") == 0


def test_all_rulesets_have_a_total(run: Any) -> None:
    result = run("tactics", *TWO, "--json")
    data = json.loads(result.stdout)
    assert data["player"] == "doctrine"
    assert set(data["rulesets"]) == {"afriboria", "fixed_baynet", "paychest", "risk_factor", "vcc"}
    assert len(data["rulesets"]["vcc"]["positions"]) == 2, "form_square is a position of one ruleset"
    assert len(data["rulesets"]["paychest"]["positions"]) == 1


def test_a_slow_player_reports_its_progress(run: Any, monkeypatch: Any) -> None:
    assert "played" not in run("tactics", "vcc", *TWO).stderr
    monkeypatch.setattr("zareba.cli.study.tactics._SILENT", 0.0)
    result = run("tactics", "vcc", *TWO, "--json")
    assert result.stderr.strip() == "vcc: 1 of 2 positions played"
    assert json.loads(result.stdout)["rulesets"]["vcc"]["passed"] == 2


def test_positions_can_be_read_from_a_file(run: Any) -> None:
    text = """\
title: Walk to the well
teaches: The well is near.
changes:
  units:
    rifles: {like: rifles, side: blue, position: [21, 9]}
    pickets: {like: warriors, side: red, position: [45, 33]}
  objectives:
    well: {kind: hold, name: The well, points: 4, at: [21, 15], radius: 3}
player: blue
turns: 3
good: [{holds: well}]
"""
    Path("mine.yaml").write_text(text, encoding="utf-8")
    result = run("tactics", "vcc", "--position=mine.yaml", "--player=bold")
    assert "mine holds the well 4/4 passed" in " ".join(result.stdout.split())
    Path("mine.yaml").write_text(text.replace("well}]", "wall}]"), encoding="utf-8")
    result = run("tactics", "vcc", "--position=mine.yaml")
    assert result.exit_code == 2 and "mine.yaml:11" in result.stderr and "did you mean 'well'?" in result.stderr


def test_mistakes_are_reported_in_a_sentence(run: Any) -> None:
    for args, said in (
        (("tactics", "vvc"), "did you mean 'vcc'?"),
        (("tactics", "vcc", "--player=dotrine"), "did you mean 'doctrine'?"),
        (("tactics", "vcc", "--position=form_sqare"), "did you mean 'form_square'?"),
        (("tactics", "vcc", "--position=missing.yaml"), "there is no position file"),
        (("tactics", "paychest", "--position=form_square"), "used under this ruleset"),
    ):
        result = run(*args)
        assert result.exit_code == 2 and said in result.stderr, result.stderr
