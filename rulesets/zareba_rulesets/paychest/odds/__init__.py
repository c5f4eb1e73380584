"""The odds procedures of this ruleset. They run the same code as play and are grouped by chapter."""

from zareba_rulesets.paychest.odds import fire, melee, moves  # noqa: F401  # each adds its procedures
from zareba_rulesets.paychest.odds.stage import PROCEDURES

__all__ = ["PROCEDURES"]
