"""The odds procedures of this ruleset. They run the same code as play and are grouped by chapter."""

from zareba_rulesets.paychest.odds import fire, guns, melee, morale, moves  # noqa: F401  # each adds its procedures
from zareba_rulesets.paychest.odds.closed import PROCEDURES

__all__ = ["PROCEDURES"]
