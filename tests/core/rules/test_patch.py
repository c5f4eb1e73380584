"""House rules in YAML: the effect of each kind of change, and every error with its position and remedy."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from zareba.base.errors import FileError
from zareba.base.yamlfile import read_yaml
from zareba.registry import HouseRule, find_house_rule, load_rules
from zareba.rules.patch import Patch, apply_patches, manifest_in

BASE: dict[str, Any] = {
    "ruleset": "base",
    "title": "Base",
    "settings": {"square": {"default": "full"}},
    "weapons": {"rifle": {"close": 1, "long": 3}, "musket": {"close": 1}},
    "tables": {"morale": {"1": "runs"}},
    "levy": None,
}
HEAD = "house_rule: {name}\nruleset: vcc\nchanges:\n"


def patch(folder: Path, *changes: str, name: str = "club") -> Patch:
    file = folder / f"{name}.yaml"
    file.write_text(HEAD.format(name=name) + "".join(f"  - {change}\n" for change in changes), encoding="utf-8")
    (found,) = manifest_in(read_yaml(file)).patches("vcc") or [Patch(name, "", "vcc", read_yaml(file), ())]
    return found


def faults(folder: Path, *patches: Patch) -> list[str]:
    """Return the problems without the folder name: `club.yaml:4:8: path: message`."""
    before = copy.deepcopy(BASE)
    with pytest.raises(FileError) as caught:
        apply_patches(BASE, patches)
    assert before == BASE
    return [str(problem).removeprefix(f"{folder}/") for problem in caught.value.problems]


def test_each_patch_operation_has_its_effect_and_leaves_the_base_unchanged(tmp_path: Path) -> None:
    before = copy.deepcopy(BASE)
    data, sources = apply_patches(
        BASE,
        [
            patch(
                tmp_path,
                "{at: weapons.rifle.long, was: 3, to: 4, why: desert}",
                "{add: weapons.bow, entry: {close: 2}}",
                "{remove: weapons.musket}",
                "{at: levy, was: null, to: {size: 3}}",
                "{at: tables.morale.1, was: runs, to: null}",
            )
        ],
    )
    assert before == BASE
    assert data == {
        **BASE,
        "weapons": {"rifle": {"close": 1, "long": 4}, "bow": {"close": 2}},
        "tables": {"morale": {"1": None}},
        "levy": {"size": 3},
    }
    source = sources["weapons", "rifle", "long"]
    assert (source.name, source.line, source.column, source.was) == ("house rule club", 4, 6, 3)
    assert str(source) == f"house rule club ({tmp_path}/club.yaml:4:6)"


def test_patches_apply_in_order(tmp_path: Path) -> None:
    first = patch(tmp_path, "{add: weapons.bow, entry: {close: 2}}", name="first")
    second = patch(tmp_path, "{remove: weapons.rifle}", name="second")
    data, _ = apply_patches(BASE, [first, second])
    assert list(data["weapons"]) == ["musket", "bow"]
    again, _ = apply_patches(BASE, [second, first])
    assert again == data


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("{at: weapons.rifle.long, was: 2, to: 4}", "4:30: changes.0.was: weapons.rifle.long is 3, not 2; check it with 'zareba explain'"),
        ("{at: weapons.rifle.long, was: 3.0, to: 4}", "4:30: changes.0.was: weapons.rifle.long is 3, not 3.0"),
        ("{at: weapons.rifle.long, was: true, to: 4}", "4:30: changes.0.was: weapons.rifle.long is 3, not True"),
        ("{at: weapons.rifel.long, was: 3, to: 4}", "4:6: changes.0.at: there is no weapons.rifel; did you mean 'weapons.rifle'?"),
        ("{at: weapons.rifle.lang, was: 3, to: 4}", "4:6: changes.0.at: there is no weapons.rifle.lang; did you mean 'weapons.rifle.long'?"),
        ("{at: zzz, was: 3, to: 4}", "4:6: changes.0.at: there is no zzz"),
        ("{at: weapons.rifle.long.far, was: 3, to: 4}", "4:6: changes.0.at: weapons.rifle.long is a value; it has no entries"),
        ("{add: weapons.rifle, entry: {}}", "4:6: changes.0.add: weapons.rifle already exists; use 'at' with 'was' and 'to' to change it"),
        ("{add: weapon.bow, entry: {}}", "4:6: changes.0.add: there is no weapon; did you mean 'weapons'?"),
        ("{remove: weapons.muskit}", "4:6: changes.0.remove: there is no weapons.muskit; did you mean 'weapons.musket'?"),
        ("{at: settings.square.default, was: full, to: half}", "4:6: changes.0.at: settings are changed with 'set: NAME, to: VALUE'"),
        ("{at: ruleset, was: base, to: other}", "4:6: changes.0.at: the id of a ruleset cannot be changed; its title and everything else can"),
        ("{remove: ruleset}", "4:6: changes.0.remove: the id of a ruleset cannot be changed"),
    ],
)  # fmt: skip
def test_an_inapplicable_change_is_refused(tmp_path: Path, change: str, fault: str) -> None:
    assert [found[: len("club.yaml:") + len(fault)] for found in faults(tmp_path, patch(tmp_path, change))] == [
        f"club.yaml:{fault}"
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("{why: just so}", "a change has exactly one of 'at', 'add', 'remove', 'set'"),
        ("{at: title, remove: title, was: 1, to: 2}", "a change has exactly one of"),
        ("{at: title, to: 2}", "'at' also needs 'was'"),
        ("{at: title}", "'at' also needs 'to' and 'was'"),
        ("{add: title}", "'add' also needs 'entry'"),
        ("{set: square}", "'set' also needs 'to'"),
        ("{remove: title, to: 3}", "'remove' does not take 'to'"),
        ("{set: square, to: half, was: full}", "'set' does not take 'was'"),
        ("{at: title, was: 1, too: 2}", "unknown field; did you mean 'to'?"),
        ("{at: 3, was: 1, to: 2}", "expected text, got 3"),
        ("just text", "expected"),
    ],
)
def test_an_invalid_change_is_refused_with_its_line(tmp_path: Path, change: str, message: str) -> None:
    with pytest.raises(FileError) as caught:
        patch(tmp_path, "{remove: weapons.musket}", change)
    problems = caught.value.problems
    assert any(message in problem.message for problem in problems), problems
    assert all(problem.line == 5 and problem.column >= 5 for problem in problems), problems


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ('""', "the text is empty"),
        ('"' + "a" * 81 + '"', "shorten it to 80"),
        (r'"our\nclub"', "text on one line"),
        ("12", "expected text, got 12"),
    ],
)
def test_a_house_rule_name_must_fit_one_line(tmp_path: Path, name: str, message: str) -> None:
    file = tmp_path / "club.yaml"
    for field in ("house_rule", "title"):
        fields = {"house_rule": "club", "ruleset": "vcc", "changes": "[]"} | {field: name}
        file.write_text("".join(f"{key}: {value}\n" for key, value in fields.items()))
        with pytest.raises(FileError, match=f"^{file}:[14]:1: {field}: .*{message}"):
            manifest_in(read_yaml(file))


def test_two_changes_of_one_value_are_refused_with_both_names(tmp_path: Path) -> None:
    first = patch(tmp_path, "{at: weapons.rifle.long, was: 3, to: 4}", name="first")
    below = patch(tmp_path, "{remove: weapons.rifle}", name="below")
    above = patch(tmp_path, "{at: weapons.rifle.long, was: 4, to: 5}", name="above")
    taken = (
        f"is already changed by house rule first ({tmp_path}/first.yaml:4:6); two house rules may not change one value"
    )
    assert faults(tmp_path, first, below, above) == [
        f"above.yaml:4:6: changes.0.at: weapons.rifle.long {taken}",
        f"below.yaml:4:6: changes.0.remove: weapons.rifle {taken}",
    ]


def test_two_house_rules_may_change_neighbouring_values(tmp_path: Path) -> None:
    first = patch(tmp_path, "{at: weapons.rifle.long, was: 3, to: 4}", name="first")
    second = patch(tmp_path, "{at: weapons.rifle.close, was: 1, to: 2}", name="second")
    data, sources = apply_patches(BASE, [first, second])
    assert data["weapons"]["rifle"] == {"close": 2, "long": 4}
    assert [source.name for source in sources.values()] == ["house rule first", "house rule second"]


def test_a_setting_is_set_once(tmp_path: Path) -> None:
    first = patch(tmp_path, "{set: square, to: half}", "{set: square, to: full}", name="first")
    second = patch(tmp_path, "{set: square, to: half}", name="second")
    assert faults(tmp_path, first, second) == [
        "first.yaml:4:6: changes.0.set: 'square' is already set by first; keep one",
        "first.yaml:5:6: changes.1.set: 'square' is already set by first; keep one",
        "second.yaml:4:6: changes.0.set: 'square' is already set by first; keep one",
    ]


def test_problems_of_all_house_rules_are_reported_at_once(tmp_path: Path) -> None:
    first = patch(tmp_path, "{remove: zzz}", "{add: title, entry: 1}", name="first")
    second = patch(tmp_path, "{remove: yyy}", name="second")
    assert [fault.split(": ")[0] for fault in faults(tmp_path, first, second)] == [
        "first.yaml:4:6", "first.yaml:5:6", "second.yaml:4:6",
    ]  # fmt: skip


# --- on a whole ruleset -----------------------------------------------------------------------------------------------


def house_rule(folder: Path, *changes: str, ruleset: str = "vcc") -> HouseRule:
    file = folder / "club.yaml"
    text = HEAD.format(name="club").replace("vcc", ruleset) + "".join(f"  - {change}\n" for change in changes)
    file.write_text(text, encoding="utf-8")
    return find_house_rule(str(file))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("{at: weapons.rifle.long, was: 3, to: far}", "4:6: weapons.rifle.long: "),
        ("{add: weapons.bow, entry: {close: 2}}", "4:6: weapons.bow.rule: "),
        ("{add: weapons.rifle.very_long, entry: 6}", "4:6: weapons.rifle.very_long: "),
        ("{remove: overheating.die}", "4:6: overheating.die: "),
        ("{set: mg_overheating, to: off}", "4:6: changes.0.set: there is no setting of vcc called 'mg_overheating'; did you mean 'mg_overheat'?"),
        ("{remove: terrain.rocks}", "4:6: mapping.area_terrain.kopje: there is no 'rocks' in terrain"),
        ("{remove: classes.foot}", "4:6: profiles.european_irregular.class: there is no 'foot' in classes"),
        ("{at: mapping.area_terrain.scrub, was: scrub, to: scrubs}", "4:6: mapping.area_terrain.scrub: there is no 'scrubs' in terrain; did you mean 'scrub'?"),
        ("{set: mg_overheat, to: maybe}", "4:6: changes.0.set: setting mg_overheat cannot be 'maybe'; it takes on, off (VCC-103)"),
    ],
)  # fmt: skip
def test_invalid_data_is_blamed_on_the_line_that_made_it(tmp_path: Path, change: str, fault: str) -> None:
    with pytest.raises(FileError) as caught:
        load_rules("vcc", house_rules=[house_rule(tmp_path, change)])
    assert str(caught.value).startswith(f"{tmp_path}/club.yaml:{fault}")


def test_a_misspelt_setting_is_shown_at_its_line_also_in_changes_for_one_ruleset(tmp_path: Path) -> None:
    file = tmp_path / "club.yaml"
    file.write_text("house_rule: club\nrulesets: [vcc]\npatches:\n  vcc:\n    - {set: mg_overheating, to: off}\n")
    with pytest.raises(FileError, match=r"club.yaml:5:8: patches.vcc.0.set: there is no setting of vcc called"):
        load_rules("vcc", house_rules=[find_house_rule(str(file))])


def test_a_house_rule_for_another_ruleset_is_refused(tmp_path: Path) -> None:
    rule = house_rule(tmp_path, "{remove: title}", ruleset="paychest")
    with pytest.raises(FileError, match=r"club.yaml:2:1: ruleset: house rule 'club' is for paychest, not for vcc"):
        load_rules("vcc", house_rules=[rule])


def test_changed_values_reach_the_rules_with_their_source(tmp_path: Path) -> None:
    entry = "{rule: HOUSE-1, summary: fog, times: 1/2}"
    rule = house_rule(
        tmp_path, f"{{add: tallies.fire_dice.modifiers.fog, entry: {entry}}}", "{at: weapons.rifle.long, was: 3, to: 4}"
    )
    rules = load_rules("vcc", house_rules=[rule])
    fog = rules.tallies["fire_dice"].modifiers[-1]
    assert (fog.id, fog.rule, fog.source) == ("fog", "HOUSE-1", f"house rule club ({tmp_path}/club.yaml:4:6)")
    assert rules.tallies["fire_dice"].modifiers[0].source.startswith("vcc/ruleset.yaml:")
    below = "{at: tallies.fire_dice.modifiers.hard_cover.when, was: {cover: hard}, to: {cover: soft}}"
    lines = load_rules("vcc", house_rules=[house_rule(tmp_path, below)]).tallies["fire_dice"].modifiers
    changed = [line.id for line in lines if line.source == f"house rule club ({tmp_path}/club.yaml:4:6)"]
    assert changed == ["hard_cover"]
    assert rules.data["weapons"]["rifle"]["long"] == 4
    assert rules.digest != load_rules("vcc").digest


def test_settings_of_the_session_win_over_those_of_house_rules(tmp_path: Path) -> None:
    rule = house_rule(tmp_path, "{set: mg_overheat, to: 'off'}", "{set: figures_per_base, to: '5,3'}")
    assert load_rules("vcc", house_rules=[rule]).settings["mg_overheat"] == "off"
    assert load_rules("vcc", house_rules=[rule]).settings["figures_per_base.cavalry"] == 3
    assert load_rules("vcc", {"mg_overheat": "on"}, [rule]).settings["mg_overheat"] == "on"
