"""Tournaments: scores by pairs of games, Elo compared with an independent calculation, and players denied an option."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.core.analysis.fabricated import SIDES, run_games

from zareba.agents import make_agent
from zareba.agents.restricted import Restricted
from zareba.analysis.compare import compare
from zareba.analysis.games.records import Variant
from zareba.analysis.studies.tournament import Match, complete_pairs, elo_of, match_of, ratings, schedule, to_dict
from zareba.base.errors import ZarebaError
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.table import Choose, Confirm


def a_match(first: str, second: str, wins: int, losses: int) -> Match:
    games = wins + losses
    return Match(first, second, wins, 0, losses, wins / games, 0.0, 1.0, games)


def test_ratings_are_those_of_maximum_likelihood() -> None:
    from scipy.optimize import minimize

    matches = [a_match("a", "b", 30, 10), a_match("a", "c", 25, 15), a_match("b", "c", 12, 28)]

    def unlikely(values: Sequence[float]) -> float:
        place = dict(zip("abc", values, strict=True))
        sum_ = 0.0
        for match in matches:
            p = 1 / (1 + math.exp(place[match.second] - place[match.first]))
            sum_ -= (match.wins + 0.5) * math.log(p) + (match.losses + 0.5) * math.log(1 - p)
        return sum_ + sum(values) ** 2

    best = minimize(unlikely, [0.0, 0.0, 0.0], tol=1e-12).x
    expected = {name: 400 / math.log(10) * (value - sum(best) / 3) for name, value in zip("abc", best, strict=True)}
    found = ratings("abc", matches)
    assert [rating.player for rating in found] == ["a", "c", "b"]
    for rating in found:
        assert rating.elo == pytest.approx(expected[rating.player], abs=0.05)
        assert rating.low < rating.elo < rating.high
    assert sum(rating.elo for rating in found) == pytest.approx(0, abs=1e-6)
    assert to_dict(found, matches)["ratings"][0]["player"] == "a"  # type: ignore[index]  # a list of rows


def test_player_who_wins_every_game_has_a_finite_rating() -> None:
    first, last = ratings(["best", "worst"], [a_match("best", "worst", 20, 0)])
    assert 200 < first.elo - last.elo < 800
    assert (first.score, last.score, first.games) == (1.0, 0.0, 20)


def test_the_interval_covers_the_true_rating() -> None:
    """Two players of known strength play runs of 60 games: about 95 % of the intervals contain the true rating."""
    import random

    luck, true, held = random.Random(5), 100.0, 0
    p = 1 / (1 + 10 ** (-true / 400))
    for _ in range(400):
        wins = sum(luck.random() < p for _ in range(60))
        rated = {rating.player: rating for rating in ratings(["a", "b"], [a_match("a", "b", wins, 60 - wins)])}
        held += rated["a"].low <= true / 2 <= rated["a"].high
    assert 0.92 <= held / 400 <= 0.99


def test_a_match_is_scored_by_player_and_not_by_side() -> None:
    agents = tuple(zip(SIDES, ("x", "y"), strict=True))
    played = compare("toy", [Variant("v", "mild")], 8, 1, 1, agents, run_games).records
    won_by_x = [
        replace(record, winner=next(side for side, who in record.agents.items() if who == "x")) for record in played
    ]
    match = match_of("x", "y", won_by_x)
    assert (match.wins, match.draws, match.losses, match.score, match.pairs) == (8, 0, 0, 1.0, 4)
    drawn = match_of("x", "y", [replace(record, winner=None) for record in played])
    assert (drawn.draws, drawn.score) == (8, 0.5)
    always_first = match_of("x", "y", [replace(record, winner=SIDES[0]) for record in played])
    assert always_first.score == 0.5, "a side that always wins says nothing about the players"
    with pytest.raises(ZarebaError, match="x and y have not played any games"):
        match_of("x", "y", [])


def test_every_pair_of_players_meets_once() -> None:
    assert schedule(["a", "b", "c"]) == [("a", "b"), ("a", "c"), ("b", "c")]
    for wrong in (["a"], ["a", "a"], []):
        with pytest.raises(ZarebaError, match="at least two players"):
            schedule(wrong)


def test_restricted_player_takes_a_denied_option_only_if_it_is_the_only_one() -> None:
    asked: list[Any] = []

    def first(question: Any, state: Any) -> Any:
        asked.append(question)
        return question.options[0] if isinstance(question, Choose) else True

    player = Restricted(first, "charge")
    offered = (("charge", "a"), ("charge", "b"), "hold", ("move", "c"))
    question = Choose("act", "X-1", "unit", "red", offered, ())
    assert player(question, None) == "hold"
    assert asked[-1].options == ("hold", ("move", "c"))
    assert player(question._replace(options=(("charge", "a"), "hold")), None) == "hold"
    assert player(question._replace(options=(("charge", "a"), ("charge", "b"))), None) == ("charge", "a")
    assert player(Confirm("charge", "X-1", "unit", "red", ()), None) is False
    assert player(Confirm("rally", "X-1", "unit", "red", ()), None) is True
    assert player.offered == {"charge", "hold", "move", "rally"}


def test_restricted_player_is_named_by_the_denied_option() -> None:
    game = load_rules("vcc").game(load_scenario("patrol_clash"))
    assert isinstance(make_agent("doctrine without charge", game, "patrol", 1), Restricted)
    with pytest.raises(ZarebaError, match="doctrine"):
        make_agent("doctrin without charge", game, "patrol", 1)


def test_elo_of_a_share() -> None:
    assert elo_of(0.5, 20) == pytest.approx(0)
    assert elo_of(10 / 11, 10**6) == pytest.approx(400, abs=0.1)
    assert elo_of(1.0, 9) == pytest.approx(400 * math.log10(19)), "a player who wins every game still has a rating"


@pytest.mark.parametrize("won", [0, 1, 2, 5, 9, 10])
def test_share_of_points_and_ratings_agree(won: int) -> None:
    """In ten games the interval of a player's score and that of its rating must not contradict each other."""
    agents = tuple(zip(SIDES, ("x", "y"), strict=True))
    played = compare("toy", [Variant("v", "mild")], 10, 1, 1, agents, run_games).records
    results = [
        replace(record, winner=next(side for side, who in record.agents.items() if (who == "x") is (record.game < won)))
        for record in played
    ]
    match = match_of("x", "y", results)
    rated = {rating.player: rating for rating in ratings(["x", "y"], [match])}
    assert match.low <= match.score == won / 10 <= match.high < match.low + 0.75
    for share, elo in ((match.low, rated["x"].low), (match.high, rated["x"].high)):
        if 0 < share < 1:
            assert 200 * math.log10(share / (1 - share)) == pytest.approx(elo, abs=1e-6)
    apart = match.low > 0.5 or match.high < 0.5
    assert apart is (rated["x"].low > 0 or rated["x"].high < 0)


def test_pairs_that_always_end_alike_count_for_fewer_games() -> None:
    """If one player wins both games of a pair or neither, two games say no more than one."""
    agents = tuple(zip(SIDES, ("x", "y"), strict=True))
    played = compare("toy", [Variant("v", "mild")], 40, 1, 1, agents, run_games).records
    together = [
        replace(
            record, winner=next(side for side, who in record.agents.items() if (who == "x") is (record.pair % 2 == 0))
        )
        for record in played
    ]
    match = match_of("x", "y", together)
    assert match.score == 0.5 and match.weight == pytest.approx(19)
    assert match_of("x", "y", played[:1]).weight == 1


def test_half_a_pair_is_left_out() -> None:
    agents = tuple(zip(SIDES, ("x", "y"), strict=True))
    played = compare("toy", [Variant("v", "mild")], 6, 1, 1, agents, run_games).records
    assert [record.game for record in complete_pairs(played[:5])] == [0, 1, 2, 3]
