"""Claims are tested again under other conditions: each holds, is no longer shown, or depends on the changed
condition.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.core.analysis.fabricated import run_games

from zareba.analysis.compare import Comparison, compare
from zareba.analysis.engines.engine import RunGames, Serial
from zareba.analysis.findings.findings import summarise
from zareba.analysis.games.records import GameRecord, GameTask, Variant
from zareba.analysis.games.simulate import run_games as really_play
from zareba.analysis.statistics.estimates import Column, Difference, compare_columns
from zareba.analysis.statistics.robustness import ConditionColumns, Kind, robustness
from zareba.analysis.studies.conditions import (
    TRIAL_GAMES,
    Replacement,
    RobustnessCondition,
    play,
    players,
    stand_ins,
    translation_conditions,
)
from zareba.registry import load_rules, ruleset_names
from zareba.report import render
from zareba.rules.catalogue import load_catalogue
from zareba.scenario import load_scenario

AGENTS = (("british", "doctrine"), ("zulu", "doctrine"))


def played(first: str, second: str, games: int = 60, seed: int = 5) -> Comparison:
    """Compare two rulesets of the toy battle, named a and b."""
    return compare("s", [Variant("a", first), Variant("b", second)], games, seed, 1, AGENTS, run_games)


def losses(comparison: Comparison) -> Difference:
    return next(difference for difference in compare_columns(comparison.columns()) if difference.metric == "M10")


def under(kind: Kind, first: str, second: str, games: int = 60) -> ConditionColumns:
    columns = played(first, second, games).columns()
    return ConditionColumns(kind, f"{kind}: {first} and {second}", {column.variant.name: column for column in columns})


@pytest.mark.parametrize(
    ("conditions", "holds"),
    [
        ([("players", "mild", "fierce")], "holds under all"),
        ([("players", "mild", "fierce"), ("players", "fierce", "mild")], "depends on the players"),
        ([("stand-in", "fierce", "mild")], "depends on a stand-in"),
        ([("translation", "fierce", "mild"), ("players", "fierce", "mild")], "depends on the translation and the players"),
        ([("players", "mild", "fierce"), ("stand-in", "mild", "mild")], "depends on a stand-in"),
    ],
)  # fmt: skip
def test_a_claim_holds_under_all_conditions_or_depends_on_one(
    conditions: list[tuple[Kind, str, str]], holds: str
) -> None:
    main = played("mild", "fierce")
    claim = losses(main)
    assert claim.is_significant
    (found,) = robustness([claim], main.columns(), [under(*condition) for condition in conditions])
    assert (found["metric"], found["holds"], len(found["under"])) == ("M10", holds, len(conditions))
    turned = {
        f"{kind}: {first} and {second}" for kind, first, second in conditions if (first, second) != ("mild", "fierce")
    }
    assert set(found["depends_on"]) == turned


def test_a_claim_that_disappears_is_gone_and_few_games_leave_it_open() -> None:
    main = played("mild", "fierce")
    claim = losses(main)
    alike = under("stand-in", "mild", "mild", 60)
    (found,) = robustness([replace(claim, margin=0.9)], main.columns(), [alike])
    assert (found["holds"], found["under"][0]["says"]) == ("depends on a stand-in", "gone")
    (found,) = robustness([replace(claim, margin=0.001)], main.columns(), [alike])
    assert (found["holds"], found["open"]) == ("not shown under all", [alike.title])
    (found,) = robustness([claim], main.columns(), [under("players", "mild", "mild", 3)])
    assert (found["holds"], found["under"][0]["says"], found["open"]) == ("holds under all", "open", [])


def test_shared_luck_makes_few_games_more_informative() -> None:
    """Ruleset b is changed a little in 40 games that share their luck with the first 40 of 400."""
    main = played("mild", "fierce", 400)
    claim = losses(main)
    a, b = main.columns()
    few = Column.of(b.variant, b.records[:40], main.scope)
    (found,) = robustness([claim], [a, b], [ConditionColumns("stand-in", "nothing", {"b": few})])
    apart = found["under"][0]
    assert apart["value"] == pytest.approx(claim.value, abs=1e-6), "their value is known from the 400 games"
    assert apart["high"] - apart["low"] < 1.5 * (claim.high - claim.low)


def test_only_claims_are_repeated_and_the_report_marks_them() -> None:
    main = played("mild", "fierce")
    assert robustness([replace(losses(main), p_holm=1.0)], main.columns(), [under("players", "mild", "mild")]) == []
    summary = summarise(main)
    assert summary["robustness"] == [] and any("use --robust" in note for note in summary["method"])

    def condition(kind: Kind, title: str, first: str, second: str) -> RobustnessCondition:
        records = {column.variant.name: column.records for column in played(first, second).columns()}
        return RobustnessCondition(
            kind, title, {name: Replacement(Variant(name, name), "s", AGENTS) for name in "ab"}, 60, records
        )

    whole = replace(
        main,
        conditions=(
            condition("players", "between bold commanders", "mild", "fierce"),
            condition("stand-in", "Mild: whether it bites (true)", "fierce", "mild"),
            replace(condition("stand-in", "Mild: whether it rains", "mild", "mild"), records={}),
        ),
    )
    summary = summarise(whole)
    assert {result["holds"] for result in summary["robustness"]} == {"depends on a stand-in"}
    assert [condition["games"] for condition in summary["conditions"]] == [60, 60, 0]
    (blood,) = (verdict["text"] for verdict in summary["verdicts"] if verdict["id"] == "bloodiness")
    assert "a and b: depends on a stand-in." in blood
    html = render(summary, whole.records).html
    for words in (
        "Is it the rules?", "between bold commanders", "clear; depends on a stand-in", "not with Mild: whether it bites",
        "Mild: whether it rains: no effect in this battle",
    ):  # fmt: skip
        assert words in html
    assert any("1 stand-in (1 more have no effect" in note for note in summary["method"])


class Heard(Serial):
    """A serial engine that records its tasks."""

    def __init__(self) -> None:
        self.tasks: list[GameTask] = []

    def run_tasks(self, tasks: Sequence[GameTask], run_games: RunGames) -> Generator[list[GameRecord], None, None]:
        self.tasks += tasks
        yield from super().run_tasks(tasks, run_games)


def test_conditions_without_effect_are_not_played_further() -> None:
    main = played("mild", "fierce", 12)
    b = Variant("b", "fierce")

    def instead(bite: float) -> dict[str, Replacement]:
        return {"b": Replacement(replace(b, settings=(("bite", bite),)), "s", AGENTS)}

    some = [
        RobustnessCondition("stand-in", "idle", instead(0.0), 12),
        RobustnessCondition("stand-in", "bites", instead(0.05), 12),
        RobustnessCondition("players", "bold", {"b": Replacement(b, "s", AGENTS)}, 8),
    ]
    engine, base = Heard(), {column.variant.name: column.records for column in main.columns()}
    idle, bites, bold = play(some, base, 5, engine, run_games, lambda done, total: None)
    assert idle.records == {}
    assert [record.game for record in bites.records["b"]] == list(range(12)) and bites.records["b"][0].variant == "b"
    assert bold.records["b"] == base["b"][:8], "the same games, because the toy battle ignores players"
    assert sum(task.count for task in engine.tasks) == TRIAL_GAMES + 12 + 8


def test_the_conditions_of_a_real_battle(tmp_path: Path) -> None:
    """Each condition changes one setting or word of one ruleset, if the catalogue marks it as a reading."""
    scenario, agents = load_scenario("mission_station"), (("british", "doctrine"), ("zulu", "doctrine"))
    variants = [
        Variant("vcc", "vcc"),
        Variant("fixed_baynet", "fixed_baynet"),
        Variant("deep", "vcc", (("stack_points", 5),)),
    ]
    (bold,) = players(variants, "mission_station", {"bold": (("british", "bold"), ("zulu", "bold"))}, {"bold": 9})
    assert bold.games == 9 and set(bold.instead) == {"vcc", "fixed_baynet", "deep"}
    changed = stand_ins(variants, "mission_station", agents, 20)
    contact = next(condition for condition in changed if "Contact holds a unit" in condition.title)
    assert contact.title == "Victorian Colonial Combat: Contact holds a unit in place (false, not true; VCC-051)"
    assert contact.instead["vcc"].variant.settings == (("contact_pins", False),)
    assert dict(contact.instead["deep"].variant.settings) == {"stack_points": 5, "contact_pins": False}
    assert not any(
        "stack_points" in dict(condition.instead["vcc"].variant.settings)
        for condition in changed
        if "vcc" in condition.instead
    )
    for condition in changed:
        for instead in condition.instead.values():
            instead.variant.rules()
    words = translation_conditions(variants, scenario, agents, 20, tmp_path)
    spears = next(
        condition
        for condition in words
        if condition.title == "Fixed Bay'net an' Uncovered 'elmet: no unit has a throwing spear"
    )
    assert list(spears.instead) == ["fixed_baynet"]
    told = json.loads(Path(spears.instead["fixed_baynet"].scenario).read_text("utf-8"))
    assert not any(unit.get("weapon") == "throwing_spear" for unit in told["units"].values())
    assert {unit["weapon"] for unit in told["units"].values() if "weapon" in unit} >= {"breech_rifle", "none"}


@pytest.mark.parametrize("ruleset", ruleset_names())
def test_every_reading_that_decides_a_battle_is_varied(ruleset: str) -> None:
    """Each such rule has a setting, and each setting has another value that a comparison can play."""
    rules = load_rules(ruleset)
    agents = (("british", "doctrine"), ("zulu", "doctrine"))
    varied = {
        name
        for condition in stand_ins([Variant(ruleset, ruleset)], "mission_station", agents, 20)
        for name, value in condition.instead[ruleset].variant.settings
        if value != rules.settings[name]
    }
    for rule, entry in load_catalogue(rules.ruleset.folder).rules.items():
        if entry.decides and entry.status in ("gap", "garbled", "choice"):
            assert entry.settings(), f"{rule} decides a battle without a setting"
            for setting in entry.settings():
                parts = {name for name in rules.settings if name == setting or name.startswith(f"{setting}.")}
                assert parts <= varied, f"{rule}: {setting} has no other value to play"


def test_setting_with_words_and_numbers_is_also_tested_as_a_number() -> None:
    """A side gives up at a share of losses; by default no side does."""
    agents = (("british", "doctrine"), ("zulu", "doctrine"))
    changed = stand_ins([Variant("vcc", "vcc")], "mission_station", agents, 20)
    settings = [condition.instead["vcc"].variant.settings for condition in changed]
    assert (("withdrawal_share.british", 0.25),) in settings


@pytest.mark.deep
def test_unlimited_throwing_spears_are_a_tested_condition(tmp_path: Path) -> None:
    variants = [Variant("fixed_baynet", "fixed_baynet")]
    agents = (("british", "doctrine"), ("zulu", "doctrine"))
    main = compare("mission_station", variants, TRIAL_GAMES, 1, 1, agents, really_play)
    words = translation_conditions(variants, load_scenario("mission_station"), agents, TRIAL_GAMES, tmp_path)
    (spears,) = (condition for condition in words if "throwing spear" in condition.title)
    (found,) = play([spears], {"fixed_baynet": main.records}, 1, Serial(), really_play, lambda done, total: None)
    assert found.records
