"""The procedures of these rules whose odds can be asked, built from the functions that play uses."""

from zareba_rulesets.afriboria.odds import air, battles, siege, walls  # noqa: F401  # each adds its procedures
from zareba_rulesets.afriboria.odds.stage import PROCEDURES

__all__ = ["PROCEDURES"]
