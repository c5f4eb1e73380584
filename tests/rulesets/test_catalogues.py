"""Rule catalogues of all built-in rulesets: each rule is in the code and has a test, each setting has an effect."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from zareba.registry import load_rules, ruleset, ruleset_names
from zareba.rules.catalogue import Catalogue, code_index, load_catalogue
from zareba.testing.rule_tests import test_index as index_of_tests

TESTS = Path(__file__).parent
MARK = re.compile(r"pytest\.mark\.(rule|setting)\(([^()]*)\)")
BINDING = ("text", "garbled", "gap", "choice")
NAMES = [name for name in ruleset_names() if (TESTS / name).is_dir()]

# Number of rules of each status in the printed catalogues.
COUNTS = {
    "afriboria": {"text": 160, "garbled": 16, "gap": 35, "choice": 125, "advice": 11},
    "fixed_baynet": {"text": 86, "garbled": 9, "gap": 83, "choice": 94, "advice": 3},
    "paychest": {"text": 70, "garbled": 2, "gap": 72, "choice": 63, "advice": 9},
    "risk_factor": {"text": 74, "garbled": 8, "gap": 41, "choice": 68, "advice": 2},
    "vcc": {"text": 59, "garbled": 2, "gap": 57, "choice": 53},
}


def catalogue(name: str) -> Catalogue:
    return load_catalogue(ruleset(name).folder)


@cache
def cited(name: str) -> frozenset[str]:
    """Return the rules that the code of a ruleset cites."""
    return frozenset(code_index(ruleset(name).folder))


@cache
def marked(name: str) -> dict[str, set[str]]:
    """Return the arguments of all `pytest.mark.rule(...)` and `pytest.mark.setting(...)` in the tests of a ruleset."""
    found: dict[str, set[str]] = {"rule": set(), "setting": set()}
    for file in sorted((TESTS / name).rglob("test_*.py")):
        for mark, args in MARK.findall(file.read_text(encoding="utf-8")):
            found[mark].update(re.findall(r'"([^"]+)"', args))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_as_many_rules_of_each_status_as_the_printed_catalogue(name: str) -> None:
    assert Counter(rule.status for rule in catalogue(name).rules.values()) == COUNTS[name]


@pytest.mark.parametrize("name", NAMES)
def test_every_binding_rule_is_shown_by_a_test(name: str) -> None:
    tests = index_of_tests(ruleset(name).folder)
    assert tests is not None
    binding = [rule for rule, entry in catalogue(name).rules.items() if entry.status in BINDING]
    assert [rule for rule in binding if rule not in tests] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_binding_rule_is_in_the_code_or_says_where_it_went(name: str) -> None:
    homeless = [rule for rule, e in catalogue(name).rules.items() if rule not in cited(name) and not e.where]
    assert homeless == []


@pytest.mark.parametrize("name", NAMES)
def test_no_test_and_no_code_names_a_rule_that_does_not_exist(name: str) -> None:
    named = marked(name)["rule"] | cited(name)
    assert sorted(named - set(catalogue(name).rules)) == []


@pytest.mark.parametrize("name", NAMES)
def test_unclear_rules_state_our_reading(name: str) -> None:
    unread = ("garbled", "gap", "choice")
    assert [r for r, e in catalogue(name).rules.items() if e.status in unread and not e.reading] == []


@pytest.mark.parametrize("name", NAMES)
def test_summaries_fit_a_line(name: str) -> None:
    assert [rule for rule, entry in catalogue(name).rules.items() if len(entry.summary) > 120] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_cites_a_rule(name: str) -> None:
    settings = load_rules(name).book.settings
    rules = catalogue(name).rules
    assert [s for s, entry in settings.items() if s not in rules[entry.rule].settings()] == []
    named = {setting for entry in rules.values() for setting in entry.settings()}
    assert sorted(named - set(settings)) == []


@pytest.mark.parametrize("name", NAMES)
def test_summaries_of_settings_state_and_do_not_ask(name: str) -> None:
    settings = load_rules(name).book.settings
    asking = re.compile(r"(Whether|What|How|Which|Who|When|Where)\b")
    assert [key for key, setting in settings.items() if asking.match(setting.summary)] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_is_varied_by_a_test(name: str) -> None:
    assert sorted(set(load_rules(name).book.settings) - marked(name)["setting"]) == []


@pytest.mark.parametrize("name", NAMES)
def test_the_readme_names_authors_and_every_setting(name: str) -> None:
    text = (ruleset(name).folder / "README.md").read_text(encoding="utf-8")
    book = load_rules(name).book
    assert [word for word in (*book.authors, *book.settings) if word not in text] == []


@pytest.mark.parametrize("name", NAMES)
def test_files_named_in_the_catalogue_exist(name: str) -> None:
    folder, said = ruleset(name).folder, [entry.where or "" for entry in catalogue(name).rules.values()]
    named = {file for words in said for file in re.findall(r"[\w/]+\.py\b", words)}
    assert {file for file in named if not (folder / file).is_file()} == set()
