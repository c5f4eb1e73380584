"""The documentation: house rules in it pass `check` and are played, links are valid, generated pages are current."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from docs.generate import PAGES, REFERENCE, page
from tests.small_battle import small_battle_file

from zareba.authoring.even_forces import with_even_forces
from zareba.cli import COMMANDS
from zareba.plugins.entry_points import installed_commands
from zareba.registry import find_house_rule, load_rules, ruleset_names
from zareba.rules.catalogue import load_catalogue
from zareba.scenario import load_scenario
from zareba.testing import play

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"```(?:yaml|python)\n# file: (\S+)\n(.*?)```", re.DOTALL)
LINK = re.compile(r"\]\(([^)#]+\.md)\)")
FENCED = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"^ *zareba ([\w-]+)", re.MULTILINE)
BALANCED = re.compile(r"zareba balance (\w+) [^\n`]*--by (\w+)\.(figures|points)")
EVEN = re.compile(r"zareba play (\w+) --ruleset (\w+)[^\n`]* --even")


def blocks() -> Iterator[tuple[str, str]]:
    for file in sorted([*(DOCS / "tutorial").glob("*.md"), *(DOCS / "how-to").glob("*.md")]):
        yield from BLOCK.findall(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "text"), list(blocks()), ids=lambda value: value if len(value) < 40 else "")
def test_every_house_rule_of_the_pages_is_played(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    rule = find_house_rule(str(file))
    for number, ruleset in enumerate(rule.systems or ("vcc",)):
        assert load_rules(ruleset, house_rules=[rule]).house_rules == (rule.name,)
        # a whole patrol clash takes 2 to 5 seconds under Fixed Bay'net and Paychest
        battle = "patrol_clash" if ruleset == "vcc" else small_battle_file(tmp_path)
        played = play(file, ruleset=ruleset, scenario=battle, seed=2)
        assert played.turns > 1
        if number == 0:
            assert played.state == play(file, ruleset=ruleset, scenario=battle, seed=2).state


def test_the_tutorial_ends_with_a_rule_that_does_what_it_says(tmp_path: Path) -> None:
    text = dict(blocks())["cartridges.py"]
    (tmp_path / "cartridges.py").write_text(text, encoding="utf-8")
    played = play(tmp_path / "cartridges.py", seed=2, player="doctrine", settings={"cartridges.each": 1})
    assert played.lines["out of cartridges"] > 0
    assert 0 in played.state_variable("cartridges.volleys").values()


def test_links_in_the_docs_resolve_and_commands_exist() -> None:
    for file in DOCS.rglob("*.md"):
        text = file.read_text(encoding="utf-8")
        assert [link for link in LINK.findall(text) if not (file.parent / link).is_file()] == [], file
        named = {command for block in FENCED.findall(text) for command in COMMAND.findall(block)}
        assert named <= {*COMMANDS, *installed_commands()}, file
    assert len(ruleset_names()) == 5


def test_battles_that_the_docs_make_even_have_even_forces() -> None:
    for file in DOCS.rglob("*.md"):
        for battle, ruleset in EVEN.findall(file.read_text(encoding="utf-8")):
            with_even_forces(load_scenario(battle), (ruleset,))


def test_units_and_objectives_of_balance_examples_exist() -> None:
    for file in DOCS.rglob("*.md"):
        for battle, name, number in BALANCED.findall(file.read_text(encoding="utf-8")):
            scenario = load_scenario(battle)
            assert name in (scenario.units if number == "figures" else scenario.objectives), file


@pytest.mark.parametrize("name", PAGES)
def test_generated_pages_are_up_to_date(name: str) -> None:
    assert (REFERENCE / f"{name}.md").read_text(encoding="utf-8") == page(name), "run make docs"


@pytest.mark.parametrize("name", ruleset_names())
def test_every_reading_that_decides_a_battle_is_listed(name: str) -> None:
    page = (DOCS / "explanation" / "stand_ins.md").read_text(encoding="utf-8")
    for rule, entry in load_catalogue(load_rules(name).ruleset.folder).rules.items():
        if entry.decides:
            (row,) = (line for line in page.splitlines() if line.startswith("|") and rule in line)
            assert all(f"`{setting}`" in row for setting in entry.settings())
            assert all(decided in row for decided in entry.decides)


@pytest.mark.parametrize("name", ruleset_names())
def test_every_key_of_a_ruleset_file_is_documented(name: str) -> None:
    schema = (load_rules(name).ruleset.folder / "ruleset.schema.json").read_text(encoding="utf-8")
    named = set(re.findall(r"[`.](\w+)(?=[`.])", (REFERENCE / "ruleset_yaml.md").read_text(encoding="utf-8")))
    assert not sorted(_keys(json.loads(schema)) - named)


def _keys(schema: Any) -> set[str]:
    """Return the names of all properties in a JSON Schema."""
    if isinstance(schema, list):
        return set().union(*map(_keys, schema))
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", ())).union(*map(_keys, schema.values()))
