"""The procedures of these rules whose odds can be asked, built from the functions that play uses."""

from __future__ import annotations

from zareba_rulesets.risk_factor.odds.action import ACTIONS
from zareba_rulesets.risk_factor.odds.command import COMMAND
from zareba_rulesets.risk_factor.odds.ground import GROUND
from zareba_rulesets.risk_factor.odds.melee import MELEES
from zareba_rulesets.risk_factor.odds.shooting import SHOOTING

__all__ = ["PROCEDURES"]

PROCEDURES = {procedure.name: procedure for procedure in (*COMMAND, *ACTIONS, *SHOOTING, *MELEES, *GROUND)}
