"""The odds procedures of these rules, built from the same functions as play."""

from zareba_rulesets.afriboria.odds import battles  # noqa: F401  # each adds its procedures
from zareba_rulesets.afriboria.odds.stage import PROCEDURES

__all__ = ["PROCEDURES"]
