"""The names house rules may import. Changing one of these lists changes the public API (`docs/reference/api.md`)."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

import zareba_plugins
from zareba.cli.author import new

PROMISED = {
    "zareba.api": """
        EACH HIGHEST SUM SUM_AND_HIGHEST Action FixedValueAction RulesValue SimpleAction Agent Evaluation AtLeast Choose CommandPoints Confirm Counts Doctrine Draw Event FixedPhases
        MakePolicy Meaning Modifier Option Outcome PhaseEntry Place Point Policy Question Read Roll Setting Step SumBands Table Wrap
        at_least at_most counts hookimpl random_draw named numbered procedure rows StateVariable ExtraOption ModifierContext DiceResult Scenario Value
        figures game_of lose name_of draw_one override_values roll_at_least add_points roll_on_chart scenario_name scenario_unit remove_unit units call shoot targets
    """,
    "zareba.api.rulesets": """
        Battle SimpleRulesetFile Procedure TroopRow Ruleset Unit charge charges facts fall_back go lose lose_leader march simple_ruleset
    """,
    "zareba.api.metrics": "GameRecord Metric Sample Scope lost",
    "zareba.api.reports": "GameRecord ReportSection SheetTable",
    "zareba.api.commands": """
        CampaignResult ZarebaError campaign_result load_scenario parse_scenario set_value scenario_text remove_value
    """,
}
TEMPLATES = Path(new.__file__).parent / "templates"
SHIPPED = Path(zareba_plugins.__file__).parent


def imported(text: str) -> Iterator[str]:
    """Yield the zareba modules imported by a source text."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from [node.module] if node.module.startswith("zareba") else []
        elif isinstance(node, ast.Import):
            yield from [name.name for name in node.names if name.name.startswith("zareba")]


@pytest.mark.parametrize("module", PROMISED)
def test_the_api_exports_the_documented_names(module: str) -> None:
    found = importlib.import_module(module)
    assert sorted(found.__all__) == sorted(PROMISED[module].split())
    assert [name for name in found.__all__ if not hasattr(found, name)] == []


def test_the_docs_name_every_module_of_the_api() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    assert [module for module in PROMISED if f"`{module}`" not in page] == []


@pytest.mark.parametrize("file", sorted(SHIPPED.rglob("*.py")), ids=lambda file: file.stem)
def test_shipped_house_rules_import_only_the_api(file: Path) -> None:
    modules = set(imported(file.read_text(encoding="utf-8")))
    assert {name for name in modules if not name.startswith("zareba_plugins")} <= set(PROMISED)


@pytest.mark.parametrize("template", ["house_rule.py.txt", "bare/init.py.txt"])
def test_beginner_examples_import_only_the_api(template: str) -> None:
    text = (TEMPLATES / template).read_text(encoding="utf-8").replace("$tally", "tally").replace("$name", "name")
    assert set(imported(text)) <= set(PROMISED)
    assert set(imported(text))
