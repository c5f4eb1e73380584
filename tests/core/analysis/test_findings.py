"""The findings of a comparison in words."""

from __future__ import annotations

from zareba.analysis.findings import findings
from zareba.analysis.findings.findings import in_figures
from zareba.analysis.statistics.estimates import Estimate


def test_a_value_that_rounds_to_zero_has_no_sign() -> None:
    assert in_figures(-0.0001, "share") == "0.0\u00a0%"
    assert in_figures(-0.001, "turns") == "0.0"
    assert in_figures(-0.02, "share") == "−2.0\u00a0%"


def test_a_ruleset_in_both_lists_is_named_as_unclear() -> None:
    """The interval of b overlaps with those of both ends, which differ clearly."""
    intervals = {"a": (0.2, 0.1, 0.3), "b": (0.5, 0.2, 0.8), "c": (0.8, 0.7, 0.9)}
    estimates = {name: {"M10": [Estimate("mean", "mean", "share", *at, 9)]} for name, at in intervals.items()}
    answer = findings._answer("bloodiness", estimates, (), {})
    assert answer == "Most losses under c or b, fewest under a or b. The games do not show to which end b belongs."
