"""A ruleset that extends another: entries merged one by one, wrong guesses refused at their line, provenance kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from zareba.base.errors import FileError, RuleBroken, ZarebaError
from zareba.base.yamlfile import read_yaml
from zareba.plugins.ruleset import Ruleset
from zareba.registry import extension_in, house_rule_of, rules_of, ruleset, ruleset_document
from zareba.rules import load_catalogue
from zareba.scenario import Scenario, load_scenario

HEAD = "ruleset: club\nextends: vcc\ntitle: Club\n"


@pytest.fixture
def extension(tmp_path: Path) -> Any:
    """Return a function that writes a ruleset which extends vcc and returns it."""

    def write(text: str, rules: str = "", hooks: str = "") -> Ruleset:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        for name, said in {"ruleset.yaml": HEAD + text, "rules.yaml": rules, "hooks.py": hooks}.items():
            if said:
                (folder / name).write_text(said, encoding="utf-8")
        return extension_in(read_yaml(folder / "ruleset.yaml"))

    return write


def faults_of(definition: Ruleset) -> list[str]:
    """Return the faults of a ruleset as LINE:COLUMN: PATH: MESSAGE."""
    with pytest.raises(FileError) as error:
        rules_of(definition)
    return [
        f"{problem.line}:{problem.column}: {problem.path + ': ' if problem.path else ''}{problem.message}"
        for problem in error.value.problems
    ]


def test_missing_entries_are_inherited(extension: Any) -> None:
    changed, base = rules_of(extension("weapons: {rifle: {long: 4}}\n")), rules_of(ruleset("vcc"))
    assert changed.data["weapons"]["rifle"] == {**base.data["weapons"]["rifle"], "long": 4}
    same = {key: value for key, value in base.data.items() if key not in ("weapons", "ruleset", "title")}
    assert {key: changed.data[key] for key in same} == same
    assert list(changed.data) == list(base.data)
    assert changed.settings == base.settings
    assert rules_of(ruleset("vcc")).data["weapons"]["rifle"]["long"] == 3, "the parent is not changed"


def test_null_removes_an_entry_and_a_list_is_replaced(extension: Any) -> None:
    rules = rules_of(
        extension("tallies: {fire_dice: {modifiers: {prone: null}}}\nfire_phases: {british_fire: {weapons: [rifle]}}\n")
    )
    assert "prone" not in rules.data["tallies"]["fire_dice"]["modifiers"]
    assert "prone" not in [line.id for line in rules.tallies["fire_dice"].modifiers]
    assert rules.data["fire_phases"]["british_fire"] == {"rule": "VCC-036", "weapons": ["rifle"]}


def test_add_is_needed_for_new_entries_but_not_for_optional_fields(extension: Any) -> None:
    rules = rules_of(
        extension(
            "profiles: {wagon_section: {square: true}}\n"
            "add: {weapons: {martini: {rule: VCC-081, close: 1, medium: 3}}}\n"
        )
    )
    assert rules.data["weapons"]["martini"] == {"rule": "VCC-081", "close": 1, "medium": 3}
    assert rules.data["profiles"]["wagon_section"]["square"] is True


def test_an_entry_moves_to_the_end_if_it_is_removed_and_added(extension: Any) -> None:
    smoke = "{rule: VCC-079, summary: least, at_least: 2}"
    text = f"tallies: {{fire_dice: {{modifiers: {{minimum: null}}}}}}\nadd: {{tallies: {{fire_dice: {{modifiers: {{minimum: {smoke}}}}}}}}}\n"
    rules = rules_of(extension(text))
    assert [line.id for line in rules.tallies["fire_dice"].modifiers][-1] == "minimum"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("wepons: {rifle: {long: 4}}", "4:1: wepons: vcc has no wepons; did you mean 'weapons'? A new entry goes below 'add'"),
        ("weapons: {rifel: {long: 4}}", "4:11: weapons.rifel: vcc has no weapons.rifel; did you mean 'rifle'? A new entry goes below 'add'"),
        ("weapons: {rifle: {lng: 4}}", "4:19: weapons.rifle.lng: vcc has no weapons.rifle.lng; did you mean 'long'? A new entry goes below 'add'"),
        ("weapons: {zulu: {long: 4}}", "4:11: weapons.zulu: vcc has no weapons.zulu; a new entry goes below 'add'"),
        ("mapping: {area_terrain: {scrubb: wood}}", "4:26: mapping.area_terrain.scrubb: vcc has no mapping.area_terrain.scrubb; did you mean 'scrub'? A new entry goes below 'add'"),
        ("weapons: {rifel: null}", "4:11: weapons.rifel: vcc has no weapons.rifel to remove; did you mean 'rifle'?"),
        ("weapons: {rocket: {long: null}}", "4:20: weapons.rocket.long: vcc has no weapons.rocket.long to remove; leave out this line"),
        ("weapons: {rifle: {}}", "4:11: weapons.rifle: an empty mapping changes nothing; write null to remove the entry"),
        ("add: {weapons: {rifle: {long: 4}}}", "4:25: add.weapons.rifle.long: vcc already has weapons.rifle.long; write it outside 'add' to change it"),
        ("add: {weapons: {rifle: null}}", "4:17: add.weapons.rifle: vcc already has weapons.rifle; write it outside 'add' to change it"),
        ("add: {weapons: {bow: null}}", "4:17: add.weapons.bow: a new entry needs a value; write null outside 'add' to remove an entry"),
        ("add: []", "4:1: add: expected the new entries, each in its section; write 'add: {SECTION: {NAME: ...}}'"),
        ("add: {wepons: {bow: {rule: VCC-081}}}", "4:7: wepons: unknown field; did you mean 'weapons'?"),
        ("add: {weapons: {bow: {clse: 1}}}", "4:17: weapons.bow.clse: unknown field; did you mean 'close'?"),
        ("settings: {mg_overheat: \"off\"}", "4:12: settings.mg_overheat: write what changes in the setting, as in 'mg_overheat: {default: \"off\"}'"),
        ("weapons: {rifle: {long: none}}", "4:19: weapons.rifle.long: expected a whole number, got 'none'"),
        ("weapons: {rifle: {rule: null}}", "4:19: weapons.rifle.rule: this field is missing; add it"),
        ("weapons: {rifle: {long: 1}}", "4:19: weapons.rifle: medium is 2 and long is 1, but the order must be close < medium < long"),
        ("tallies: {morale: null}", "4:11: tallies.morale: the rules need this tally; change its lines, but keep it"),
        ("tallies: {fire_dice: {modifiers: {elite: {when: {quality: elit}}}}}", "4:50: tallies.fire_dice.modifiers.elite.when.quality: "),
        ("terrain: {open: null}", "4:11: terrain: play needs open; change the entries, but keep them"),
    ],
)  # fmt: skip
def test_a_wrong_guess_is_refused_at_its_line(extension: Any, text: str, fault: str) -> None:
    assert any(message.startswith(fault) for message in faults_of(extension(f"{text}\n"))), faults_of(
        extension(f"{text}\n")
    )


def test_a_removed_entry_that_others_name_is_refused_where_it_is_removed(extension: Any) -> None:
    assert {message.partition(" ")[0] for message in faults_of(extension("weapons: {musket: null}\n"))} == {"4:11:"}


def test_all_faults_of_a_file_are_reported_at_once(extension: Any) -> None:
    assert (
        len(faults_of(extension("weapons: {rifel: {long: 4}, bow: null}\nadd: {weapons: {rifle: {close: 1}}}\n"))) == 3
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("ruleset: a\nextends: vc\ntitle: A\n", "there is no installed ruleset 'vc'; did you mean 'vcc'?"),
        ("ruleset: a\nextends: a\ntitle: A\n", "a ruleset cannot extend itself: a extends a"),
        ("ruleset: a\nextends: 3\ntitle: A\n", "name the ruleset that this one extends, as in 'extends: vcc'"),
        ("ruleset: a\nextends: vcc\n", "needs a 'ruleset' and a 'title' of its own"),
    ],
)
def test_an_invalid_header_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "ruleset.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=said.replace("?", r"\?")):
        extension_in(read_yaml(tmp_path / "ruleset.yaml"))


def test_a_number_says_which_ruleset_gave_it(extension: Any) -> None:
    definition = extension(
        "weapons: {rifle: {long: 4}}\nadd: {tallies: {rally: {modifiers: {drum: {rule: VCC-160, summary: drum, add: 1}}}}}\n"
    )
    rules = rules_of(definition)
    changed = rules.sources["weapons", "rifle", "long"]
    assert (changed.name, changed.line, changed.column, changed.was) == ("club", 4, 19, 3)
    document = ruleset_document(definition)
    assert document.owner(("weapons", "rifle", "long")).data["ruleset"] == "club"
    assert document.owner(("weapons", "musket", "close")).data["ruleset"] == "vcc"
    lines = {line.id: line.source for line in rules.tallies["rally"].modifiers}
    assert lines["drum"] == "club/ruleset.yaml:5"
    assert lines["elite"].startswith("vcc/ruleset.yaml:")


def test_rules_are_inherited_with_their_ids(extension: Any) -> None:
    rules = (
        HEAD
        + "rules: {VCC-089: {summary: Prone men fire.}}\nadd: {rules: {CLB-001: {chapter: fire, summary: Far rifles., status: text}}}\n"
    )
    definition = extension("weapons: {rifle: {rule: CLB-001}}\n", rules.replace("title: Club\n", ""))
    rules_of(definition)
    inherited, base = load_catalogue(*definition.folders).rules, load_catalogue(ruleset("vcc").folder).rules
    assert list(inherited) == [*base, "CLB-001"]
    assert inherited["VCC-089"].summary == "Prone men fire."
    assert inherited["VCC-089"].chapter == base["VCC-089"].chapter
    (fault,) = faults_of(extension("weapons: {rifle: {rule: CLB-009}}\n"))
    hint = "describe it in rules.yaml next to ruleset.yaml"
    assert fault == f"4:19: weapons.rifle.rule: rules.yaml has no rule CLB-009; {hint}"


HOOKS = '''"""A test."""
from zareba.api import hookimpl

def steady(check_morale, table, battle, unit):
    {body}

@hookimpl
def zareba_procedures(ruleset, settings):
    assert ruleset == "club" and settings["mg_overheat"] == "on"
    return {{"{name}": steady}}
'''


def test_hooks_wrap_inherited_procedures(extension: Any) -> None:
    with pytest.raises(ZarebaError, match=r"did you mean 'morale\.check'"):
        rules_of(extension("", hooks=HOOKS.format(body="return 'holds'", name="morale.chek")))
    rules = rules_of(extension("", hooks=HOOKS.format(body="return 'holds'", name="morale.check")))
    assert set(rules.wraps) == {"morale.check"}
    assert rules.house_rules == ()
    assert rules.digest != rules_of(ruleset("vcc")).digest


def test_a_hook_that_fails_is_blamed_on_its_ruleset(extension: Any) -> None:
    rules = rules_of(extension("", hooks=HOOKS.format(body="raise KeyError(3)", name="morale.check")))
    with pytest.raises(RuleBroken, match=r"the ruleset 'club' failed in zareba_procedures \(.*hooks.py:5\)") as error:
        rules.wraps["morale.check"](lambda *_: "holds", None, None, None)
    assert "--house-rule" not in str(error.value)


def test_house_rules_for_the_parent_fit(extension: Any) -> None:
    definition = extension("weapons: {rifle: {long: 4}}\n")
    farther = "house_rule: far\nruleset: vcc\nchanges: [{at: weapons.rifle.long, was: 4, to: 5, why: more}]\n"
    rules = rules_of(definition, house_rules=[house_rule_of(farther, "far.yaml")])
    assert rules.data["weapons"]["rifle"]["long"] == 5
    assert rules.sources["weapons", "rifle", "long"].name == "house rule far"
    with pytest.raises(FileError, match=r"weapons\.rifle\.long is 4, not 3"):
        rules_of(definition, house_rules=[house_rule_of(farther.replace("was: 4", "was: 3"), "far.yaml")])
    other = farther.replace("ruleset: vcc", "ruleset: paychest")
    with pytest.raises(FileError, match="is for paychest, not for club"):
        rules_of(definition, house_rules=[house_rule_of(other, "far.yaml")])


def test_overrides_of_the_parent_and_of_the_child_are_both_read(extension: Any) -> None:
    scenario = load_scenario("patrol_clash")
    unit = next(iter(scenario.units))
    said = {"vcc": {"profiles": {unit: "regular_cavalry"}}, "club": {"profiles": {unit: "camel_corps"}}}

    def read(overrides: Mapping[str, Any]) -> Scenario:
        changed: Scenario = rules_of(extension("")).game(scenario.model_copy(update={"overrides": overrides})).scenario
        return changed

    assert read({"vcc": said["vcc"]}).overrides["vcc"] == said["vcc"]
    assert read(said).overrides["vcc"] == said["club"]


@pytest.mark.parametrize("name", ["afriboria", "fixed_baynet", "paychest", "risk_factor", "vcc"])
def test_every_shipped_ruleset_can_be_extended(tmp_path: Path, name: str) -> None:
    (tmp_path / "ruleset.yaml").write_text(f"ruleset: club\nextends: {name}\ntitle: Club\n", encoding="utf-8")
    rules = rules_of(extension_in(read_yaml(tmp_path / "ruleset.yaml")))
    game, base = (version.game(load_scenario("patrol_clash")) for version in (rules, rules_of(ruleset(name))))
    assert game.start().to_data() == base.start().to_data()
    assert rules.ruleset.lineage == ("club", name)


def test_the_docs_page_shows_a_working_ruleset(extension: Any) -> None:
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "extend_ruleset.md").read_text(encoding="utf-8")
    head, changes, rules = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    (hooks,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    definition = extension(
        head.partition("title: ")[2].partition("\n")[2] + changes, rules.replace("vcc_club", "club"), hooks
    )
    played = rules_of(definition)
    assert played.settings["mg_overheat"] == "off"
    assert played.data["fire_phases"]["british_fire"]["weapons"] == ["musket", "rifle", "martini"]
    assert set(played.wraps) == {"rally.roll"}
    assert load_catalogue(*definition.folders).rules["CLB-001"].chapter == "fire"
