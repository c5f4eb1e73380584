"""zareba in a notebook: what the three functions give, as rows, as frames, and as they show themselves."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import zareba
from zareba.base.errors import ZarebaError
from zareba.library import Compared


def test_scripts_that_measure_promises_find_what_they_play_with() -> None:
    """Programs beside the project take these, and only these, from these rooms; a room that is moved keeps the name."""
    from zareba.agents import make_agent
    from zareba.odds import odds
    from zareba.registry import load_rules
    from zareba.scenario import load_scenario
    from zareba.table import Choose, SeededTable

    game = load_rules("vcc", {}, []).game(load_scenario("patrol_clash"))
    state = game.start()
    asked_of: list[type] = []
    players = {seat: make_agent("random", game, seat, 3) for seat in game.seats}
    table = SeededTable(game.rules, state, 3, players)
    while not asked_of and (step := game.next_step(state)) is not None:
        table.begin(step)
        game.perform(table, state, step)
        asked_of += [Choose] * table.decisions.get(game.seats[0], 0)
    assert asked_of and callable(odds)


asked: Any = zareba
"""The room `zareba.odds` can be called, which types do not know."""


def test_odds_are_rows_with_exact_fractions() -> None:
    found = asked.odds("vcc", "fire_pool", bases=2, band="close", leader=True)
    assert sum(Fraction(row["exact"]) for row in found.rows) == 1
    assert list(found.rows[0]) == ["hits", "highest_face", "p", "exact"]
    frame = pytest.importorskip("pandas") and found.frame
    assert frame["p"].sum() == pytest.approx(1) and len(frame) == len(found.rows)
    assert "<table>" in found._repr_html_() and "exact" in found._repr_html_()
    with pytest.raises(ZarebaError, match="bases"):
        asked.odds("vcc", "fire_pool", bases="many")
    assert asked.odds("vcc", "fire_pool", bases=2, settings={"hits_per_base": 4}).rows


@pytest.fixture(scope="module")
def compared() -> Compared:
    found: Compared = zareba.compare("patrol_clash", ["vcc"], games=4, seed=9, agents="random")
    return found


def test_a_comparison_is_tidy(compared: Compared, tmp_path: Path) -> None:
    assert {row["variant"] for row in compared.rows} == {"vcc"}
    first = next(row for row in compared.rows if row["id"] == "M5")
    assert first["metric"] == "Length" and first["low"] <= first["value"] <= first["high"]
    pytest.importorskip("pandas")
    assert len(compared.metrics) == len(compared.rows)
    games = compared.games
    assert set(games.columns) == {"variant", "game", "seed", "winner", "turn", "side", "strength", "score"}
    assert len(games) == sum(2 * (record.turns + 1) for record in compared.comparison.records)
    assert len(compared.differences) == 0
    assert "Patrol clash: 4 games of each" in compared._repr_html_()
    assert compared.report().startswith("<!doctype html>")
    assert {path.name for path in compared.save(tmp_path)} >= {"summary.json", "games.csv", "report.html"}


def test_forces_are_brought_to_equal_points(tmp_path: Path) -> None:
    found = zareba.compare("patrol_clash", ["vcc"], games=1, agents="random", equal_points=tmp_path / "even")
    header = found.summary["header"]
    assert header["title"].endswith("forces of equal points")
    assert header["scenario"] == str(tmp_path / "even" / "patrol_clash_equal_points.yaml")
    assert zareba.play(header["scenario"], "vcc", seats={"patrol": "random", "tribesmen": "random"}).rows
    with pytest.raises(ZarebaError, match="no scenario"):
        zareba.compare("patrol_clsh", equal_points=tmp_path)


def test_the_numbers_are_those_of_the_command(compared: Compared, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from zareba.cli import app

    told = [
        "compare",
        "patrol_clash",
        "--rulesets=vcc",
        "--agents=random",
        "--games=4",
        "--seed=9",
        "--jobs=1",
        f"--out={tmp_path}",
        "--json",
    ]
    import json

    summary = json.loads(CliRunner().invoke(app, told).stdout)
    assert summary["variants"] == json.loads(json.dumps(compared.summary["variants"]))


def test_a_game_shows_its_table_and_its_log() -> None:
    played = zareba.play("patrol_clash", "vcc", seats={"patrol": "random"}, seed=3)
    assert played.winner in ("patrol", "tribesmen", None)
    assert {"step", "what", "kind", "rule", "told"} == set(played.rows[0])
    shown = played._repr_html_()
    assert "<svg" in shown and "<li>" in shown
    assert zareba.play("patrol_clash", "vcc", seats={"patrol": "random"}, seed=3).rows == played.rows
    with pytest.raises(ZarebaError, match="zareba play"):
        zareba.play("patrol_clash", "vcc", seats={"patrol": "human"})


def test_without_pandas_it_says_what_to_install(compared: Compared, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ZarebaError, match=r"zareba\[notebook\]"):
        compared.metrics  # noqa: B018  # it is what raises


def test_what_there_is_not_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="elephants"):
        zareba.elephants  # noqa: B018  # it is what raises


def test_what_the_page_shows_runs() -> None:
    pytest.importorskip("pandas")
    page = (Path(__file__).parents[2] / "docs" / "explanation" / "notebook.md").read_text(encoding="utf-8")
    blocks = [part.partition("```")[0] for part in page.split("```python\n")[1:]]
    blocks = [block for block in blocks if "zareba.rl" not in block]  # which has a test of its own
    assert len(blocks) == 3
    exec("\n".join(blocks), {})
