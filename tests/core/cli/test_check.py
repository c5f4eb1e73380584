"""`check` knows each kind of file by its keys, names every fault by its place, and exits with 1."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from zareba.plugins.brought import house_rule_files
from zareba.registry import ruleset
from zareba.scenario import shipped_scenarios

SHIPPED = Path(str(resources.files("zareba.scenario"))) / "shipped"


def test_sound_files_of_every_kind_are_fine(run: Any, house_rule: Path) -> None:
    folder = ruleset("vcc").folder
    scenario = SHIPPED / f"{shipped_scenarios()[0]}.yaml"
    files = [str(file) for file in (house_rule, scenario, folder / "ruleset.yaml", folder / "rules.yaml")]
    result = run("check", *files)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [f"{file}: fine" for file in files]


FAULTS = [
    ("sides: {}\n", ["1:1: id: this field is missing; add it"]),
    ("a: b: c\n", ["1:5: this is not YAML"]),
    ("colour: red\n", ["1:1: this is none of our files; a scenario has the key 'sides'"]),
    ("ruleset: vcx\n", ["1:1: ruleset: there is no installed ruleset 'vcx'; did you mean 'vcc'?"]),
    (
        "ruleset: vcc\nspce: boxes\n",
        ["1:1: title: this field is missing; add it", "2:1: spce: unknown field; did you mean 'space'?"],
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
        ["4:30: changes.0.was: weapons.rifle.long is 3, not 2; look with 'zareba explain'"],
    ),
    (
        "house_rule: x\nruleset: vcc\nchanges:\n  - {set: mg_overheet, to: false}\n",
        ["4:6: changes.0.set: there is no setting of vcc called 'mg_overheet'; did you mean 'mg_overheat'?"],
    ),
    (
        "house_rule: x\nruleset: vcc\nchanges:\n  - {at: weapons.musket.medium, was: 2, to: 3}\n"
        "  - {at: weapons.rifle.long, was: 3, to: 2}\n  - {at: weapons.artillery.long, was: 12, to: -4}\n",
        [
            "5:6: weapons.rifle: medium is 2 and long is 2, where it takes close < medium < long",
            "6:6: weapons.artillery.long: must be at least 0, got -4",
        ],
    ),
]


def test_a_house_rule_under_which_a_scenario_cannot_be_set_up_is_no_sound_one(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: Any) -> None:
        raise KeyError("ground")

    monkeypatch.setattr(
        "zareba_rulesets.paychest.translation.lay_ground", lost
    )  # what stands in files is refused before
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
def test_faults_are_told_with_their_place(run: Any, tmp_path: Path, text: str, faults: list[str]) -> None:
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
        "shot.yaml:1:1: this is none",
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
        ("idle.py", "house rule 'idle' (idle.py) changes nothing of afriboria, fixed_baynet, "),
        ("typo.py", "implements a hook that does not exist: zareba_modifers; did you mean 'zareba_modifiers'?"),
        ("torn.py", "cannot be loaded: SyntaxError"),
    ):
        result = run("check", file)
        assert result.exit_code == 1
        assert f"{file}:1:1: " in result.stderr
        assert sentence in result.stderr
