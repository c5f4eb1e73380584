"""A solo side at the command line: `--seat SIDE=solo` in play, `solo` among the players of compare."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from zareba.analysis.compare import Comparison
from zareba.cli import app
from zareba.registry import ruleset
from zareba.report.outputs import WrittenFiles
from zareba.session import replay
from zareba.table import Choose, Confirm, Place

PATROL_CLASH = resources.files("zareba.scenario") / "shipped" / "patrol_clash.yaml"
PLAY = ("play", "short_clash.yaml", "--ruleset=risk_factor", "--seed=3")


@pytest.fixture(autouse=True)
def _apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    text = PATROL_CLASH.read_text(encoding="utf-8")
    assert "\nturns: 12\n" in text
    Path("short_clash.yaml").write_text(text.replace("\nturns: 12\n", "\nturns: 4\n"), encoding="utf-8")


def run(*args: str, typed: str = "") -> Any:
    return CliRunner().invoke(app, list(args), input=typed)


def asked(journal: str) -> list[str]:
    """Return the seats that answered questions. Dice and draws belong to no seat."""
    session = replay(Path(journal), check=True).session
    every = [answer.question for _, answers, _ in session.log() for answer in answers]
    return [question.seat for question in every if isinstance(question, (Choose, Place, Confirm))]


@pytest.mark.rule("RSK-044", "RSK-190")
def test_two_solo_sides_play_a_whole_game_without_a_question() -> None:
    played = run(*PLAY, "--seat=patrol=solo", "--seat=tribesmen=solo", "--journal=both.jsonl")
    assert played.exit_code == 0, played.stderr
    assert "The game is over" in played.stdout + played.stderr
    assert asked("both.jsonl") == []


@pytest.mark.rule("RSK-044", "RSK-190")
def test_only_the_side_that_is_not_solo_is_asked() -> None:
    played = run(*PLAY, "--seat=patrol=solo", "--seat=tribesmen=random", "--journal=one.jsonl")
    assert played.exit_code == 0, played.stderr
    questions = asked("one.jsonl")
    assert len(questions) > 10 and set(questions) == {"tribesmen"}


@pytest.mark.rule("RSK-044", "RSK-190")
def test_a_person_plays_against_the_tables() -> None:
    played = run(*PLAY, "--seat=tribesmen=solo", "--journal=mine.jsonl", typed="1\nquit\n")
    assert played.exit_code == 0
    assert "will load or fire his own weapon this turn" in played.stdout
    assert set(asked("mine.jsonl")) == {"patrol"}


@pytest.mark.rule("RSK-190")
def test_compare_plays_solo_sides_with_sides_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[Comparison] = []

    def keep(comparison: Comparison, target: Path) -> WrittenFiles:
        compared.append(comparison)
        return WrittenFiles({}, (), ())  # the report takes most of the time, and other tests show it

    monkeypatch.setattr("zareba.cli.study.compare.write_outputs", keep)
    args = ("--rulesets=risk_factor", "--agents=solo,random", "--games=2", "--jobs=1", "--json")
    played = run("compare", "short_clash.yaml", *args)
    assert played.exit_code == 0, played.stderr
    assert [record.agents for record in compared[0].records] == [
        {"patrol": "solo", "tribesmen": "random"}, {"patrol": "random", "tribesmen": "solo"},
    ]  # fmt: skip


def test_these_rules_can_run_a_side() -> None:
    assert ruleset("risk_factor").solo is True
