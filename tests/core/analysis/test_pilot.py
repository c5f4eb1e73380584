"""A pilot run predicts how many games are needed and how precise their results will be."""

from __future__ import annotations

from dataclasses import replace

from tests.core.analysis.fabricated import run_games

from zareba.analysis.compare import Comparison, compare
from zareba.analysis.games.metrics import METRICS, Scope
from zareba.analysis.games.records import Variant
from zareba.analysis.pilot import MOST_GAMES, PILOT_GAMES, games_wanted, precision
from zareba.analysis.statistics.estimates import Column

DOCTRINE = (("british", "doctrine"), ("zulu", "doctrine"))


def played(*variants: Variant, games: int = PILOT_GAMES) -> Comparison:
    return compare("s", variants, games, 1, 1, DOCTRINE, run_games)


def test_shares_of_wins_alone_need_385_games_for_five_points() -> None:
    assert games_wanted(played(Variant("mild", "mild"), Variant("fierce", "fierce")).columns()) >= 400


def test_a_change_of_one_ruleset_needs_as_many_as_find_five_points() -> None:
    pilot = played(Variant("a", "mild"), Variant("b", "mild", (("bite", 0.05),)))
    assert 400 < games_wanted(pilot.columns()) <= MOST_GAMES


def test_pilot_predicts_intervals_within_a_fifth() -> None:
    variants = (Variant("mild", "mild"), Variant("fierce", "fierce"))
    columns = played(*variants, games=400).columns()
    widest = {}
    for metric in METRICS:
        if metric.primary:
            found = [column.estimates(metric)[0] for column in columns]
            widest[metric.id] = max((estimate.high or 0) - (estimate.low or 0) for estimate in found) / 2
    right = dict.fromkeys(widest, 0)
    for seed in range(20):
        foretold = precision(compare("s", variants, PILOT_GAMES, seed, 1, DOCTRINE, run_games).columns(), 400)
        for id, half in foretold.items():
            right[id] += abs(half / widest[id] - 1) < 0.2
    assert min(right.values()) >= 17, right


def test_pilot_predicts_a_walkover_more_precisely_than_an_even_fight() -> None:
    columns = played(Variant("mild", "mild"), Variant("fierce", "fierce")).columns()
    decided = [
        Column.of(column.variant, [replace(game, winner="zulu") for game in column.records], Scope.of(column.records))
        for column in columns
    ]
    assert precision(decided, 400)["M1"] < precision(columns, 400)["M1"] / 2
    assert games_wanted(decided) == games_wanted(columns), "forty games are too few to show that the result is certain"
