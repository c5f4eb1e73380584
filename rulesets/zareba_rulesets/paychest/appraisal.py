"""What the options of a question are worth, for commanders with sense (not a rule; odds and distances only)."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.ruleset import Appraisal
from zareba.table import Choose, Confirm, Place
from zareba_rulesets.paychest.battle import Battle

__all__ = ["appraise"]


def appraise(battle: Battle, question: Choose | Place | Confirm) -> Sequence[Appraisal]:
    """One appraisal for each option, in order."""
    if isinstance(question, Choose):
        return [Appraisal() for _ in question.options]
    if isinstance(question, Place):
        return [Appraisal() for _ in question.suggestions]
    return [Appraisal(), Appraisal()]
