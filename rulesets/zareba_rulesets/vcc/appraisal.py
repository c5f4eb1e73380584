"""What the options of a choice are worth, for commanders with sense (not a rule; odds and distances only)."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.ruleset import Appraisal
from zareba.scenario import Scenario
from zareba.table import Choose
from zareba_rulesets.vcc.battle import Battle
from zareba_rulesets.vcc.translation import Translation

__all__ = ["appraise"]


def appraise(battle: Battle, scenario: Scenario, plan: Translation, question: Choose) -> Sequence[Appraisal]:
    """One appraisal for each option, in order."""
    return [Appraisal() for _ in question.options]
