"""The procedures of these rules whose odds can be asked, built from the functions that play uses."""

from __future__ import annotations

from zareba_rulesets.risk_factor.odds_action import ACTIONS
from zareba_rulesets.risk_factor.odds_command import COMMAND
from zareba_rulesets.risk_factor.odds_fight import FIGHTS
from zareba_rulesets.risk_factor.odds_ground import GROUND

__all__ = ["PROCEDURES"]

PROCEDURES = {procedure.name: procedure for procedure in (*COMMAND, *ACTIONS, *FIGHTS, *GROUND)}
