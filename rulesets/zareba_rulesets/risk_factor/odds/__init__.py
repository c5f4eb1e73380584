"""The procedures of these rules whose odds can be asked, built from the functions that play uses."""

from zareba_rulesets.risk_factor.odds import action, command, ground, melee, shooting  # noqa: F401  # each adds its procedures
from zareba_rulesets.risk_factor.odds.stage import PROCEDURES

__all__ = ["PROCEDURES"]
