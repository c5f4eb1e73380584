"""Every metric compared with values calculated by hand for a draw, a walkover and a last-turn reversal."""

from __future__ import annotations

import math

import pytest
from tests.core.analysis.hand_made import draw, record, reversal, walkover

from zareba.analysis.games.activity import ACTS
from zareba.analysis.games.measures import decisive_moment, drama, final_lead, lead, lead_changes, leaders, table_time
from zareba.analysis.games.metrics import METRICS, Sample, Scope
from zareba.analysis.games.records import Variant
from zareba.analysis.statistics.estimates import Column

GAMES = [draw(), walkover(), reversal()]

# 6 rolls at 8 s with 12 dice, 2 cards, 3 units and 8 pieces moved, 5 measurements, 4 look-ups, a marker, 3 decisions.
MINUTES = (6 * 8 + 12 * 0.5 + 2 * 4 + 3 * 10 + 8 * 1.5 + 5 * 5 + 4 * 4 + 3 + 3 * 15) / 60

BY_HAND: dict[tuple[str, str], tuple[float | None, ...]] = {
    ("M1", "won by red"): (0, 1, 1),
    ("M1", "won by blue"): (0, 0, 0),
    ("M1", "drawn"): (1, 0, 0),
    ("M2", "won by red, minus the rest"): (0, 1, 1),
    ("M3", "won by the side listed first, minus the rest"): (0, 1, -1),
    ("M18", "games with a different winner by the own rule"): (None, 1, 0),
    ("M18", "won by red by the own rule"): (None, 0, 1),
    ("M18", "won by blue by the own rule"): (None, 1, 0),
    ("M18", "drawn by the own rule"): (None, 0, 0),
    ("M18", "common rule by strength, own rule by quota"): (None, 1, 0),
    ("M4", "ended before a limit"): (0, 1, 1),
    ("M4", "objectives"): (0, 0, 1),
    ("M4", "collapse"): (0, 1, 0),
    ("M4", "turn limit"): (1, 0, 0),
    ("M4", "act limit"): (0, 0, 0),
    ("M5", "mean"): (4, 2, 4),
    ("M5", "median"): (4, 2, 4),
    ("M5", "shortest tenth: up to"): (4, 2, 4),
    ("M5", "longest tenth: from"): (4, 2, 4),
    ("M6", "mean"): (MINUTES, MINUTES, MINUTES),
    ("M6", "median"): (MINUTES, MINUTES, MINUTES),
    ("M6", "per turn"): (MINUTES / 4, MINUTES / 2, MINUTES / 4),
    **{
        ("M6", name): (number, number, number)
        for name, number in (
            ("handfuls", 6),
            ("dice", 12),
            ("cards", 2),
            ("units moved", 3),
            ("pieces moved", 8),
            ("measurements", 5),
            ("look-ups", 4),
            ("markers", 1),
            ("decisions", 3),
        )
    },
    ("M8", "stake per choice"): (0.5, 0.5, 0.5),
    ("M7", "decisions per battle"): (3, 3, 3),
    ("M7", "decisions per hour of table time"): (3 / MINUTES * 60,) * 3,
    ("M7", "decisions per turn"): (0.75, 1.5, 0.75),
    ("M7", "genuine choices per turn"): (0.75, 1.5, 0.75),
    ("M7", "genuine choices of red"): (3, 3, 3),
    ("M7", "genuine choices of blue"): (0, 0, 0),
    ("M7", "decisions that are genuine"): (0.5, 0.5, 0.5),
    ("M7", "answers per genuine choice"): (3, 3, 3),
    ("M9", "unit turns in which the rules allow no action"): (0.25, 0.25, 0.25),
    ("M9", "unit turns without an action"): (0.5, 0.5, 0.5),
    ("M10", "strength lost per side"): (0.2, 0.4, 0.6),
    ("M10", "lost by red"): (0.2, 0, 0.4),
    ("M10", "lost by blue"): (0.2, 0.8, 0.8),
    ("M10", "losses by fire"): (0.75, 0, 2 / 3),
    ("M10", "losses by melee"): (0, 0.75, 1 / 3),
    ("M10", "losses by morale"): (0.25, 0, 0),
    ("M10", "losses by other"): (0, 0.25, 0),
    ("M10", "turn of first loss"): (1, 1, 1),
    ("M11", "changes per game"): (1, 0, 1),
    ("M12", "winner behind by"): (None, 0, (0.2 + 0.2 + 0.1) / 4),
    ("M13", "decided after"): (None, 0, 1),
    ("M14", "openness over the turns"): (None, 0, (1 + 0.64 + 0.36) / 3 * 20 / 19),
    ("M16", "final lead of red"): (0, 0.8, 0.4),
    ("M17", "throws, cards, lookups and markers per battle"): (13, 13, 13),
    ("M17", "throws, cards, lookups and markers per hour of table time"): (13 / MINUTES * 60,) * 3,
    ("M17", "throws, cards, lookups and markers per turn"): (13 / 4, 13 / 2, 13 / 4),
    ("M17", "handfuls per turn"): (1.5, 3, 1.5),
    ("M17", "dice per turn"): (3, 6, 3),
    ("M17", "cards per turn"): (0.5, 1, 0.5),
    ("M17", "look-ups per turn"): (1, 2, 1),
    ("M17", "markers per turn"): (0.25, 0.5, 0.25),
}


def samples() -> dict[tuple[str, str], Sample]:
    scope = Scope.of(GAMES)
    return {(m.id, s.name): s for m in METRICS for s in m.samples(GAMES, scope)}


def test_every_metric_has_a_hand_computed_value() -> None:
    assert set(samples()) == set(BY_HAND)


@pytest.mark.parametrize(("metric", "name"), BY_HAND)
def test_metrics_equal_their_hand_computed_values(metric: str, name: str) -> None:
    assert samples()[metric, name].values == pytest.approx(BY_HAND[metric, name])


def test_primary_metrics_are_the_four_chosen_in_advance() -> None:
    assert [metric.id for metric in METRICS if metric.primary] == ["M1", "M5", "M10", "M11"]


def test_metrics_compared_between_systems_are_per_battle() -> None:
    """A battle of two long turns counts as much as one of four short turns with the same number of acts."""
    compared = {metric.id: metric.samples(GAMES, Scope.of(GAMES))[0] for metric in METRICS}
    assert [difference.name for difference in compared.values() if difference.name.endswith("per turn")] == []
    assert [len(set(compared[metric].values)) for metric in ("M6", "M7", "M17")] == [1, 1, 1]


def test_estimates_of_the_three_games() -> None:
    column = Column.of(Variant("v", "r"), GAMES, Scope.of(GAMES))
    found = {metric.id: column.estimates(metric)[0] for metric in METRICS}
    assert found["M5"].value == pytest.approx(10 / 3)
    assert found["M5"].n == 3
    assert found["M12"].value == pytest.approx(0.0625)
    assert found["M12"].n == 2
    assert found["M16"].value == pytest.approx(math.sqrt(((0.4) ** 2 * 2 + 0) / 2))
    for e in found.values():
        assert e.low is not None and e.value is not None and e.high is not None
        assert e.low <= e.value <= e.high


def test_a_metric_that_no_game_has_is_unknown_and_not_zero() -> None:
    column = Column.of(Variant("v", "r"), [draw()], Scope.of([draw()]))
    (drama,) = next(column.estimates(metric) for metric in METRICS if metric.id == "M12")
    assert (drama.value, drama.low, drama.high, drama.n) == (None, None, None, 0)


def test_a_lead_of_exactly_the_dead_band_counts_as_level() -> None:
    level = record(0, "red", "collapse", {"red": (1.0, 1.0), "blue": (1.0, 0.98)}, {"red": {}, "blue": {}})
    ahead = record(0, "red", "collapse", {"red": (1.0, 1.0), "blue": (1.0, 0.97)}, {"red": {}, "blue": {}})
    assert (leaders(level), leaders(ahead)) == ([None], ["red"])


def test_points_come_before_strength_and_are_what_a_lead_is_counted_in() -> None:
    """Red takes an objective worth 2 of 8 points and loses it again to blue, the weaker side throughout."""
    game = record(
        0,
        "blue",
        "turn_limit",
        {"red": (1.0, 1.0, 1.0, 1.0), "blue": (1.0, 0.9, 0.5, 0.5)},
        {"red": {}, "blue": {}},
        in_play=8,
        score={"red": (0, 0, 2, 0), "blue": (0, 0, 0, 2)},
    )
    assert leaders(game) == ["red", "red", "blue"]
    assert [lead(game, "red", turn) for turn in range(4)] == [0, 0, 0.25, -0.25]
    assert (lead_changes(game), decisive_moment(game)) == (1, 1.0)
    assert drama(game) == pytest.approx(0.25 / 3)
    assert final_lead(game) == -0.25


def test_a_lead_lost_to_level_and_regained_is_no_change_of_lead() -> None:
    game = record(
        0,
        "red",
        "collapse",
        {"red": (1.0, 1.0, 0.8, 0.8), "blue": (1.0, 0.8, 0.8, 0.5)},
        {"red": {}, "blue": {}},
    )
    assert leaders(game) == ["red", None, "red"]
    assert (lead_changes(game), decisive_moment(game)) == (0, 0.0)


def test_a_lead_taken_in_the_second_of_four_turns_decides_at_half_time() -> None:
    strength = {"red": (1.0, 0.9, 0.9, 0.9, 0.9), "blue": (1.0, 1.0, 0.8, 0.7, 0.6)}
    assert decisive_moment(record(0, "red", "collapse", strength, {"red": {}, "blue": {}})) == 0.5


def test_a_win_on_objectives_from_behind_is_decided_at_the_end() -> None:
    strength = {"red": (1.0, 0.5, 0.4), "blue": (1.0, 1.0, 1.0)}
    assert decisive_moment(record(0, "red", "objectives", strength, {"red": {}, "blue": {}})) == 1.0


def test_seconds_of_acts_have_defaults_and_can_be_set() -> None:
    assert table_time(draw()) == pytest.approx(MINUTES)
    assert table_time(draw(), {**dict.fromkeys(ACTS, 0.0), "decision": 60.0}) == 3
    (first, *_) = next(m for m in METRICS if m.id == "M6").samples(GAMES, Scope.of(GAMES, dict.fromkeys(ACTS, 60.0)))
    assert first.values[0] == 6 + 12 + 2 + 3 + 8 + 5 + 4 + 1 + 3
