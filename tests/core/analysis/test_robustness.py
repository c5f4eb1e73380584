"""A claim is repeated between other commanders, and said to hold, not to show itself, or to belong to the players."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.core.analysis.fabricated import run_games

from zareba.analysis.answers.summary import summarise
from zareba.analysis.compare import Comparison, compare
from zareba.analysis.games.records import Variant
from zareba.analysis.statistics.estimates import Difference, compare_columns
from zareba.analysis.statistics.robustness import robustness
from zareba.report import render

AGENTS = (("british", "doctrine"), ("zulu", "doctrine"))


def played(first: str, second: str, games: int = 60) -> Comparison:
    """Two systems of the toy battle, called a and b."""
    return compare("s", [Variant("a", first), Variant("b", second)], games, 5, 1, AGENTS, run_games)


def length(comparison: Comparison) -> Difference:
    return next(one for one in compare_columns(comparison.columns()) if one.metric == "M5")


@pytest.mark.parametrize(
    ("others", "holds"),
    [
        ([("mild", "fierce")], "holds under all"),
        ([("mild", "fierce"), ("fierce", "mild")], "depends on the players"),
        ([("mild", "fierce"), ("mild", "mild")], "not shown under all"),
    ],
)
def test_a_claim_holds_or_does_not(others: list[tuple[str, str]], holds: str) -> None:
    claim = length(played("mild", "fierce"))
    assert claim.shown
    (found,) = robustness([claim], {str(n): played(*pair).columns() for n, pair in enumerate(others)})
    assert (found["metric"], found["holds"], len(found["under"])) == ("M5", holds, len(others))


def test_only_claims_are_repeated_and_the_report_tells_of_them() -> None:
    assert (
        robustness([replace(length(played("mild", "mild")), p_holm=1.0)], {"bold": played("mild", "mild").columns()})
        == []
    )
    main = played("mild", "fierce")
    assert summarise(main)["robustness"] == []
    whole = replace(main, between_others={"bold": played("mild", "fierce"), "cautious": played("fierce", "mild")})
    summary = summarise(whole)
    assert {one["holds"] for one in summary["robustness"]} == {"depends on the players"}
    (speed,) = (verdict["text"] for verdict in summary["verdicts"] if verdict["id"] == "speed")
    assert "That depends on the players: a and b." in speed
    html = render(summary, whole.records).html
    assert "Is it the rules?" in html and "between bold commanders" in html and "depends on the players" in html
    assert any(
        "repeated between other commanders, bold (60 games), cautious (60 games)" in note for note in summary["method"]
    )
