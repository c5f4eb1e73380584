"""Modifiers and the facts they depend on: invalid ones are refused with their position when rules are loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from zareba.base.errors import FileError
from zareba.base.yamlfile import read_yaml
from zareba.registry import find_house_rule, load_rules, ruleset, ruleset_names
from zareba.rules.tallies import read_book

ADD = "{add: tallies.fire_dice.modifiers.smoke, entry: {rule: H-1, summary: smoke, %s}}"


def refused(folder: Path, change: str) -> str:
    """Return the error message for a house rule with this change, without the folder name."""
    file = folder / "club.yaml"
    file.write_text(f"house_rule: club\nruleset: vcc\nchanges:\n  - {change}\n", encoding="utf-8")
    with pytest.raises(FileError) as caught:
        load_rules("vcc", house_rules=[find_house_rule(str(file))])
    return str(caught.value).replace(f"{folder}/", "")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            "{remove: tallies}",
            "changes.0.remove: tallies cannot be removed as a whole; remove an entry, as in tallies.NAME",
        ),
        ("{remove: sequence}", "changes.0.remove: sequence cannot be removed as a whole"),
        ("{at: tallies, was: 3, to: {}}", "changes.0.was: tallies is "),
        ("{remove: tallies.rally}", "tallies.rally: the rules need this tally; change its lines, but keep it"),
        (
            "{at: tallies.fire_dice.base, was: bases, to: basses}",
            "tallies.fire_dice.base: there is no fact 'basses'; did",
        ),
    ],
)
def test_a_tally_that_the_rules_use_cannot_be_removed(tmp_path: Path, change: str, said: str) -> None:
    told = refused(tmp_path, change)
    assert told.startswith("club.yaml:4:") and said in told


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("times: .nan", "'.nan' is not a finite number"),
        ("times: nan", "smoke.times: there is no fact 'nan'"),
        ("add: 100000", "smoke.add: a tally cannot be changed by 100000; keep it within 1,000 either way"),
        ("add: 1e300", "the number '1e300' is too large"),
        ("add: -bases, when: {qualty: elite}", "smoke.when.qualty: there is no fact 'qualty'; did you mean 'quality'?"),
        ("add: basis", "smoke.add: there is no fact 'basis'; did you mean 'bases'?"),
        ("add: quality", "smoke.add: the fact 'quality' is not a number"),
        (
            "add: 1, when: {quality: elit}",
            "smoke.when.quality: there is no value of this fact 'elit'; did you mean 'elite'?",
        ),
        ("add: 1, when: {quality: {not: elit}}", "there is no value of this fact 'elit'"),
        ("add: 1, when: {quality: {at_least: elite}}", "smoke.when.quality: only numbers can be compared by size"),
        ("add: 1, when: {bases: {at_least: three}}", "smoke.when.bases: only numbers can be compared by size"),
        ("add: 1, when: {bases: {more_than: 1000000}}", "must be at most 1000"),
        ("add: 1, when: {moved: 1}", "smoke.when.moved: the fact is never 1"),
        ("add: 1, when: {bases: 'two'}", "smoke.when.bases: the fact is never 'two'"),
        ("add: 1, when: {setting.mg_overheet: 'on'}", "there is no setting 'mg_overheet'; did you mean 'mg_overheat'?"),
        ("add: 1, before: nobody", "smoke.before: there is no line of this tally 'nobody'"),
        ("add: 1, times: 2", "a modifier needs exactly one of add, times, set, at_least, at_most"),
    ],
)
def test_an_invalid_line_is_refused_when_rules_are_loaded(tmp_path: Path, line: str, said: str) -> None:
    told = refused(tmp_path, ADD % line)
    assert told.startswith("club.yaml:4:") and said in told


@pytest.mark.parametrize(
    "line",
    [
        "add: -bases, when: {quality: elite, bases: {at_least: 2, at_most: 4}}",
        "times: 1/2, when: {moved: true, quality: {not: raw}, setting.mg_overheat: 'on'}",
        "set: 3, before: raw",
    ],
)
def test_a_valid_line_is_accepted(tmp_path: Path, line: str) -> None:
    file = tmp_path / "club.yaml"
    file.write_text(f"house_rule: club\nruleset: vcc\nchanges:\n  - {ADD % line}\n", encoding="utf-8")
    rules = load_rules("vcc", house_rules=[find_house_rule(str(file))])
    assert any(modifier.id == "smoke" for modifier in rules.tallies["fire_dice"].modifiers)


@pytest.mark.parametrize("name", ruleset_names())
def test_a_ruleset_names_the_facts_of_each_of_its_tallies(name: str) -> None:
    definition = ruleset(name)
    assert set(definition.facts) == set(load_rules(name).tallies)


def test_a_faulty_line_of_a_ruleset_is_named(tmp_path: Path) -> None:
    definition = ruleset("vcc")
    text = (definition.folder / "ruleset.yaml").read_text(encoding="utf-8")
    file = tmp_path / "ruleset.yaml"
    file.write_text(text.replace("quality: raw", "qualty: raw", 1), encoding="utf-8")
    with pytest.raises(FileError, match=r"ruleset.yaml:\d+:\d+: tallies\..*\.when\.qualty: there is no fact 'qualty'"):
        read_book(read_yaml(file), definition.file, definition.facts)


def test_facts_of_unknown_type_accept_any_value(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(kind: type) -> dict[str, Any]:
        raise NameError(kind)

    monkeypatch.setattr("zareba.rules.tallies.get_type_hints", unknown)
    assert "there is no fact 'qualty'" in refused(tmp_path, ADD % "add: 1, when: {qualty: elite}")
    file = tmp_path / "club.yaml"
    file.write_text(f"house_rule: club\nruleset: vcc\nchanges:\n  - {ADD % 'add: quality'}\n", encoding="utf-8")
    load_rules("vcc", house_rules=[find_house_rule(str(file))])
