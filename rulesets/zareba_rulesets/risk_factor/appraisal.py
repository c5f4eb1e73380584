"""What the options of a choice are worth, for commanders with sense (not a rule; means and distances only)."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.ruleset import Appraisal
from zareba.scenario import Scenario
from zareba.table import Choose, Confirm, Place
from zareba_rulesets.risk_factor.battle import Battle
from zareba_rulesets.risk_factor.translation import Plan

__all__ = ["appraise"]


def appraise(battle: Battle, scenario: Scenario, plan: Plan, question: Choose | Place | Confirm) -> Sequence[Appraisal]:
    """One appraisal for each option, in order."""
    if isinstance(question, Choose):
        return [Appraisal() for _ in question.options]
    return [Appraisal() for _ in (question.suggestions if isinstance(question, Place) else (False, True))]
