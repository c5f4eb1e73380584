"""A pilot says how many games are needed, and what they will tell."""

from __future__ import annotations

import pytest
from tests.core.analysis.fabricated import run_games

from zareba.analysis.compare import Comparison, compare
from zareba.analysis.games.metrics import METRICS
from zareba.analysis.games.records import Variant
from zareba.analysis.pilot import MOST_GAMES, PILOT_GAMES, games_wanted, precision

DOCTRINE = (("british", "doctrine"), ("zulu", "doctrine"))


def played(*variants: Variant, games: int = PILOT_GAMES) -> Comparison:
    return compare("s", variants, games, 1, 1, DOCTRINE, run_games)


def test_shares_of_wins_alone_need_385_games_for_five_points() -> None:
    assert games_wanted(played(Variant("mild", "mild"), Variant("fierce", "fierce")).columns()) >= 400


def test_a_change_of_one_ruleset_needs_as_many_as_find_five_points() -> None:
    pilot = played(Variant("a", "mild"), Variant("b", "mild", (("bite", 0.01),)))
    assert 400 < games_wanted(pilot.columns()) <= MOST_GAMES


def test_what_is_foretold_of_the_intervals_comes_true() -> None:
    variants = (Variant("mild", "mild"), Variant("fierce", "fierce"))
    foretold = precision(played(*variants, games=40).columns(), 400)
    summary = played(*variants, games=400).columns()
    for metric in METRICS:
        if metric.primary:
            found = [column.estimates(metric)[0] for column in summary]
            widest = max((one.high or 0) - (one.low or 0) for one in found) / 2
            assert foretold[metric.id] >= widest * 0.7
            assert metric.id == "M1" or foretold[metric.id] == pytest.approx(widest, rel=0.4)
