"""The shipped rule systems as parameters of tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from zareba.scenario import shipped_scenarios

RULESETS = ("afriboria", "fixed_baynet", "paychest", "risk_factor", "vcc")


def each_ruleset(*ordinary: str) -> list[Any]:
    """Return all rulesets as parameters of a test. Only the named ones run in the ordinary suite."""
    return [name if name in ordinary else pytest.param(name, marks=pytest.mark.deep) for name in RULESETS]


def each_battle(*ordinary: str, among: Sequence[str] = ()) -> list[Any]:
    """Return the shipped battles, or some of them, as parameters of a test. Only the named ones run in the ordinary
    suite.
    """
    battles = among or shipped_scenarios()
    return [name if name in ordinary else pytest.param(name, marks=pytest.mark.deep) for name in battles]
