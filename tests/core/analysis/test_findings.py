"""The findings of a comparison in words."""

from __future__ import annotations

from zareba.analysis.findings.findings import in_figures


def test_a_value_that_rounds_to_zero_has_no_sign() -> None:
    assert in_figures(-0.0001, "share") == "0.0\u00a0%"
    assert in_figures(-0.001, "turns") == "0.0"
    assert in_figures(-0.02, "share") == "−2.0\u00a0%"
