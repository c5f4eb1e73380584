"""`compare`: the same numbers for any number of jobs; variants on the command line; output files and summary."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.small_battle import small_battle_file

from zareba.analysis.games.simulate import game_for
from zareba.analysis.studies.conditions import stand_ins, translation_conditions
from zareba.cli.study.comparison_run import interruptible_outside_imports
from zareba.cli.study.display import _print_divergence
from zareba.renamed import warn_renamed
from zareba.scenario import load_scenario

pytestmark = pytest.mark.usefixtures("blank_charts", "_skirmish")

COMPARE = ("compare", "skirmish.yaml", "--rulesets=vcc", "--agents=random", "--games=4", "--seed=9")


@pytest.fixture
def _skirmish(tmp_path: Path) -> None:
    small_battle_file(tmp_path)


@pytest.fixture
def no_set_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the set pieces out of summaries. For each variant they take as long as forty games."""
    monkeypatch.setattr("zareba.analysis.findings.findings.set_pieces", lambda variants: [])


@pytest.mark.deep
def test_engines_and_jobs_do_not_change_a_byte(run: Any) -> None:
    """`test_workers_are_reused_and_stopped_at_the_end` compares both engines in the ordinary suite."""
    one = run(*COMPARE, "--engine=serial", "--out=one", "--json")
    two = run(*COMPARE, "--engine=pool", "--jobs=2", "--batch=3", "--out=two", "--json")
    assert one.exit_code == two.exit_code == 0, one.stderr + two.stderr
    assert json.loads(one.stdout) == json.loads(two.stdout) == json.loads(Path("one/summary.json").read_text())
    for name in ("summary.json", "games.csv", "report.html"):
        assert Path("one", name).read_bytes() == Path("two", name).read_bytes()
        assert f"written: one/{name}" in one.stderr


def test_a_scheduler_is_for_the_engine_dask_only(run: Any) -> None:
    wrong = run(*COMPARE, "--scheduler=tcp://127.0.0.1:1")
    assert wrong.exit_code != 0 and "--scheduler needs --engine dask" in wrong.stderr


def test_variants_change_settings_and_house_rules(run: Any, house_rule: Path) -> None:
    changes = f"--variant=ours=mg_overheat:off,figures_per_base.infantry:5,{house_rule}"
    result = run(*COMPARE, changes, "--jobs=1", "--json")
    summary = json.loads(result.stdout)
    plain, ours = summary["variants"]
    assert plain["name"] == "vcc" and plain["settings"] == {} and plain["house_rules"] == []
    assert ours["name"] == "ours" and ours["ruleset"] == "vcc"
    assert ours["settings"] == {"mg_overheat": "off", "figures_per_base.infantry": 5}
    assert ours["house_rules"] == [str(house_rule)]
    assert summary["header"]["rules_digests"]["vcc"] != summary["header"]["rules_digests"]["ours"]
    assert changes in summary["header"]["command"]


def test_the_headline_has_a_column_a_variant(run: Any) -> None:
    result = run(*COMPARE, "--variant=slow=box_inches:4", "--jobs=1", "--out=out")
    lines = result.stdout.splitlines()
    assert ["metric", "vcc", "slow"] in [line.split() for line in lines]
    assert any(row.startswith("Length") for row in lines)
    told = " ".join(result.stdout.partition("metric ")[0].split())
    assert "Who wins? " in told and "Certainty: " in told, "the answers come before the table of all numbers"
    assert "Victorian Colonial Combat: " in told and "slow: " in told, "variants of one ruleset have distinct names"
    assert "Victorian Colonial Combat, slow" not in told
    assert "8/8 games" in result.stderr


def test_seconds_of_acts_are_those_of_ones_own_table(run: Any) -> None:
    def index(*seconds: str) -> float:
        summary = json.loads(run(*COMPARE, "--jobs=1", "--json", *seconds).stdout)
        found: float = summary["variants"][0]["metrics"]["M6"][0]["value"]
        return found

    plain = index()
    assert index("--seconds=handful=0", "--seconds=decision=0") < plain < index("--seconds=decision=60")
    assert "handful" in run(*COMPARE, "--seconds=handfull=9").stderr
    assert "from 0 to 3600 seconds" in run(*COMPARE, "--seconds=die=-1").stderr


def test_differing_players_change_sides(run: Any) -> None:
    args = [arg for arg in COMPARE if not arg.startswith("--agents")]
    summary = json.loads(run(*args, "--agents=doctrine,random", "--jobs=1", "--json").stdout)
    assert summary["header"]["agents"] == {"patrol": "doctrine", "tribesmen": "random"}
    assert summary["header"]["swapped"] is True


def test_interrupted_writes_leave_no_file(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Path.write_bytes

    def broken_off(file: Path, content: bytes) -> int:
        write(file, content[: len(content) // 2])
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", broken_off)
        result = run(*COMPARE, "--jobs=1", "--out=out")
    assert result.exit_code == 130
    assert "interrupted" in result.stderr
    (games,) = Path("out").iterdir()
    assert f"the games played so far are saved in {games}; the same command continues from them" in told(result)
    again = run(*COMPARE, "--jobs=1", "--out=out")
    assert "continuing from 4 games played earlier" in again.stderr
    assert not games.exists()
    assert_same("out", run)


# --- runs that end before their report --------------------------------------------------------------------------------


def told(result: Any) -> str:
    return " ".join(result.stderr.split())


def assert_same(folder: str, run: Any, command: tuple[str, ...] = COMPARE) -> None:
    """Assert that a folder holds the same files as an undisturbed run."""
    assert run(*command, "--jobs=1", "--out=undisturbed").exit_code == 0
    files = sorted(file.name for file in Path("undisturbed").iterdir())
    assert sorted(file.name for file in Path(folder).iterdir()) == files
    for name in files:
        assert Path(folder, name).read_bytes() == Path("undisturbed", name).read_bytes(), name


def test_a_report_that_cannot_be_written_loses_no_game(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(file: Path, content: bytes) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        result = run(*COMPARE, "--jobs=1", "--out=out")
    assert result.exit_code == 2
    assert "cannot write to out: No space left on device; choose another --out" in told(result)
    assert "the same command continues from them" in told(result)
    assert "continuing from 4 games" in run(*COMPARE, "--jobs=1", "--out=out").stderr
    assert_same("out", run)


@pytest.mark.usefixtures("no_set_pieces")
def test_a_changed_house_rule_is_another_comparison(run: Any, house_rule: Path) -> None:
    command = (*COMPARE, f"--variant=ours={house_rule}", "--jobs=1", "--out=out")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Path, "write_bytes", None)
        assert run(*command).exit_code != 0
    house_rule.write_text(house_rule.read_text().replace("to: 4", "to: 5"))
    game_for.cache_clear()
    assert "played before" not in run(*command).stderr
    house_rule.write_text(house_rule.read_text().replace("to: 5", "to: 4"))
    game_for.cache_clear()
    assert "continuing from 8 games" in run(*command).stderr


LONG = ("compare", "patrol_clash", "--rulesets=vcc", "--agents=random", "--games=24", "--seed=9")


@pytest.mark.usefixtures("no_matplotlib")  # for the report of the separate process
@pytest.mark.parametrize("victim", [pytest.param("worker", marks=pytest.mark.deep), "all"])
def test_a_killed_run_loses_no_game(run: Any, bare_environment: dict[str, str], victim: str) -> None:
    command = [sys.executable, "-m", "zareba", *LONG, "--jobs=2", "--out=out"]
    with subprocess.Popen(command, env=bare_environment, stderr=subprocess.PIPE, text=True) as played:
        kept = None
        while kept is None or kept.read_bytes().count(b"\n") < 2:
            time.sleep(0.02)
            assert played.poll() is None, "the run ended before it was killed"
            kept = next(Path("out").glob("games-*"), None)
        workers = subprocess.run(
            ["pgrep", "-P", str(played.pid), "-f", "spawn_main"], stdout=subprocess.PIPE, check=True
        )
        numbers = [int(number) for number in workers.stdout.split()]
        assert len(numbers) == 2
        if victim == "worker":
            os.kill(numbers[0], signal.SIGKILL)
            _, said = played.communicate()
            assert played.returncode == 0
            assert "a worker process died; its unfinished games are played again" in said
        else:
            played.kill()
            played.communicate()
            for _ in range(500):  # workers notice that their parent is gone
                if not any(Path(f"/proc/{number}").exists() for number in numbers):
                    break
                time.sleep(0.02)
            else:
                raise AssertionError("workers outlive the process that wants their games")
    if victim == "all":
        again = run(*LONG, "--jobs=1", "--out=out")
        assert again.exit_code == 0 and " played earlier" in again.stderr
    assert_same("out", run, LONG)


def test_ctrl_c_is_heard_between_imports_and_not_within_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow_to_load.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\nLOADED = True\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs may ignore SIGINT
    try:
        with pytest.raises(KeyboardInterrupt), interruptible_outside_imports():
            import slow_to_load  # type: ignore[import-not-found]  # written by this test

            assert slow_to_load.LOADED
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert sys.modules.pop("slow_to_load").LOADED


def test_ctrl_c_within_an_import_is_heard_when_all_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slower_to_load.py").write_text("import signal\nsignal.raise_signal(signal.SIGINT)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    done = False
    try:
        with pytest.raises(KeyboardInterrupt), interruptible_outside_imports():
            import slower_to_load  # type: ignore[import-not-found]  # noqa: F401  # written by this test

            done = True
    finally:
        signal.signal(signal.SIGINT, before)
        sys.modules.pop("slower_to_load")
    assert done


def test_a_run_stops_when_decided_or_at_the_limit_of_games(run: Any) -> None:
    args = [arg for arg in COMPARE if not arg.startswith("--games")]
    result = run(*args, "--variant=slow=box_inches:4", "--jobs=1", "--stop", "--games=80", "--json")
    summary = json.loads(result.stdout)
    assert summary["header"]["games"] in (60, 80) and "stopped after" in result.stderr
    assert summary["header"]["games"] == 60 or re.search(
        r"after 60 games of each \d comparisons? (is|are) undecided: .*\blength", told(result)
    )
    assert "--games=80 --stop" in summary["header"]["command"]
    assert any("anytime-valid" in note for note in summary["method"])


@pytest.mark.usefixtures("no_set_pieces")
def test_claims_are_repeated_under_other_conditions(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zareba.analysis.studies.additional_games.CHANGED_GAMES", 3)
    monkeypatch.setattr("zareba.analysis.studies.conditions.TRIAL_GAMES", 1)
    monkeypatch.setattr("zareba.analysis.studies.additional_games.stand_ins", lambda *asked: stand_ins(*asked)[3:5])
    monkeypatch.setattr(
        "zareba.analysis.studies.additional_games.translation_conditions",
        lambda *asked: translation_conditions(*asked)[:1],
    )
    args = [
        "compare",
        "skirmish.yaml",
        "--rulesets=vcc",
        "--variant=short=box_inches:12",
        "--games=12",
        "--jobs=1",
        "--robust",
    ]
    result = run(*args, "--other-agents=bold:2,random:3", "--json")
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert summary["robustness"] and "testing " in result.stderr
    assert re.search(r"\d+ of 3 have an effect; \d+ games? more", told(result)), "two stand-ins and a translation"
    tried = {condition["title"]: condition["games"] for condition in summary["conditions"]}
    assert tried["bold players"] == 2 and tried["random players"] == 3
    assert {condition["kind"] for condition in summary["conditions"]} == {"players", "stand-in", "translation"}
    assert {0, 3} <= set(tried.values()), "a change without effect is not played further"
    for claim in summary["robustness"]:
        assert claim["holds"] == "holds under all" or claim["depends_on"] or claim["open"]
    assert summary["header"]["command"].endswith("--robust --other-agents=bold:2,random:3")
    assert (
        "bold" in run(*args, "--other-agents=bolt").stderr and "NAME:20" in run(*args, "--other-agents=bold:x").stderr
    )


def test_room_for_skill_and_openness_are_measured(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zareba.analysis.games.simulate.PLAYOUTS", 2)
    monkeypatch.setattr(
        "zareba.analysis.studies.additional_games.PAIRS", (("doctrine", "random", 1), ("random", "doctrine", 2))
    )
    args = ["compare", "patrol_clash", "--rulesets=vcc", "--games=3", "--jobs=1", "--win-probability=1", "--skill=4"]
    result = run(*args, "--json")
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    (skill,) = summary["skill"]
    assert [(match["first"], match["games"]) for match in skill["matches"]] == [("doctrine", 4), ("random", 2)]
    assert skill["matches"][0]["score"] >= 0.5 and skill["matches"][0]["elo"] >= 0
    (vcc,) = summary["variants"]
    assert vcc["metrics"]["M14"][0]["n"] == 1 and vcc["metrics"]["M5"][0]["n"] == 3
    assert "--win-probability=1 --skill=4" in summary["header"]["command"]
    page = (Path("out") / "patrol_clash" / "report.html").read_text("utf-8")
    assert "Room for skill" in page and "doctrine against random" in page


def test_set_pieces_need_no_scenario_and_play_nothing(run: Any) -> None:
    result = run("compare", "--set-pieces", "--rulesets=afriboria,risk_factor")
    assert result.exit_code == 0, result.stderr
    assert "Twenty rifles at near range, on a unit in the open" in result.stdout
    assert "not in these rules: units are never shaken or broken" in " ".join(result.stdout.split())
    assert not Path("out").exists()
    data = json.loads(run("compare", "--set-pieces", "--rulesets=risk_factor", "--json").stdout)
    near = data["set_pieces"][0]["variants"][0]
    assert near["method"] == "exact" and sum(row["p"] for row in near["lost"]) == pytest.approx(1)
    refused = run("compare", "--rulesets=vcc")
    assert refused.exit_code != 0 and "name a scenario" in refused.stderr


@pytest.mark.usefixtures("no_set_pieces")
def test_a_sweep_tries_the_values_of_a_number(run: Any) -> None:
    result = run(*COMPARE, "--sweep=rocket.on_target=4..6", "--jobs=1", "--out=out", "--json")
    assert result.exit_code == 0, result.stderr
    summary = json.loads(result.stdout)
    assert [variant["name"] for variant in summary["variants"]] == ["vcc", "rocket.on_target=4", "rocket.on_target=6"]
    assert [point["at"] for point in summary["sweep"]["curves"][0]["points"]] == [4, 5, 6]
    assert "--sweep=rocket.on_target=4..6" in summary["header"]["command"]
    assert "--variant" not in summary["header"]["command"]
    assert sorted(path.name for path in Path("out/sweep").iterdir()) == [
        "vcc.rocket.on_target=4.yaml",
        "vcc.rocket.on_target=6.yaml",
    ]
    assert run("check", "out/sweep/vcc.rocket.on_target=4.yaml").exit_code == 0
    for wrong in ("rocket.on_target", "rocket.on_targt=1..2", "rocket.on_target=9"):
        assert run(*COMPARE, f"--sweep={wrong}", "--jobs=1").exit_code != 0


def test_a_game_of_a_comparison_is_replayed_by_its_command(run: Any) -> None:
    """The second game of a run lists its sides in reverse order, and so does the command in its row."""
    import csv
    import shlex

    assert run(*COMPARE, "--jobs=1", "--out=out").exit_code == 0
    rows = list(csv.DictReader(Path("out/games.csv").read_text(encoding="utf-8").splitlines()))
    assert "--listed-first" in rows[1]["again"] and "--listed-first" not in rows[0]["again"]
    for row in rows[:2]:
        told = run(*shlex.split(row["again"])[1:], "--journal", f"{row['game']}.jsonl")
        assert told.exit_code == 0, told.stderr
        names = {"patrol": "the patrol wins", "tribesmen": "the band wins"}
        won = told.stdout.strip().splitlines()
        assert any(names[row["winner"]] in line for line in won[-3:]) if row["winner"] else True


def test_saved_games_are_extended_merged_and_reported(run: Any) -> None:
    for seed in (9, 10):
        assert (
            run(*COMPARE[:-1], f"--seed={seed}", "--jobs=1", f"--out=run{seed}", f"--save-games={seed}.jsonl").exit_code
            == 0
        )
    more = run(
        "compare",
        "skirmish.yaml",
        "--rulesets=vcc",
        "--agents=random",
        "--games=6",
        "--seed=9",
        "--jobs=1",
        "--out=run9",
        "--save-games=9.jsonl",
    )
    assert "continuing from 4 games" in more.stderr and "holds the report of an earlier run" in more.stderr
    both = run("compare", "--from=9.jsonl", "--from=10.jsonl", "--out=both", "--json")
    assert both.exit_code == 0, both.stderr
    summary = json.loads(both.stdout)
    assert summary["header"]["seeds"] == [9, 10] and summary["variants"][0]["games"] == 10
    assert Path("both/report.html").exists()
    assert run("compare", "--from=9.jsonl", "--from=9.jsonl").exit_code != 0
    idle = run("compare", "patrol_clash", "--from=9.jsonl", "--games=30")
    assert idle.exit_code != 0 and "leave out a SCENARIO and --games" in idle.stderr


def test_forces_are_brought_to_equal_points_when_asked(run: Any) -> None:
    result = run("compare", "patrol_clash", *COMPARE[2:], "--equal-points", "--games=1", "--jobs=1", "--json")
    header = json.loads(result.stdout)["header"]
    assert header["title"].endswith("forces of equal points")
    assert header["command"].startswith("zareba compare patrol_clash ") and " --equal-points " in header["command"]
    assert "no rulebook here prices units" in result.stderr and "swordsmen 24 to 25" in result.stderr
    battle = "out/patrol_clash_equal_points/patrol_clash_equal_points.yaml"
    assert f"the changed scenario is in {battle}" in result.stderr
    assert load_scenario(battle).digest == header["scenario_digest"]


def test_an_option_of_the_last_release_still_works_and_warns(run: Any, tmp_path: Path) -> None:
    warn_renamed.cache_clear()
    bank = tmp_path / "games.jsonl"
    result = run(
        "compare", "patrol_clash", "--rulesets=vcc", "--games=2", "--jobs=1", f"--bank={bank}", f"--out={tmp_path}"
    )
    assert result.exit_code == 0 and bank.exists()
    assert "compare --bank is now called --save-games" in result.stderr


def test_games_with_different_results_name_the_winners(capsys: pytest.CaptureFixture[str]) -> None:
    won = [("red", "red"), ("red", None)]
    games = [{"game": number, "winners": list(pair), "again": ["zareba play"]} for number, pair in enumerate(won)]
    rows = [{"wins": [{"side": "red", "name": "The reds"}, {"side": "drawn", "name": "drawn"}]}]
    _print_divergence({"first": "vcc", "second": "few", "alike": 1, "of": 2000, "games": games}, rows)
    told = " ".join(capsys.readouterr().out.split())
    assert "game 0, won by the reds both times:" in told and "game 1, won by the reds, then by nobody:" in told
    assert "1 of 2,000 games went alike" in told
