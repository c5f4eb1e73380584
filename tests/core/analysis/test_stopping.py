"""Confidence sequences are valid at every look, and a run stopped by them makes no false claims."""

from __future__ import annotations

import random

import pytest
from tests.core.analysis.fabricated import run_games

from zareba.analysis.compare import Comparison, compare
from zareba.analysis.findings.findings import summarise
from zareba.analysis.games.records import Variant
from zareba.analysis.statistics.stopping import anytime_interval, decided, next_look

AGENTS = (("british", "doctrine"), ("zulu", "doctrine"))


def misses(share: float, games: int, runs: int, alpha: float) -> float:
    """Return how often a sequence excludes the true share at any look. Intervals only narrow, so the last decides."""
    luck = random.Random(11)
    wrong = 0
    for _ in range(runs):
        found = anytime_interval([float(luck.random() < share) for _ in range(games)], alpha)
        wrong += not found.low <= share <= found.high
    return wrong / runs


@pytest.mark.parametrize("share", [0.5, 0.9, 0.02])
def test_a_confidence_sequence_holds_at_every_look(share: float) -> None:
    assert misses(share, 500, 300, 0.05) <= 0.05


@pytest.mark.deep
@pytest.mark.parametrize("share", [0.5, 0.9, 0.02])
def test_a_confidence_sequence_holds_at_4000_looks(share: float) -> None:
    found = misses(share, 4000, 1000, 0.05)
    print(f"{share}: {found}")
    assert found <= 0.05


def test_a_confidence_sequence_is_a_little_wider_than_a_single_interval() -> None:
    luck = random.Random(2)
    values = [float(luck.random() < 0.5) for _ in range(4000)]
    widths = [(found := anytime_interval(values[:n], 0.05)).high - found.low for n in (60, 400, 4000)]
    assert widths == sorted(widths, reverse=True)
    assert 0.031 < widths[-1] < 0.08


def test_looks_are_further_and_further_apart() -> None:
    looks = [60]
    while looks[-1] < 4000:
        looks.append(next_look(looks[-1]))
    assert looks[:4] == [60, 80, 100, 140] and len(looks) < 25


def stopped(games: int, *variants: Variant) -> Comparison:
    found = compare("s", variants, games, 5, 1, AGENTS, run_games)
    return Comparison(**{**{name: getattr(found, name) for name in found.__slots__}, "stopping": 12})


def test_clear_differences_are_decided_and_equal_columns_are_not() -> None:
    variants = (Variant("mild", "mild"), Variant("fierce", "fierce"))
    said = {verdict.metric: verdict for verdict in stopped(400, *variants).verdicts()}
    assert "M5" not in said, "a turn differs between rulesets"
    bitten = stopped(400, Variant("a", "mild"), Variant("b", "mild", (("bite", 0.06),))).verdicts()
    (length,) = (verdict for verdict in bitten if verdict.metric == "M5")
    assert length.decision == "differ" and length.low > 0, "the milder rules last longer"
    same = stopped(200, Variant("a", "mild"), Variant("b", "mild")).verdicts()
    assert not [verdict for verdict in same if verdict.decision == "differ"] and not decided(said.values())  # type: ignore[arg-type]  # any order


def test_claims_of_a_stopped_run_use_its_confidence_sequences() -> None:
    comparison = stopped(300, Variant("mild", "mild"), Variant("fierce", "fierce"))
    summary, said = summarise(comparison), {verdict.metric: verdict.decision for verdict in comparison.verdicts()}
    for entry in summary["differences"]:
        if entry["primary"]:
            assert (entry["shown"], entry["alike"]) == (
                said[entry["metric"]] == "differ",
                said[entry["metric"]] == "alike",
            )
    assert any("anytime-valid" in note for note in summary["method"])


def test_separate_intervals_without_a_claim_are_explained() -> None:
    summary = summarise(stopped(20, Variant("mild", "mild"), Variant("fierce", "fierce")))
    losses = next(difference for difference in summary["differences"] if difference["metric"] == "M10")
    assert (losses["low"] > 0 or losses["high"] < 0) and not losses["shown"], (
        "a fixed number of games would show the difference"
    )
    assert any("looks repeatedly (--stop)" in verdict["text"] for verdict in summary["verdicts"])
