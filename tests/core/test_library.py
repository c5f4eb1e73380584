"""zareba as a library in notebooks: results as rows, as data frames, and as displayed."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.small_battle import small_battle_file

import zareba
from zareba.analysis.engines.engine import Serial
from zareba.analysis.games.records import Variant
from zareba.analysis.studies.additional_games import other_players
from zareba.analysis.studies.conditions import stand_ins, translation_conditions
from zareba.base.errors import ZarebaError
from zareba.library import ComparisonResult


def test_names_used_by_external_measuring_scripts_exist() -> None:
    """External measuring scripts import these names from these modules; a moved module keeps the old name."""
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
    while not asked_of and (step := game.play.next_step(state)) is not None:
        table.begin(step)
        game.play.perform(table, state, step)
        asked_of += [Choose] * table.decisions.get(game.seats[0], 0)
    assert asked_of and callable(odds)


asked: Any = zareba
"""The module `zareba.odds` is callable, which type checkers do not know."""


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
def battle(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of a short battle, where no particular one is needed."""
    return small_battle_file(tmp_path_factory.mktemp("battle"))


@pytest.fixture(scope="module")
def compared() -> ComparisonResult:
    found: ComparisonResult = zareba.compare("patrol_clash", ["vcc"], games=4, seed=9, agents="random")
    return found


def test_a_comparison_gives_tidy_rows_and_games(compared: ComparisonResult, tmp_path: Path) -> None:
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


@pytest.mark.usefixtures("blank_charts")
def test_the_library_gives_the_numbers_of_the_command(compared: ComparisonResult, tmp_path: Path) -> None:
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


def test_without_pandas_it_says_what_to_install(compared: ComparisonResult, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ZarebaError, match=r"zareba\[notebook\]"):
        compared.metrics  # noqa: B018  # it is what raises


def test_missing_names_raise_attribute_error() -> None:
    with pytest.raises(AttributeError, match="elephants"):
        zareba.elephants  # noqa: B018  # it is what raises


def test_listed_names_of_the_package_exist() -> None:
    assert {"balance", "compare", "compare_saved", "odds", "play", "sensitivity", "tournament"} <= set(dir(zareba))
    for name in zareba.__all__:
        assert callable(getattr(zareba, name))


COOL = {"name": "cool", "ruleset": "vcc", "settings": {"mg_overheat": "off"}}


def test_a_variant_may_be_a_dictionary() -> None:
    found = zareba.compare("patrol_clash", ["vcc"], variants=[COOL], games=2, agents="random")
    assert [variant["name"] for variant in found.summary["variants"]] == ["vcc", "cool"]
    same = zareba.compare(
        "patrol_clash", ["vcc"], variants=[Variant("cool", "vcc", (("mg_overheat", "off"),))], games=2, agents="random"
    )
    assert same.rows == found.rows


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"name": "cool"}, "needs a name and a ruleset"),
        ({"ruleset": "vcc"}, "needs a name and a ruleset"),
        ({**COOL, "setings": {}}, "did you mean 'settings'"),
        ({**COOL, "settings": ["mg_overheat"]}, "are a dictionary"),
        ({**COOL, "settings": {"elephants": 1}}, "no setting of vcc"),
        ({**COOL, "ruleset": "vccc"}, "vccc"),
        ({**COOL, "name": "vcc"}, "two variants are named 'vcc'"),
        ("cool", "a Variant or a dictionary"),
    ],
)
def test_an_invalid_variant_is_reported(wrong: Any, told: str) -> None:
    with pytest.raises(ZarebaError, match=told):
        zareba.compare("patrol_clash", ["vcc"], variants=[wrong], games=1)


def test_games_are_saved_extended_and_reported(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    asked: dict[str, Any] = {"variants": [COOL], "agents": "random", "save_games": file}
    first = zareba.compare("patrol_clash", ["vcc"], games=2, **asked)
    more = zareba.compare("patrol_clash", ["vcc"], games=4, **asked)
    assert more.comparison.records[:2] == first.comparison.records[:2]
    saved = zareba.compare_saved([file])
    assert saved.summary["variants"] == more.summary["variants"]
    short = zareba.compare_saved([file], where=["game<=1"], seconds={"decision": 1})
    assert len(short.comparison.records) == 4 and short.comparison.seconds["decision"] == 1
    for wrong in ([], [tmp_path / "none.jsonl"]):
        with pytest.raises(ZarebaError, match="saved games"):
            zareba.compare_saved(wrong)


@pytest.mark.usefixtures("blank_charts")
def test_a_saved_run_equals_that_of_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from typer.testing import CliRunner

    from zareba.cli import app

    monkeypatch.chdir(tmp_path)
    told = [
        "compare",
        "patrol_clash",
        "--rulesets=vcc",
        "--variant=cool=mg_overheat:off",
        "--agents=random",
        "--games=2",
    ]
    assert CliRunner().invoke(app, [*told, "--jobs=1", "--save-games=games.jsonl"]).exit_code == 0
    found = zareba.compare("patrol_clash", ["vcc"], variants=[COOL], agents="random", games=3, save_games="games.jsonl")
    assert found.comparison.games == 3 and zareba.compare_saved(["games.jsonl"]).comparison.games == 3


def test_the_other_options_of_the_command_exist(battle: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zareba.analysis.studies.additional_games.PAIRS", (("doctrine", "random", 1),))
    monkeypatch.setattr("zareba.analysis.games.simulate.PLAYOUTS", 2)
    small = {"name": "wide", "ruleset": "vcc", "settings": {"box_inches": 12}}
    found = zareba.compare(
        "patrol_clash", ["vcc"], variants=[small], games=12, stop=True, skill=2, foretell=1, batch=2, folder=tmp_path,
        seconds={"decision": 1}, engine=Serial(),
    )  # fmt: skip
    assert found.comparison.games == 12 and found.comparison.stopping is not None
    assert [match["games"] for match in found.summary["skill"][0]["matches"]] == [2]
    assert next(row["value"] for row in found.rows if row["id"] == "M14") is not None
    assert found.comparison.seconds["decision"] == 1
    swept = zareba.compare(battle, ["vcc"], sweep="hits_per_base=5..7", games=2, agents="random", folder=tmp_path)
    assert [point["at"] for point in swept.summary["sweep"]["curves"][0]["points"]] == [5, 6, 7]
    for wrong, told in (
        ({"sweep": "hits_per_base"}, "PATH=1..6"),
        ({"where": ["elephants=1"]}, "elephants"),
        ({"seconds": {"elephants": 1}}, "elephants"),
        ({"seconds": {"decision": -1}}, "0 to 3600"),
        ({"agents": "doctrin"}, "doctrine"),
    ):
        with pytest.raises(ZarebaError, match=told):
            zareba.compare("patrol_clash", ["vcc"], games=1, folder=tmp_path, **wrong)


def test_claims_are_repeated_under_other_conditions(
    battle: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zareba.analysis.studies.additional_games.CHANGED_GAMES", 2)
    monkeypatch.setattr("zareba.analysis.studies.conditions.TRIAL_GAMES", 1)
    monkeypatch.setattr("zareba.analysis.studies.additional_games.stand_ins", lambda *asked: stand_ins(*asked)[3:5])
    monkeypatch.setattr(
        "zareba.analysis.studies.additional_games.translation_conditions",
        lambda *asked: translation_conditions(*asked)[:1],
    )
    small = {"name": "wide", "ruleset": "vcc", "settings": {"box_inches": 12}}
    found = zareba.compare(battle, ["vcc"], variants=[small], games=24, robust=["random:4"], folder=tmp_path).summary
    assert found["robustness"] and {condition["kind"] for condition in found["conditions"]} >= {"players", "stand-in"}
    with pytest.raises(ZarebaError, match="NAME:20"):
        other_players(["bold:x"])


def test_balance_and_sensitivity_in_a_notebook(tmp_path: Path) -> None:
    battle = small_battle_file(tmp_path, turns=6)
    even = zareba.balance(battle, "vcc", "turns", games=30, agent="random")
    assert even.side == "patrol" and sum(row["games"] for row in even.rows) >= 30 and "<table>" in even._repr_html_()
    with pytest.raises(ZarebaError, match="patrol"):
        zareba.balance(battle, "vcc", "turns", side="patrl")
    found = zareba.sensitivity("patrol_clash", "vcc", only="hits_per_base", agents="random", budget=60, folder=tmp_path)
    assert {row["to"] for row in found.rows} == {5, 7} and "<table>" in found._repr_html_()
    with pytest.raises(ZarebaError, match="more than the budget"):
        zareba.sensitivity("patrol_clash", "vcc", budget=50, folder=tmp_path)


def test_a_tournament_rates_its_players() -> None:
    met = zareba.tournament("patrol_clash", "vcc", ["random", "doctrine"], games=4)
    assert [row["player"] for row in met.rows] == ["doctrine", "random"] and met.matches[0].games == 4
    assert "<table>" in met._repr_html_()
    with pytest.raises(ZarebaError, match="at least two players"):
        zareba.tournament("patrol_clash", "vcc", ["doctrine"])


def test_notebook_example_of_the_docs_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("pettingzoo")
    page = (Path(__file__).parents[2] / "docs" / "explanation" / "notebook.md").read_text(encoding="utf-8")
    blocks = [part.partition("```")[0] for part in page.split("```python\n")[1:]]
    assert len(blocks) == 7
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec("\n".join(blocks), names)
    assert names["battle"].session.pending is None and not any(names["battle"].truncations.values())
    assert names["played"].session.pending is None
