"""The procedures of these rules with odds, in the order of the chapters."""

from zareba_rulesets.fixed_baynet.odds import artillery, fire  # noqa: F401  # each adds its procedures
from zareba_rulesets.fixed_baynet.odds.stage import PROCEDURES

__all__ = ["PROCEDURES"]
