"""The procedures of these rules whose odds can be asked, built from the functions that play uses."""

from __future__ import annotations

from zareba_rulesets.risk_factor.odds.action import ACTIONS
from zareba_rulesets.risk_factor.odds.command import COMMAND
from zareba_rulesets.risk_factor.odds.fight import FIGHTS
from zareba_rulesets.risk_factor.odds.ground import GROUND

__all__ = ["PROCEDURES"]

PROCEDURES = {procedure.name: procedure for procedure in (*COMMAND, *ACTIONS, *FIGHTS, *GROUND)}
