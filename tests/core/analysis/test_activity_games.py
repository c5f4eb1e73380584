"""Acts at the table are counted in the first games of a comparison only, and counting changes no game."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial

import pytest
from tests.systems import each_ruleset

from zareba.analysis.compare import compare
from zareba.analysis.findings.findings import summarise
from zareba.analysis.games.metrics import METRICS
from zareba.analysis.games.records import ACTIVITY, GameRecord, GameTask, Variant
from zareba.analysis.games.samples import as_columns, matching_games
from zareba.analysis.games.simulate import ACTIVITY_GAMES, run_games, run_games_for_results
from zareba.scenario import load_scenario

AGENTS = tuple((side, "doctrine") for side in load_scenario("patrol_clash").sides)


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_a_game_without_counted_acts_is_otherwise_equal(ruleset: str) -> None:
    agents = tuple(zip(dict(AGENTS), ("doctrine", "random"), strict=True))
    task = GameTask(Variant(ruleset, ruleset), "patrol_clash", 0, 2, 4, agents, swap=True)
    counted, results = run_games(task), run_games_for_results(task)
    assert [replace(record, **dict.fromkeys(ACTIVITY)) for record in counted] == results  # type: ignore[arg-type]  # only None
    assert all(asdict(record)[name] is not None for record in counted for name in ACTIVITY)


def test_acts_are_counted_in_the_first_games_however_the_games_are_split() -> None:
    few = partial(run_games, with_activity=4)
    by_batch = [
        compare("patrol_clash", [Variant("v", "vcc")], 10, 1, 1, AGENTS, few, batch=batch).records for batch in (1, 3)
    ]
    assert by_batch[0] == by_batch[1]
    assert [record.acts is not None for record in by_batch[0]] == [True] * 4 + [False] * 6


def test_both_games_of_a_pair_are_counted_or_none() -> None:
    agents = tuple(zip(dict(AGENTS), ("doctrine", "random"), strict=True))
    task = GameTask(Variant("v", "vcc"), "patrol_clash", 0, 4, 1, agents, swap=True)
    assert [record.acts is not None for record in run_games(task, with_activity=1)] == [True, True, False, False]


def test_metrics_of_acts_state_the_size_of_their_sample() -> None:
    played = compare("patrol_clash", [Variant("v", "vcc")], ACTIVITY_GAMES + 10, 1, 1, AGENTS, run_games)
    (column,) = played.columns()
    sizes = {metric.id: {estimate.n for estimate in column.estimates(metric) if estimate.n} for metric in METRICS}
    for metric in ("M6", "M8", "M9", "M17"):
        assert sizes[metric] == {ACTIVITY_GAMES}, metric
    for metric in ("M1", "M5", "M11", "M16"):
        assert sizes[metric] == {ACTIVITY_GAMES + 10}, metric
    assert sizes["M7"] == {ACTIVITY_GAMES, ACTIVITY_GAMES + 10}
    (note,) = [sentence for sentence in summarise(played)["method"] if sentence.startswith("Acts at the table")]
    assert f"counted in {ACTIVITY_GAMES} games" in note


def test_a_record_without_counted_acts_survives_json_and_conditions_on_columns() -> None:
    task = GameTask(Variant("v", "vcc"), "patrol_clash", 0, 2, 1, AGENTS)
    counted, uncounted = run_games(task, with_activity=1)
    assert GameRecord.from_dict(uncounted.to_dict()) == uncounted
    assert as_columns(counted).keys() == as_columns(uncounted).keys()
    assert as_columns(uncounted)["acts_die"] is None and as_columns(uncounted)["stake"] is None
    assert matching_games((counted, uncounted), ["acts_die>0"]) == (counted,)
    assert matching_games((counted, uncounted), ["acts_die=none"]) == (uncounted,)
