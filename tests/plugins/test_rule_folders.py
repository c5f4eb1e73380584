"""One rule, one folder or file: `rule.yaml`, the Python next to it, and the rulesets and versions it is for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.small_battle import small_battle

from zareba.base.errors import FileError, ZarebaError
from zareba.plugins.rule_files import fits_version, systems_in, title_in
from zareba.registry import find_house_rule, load_rules
from zareba.scenario import load_scenario
from zareba.session import new_session, replay
from zareba.session.briefing import briefing

SHEET = """\
house_rule: club
rulesets: [vcc, paychest]
why: our club plays it so
settings:
  rounds: {rule: H-1, summary: rounds, default: 3, at_least: 1, at_most: 9}
words: {event thirst: "{unit} is thirsty"}
patches:
  vcc:
    - {at: weapons.rifle.long, was: 3, to: 4, why: long ranges}
  paychest:
    - {set: six_misses, to: true, why: sixes miss}
"""
CODE = """\
from zareba.api import StateVariable, hookimpl
from . import dry

@hookimpl
def zareba_state():
    return [dry.rounds]

@hookimpl
def zareba_turn(table, state, settings):
    unit = next(iter(state.units))
    dry.rounds[table, unit] = settings["rounds"]
    table.emit("thirst", "H-1", unit=unit)
"""


def folder(at: Path, files: Mapping[str, str], name: str = "club") -> Path:
    for file, text in files.items():
        (at / name / file).parent.mkdir(parents=True, exist_ok=True)
        (at / name / file).write_text(text, encoding="utf-8")
    return at / name


WHOLE = {
    "rule.yaml": SHEET.replace(
        "{set: six_misses, to: true, why: sixes miss}", "{set: jam_clear, to: one_shot, why: quick}"
    ),
    "rule.py": CODE,
    "dry.py": "from zareba.api import StateVariable\nrounds = StateVariable('rounds', 0, words='rounds')\n",
}


@pytest.mark.parametrize("ruleset", ["vcc", "paychest"])
def test_rule_folder_contains_yaml_python_and_other_files(tmp_path: Path, ruleset: str) -> None:
    rule = find_house_rule(str(folder(tmp_path, WHOLE)))
    scenario, path = small_battle(), tmp_path / "game.jsonl"
    session = new_session(
        ruleset,
        scenario,
        dict.fromkeys(scenario.sides, "random"),
        seed=2,
        settings={"club.rounds": 5},
        house_rules=[rule],
        path=path,
    )
    session.drive()
    unit = next(iter(session.state.units))
    assert session.state.own[f"club.rounds/{unit}"] == 5
    rules = session.game.rules
    assert (
        rules.data["weapons"]["rifle"]["long"] == 4 if ruleset == "vcc" else rules.settings["jam_clear"] == "one_shot"
    )
    told = next(event for _, _, events in session.log() for event in events if event.kind == "thirst")
    assert session.game.narrator.describe_event(told) == f"{session.game.narrator.name_of(unit)} is thirsty"
    session.close()
    assert replay(path, house_rules=[rule.file]).notice == ""
    (rule.file / "dry.py").write_text("# other\n" + WHOLE["dry.py"])
    with pytest.raises(ZarebaError, match="has changed since this game was played"):
        replay(path, house_rules=[rule.file])


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"notes.txt": "x"}, "is not a house rule; it needs a rule.yaml, a rule.py, or both"),
        ({"rule.py": "import zareba\nx = 1 / 0"}, r"rule\.py:2\) cannot be loaded: ZeroDivisionError"),
        ({"rule.py": "def f(:\n"}, r"rule\.py:1\) cannot be loaded: SyntaxError"),
        ({"rule.py": "from . import lost"}, r"rule\.py:1\) cannot be loaded: ImportError"),
        ({"rule.yaml": "house_rule: club\n"}, "changes nothing in vcc"),
        ({"rule.yaml": SHEET + "colour: red\n"}, r"rule\.yaml:12:1: colour"),
        ({"rule.yaml": SHEET.replace("[vcc, paychest]", "[afriboria]")}, "which is not among its rulesets"),
        ({"rule.yaml": SHEET.replace("default: 3", "default: 12")}, "needs a name in one word, and a default"),
    ],
)
def test_faults_of_a_rule_folder_are_reported_at_their_line(
    tmp_path: Path, files: dict[str, str], sentence: str
) -> None:
    with pytest.raises(ZarebaError, match=sentence):
        load_rules("vcc", house_rules=[find_house_rule(str(folder(tmp_path, files)))])


def sheet(tmp_path: Path, *lines: str, name: str = "club") -> Any:
    text = "\n".join([f"house_rule: {name}", "ruleset: vcc", *lines])
    (tmp_path / f"{name}.yaml").write_text(f"{text}\nchanges:\n  - {{set: mg_overheat, to: 'off', why: oil}}\n")
    return find_house_rule(str(tmp_path / f"{name}.yaml"))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("zareba: '>=9'", "club.yaml:3:1: zareba: house rule 'club' was written for zareba >=9, and this is"),
        ("zareba: soon", "'soon' is not a version range; write it as >=0.1,<2"),
        ("requires: [weather]", "club.yaml:3:1: requires: house rule 'club' requires 'weather'; list it before"),
        ("scenarios: [river_ford]", "the house rule 'club' is for river_ford, not for patrol_clash"),
    ],
)
def test_a_rule_says_what_it_needs(tmp_path: Path, line: str, sentence: str) -> None:
    with pytest.raises(ZarebaError, match=sentence):
        load_rules("vcc", house_rules=[sheet(tmp_path, line)]).game(load_scenario("patrol_clash"))


def test_required_and_conflicting_rules_are_checked(tmp_path: Path) -> None:
    one = sheet(tmp_path, "conflicts: [weather]")
    load_rules("vcc", house_rules=[one])
    with pytest.raises(FileError, match="house rule 'club' cannot be combined with 'weather'; leave one out"):
        load_rules("vcc", house_rules=[one, find_house_rule("weather")])
    needs = sheet(tmp_path, "requires: [weather]")
    assert load_rules("vcc", house_rules=[find_house_rule("weather"), needs]).house_rules == ("weather", "club")


def test_a_rule_in_one_file_says_for_which_systems_it_is(tmp_path: Path) -> None:
    text = "from zareba.api import hookimpl\nRULESETS = {}\n@hookimpl\ndef zareba_turn():\n    pass\n"
    file = tmp_path / "club.py"
    file.write_text(text.format("('vcc',)"), encoding="utf-8")
    rule = find_house_rule(str(file))
    assert rule.systems == systems_in(rule.text) == ("vcc",)
    assert load_rules("vcc", house_rules=[rule]).house_rules == ("club",)
    with pytest.raises(ZarebaError, match=r"house rule 'club' \(.*club.py\) is for vcc, not for paychest"):
        load_rules("paychest", house_rules=[rule])
    file.write_text(text.format("'vcc'"), encoding="utf-8")
    with pytest.raises(ZarebaError, match=r"club.py\): RULESETS is 'vcc'; write RULESETS = "):
        find_house_rule(str(file))
    assert systems_in("RULESETS = [") == systems_in("RULESETS = x") == ()


def test_a_rule_for_other_systems_is_refused_by_the_line_that_says_so(tmp_path: Path) -> None:
    rule = find_house_rule(str(folder(tmp_path, WHOLE)))
    with pytest.raises(
        FileError, match=r"rule\.yaml:2:1: rulesets: house rule 'club' is for vcc and paychest, not for afriboria"
    ):
        load_rules("afriboria", house_rules=[rule])


@pytest.mark.parametrize(
    ("version", "wanted", "fits"),
    [
        ("0.1.0", ">=0.1,<2", True),
        ("0.1.0", ">=0.1.1", False),
        ("2.0", "<2", False),
        ("1.10", ">1.9", True),
        ("1.0.0", "==1", True),
        ("1.0", "!=1.0", False),
    ],
)
def test_versions_are_compared_by_number(version: str, wanted: str, fits: bool) -> None:
    assert fits_version(version, wanted) is fits


@pytest.mark.parametrize(
    ("file", "text", "title"),
    [
        ("club.yaml", "house_rule: club\ntitle: Our long ranges\n", "Our long ranges"),
        ("club.yaml", "house_rule: club\n", "Long ranges"),
        ("club.yaml", "title: [", "Long ranges"),
        ("club.py", '"""Dig in: a unit may take cover."""\n', "Dig in"),
        ("club.py", '"""A unit may take cover."""\n', "Long ranges"),
        ("club.py", "def", "Long ranges"),
        ("club", '{"rule.yaml": "title: Thirst\\n", "rule.py": ""}', "Thirst"),
        ("club", '{"rule.py": "\'Thirst: men need water.\'"}', "Thirst"),
        ("typed rule 1", "house_rule: club\ntitle: Our long ranges\n", "Our long ranges"),
    ],
)
def test_the_title_of_a_rule_is_read_without_running_it(file: str, text: str, title: str) -> None:
    assert title_in("long_ranges", Path(file), text) == title


def test_a_briefing_says_what_a_changed_setting_means() -> None:
    rules = load_rules("vcc", {"stack_points": "6", "contact_pins": "false"})
    special = next(part for part in briefing(rules.game(small_battle())).sections if part.title == "Special rules")
    assert special.lines[:2] == (
        "Points of units that a side may have in a box: 6 (default 4)",
        "Contact holds a unit in place: no (default yes)",
    )


def test_a_briefing_names_house_rules_by_title() -> None:
    rules = load_rules("vcc", {}, [find_house_rule("gatling_never_jams"), find_house_rule("dig_in")])
    special = next(part for part in briefing(rules.game(small_battle())).sections if part.title == "Special rules")
    assert special.lines[:2] == ("house rule: The Gatling never jams", "house rule: Dig in")
