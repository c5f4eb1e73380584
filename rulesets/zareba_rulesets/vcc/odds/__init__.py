"""The odds procedures of these rules, built from the same functions as play."""

from zareba_rulesets.vcc.odds import fire, melee, morale  # noqa: F401  # each adds its procedures
from zareba_rulesets.vcc.odds.stage import PROCEDURES

__all__ = ["PROCEDURES"]
