"""The report lists the readings of rules that ended more than 5 % of the games."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.core.analysis.hand_made import draw

from zareba.analysis.compare import Comparison, compare
from zareba.analysis.findings.findings import ended_by_stand_ins, summarise
from zareba.analysis.games.records import GameRecord, Variant
from zareba.analysis.games.samples import Scope
from zareba.analysis.games.simulate import run_games
from zareba.analysis.statistics.estimates import Column
from zareba.report import render
from zareba.scenario import load_scenario

QUOTA = Variant("quota", "afriboria", (("vp_quota", 1),))
AGENTS = (("patrol", "random"), ("tribesmen", "random"))


def column(ruleset: str, games: int, ended: int, **changes: str) -> Column:
    """Return a column of `games`; the first `ended` of them have `changes`."""
    plain = replace(draw(), ending="turn_limit")
    records: list[GameRecord] = [
        replace(plain, game=number, **(changes if number < ended else {}))  # type: ignore[arg-type]  # fields of text
        for number in range(games)
    ]
    return Column.of(Variant(ruleset, ruleset), records, Scope.of(records))


@pytest.mark.parametrize(
    ("ruleset", "field", "word", "rule"),
    [
        ("afriboria", "ending", "quota", "AFR-052"),
        ("vcc", "ending", "withdrawal", "VCC-166"),
        ("risk_factor", "own_ground", "retreat", "RSK-184"),
    ],
)
def test_a_reading_is_listed_if_it_ended_more_than_a_twentieth_of_the_games(
    ruleset: str, field: str, word: str, rule: str
) -> None:
    assert ended_by_stand_ins(column(ruleset, 40, 2, **{field: word}), "patrol_clash") == []
    (said,) = ended_by_stand_ins(column(ruleset, 40, 3, **{field: word}), "patrol_clash")
    assert said.startswith(f"3 of 40 games ended by our reading of a rule ({rule}, status ")


def test_a_quota_in_the_scenario_is_not_a_reading_of_ours(tmp_path: Path) -> None:
    file = tmp_path / "named.yaml"
    data = load_scenario("patrol_clash").model_dump(mode="json", exclude_unset=True)
    data["sides"]["patrol"]["victory"] = {"quota": 3}
    file.write_text(json.dumps(data), encoding="utf-8")
    assert ended_by_stand_ins(column("afriboria", 40, 40, ending="quota"), str(file)) == []


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return compare("patrol_clash", (Variant("plain", "afriboria"), QUOTA), 4, 1, 1, AGENTS, run_games)


def test_the_report_lists_games_that_ended_by_our_reading(comparison: Comparison) -> None:
    summary = summarise(comparison)
    plain, quota = summary["variants"]
    assert plain["ended_by_stand_ins"] == []
    assert ["AFR-052" in said for said in quota["ended_by_stand_ins"]] == [True]
    html = render(summary, comparison.records).html
    assert "Games that ended by our reading of a rule" in html and "The setting vp_quota changes it" in html


def test_without_a_quota_of_its_own_a_scenario_ends_by_the_common_rules(comparison: Comparison) -> None:
    ended = {
        variant: {record.ending for record in comparison.records if record.variant == variant}
        for variant in ("plain", "quota")
    }
    assert "quota" in ended["quota"] and "quota" not in ended["plain"]
