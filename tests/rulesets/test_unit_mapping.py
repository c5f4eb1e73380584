"""House rules add a new troop type, and scenarios select it by their words or by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from zareba.base.errors import FileError, ZarebaError
from zareba.registry import find_house_rule, load_rules
from zareba.scenario import load_scenario

COPIED = {"vcc": "regular_infantry", "afriboria": "inf_a"}
"""The profile that the house rule copies under another name."""


SIKHS: dict[str, Any] = {"quality": "veteran", "formed": True}


def zouaves(
    ruleset: str, folder: Path, profile: str = "zouaves", when: dict[str, Any] = SIKHS, speaks: str = ""
) -> Any:
    """Return the rules with a house rule that maps some units (by default all Sikhs) to a new profile."""
    copied = {**load_rules(ruleset).data["profiles"][COPIED[ruleset]], "title": "zouaves"}
    first = next(iter(load_rules(ruleset).data["unit_mapping"]))
    file = folder / "zouaves.yaml"
    entry = {"before": first, "when": when, "then": {"profile": profile}}
    changes: list[dict[str, Any]] = [
        {"add": "profiles.zouaves", "entry": copied, "why": "the club has painted them"},
        {"add": "unit_mapping.zouaves", "entry": entry, "why": "so they are used"},
    ]
    changes += (
        [{"add": f"supported_words.traits.{speaks}", "entry": True, "why": "so they are known"}] if speaks else []
    )
    lines = [f"  - {change!r}".replace("True", "true").replace("None", "null") for change in changes]
    file.write_text(f"house_rule: zouaves\nruleset: {ruleset}\nchanges:\n" + "\n".join(lines), encoding="utf-8")
    return load_rules(ruleset, {}, [find_house_rule(str(file))])


def profiles(game: Any) -> dict[str, str]:
    found = {unit: state.spec.profile for unit, state in game.start().units.items()}
    return {unit: profile if isinstance(profile, str) else profile.title for unit, profile in found.items()}


@pytest.mark.rule("VCC-167", "AFR-020")
@pytest.mark.parametrize("ruleset", sorted(COPIED))
def test_a_house_rule_adds_a_troop_type_that_a_scenario_uses(ruleset: str, tmp_path: Path) -> None:
    clash = load_scenario("patrol_clash")
    before, after = (profiles(rules.game(clash)) for rules in (load_rules(ruleset), zouaves(ruleset, tmp_path)))
    assert {unit for unit in before if before[unit] != after[unit]} == {
        unit for unit in before if unit.startswith("sikhs")
    }
    assert after["sikhs"] == "zouaves"


@pytest.mark.parametrize("ruleset", sorted(COPIED))
def test_a_scenario_names_a_profile_for_these_rules_alone(ruleset: str, tmp_path: Path) -> None:
    clash = load_scenario("patrol_clash")
    wished = clash.model_copy(update={"overrides": {ruleset: {"profiles": {"fusiliers": "zouaves"}}}})
    assert profiles(zouaves(ruleset, tmp_path).game(wished))["fusiliers"] == "zouaves"
    with pytest.raises(ZarebaError, match="zouaves"):
        load_rules(ruleset).game(wished)


@pytest.mark.rule("RSK-010")
def test_a_house_rule_adds_a_sort_of_men_to_risk_factor(tmp_path: Path) -> None:
    file = tmp_path / "ghazis.yaml"
    file.write_text(
        "house_rule: ghazis\nruleset: risk_factor\nchanges:\n"
        "  - {add: men.ghazis, entry: {rule: HOUSE-1, kind: regular, formed: true, native: true}, why: sworn to die}\n"
        "  - {add: unit_mapping.ghazis, entry: {before: tribesmen, when: {close_weapon: sword}, then: {men: ghazis}}, why: so}\n",
        encoding="utf-8",
    )
    clash = load_scenario("patrol_clash")
    rules = load_rules("risk_factor"), load_rules("risk_factor", {}, [find_house_rule(str(file))])
    plain, changed = ({name: unit.spec for name, unit in rule.game(clash).start().units.items()} for rule in rules)
    assert {changed[name].kind for name in changed if name.startswith("swordsmen")} == {"regular"}
    assert {changed[name].kind for name in changed if name.startswith("jezails")} == {"irregular"}
    assert {plain[name].kind for name in plain if name.startswith("swordsmen")} == {"irregular"}


@pytest.mark.parametrize("ruleset", sorted(COPIED))
def test_an_entry_that_names_no_profile_is_refused_with_the_nearest(ruleset: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"zouaves\.yaml:.*there is no 'zouave' in profiles; did you mean 'zouaves'"):
        zouaves(ruleset, tmp_path, "zouave")


def with_changes(ruleset: str, folder: Path, *changes: str) -> Any:
    """Return the rules with a house rule of these changes."""
    file = folder / "club.yaml"
    lines = [f"  - {{{change}, why: the club plays it so}}" for change in changes]
    file.write_text(f"house_rule: club\nruleset: {ruleset}\nchanges:\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return load_rules(ruleset, {}, [find_house_rule(str(file))])


@pytest.mark.rule("PAY-017", "PAY-019")
def test_a_house_rule_adds_a_line_to_paychests_roster(tmp_path: Path) -> None:
    rules = with_changes(
        "paychest",
        tmp_path,
        "add: profiles.zouave, entry: {rule: H-1, kind: regular, rank: private, firearms: 5, melee: 5, shots: 2, weapons: [rifle]}",
        "add: unit_mapping.zouaves, entry: {before: legionnaires, when: {regular: true, quality: veteran, place: {more_than: 3}}, "
        "then: {profile: zouave}}",
    )
    figures = {figure.spec.id: figure.spec for unit in units_of(rules).values() for figure in unit.figures.values()}
    assert [figures[f"sikhs.{place}"].profile for place in (1, 2, 4)] == ["legion_nco", "legionnaire", "zouave"]
    assert {spec.profile for name, spec in figures.items() if name.startswith("fusiliers.")} == {
        "legion_officer",
        "legionnaire",
    }
    assert figures["sikhs.4"].melee == 5


@pytest.mark.rule("FBN-028", "FBN-199")
def test_a_house_rule_adds_stat_lines_to_fixed_baynet(tmp_path: Path) -> None:
    lines = ", ".join(
        f"{column}: {{rule: H-1, cs: 2, ds: 9, sp: 6, gl: 2}}" for column in ("green", "regular", "elite")
    )
    rules = with_changes(
        "fixed_baynet",
        tmp_path,
        f"add: stat_lines.ghazi, entry: {{{lines}}}",
        "add: unit_mapping.ghazis, entry: {before: natives, when: {name: swordsmen, close_weapon: sword}, then: {lines: ghazi, led_by: nco}}",
    )
    before, after = (units_of(version) for version in (load_rules("fixed_baynet"), rules))
    swordsmen = {name for name in after if after[name].spec.source == "swordsmen"}
    assert {name for name in after if after[name].spec.table == "ghazi"} == swordsmen != set()
    assert {name for name in after if after[name].spec != before[name].spec} == swordsmen
    men = [man.spec for name in swordsmen for man in after[name].figures.values()]
    assert {man.ds for man in men} == {9} and "nco" in {man.role for man in men}


def units_of(rules: Any) -> Any:
    """Return the units of the shipped clash at the start, by name."""
    return rules.game(load_scenario("patrol_clash")).start().units


@pytest.mark.parametrize("ruleset", sorted(COPIED))
def test_a_trait_of_one_scenario_is_known_to_a_house_rule_that_asks_for_it(ruleset: str, tmp_path: Path) -> None:
    clash = load_scenario("patrol_clash")
    sikhs = clash.units["sikhs"].model_copy(update={"traits": ("kuka",)})
    kukas = clash.model_copy(update={"traits": {"kuka": "Sworn men"}, "units": {**clash.units, "sikhs": sikhs}})
    plain = load_rules(ruleset).game(kukas)
    assert any(note.startswith("special troops: ") and "kuka" in note for note in plain.untranslated)
    known = zouaves(ruleset, tmp_path, when={"kuka": True}, speaks="kuka").game(kukas)
    assert not any("kuka" in note for note in known.untranslated)
    assert profiles(known)["sikhs"] == "zouaves" != profiles(plain)["sikhs"]


@pytest.mark.parametrize("ruleset", sorted(COPIED))
def test_unknown_condition_is_rejected_with_the_nearest(ruleset: str, tmp_path: Path) -> None:
    with pytest.raises(
        FileError, match=r"zouaves\.yaml:.*there is no 'qualty' in supported_words\.traits; did you mean 'quality'"
    ):
        zouaves(ruleset, tmp_path, when={"qualty": "veteran"})
