"""`check` recognises each kind of file by its keys, reports every error with its position, and exits with 1."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from zareba.base.grammar import join_with_and
from zareba.cli.author.trials import why_unplayable
from zareba.plugins.entry_points import house_rule_files
from zareba.registry import ruleset, ruleset_names
from zareba.scenario import load_scenario, shipped_scenarios

SHIPPED = Path(str(resources.files("zareba.scenario"))) / "shipped"


def test_valid_files_of_every_kind_are_fine(run: Any, house_rule: Path) -> None:
    folder = ruleset("vcc").folder
    scenario = SHIPPED / f"{shipped_scenarios()[0]}.yaml"
    files = [str(file) for file in (house_rule, scenario, folder / "ruleset.yaml", folder / "rules.yaml")]
    result = run("check", *files)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [f"{file}: fine" for file in files]


FAULTS = [
    ("sides: {}\n", ["1:1: these fields are missing: id, note, place"]),
    ("a: b: c\n", ["1:5: this is not YAML"]),
    ("colour: red\n", ["1:1: this is not a zareba file; a scenario has the key 'sides'"]),
    ("ruleset: vcx\n", ["1:1: ruleset: there is no installed ruleset 'vcx'; did you mean 'vcc'?"]),
    (
        "ruleset: vcc\nspce: boxes\n",
        ["1:1: these fields are missing: ", "2:1: spce: unknown field; did you mean 'space'?"],
    ),
    (
        "ruleset: vcc\nrules:\n  VCC-001: {chapter: x, summary: y, status: txt}\n",
        ["3:37: rules.VCC-001.status: 'txt' is not known here; did you mean 'text'?"],
    ),
    ("house_rule: x\nruleset: vcx\nchanges: []\n", ["2:1: ruleset: there is no installed ruleset 'vcx'"]),
    (
        "house_rule: x\nruleset: vcc\nchanges:\n  - {remove: weapons.riffle}\n",
        ["4:6: changes.0.remove: there is no weapons.riffle; did you mean 'weapons.rifle'?"],
    ),
    (
        "house_rule: x\nruleset: vcc\nchanges:\n  - {at: weapons.rifle.long, was: 2, to: 4}\n",
        ["4:30: changes.0.was: weapons.rifle.long is 3, not 2; check it with 'zareba explain'"],
    ),
    (
        "house_rule: x\nruleset: vcc\nchanges:\n  - {set: mg_overheet, to: false}\n",
        ["4:6: changes.0.set: there is no setting of vcc called 'mg_overheet'; did you mean 'mg_overheat'?"],
    ),
    (
        "house_rule: x\nruleset: vcc\nchanges:\n  - {at: weapons.musket.medium, was: 2, to: 3}\n"
        "  - {at: weapons.rifle.long, was: 3, to: 2}\n  - {at: weapons.artillery.long, was: 12, to: -4}\n",
        [
            "5:6: weapons.rifle: medium is 2 and long is 2, but the order must be close < medium < long",
            "6:6: weapons.artillery.long: must be at least 0, got -4",
        ],
    ),
]


def test_a_house_rule_under_which_a_scenario_cannot_be_set_up_is_reported(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: Any) -> None:
        raise KeyError("ground")

    monkeypatch.setattr("zareba_rulesets.paychest.translation.lay_ground", lost)  # faulty files are refused earlier
    change = "changes:\n  - {at: mapping.officer_above_figures.figures, was: 12, to: 13}\n"
    (tmp_path / "x.yaml").write_text(f"house_rule: few_officers\nruleset: paychest\n{change}", encoding="utf-8")
    sentence = "failed: KeyError: 'ground'; the cause may lie in the house rule 'few_officers'"
    checked = run("check", "x.yaml")
    assert checked.exit_code == 1
    assert checked.stderr == f"x.yaml:1:1: setting up battle_of_the_wells {sentence}\n"
    played = run("play", "patrol_clash", "--ruleset=paychest", "--house-rule=x.yaml")
    assert played.exit_code == 2
    assert played.stderr == f"setting up patrol_clash {sentence}\n"


@pytest.mark.parametrize(("text", "faults"), FAULTS, ids=[faults[0] for _, faults in FAULTS])
def test_problems_are_reported_with_their_place(run: Any, tmp_path: Path, text: str, faults: list[str]) -> None:
    (tmp_path / "x.yaml").write_text(text, encoding="utf-8")
    result = run("check", "x.yaml")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert [fault for fault in faults if f"x.yaml:{fault}" not in result.stderr] == []


def test_one_faulty_file_does_not_hide_the_others(run: Any, tmp_path: Path, house_rule: Path) -> None:
    (tmp_path / "x.yaml").write_text("colour: red\n", encoding="utf-8")
    result = run("check", "x.yaml", str(house_rule))
    assert result.exit_code == 1
    assert result.stdout == f"{house_rule}: fine\n"


def test_a_missing_file_does_not_hide_the_others(run: Any, tmp_path: Path, house_rule: Path) -> None:
    (tmp_path / "shot.yaml").write_text("colour: red\n", encoding="utf-8")
    (tmp_path / "club").mkdir()
    result = run("check", "shoot.yaml", "shot.yaml", "club", str(house_rule))
    assert result.exit_code == 2
    assert result.stdout == f"{house_rule}: fine\n"
    told = (
        "there is no YAML file shoot.yaml; did you mean 'shot.yaml'?",
        "shot.yaml:1:1: this is not",
        "club is a folder",
    )
    lines = result.stderr.splitlines()
    assert len(lines) == 3 and all(line.startswith(start) for line, start in zip(lines, told, strict=True))


def test_python_house_rules_are_checked_too(run: Any, tmp_path: Path) -> None:
    (tmp_path / "typo.py").write_text(
        "import zareba\n\n\n@zareba.hookimpl\ndef zareba_modifers(ruleset):\n    return {}\n", encoding="utf-8"
    )
    (tmp_path / "torn.py").write_text("def broken(:\n", encoding="utf-8")
    (tmp_path / "idle.py").write_text(
        "import zareba\n\n\n@zareba.hookimpl\ndef zareba_steps(ruleset):\n    return {}\n", encoding="utf-8"
    )
    assert run("check", str(house_rule_files()["nightfall"])).exit_code == 0
    for file, sentence in (
        ("idle.py", "house rule 'idle' (idle.py) changes nothing in afriboria, fixed_baynet, "),
        ("typo.py", "implements a hook that does not exist: zareba_modifers; did you mean 'zareba_modifiers'?"),
        ("torn.py", "cannot be loaded: SyntaxError"),
    ):
        result = run("check", file)
        assert result.exit_code == 1
        assert f"{file}:1:1: " in result.stderr
        assert sentence in result.stderr


# --- rulesets that cannot play a scenario -----------------------------------------------------------------------------


def battle(tmp_path: Path, **more: str) -> Path:
    """Return a small battle for two sides; `more` holds further units, sides or other text."""
    sides = "".join(
        f"  {side}: {{name: {side}, home_edge: {edge}, deployment: {{zone: {zone}}}}}\n"
        for side, edge, zone in (
            ("column", "south", "[[1, 1], [47, 1], [47, 14], [1, 14]]"),
            ("hillmen", "north", "[[1, 22], [47, 22], [47, 35], [1, 35]]"),
        )
    )
    unit = "arm: infantry, kind: european_regular, weapon: breech_rifle"
    units = "".join(
        f"  {side}_foot: {{name: {side} foot, side: {side}, {unit}, figures: 16}}\n" for side in ("column", "hillmen")
    )
    path = tmp_path / "battle.yaml"
    path.write_text(
        "id: battle\ntitle: Battle\nyear: 1880\nplace: anywhere\nnote: A test.\nturns: 3\ntable: {width: 48, depth: 36}\n"
        f"sides:\n{sides}{more.get('sides', '')}units:\n{units}{more.get('units', '')}{more.get('rest', '')}",
        encoding="utf-8",
    )
    return path


def force(arm: str, figures: int, more: str = "", side: str = "column", key: str = "more") -> str:
    return f"  {key}: {{name: More, side: {side}, arm: {arm}, kind: tribal, figures: {figures}{more}}}\n"


REBELS = "  rebels: {name: Rebels, home_edge: west, deployment: {zone: [[1, 15], [5, 15], [5, 21], [1, 21]]}}\n"
CANNOT_PLAY = {
    "a man alone": ({"units": force("infantry", 1)}, {"risk_factor": "RSK-045"}),
    "a wagon with two men": ({"units": force("wagon", 2)}, {"risk_factor": "RSK-045"}),
    "a man alone who arrives": (
        {"units": force("infantry", 1, ", arrival: {turn: 2, edge: south}")},
        {"risk_factor": "RSK-045"},
    ),
    "three sides": (
        {"sides": REBELS, "units": force("infantry", 16, side="rebels")},
        {"afriboria": "AFR-018", "paychest": "PAY-192", "risk_factor": "RSK-041", "vcc": "VCC-016"},
    ),
}


@pytest.mark.parametrize(("more", "who"), CANNOT_PLAY.values(), ids=CANNOT_PLAY)
def test_systems_that_cannot_play_a_scenario_are_named_with_the_reason(
    run: Any, tmp_path: Path, more: dict[str, str], who: dict[str, str]
) -> None:
    path = battle(tmp_path, **more)
    result = run("check", str(path))
    assert result.exit_code == 0, result.output
    able = [name for name in ruleset_names() if name not in who]
    first, *others = result.stdout.splitlines()
    assert first == f"{path}: fine for {join_with_and(able)}"
    assert len(others) == len(who)
    for line, (name, why) in zip(others, who.items(), strict=True):
        assert line.startswith(f"{path}: {name} cannot play it: ") and why in line
    for name in ruleset_names():
        assert (run("briefing", str(path), "--ruleset", name).exit_code == 0) is (name in able)


def test_too_many_men_for_the_table_are_refused(tmp_path: Path) -> None:
    horde = "".join(
        force("infantry", 200, side=side, key=f"{side}_{number}")
        for side in ("column", "hillmen")
        for number in range(3)
    )
    found = why_unplayable(load_scenario(battle(tmp_path, units=horde)), ["afriboria"])
    assert "there is no room on the field" in found["afriboria"]


def test_a_scenario_that_no_system_can_play_is_reported(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "zareba.cli.author.check.why_unplayable", lambda scenario: dict.fromkeys(ruleset_names(), "too small")
    )
    path = battle(tmp_path)
    result = run("check", str(path))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines() == [f"{path}: {name} cannot play it: too small" for name in ruleset_names()]


def test_a_battle_without_objectives_is_fine_and_won_by_the_strength_that_is_left(run: Any, tmp_path: Path) -> None:
    path = battle(tmp_path)
    assert run("check", str(path)).stdout == f"{path}: fine\n"
    for name in ruleset_names():
        seats = ["--seat=column=random", "--seat=hillmen=random", f"--journal={name}.jsonl"]
        result = run("play", str(path), "--ruleset", name, "--seed=1", *seats)
        assert result.exit_code == 0 and "The game is over" in result.stdout, result.output


# --- ids that begin with a digit --------------------------------------------------------------------------------------

DIGITS = """
id: 17th_lancers
title: The 43rd
year: 1880
place: anywhere
note: A test.
turns: 2
first: 43rd
table: {width: 48, depth: 36}
traits: {9th_steady: They stand.}
terrain:
  3rd_ridge: {kind: hill, name: The ridge, area: [[18, 15], [30, 15], [30, 21], [18, 21]], slope: gentle, levels: 1}
  1st_wall: {kind: low_wall, line: [[2, 18], [10, 18]]}
sides:
  43rd: {name: The column, home_edge: south, deployment: {2nd_zone: [[6, 1], [42, 1], [42, 8], [6, 8]]}}
  2nd_levy: {name: The levy, home_edge: north, deployment: {8th: [[6, 28], [42, 28], [42, 35], [6, 35]]}}
units:
  43rd_foot: {name: Foot, side: 43rd, arm: infantry, kind: european_regular, figures: 16, weapon: breech_rifle, traits: [9th_steady]}
  10th_hussars: {name: Hussars, side: 43rd, arm: cavalry, kind: european_regular, figures: 8, close_weapon: sword, arrival: {turn: 2, edge: south}}
  2nd_foot: {name: Levy, side: 2nd_levy, arm: infantry, kind: tribal, figures: 20, weapon: jezail, zone: 8th}
  1e5: {name: Ambush, side: 2nd_levy, arm: infantry, kind: tribal, figures: 12, close_weapon: sword, hidden: true}
leaders:
  1st_captain: {name: The captain, side: 43rd, rank: commander, unit: 43rd_foot}
  7khan: {name: The khan, side: 2nd_levy, rank: commander, unit: 2nd_foot}
objectives:
  4_held: {kind: hold, name: Ridge, points: 2, terrain: 3rd_ridge}
  5_gone: {kind: carry_off, name: Chest, object: 6th_chest, edge: north, by: [2nd_levy]}
  6_down: {kind: capture_leader, name: Captain, leader: 1st_captain, by: [2nd_levy]}
objects:
  6th_chest: {name: The chest, kind: paychest, carrier: 43rd_foot}
hidden:
  2nd_levy: {terrain: [3rd_ridge], dummies: 1}
events:
  2nd_dusk: {turn: 2, text: Dusk., night: true}
"""


@pytest.mark.parametrize(
    "name",
    [*(pytest.param(name, marks=pytest.mark.deep) for name in ruleset_names() if name != "risk_factor"), "risk_factor"],
)
def test_ids_may_begin_with_a_digit(run: Any, name: str) -> None:
    Path("17th.yaml").write_text(DIGITS, encoding="utf-8")
    assert run("check", "17th.yaml").stdout == "17th.yaml: fine\n"
    play = ["play", "17th.yaml", "--ruleset", name, "--seed=3", "--journal=43rd.jsonl", "--listed-first=2nd_levy"]
    assert run(*play, "--seat=2nd_levy=random", "--seat=43rd=human", typed="1\nunits\n1\nundo\nquit\n").exit_code == 0
    assert run("continue", "43rd.jsonl", "--seat", "43rd=doctrine").exit_code == 0
    assert run("replay", "43rd.jsonl", "--check").exit_code == 0
    assert run("log", "43rd.jsonl", "--json").exit_code == 0
    assert run("briefing", "17th.yaml", "--ruleset", name).exit_code == 0


def test_an_evening_and_a_new_scenario_may_begin_with_a_digit(run: Any) -> None:
    assert run("new", "scenario", "43rd").exit_code == 0
    assert run("check", "43rd.yaml").stdout == "43rd.yaml: fine\n"
    assert run("new", "evening", "1st_night").exit_code == 0
    assert run("check", "1st_night.yaml").stdout == "1st_night.yaml: fine\n"
    assert "is not a valid name" in run("new", "house-rule", "43rd").stderr, "Python takes no such module"
    assert "is not a valid name" in run("new", "scenario", "43").stderr
