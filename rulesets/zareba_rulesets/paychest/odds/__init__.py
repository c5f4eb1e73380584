"""The procedures of these rules whose odds can be asked, which run what play runs; by chapter."""

from zareba_rulesets.paychest.odds import fire, guns, melee, morale, moves  # noqa: F401  # each adds its procedures
from zareba_rulesets.paychest.odds.closed import PROCEDURES

__all__ = ["PROCEDURES"]
