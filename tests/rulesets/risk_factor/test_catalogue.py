"""Entries of the catalogue special to this ruleset. The tests shared by all rulesets are in test_catalogues.py."""

from __future__ import annotations

from zareba.registry import ruleset


def test_these_rules_can_run_a_side() -> None:
    assert ruleset("risk_factor").solo is True
