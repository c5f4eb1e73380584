"""The rule catalogue, and the index from each rule to its code and its tests."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from zareba.base.errors import FileError
from zareba.base.yamlfile import parse_yaml
from zareba.registry import ruleset
from zareba.rules import catalogue
from zareba.rules.catalogue import check_cited, code_index, load_catalogue, mentions
from zareba.testing import rule_tests

RULES = """\
ruleset: toy
rules:
  TOY-001: {chapter: fire, summary: Every base fires a die., status: text}
  TOY-002: {chapter: fire, summary: Long range is not given., status: gap, reading: Half the dice., setting: long_range}
  TOY-003: {chapter: morale, summary: Squares., status: choice, setting: [square_fire, square_move], stand_in: true}
  TOY-004: {chapter: scope, summary: The title., status: advice, where: shown by `zareba rulesets`}
"""
FIRE = '''
"""Fire; TOY-004 is in the head of the module, which is no definition."""

BANDS = {"close": 1}  # TOY-009 stands in a comment beside an assignment
LIMIT = "TOY-002"


def marked(function):  # not TOY-1 nor XTOY-0001
    return function


@marked
def volley(table):
    """TOY-001, and once more TOY-001."""
    return table.roll(1, 6, why="fire", rule="TOY-003")


class Square:
    """A square (TOY-003)."""

    def form(self):
        """TOY-001."""

    def leave(self):
        """TOY-002."""
'''
TESTS = """
import pytest

@pytest.mark.rule("TOY-001", "TOY-003")
def test_a_volley() -> None: ...

class TestSquares:
    @pytest.mark.rule("TOY-003")
    def test_forming(self) -> None: ...

@pytest.mark.rule("TOY-002")
def helper() -> None: ...
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Create a repository with the ruleset toy and its tests; return the folder of the ruleset."""
    folder = tmp_path / "rulesets" / "toy_rulesets" / "toy"
    folder.mkdir(parents=True)
    (folder / "rules.yaml").write_text(RULES, encoding="utf-8")
    (folder / "ruleset.yaml").write_text("ruleset: toy\nbands: {rule: TOY-002}  # TOY-001\n", encoding="utf-8")
    (folder / "fire.py").write_text(dedent(FIRE), encoding="utf-8")
    tests = tmp_path / "tests" / "rulesets" / "toy"
    tests.mkdir(parents=True)
    (tests / "test_fire.py").write_text(dedent(TESTS), encoding="utf-8")
    return folder


def test_entries_are_read_with_their_settings(toy: Path) -> None:
    rules = load_catalogue(toy).rules
    assert list(rules) == ["TOY-001", "TOY-002", "TOY-003", "TOY-004"]
    assert rules["TOY-001"].settings() == []
    assert rules["TOY-002"].settings() == ["long_range"]
    assert rules["TOY-003"].settings() == ["square_fire", "square_move"]
    assert (rules["TOY-003"].stand_in, rules["TOY-004"].where) == (True, "shown by `zareba rulesets`")


def test_a_wrong_status_is_refused_with_its_place(toy: Path) -> None:
    (toy / "rules.yaml").write_text(RULES.replace("status: gap", "status: gone"), encoding="utf-8")
    with pytest.raises(FileError, match=r"rules.yaml:4:\d+: rules.TOY-002.status: "):
        load_catalogue(toy)


def test_code_is_found_by_function_method_value_and_line(toy: Path) -> None:
    assert code_index(toy) == {
        "TOY-001": ["fire.py:volley", "fire.py:Square.form", "ruleset.yaml:2"],
        "TOY-002": ["fire.py:LIMIT", "fire.py:Square.leave", "ruleset.yaml:2"],
        "TOY-003": ["fire.py:volley", "fire.py:Square"],
    }


def test_tests_are_found_by_their_marks(toy: Path) -> None:
    assert rule_tests.test_index(toy) == {
        "TOY-001": ["test_fire.py::test_a_volley"],
        "TOY-003": ["test_fire.py::test_a_volley", "test_fire.py::test_forming"],
    }


def test_all_tests_of_one_rule_are_found_in_the_checkout(toy: Path) -> None:
    top = toy.parents[2]
    assert catalogue.tests_of(toy, "TOY-003") is None, "a folder without pyproject.toml is not a checkout"
    (top / "pyproject.toml").write_text("", encoding="utf-8")
    (top / "tests" / "test_all.py").write_text(
        '@pytest.mark.rule("TOY-003", "TOY-001")\ndef test_of_two_rules(): ...\n', encoding="utf-8"
    )
    assert catalogue.tests_of(toy, "TOY-003") == [
        "tests/rulesets/toy/test_fire.py::test_a_volley",
        "tests/rulesets/toy/test_fire.py::test_forming",
        "tests/test_all.py::test_of_two_rules",
    ]
    assert catalogue.tests_of(toy, "TOY-004") == []


def test_without_the_tests_the_index_says_so(tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    assert rule_tests.test_index(alone) is None


def test_the_catalogue_of_an_installed_ruleset_is_loaded() -> None:
    folder = ruleset("vcc").folder
    found = load_catalogue(folder)
    assert found.ruleset == "vcc"
    assert set(code_index(folder)) & set(found.rules)
    assert load_catalogue(folder) is found


def test_missing_rule_is_reported_where_it_is_cited(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text(
        "ruleset: toy\nrules:\n  TOY-001: {chapter: fire, status: text, summary: Fire.}\n"
    )
    data = "range: {rule: TOY-001, most: 6}\nmove:\n  horse: {rule: [TOY-001, TOY-011]}\ncites: {set_up: TOY-001}\nnote: TOY-099\n"
    document = parse_yaml(data, "ruleset.yaml")
    with pytest.raises(
        FileError,
        match=r"^ruleset\.yaml:3:27: move\.horse\.rule\.1: rules\.yaml has no rule TOY-011; did you mean TOY-001\?$",
    ):
        check_cited(document, tmp_path)
    (tmp_path / "rules.yaml").unlink()
    check_cited(document, tmp_path)  # nothing to check without a catalogue


@pytest.mark.parametrize(
    ("text", "word", "found"),
    [
        ("the target's DS plus cover", "ds", True),
        ("Damage reduces wounds", "ds", False),
        ("All rally rolls come first", "rall", True),
        ("Guns fire", "gun", True),
    ],
)
def test_a_short_word_matches_only_whole_words(text: str, word: str, found: bool) -> None:
    assert mentions(text, word) is found
