"""The procedures of these rules that have odds. They run the same functions as play."""

from zareba_rulesets.risk_factor.odds import action, melee  # noqa: F401  # each adds its procedures
from zareba_rulesets.risk_factor.odds.stage import PROCEDURES

__all__ = ["PROCEDURES"]
