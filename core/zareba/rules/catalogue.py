"""The rule catalogue (`rules.yaml`), and the index from each rule to the code and tests that implement it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from pydantic import Field, StrictBool, StrictStr

from zareba.base.errors import FileError, nearest
from zareba.base.yamlfile import Document, KeyPath, Value, read_yaml
from zareba.rules.inherit import extend
from zareba.rules.schema import Book

Status = Literal["text", "garbled", "gap", "choice", "advice"]
SOURCES: dict[str, str] = {
    "text": "",
    "garbled": "has no clear sentence for this",
    "gap": "is silent about this",
    "choice": "can be read in more than one way here",
    "advice": "gives this as advice, not as a rule",
}
"""The reliability of the rulebook's text of a rule, by status: words that follow "The rulebook"; none if it is clear.
"""
_RULE_ID = re.compile(r"\b[A-Z]{2,4}-\d{3}\b")
_ENTRY = re.compile(rf"(?:^|[{{,])\s*({_RULE_ID.pattern})\s*:", re.MULTILINE)


class RuleEntry(Book):
    """One rule: a one-line summary, how reliable its text is, our reading of it, and the setting that changes the
    reading.

    `where` says what became of a rule that has no code (the title, advice). `decides` lists what our reading decides
    for the whole battle, if anything: its end, the winner, the score. `ends` is the word that games report when they
    end, or are won, by this rule.
    """

    chapter: StrictStr
    summary: StrictStr
    status: Status
    reading: StrictStr = ""
    setting: StrictStr | list[StrictStr] = ""
    stand_in: StrictBool = False
    decides: list[Literal["end", "winner", "score"]] = Field(default_factory=list)
    ends: StrictStr = ""
    where: StrictStr = ""

    @property
    def in_short(self) -> str:
        """The rule in a line: its summary, or our reading where the source is silent."""
        return self.reading if self.status == "gap" and self.reading else self.summary

    def settings(self) -> list[str]:
        """Return the settings that change this rule."""
        return [self.setting] if isinstance(self.setting, str) and self.setting else list(self.setting)


class Catalogue(Book):
    """All rules of a ruleset by id."""

    ruleset: StrictStr
    rules: dict[str, RuleEntry]


@lru_cache(maxsize=16)
def load_catalogue(*folders: Path) -> Catalogue:
    """Return the catalogue `rules.yaml` of a ruleset: of its folder and of those it extends, nearest first."""
    return _catalogue(folders).validate(Catalogue)


def _catalogue(folders: tuple[Path, ...]) -> Document:
    folder, *extended = folders
    if not extended:
        return read_yaml(folder / "rules.yaml")
    inherited = _catalogue(tuple(extended))
    file = folder / "rules.yaml"
    return extend(read_yaml(file), inherited, Catalogue) if file.is_file() else inherited


def mentions(text: str, word: str) -> bool:
    """Return True if a text contains a word, in any case. A word of one or two letters, such as "DS", must be a word of
    the text; a longer one may be a part of a word.
    """
    if len(word) > 2:
        return word.casefold() in text.casefold()
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None


def check_cited(document: Document, *folders: Path) -> None:
    """Raise FileError if the `ruleset.yaml` of a ruleset names a rule that is in none of its catalogues."""
    files = [file for folder in folders if (file := folder / "rules.yaml").is_file()]
    if not files:
        return
    known = {rule for file in files for rule in _ENTRY.findall(file.read_text(encoding="utf-8"))}
    problems = []
    for path, rule in _cited_rules((), document.data):
        if rule not in known:
            prefix = rule.partition("-")[0]
            guess = nearest(rule, sorted(other.casefold() for other in known if other.startswith(f"{prefix}-")))
            hint = f"did you mean {guess.upper()}?" if guess else "describe it in rules.yaml next to ruleset.yaml"
            problems.append(document.error(path, f"rules.yaml has no rule {rule}; {hint}"))
    if problems:
        raise FileError(problems)


def _cited_rules(path: KeyPath, data: Value, *, is_citation: bool = False) -> Iterator[tuple[KeyPath, str]]:
    """Yield each rule id that a ruleset cites below the keys `rule` and `rule_ids`, with its path."""
    if isinstance(data, str):
        yield from ((path, rule) for rule in _RULE_ID.findall(data) if is_citation)
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from _cited_rules((*path, key), value, is_citation=is_citation or key in ("rule", "rule_ids"))
    elif isinstance(data, list):
        for index, value in enumerate(data):
            yield from _cited_rules((*path, index), value, is_citation=is_citation)


@lru_cache(maxsize=16)
def code_index(*folders: Path) -> dict[str, list[str]]:
    """Return rule id -> the places that implement it: `odds/fire.py:fire_pool` for code, `ruleset.yaml:12` for data.

    The places in folders after the first, which a ruleset extends, begin with the name of the folder.
    """
    index: dict[str, list[str]] = {}
    for folder in folders:
        prefix = "" if folder == folders[0] else f"{folder.name}/"
        for rule, places in _places_in(folder).items():
            index.setdefault(rule, []).extend(f"{prefix}{place}" for place in places)
    return index


def _places_in(folder: Path) -> dict[str, list[str]]:
    """Return the places in one folder that name each rule."""
    index: dict[str, list[str]] = {}
    for file in sorted(folder.rglob("*.py")):
        for name, text in _definitions(file.read_text(encoding="utf-8")):
            for rule in sorted(set(_RULE_ID.findall(text))):
                index.setdefault(rule, []).append(f"{file.relative_to(folder).as_posix()}:{name}")
    data = folder / "ruleset.yaml"
    for number, line in enumerate(data.read_text(encoding="utf-8").splitlines(), start=1):
        for rule in _RULE_ID.findall(line):
            index.setdefault(rule, []).append(f"{data.name}:{number}")
    return index


def tests_of(folder: Path, rule: str) -> list[str] | None:
    """Return the tests marked with a rule, as `tests/rulesets/vcc/test_fire.py::test_name` from the top of the
    checkout.

    Only files that name the rule are parsed. Returns None if the tests are not available, as in an installed wheel.
    """
    top = next((up for up in folder.parents if (up / "tests").is_dir() and (up / "pyproject.toml").is_file()), None)
    if top is None:
        return None
    tests = []
    for file in sorted((top / "tests").rglob("test_*.py")):
        text = file.read_text(encoding="utf-8")
        if f'"{rule}"' in text:
            path = file.relative_to(top).as_posix()
            tests += [f"{path}::{name}" for name, marked_rule in _marked_tests_of(text) if marked_rule == rule]
    return tests


@cache
def _marked_tests_of(source: str) -> tuple[tuple[str, str], ...]:
    """Return `marked_tests` of a text, which a search for many rules reads for each of them."""
    return tuple(marked_tests(source))


def marked_tests(source: str) -> Iterator[tuple[str, str]]:
    """Yield each test function with each rule it is marked with."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule":
                    yield from [(node.name, str(arg.value)) for arg in decorator.args if isinstance(arg, ast.Constant)]


def _definitions(source: str) -> Iterator[tuple[str, str]]:
    """Yield each top-level function, and each method as `Class.method`, with its source text including decorators."""
    lines = source.splitlines()

    def text(node: ast.FunctionDef | ast.ClassDef) -> str:
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        return "\n".join(lines[first - 1 : node.end_lineno])

    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, text(node)
        elif isinstance(node, ast.ClassDef):
            methods = [inner for inner in node.body if isinstance(inner, ast.FunctionDef)]
            for method in methods:
                yield f"{node.name}.{method.name}", text(method)
            end = methods[0].lineno - 1 if methods else node.end_lineno
            yield node.name, "\n".join(lines[node.lineno - 1 : end])
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            yield ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target), ast.unparse(node)
