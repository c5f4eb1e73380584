"""The contract with other programs: JSON keys, exit codes, data on stdout and messages on stderr."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from zareba.registry import load_rules
from zareba.scenario import shipped_scenarios

TOP = Path(__file__).parents[3]


def _json(run: Any, *args: str, **more: Any) -> Any:
    result = run(*args, **more)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_rulesets_are_counted_by_status(run: Any) -> None:
    result = run("rulesets", "--json")
    vcc = next(row for row in json.loads(result.stdout) if row["id"] == "vcc")
    assert list(vcc) == ["id", "title", "space", "version", "rules", "implemented", "tested"]
    assert list(vcc["rules"]) == ["text", "garbled", "gap", "choice", "advice"]
    assert sum(vcc["rules"].values()) == 171
    assert 100 < vcc["implemented"] <= 171
    assert (vcc["space"], vcc["version"]) == ("boxes", "5.0")


def test_lists_do_not_read_the_tests(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    read = Path.read_text

    def noted(path: Path, *args: Any, **more: Any) -> str:
        assert "tests" not in path.parts, f"{path} is read for a list"
        return read(path, *args, **more)

    monkeypatch.setattr(Path, "read_text", noted)
    assert {row["tested"] for row in _json(run, "rulesets", "--json")} == {None}
    assert {row["tests"] for row in _json(run, "rules", "vcc", "--json")} == {None}


def test_a_single_rule_comes_with_its_tests_and_their_paths(run: Any) -> None:
    tests = _json(run, "rules", "vcc", "VCC-083", "--json")["tests"]
    assert tests
    for test in tests:
        file, _, name = test.partition("::")
        text = (TOP / file).read_text(encoding="utf-8")
        assert f"def {name}(" in text and '"VCC-083"' in text
    shown = "".join(run("rules", "vcc", "VCC-083", "--code").stdout.split())
    assert all(test in shown for test in tests)


def test_a_single_rule_without_tests_at_hand_says_null(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zareba.rules.catalogue.tests_of", lambda folder, rule: None)
    assert _json(run, "rules", "vcc", "VCC-083", "--json")["tests"] is None


def test_words_find_every_rule_that_mentions_them_with_its_tests(run: Any) -> None:
    rows = _json(run, "rules", "vcc", "rally", "native", "--json")
    assert "VCC-030" in [row["id"] for row in rows]
    assert all("rally" in (row["summary"] + row["reading"]).casefold() for row in rows)
    assert all(test.startswith("tests/") for row in rows for test in row["tests"])
    assert "VCC-030 (chapter sequence)" in run("rules", "vcc", "rally", "native").stdout
    assert "no rule of vcc mentions 'zeppelin'" in run("rules", "vcc", "zeppelin").stderr


def test_a_topic_of_another_name_is_found(run: Any) -> None:
    """Risk-Factor has no rally: a unit recovers by its next Action throw."""
    result = run("rules", "risk_factor", "rally")
    assert "No rule of risk_factor mentions 'rally'. The rules with 'actions' come nearest:" in result.stderr
    assert "RSK-127 (chapter actions)" in result.stdout and result.exit_code == 0


def test_a_search_lists_the_best_match_first_and_says_how_many_there_are(run: Any) -> None:
    rows = _json(run, "rules", "vcc", "rally", "--json")
    in_chapter = {"VCC-159", "VCC-160", "VCC-161", "VCC-162"}
    assert {row["id"] for row in rows[:4]} == in_chapter, "the rules of the chapter 'rally' come first"
    whole = re.compile(r"\brally\b", re.IGNORECASE)
    places = [0 if whole.search(row["summary"]) else 1 if "rally" in row["summary"].casefold() else 2 for row in rows]
    assert places[:4] == sorted(places[:4]) and places[4:] == sorted(places[4:]) and {0, 1, 2} == set(places)
    assert [row["id"] for row in rows] != sorted(row["id"] for row in rows)
    shown = run("rules", "vcc", "rally").stdout
    explanation, rules = shown.split("\n\n", 1)
    assert explanation.startswith("rally: "), "the term is explained first"
    assert rules.startswith(f"{len(rows)} rules of vcc with 'rally', the best match first")
    assert shown.count("(chapter ") == len(rows)


def test_rules_come_with_code_and_setting(run: Any) -> None:
    rows = _json(run, "rules", "vcc", "--json")
    keys = ["id", "summary", "status", "reading", "setting", "code", "tests"]
    assert [list(row) for row in rows] == [keys] * 171
    one = _json(run, "rules", "vcc", "vcc-005", "--json")
    assert {**one, "tests": None} == next(row for row in rows if row["id"] == "VCC-005")
    assert one["setting"] == "box_inches"
    assert any(place.startswith("ruleset.yaml:") for place in one["code"])


def test_settings_list_every_switch_with_its_values(run: Any) -> None:
    rows = {row["name"]: row for row in _json(run, "settings", "vcc", "--json")}
    assert set(rows) == set(load_rules("vcc").settings)
    assert rows["mg_overheat"] == {
        "name": "mg_overheat",
        "values": ["on", "off"],
        "default": "on",
        "rule": "VCC-103",
    }
    assert rows["box_inches"]["values"] == [{"at_least": 3, "at_most": 12}]


def test_scenarios_are_listed(run: Any) -> None:
    rows = _json(run, "scenarios", "--json")
    assert tuple(row["id"] for row in rows) == shipped_scenarios()
    clash = next(row for row in rows if row["id"] == "patrol_clash")
    assert clash["table"] == [48, 36]
    assert clash["sides"] == {"patrol": "The patrol", "tribesmen": "The band"}
    assert clash["units"] == 8


def test_plugins_show_hooks_and_distribution(run: Any) -> None:
    rows = {row["name"]: row for row in _json(run, "plugins", "--json")}
    assert list(rows["vcc"]) == [
        "name",
        "kind",
        "distribution",
        "version",
        "hooks",
        "house_rules",
        "scenarios",
        "commands",
        "error",
    ]
    assert rows["vcc"]["kind"] == "ruleset"
    assert rows["vcc"]["hooks"] == ["zareba_ruleset"]
    assert rows["vcc"]["error"] is None


def test_a_value_is_explained_with_its_line(run: Any) -> None:
    found = _json(run, "explain", "vcc", "weapons.rifle.long", "--json")
    file, line, _ = found["source"].rsplit(":", 2)
    assert "rifle:" in Path(file).read_text(encoding="utf-8").splitlines()[int(line) - 1]
    assert (found["value"], found["was"]) == (3, None)
    assert found["rule"]["id"] == "VCC-081"


def test_a_changed_value_names_its_house_rule(run: Any, house_rule: Path) -> None:
    given = ("--house-rule", str(house_rule), "--json")
    value = _json(run, "explain", "vcc", "weapons.rifle.long", *given)
    assert (value["value"], value["was"]) == (4, 3)
    assert value["source"] == f"house rule long_rifles ({house_rule}:4:6)"
    switch = _json(run, "explain", "vcc", "settings.fire_includes_leader_base", *given)
    assert (switch["value"], switch["was"]) == (False, True)
    assert switch["source"] == f"house rule long_rifles ({house_rule}:5:5)"
    changed = ("--set", "fire_includes_leader_base=true")
    again = _json(run, "explain", "vcc", "settings.fire_includes_leader_base", *changed, *given)
    assert (again["value"], again["source"]) == (True, "--set of this command")


def test_a_section_lists_its_keys(run: Any) -> None:
    assert list(_json(run, "explain", "vcc", "weapons.rifle", "--json")["value"]) == [
        "rule",
        "close",
        "medium",
        "long",
    ]
    assert "  modifiers: ... (13 keys)" in run("explain", "vcc", "tallies.fire_dice").stdout


def test_procedures_are_listed_with_schemas(run: Any) -> None:
    rows = {row["procedure"]: row for row in _json(run, "odds", "vcc", "--list", "--json")}
    assert rows["fire_pool"]["facts"]["required"] == ["bases"]
    assert rows["fire_pool"]["facts"]["properties"]["band"]["enum"] == ["close", "medium", "long"]
    assert rows["fire_pool"]["facts"]["properties"]["fire_die"]["description"] == "faces of the fire dice"
    assert set(rows["fire_pool"]["outcome"]["properties"]) == {"hits", "highest_face"}


def test_the_facts_of_one_procedure_are_listed(run: Any) -> None:
    shown = run("odds", "risk_factor", "command_points", "--list").stdout
    assert re.search(r"^figures +figures of the group +\d+ to \d+ +10 *$", shown, re.MULTILINE)
    assert re.search(r"^loyal +the group is loyal to him +true, false +true *$", shown, re.MULTILINE)
    assert "The points thrown, and whether the whole group is commanded." in shown


def test_facts_that_differ_from_their_defaults_are_shown(run: Any) -> None:
    shown = " ".join(run("odds", "vcc", "fire_pool", "bases=2", "band=close", "moved=no").stdout.split())
    assert "With bases=2 and band=close; all other facts have their defaults" in shown


def test_odds_are_exact_and_explained(run: Any) -> None:
    found = _json(run, "odds", "vcc", "fire_pool", "bases=2", "band=close", "leader=yes", "--json")
    assert list(found) == ["ruleset", "procedure", "facts", "method", "outcomes", "means", "explain", "rolls", "thrown"]
    assert found["method"] == "exact"
    assert sum(Fraction(row["exact"]) for row in found["outcomes"]) == 1
    chances = [row["p"] for row in found["outcomes"]]
    assert chances == sorted(chances, reverse=True)
    # (2 bases + 1 leader base) x 2 at close range is 6 dice, each 3.5 on average.
    assert found["means"] == {"hits": pytest.approx(21)}
    (tally,) = found["explain"]
    assert (tally["tally"], tally["total"]) == ("fire_dice", 6)
    assert [(part["change"], part["running"], part["rule"]) for part in tally["parts"]] == [
        ("2", 2, "VCC-074"),
        ("+1", 3, "VCC-075"),
        ("x 2", 6, "VCC-086"),
    ]


def test_facts_come_from_files_and_standard_input(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "shot.yaml"
    file.write_text("bases: 2\nband: close\n", encoding="utf-8")
    from_file = _json(run, "odds", "vcc", "fire_pool", "--facts", str(file), "band=long", "--json")
    typed = '{"bases": 2, "band": "long"}'
    from_stdin = _json(run, "odds", "vcc", "fire_pool", "--facts", "-", "--json", typed=typed)
    assert from_file["facts"]["band"] == "long"
    assert from_file == from_stdin


def test_sampled_odds_are_marked_as_sampled(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from zareba import odds

    real = odds.odds
    monkeypatch.setattr("zareba.odds.odds", lambda *args: real(*args, budget=3, samples=200))
    found = _json(run, "odds", "vcc", "fire_step", "bases=6", "--json")
    assert found["method"] == "sampled"
    assert "sampled from 200 plays" in found["note"]
    for row in found["outcomes"]:
        low, high = row["interval"]
        assert row["exact"] is None
        assert low <= row["p"] <= high


def test_settings_and_house_rules_change_odds(run: Any, house_rule: Path) -> None:
    shot = ("odds", "vcc", "fire_pool", "bases=2", "leader=true", "--json")
    plain = _json(run, *shot)
    ruled = _json(run, *shot, "--house-rule", str(house_rule))
    switched = _json(run, *shot, "--set", "fire_includes_leader_base=false")
    assert plain["means"] == {"hits": pytest.approx(10.5)}
    assert ruled["means"] == {"hits": pytest.approx(7)}
    assert ruled["outcomes"] == switched["outcomes"]


@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_odds_are_plotted(run: Any, tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / f"odds.{suffix}"
    result = run("odds", "vcc", "morale", "bases=4", "--plot", str(file))
    assert result.exit_code == 0, result.stderr
    assert file.read_bytes()[:5] in (b"<?xml", b"\x89PNG\r")


def test_odds_show_bars_means_and_reasons(run: Any) -> None:
    shown = run("odds", "vcc", "morale", "bases=3").stdout
    assert "passes      3           50.0\u00a0%  ██████████████████████████████" in shown
    assert "Likely result. Result: passes (50\u00a0%); bases left: 3 (3.0 on average)." in shown
    assert "3 or less on a die (VCC-137)" in shown


@pytest.mark.parametrize(
    "args",
    [
        ("rulesets",),
        ("rules", "vcc"),
        ("rules", "vcc", "VCC-166"),
        ("settings", "vcc"),
        ("scenarios",),
        ("plugins",),
        ("odds", "vcc", "--list"),
        ("odds", "vcc", "fire_step", "--list"),
        ("odds", "vcc", "fire_step", "bases=4"),
        ("explain", "vcc", "tallies"),
    ],
)
def test_lists_for_people_fit_80_columns(run: Any, args: tuple[str, ...]) -> None:
    lines = run(*args).stdout.splitlines()
    assert lines
    # Paths are not wrapped, so that they can be copied.
    assert max(len(line) for line in lines if not line.startswith("from ")) <= 80


def test_explain_without_a_path_lists_the_sections(run: Any) -> None:
    shown = run("explain", "vcc").stdout
    assert shown.startswith("Sections of vcc: ruleset, title") and "zareba explain vcc tallies lists the keys" in shown
    assert "weapons" in _json(run, "explain", "vcc", "--json")["sections"]


def test_the_code_behind_a_rule_can_be_left_out(run: Any) -> None:
    assert "Code: " in run("rules", "vcc", "VCC-083").stdout
    assert "Code: " not in run("rules", "vcc", "VCC-083", "--no-code").stdout
