"""Every rule of the catalogue is in the rules and shown by a test; every setting is a real switch."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from zareba.registry import load_rules, ruleset
from zareba.rules.catalogue import RuleEntry, code_index, load_catalogue
from zareba.rules.catalogue import test_index as index_of_tests

FOLDER = ruleset("risk_factor").folder
CATALOGUE = load_catalogue(FOLDER)
TESTS = Path(__file__).parent
BINDING = ("text", "garbled", "gap", "choice")


def marked(mark: str) -> set[str]:
    """The arguments of all `pytest.mark.<mark>(...)` in the tests of this ruleset."""
    found: set[str] = set()
    for file in sorted(TESTS.glob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == f"pytest.mark.{mark}":
                found.update(str(arg.value) for arg in node.args if isinstance(arg, ast.Constant))
    return found


def test_it_has_as_many_rules_of_each_status_as_the_catalogue() -> None:
    statuses = Counter(rule.status for rule in CATALOGUE.rules.values())
    assert statuses == {"text": 74, "garbled": 8, "gap": 41, "choice": 68, "advice": 2}
    assert sorted(CATALOGUE.rules) == [f"RSK-{number:03}" for number in range(1, 194)]


@pytest.mark.parametrize("rule", [r for r, entry in CATALOGUE.rules.items() if entry.status in BINDING])
def test_the_rule_is_in_the_code_and_shown_by_a_test(rule: str) -> None:
    tests = index_of_tests(FOLDER)
    assert tests is not None
    assert rule in tests, f"no test shows {rule}: {CATALOGUE.rules[rule].summary}"
    assert rule in code_index(FOLDER), f"nothing implements {rule}"


def test_no_test_and_no_code_names_a_rule_that_does_not_exist() -> None:
    named = marked("rule") | set(code_index(FOLDER))
    assert sorted(rule for rule in named if rule not in CATALOGUE.rules) == []


def test_whatever_is_not_plain_text_says_how_it_is_read() -> None:
    def is_silent(entry: RuleEntry) -> bool:
        return entry.status in ("garbled", "gap", "choice") and not entry.reading

    assert [rule for rule, entry in CATALOGUE.rules.items() if is_silent(entry)] == []
    assert [rule for rule, entry in CATALOGUE.rules.items() if entry.status == "advice" and not entry.where] == []


def test_summaries_fit_a_line() -> None:
    assert [rule for rule, entry in CATALOGUE.rules.items() if len(entry.summary) > 110] == []


@pytest.mark.parametrize("name", sorted(load_rules("risk_factor").book.settings))
def test_the_setting_belongs_to_a_rule_and_is_switched_by_a_test(name: str) -> None:
    setting = load_rules("risk_factor").book.settings[name]
    assert name in CATALOGUE.rules[setting.rule].settings(), f"{setting.rule} does not name its setting {name}"
    assert name in marked("setting"), f"no test switches {name}"


def test_every_setting_that_a_rule_names_exists() -> None:
    settings = load_rules("risk_factor").book.settings
    named = {name for entry in CATALOGUE.rules.values() for name in entry.settings()}
    assert sorted(named - set(settings)) == []


def test_these_rules_can_run_a_side() -> None:
    assert ruleset("risk_factor").solo is True
