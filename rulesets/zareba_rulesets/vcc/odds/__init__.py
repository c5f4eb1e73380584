"""The procedures of these rules whose odds can be asked, built from the functions that play uses."""

from zareba_rulesets.vcc.odds import fire, melee, morale  # noqa: F401  # each adds its procedures
from zareba_rulesets.vcc.odds.stage import PROCEDURES

__all__ = ["PROCEDURES"]
