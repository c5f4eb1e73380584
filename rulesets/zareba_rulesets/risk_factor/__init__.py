"""Richard Bradley's Risk Factor rules: single figures on an open table in centimetres, with sides that can run
themselves.
"""

from __future__ import annotations

from pathlib import Path

import zareba
from zareba.plugins.ruleset import OutOfTurn, Ruleset
from zareba.rules import PrintedValue


@zareba.hookimpl
def zareba_ruleset() -> Ruleset:
    """Return the ruleset. Its modules are imported here, on first use, to keep start-up fast."""
    from zareba_rulesets.risk_factor.actions import ORDERS
    from zareba_rulesets.risk_factor.book import RskFile
    from zareba_rulesets.risk_factor.chapters.action_throws import ActionDieFacts, RiskFacts
    from zareba_rulesets.risk_factor.chapters.casualties import DamageFacts
    from zareba_rulesets.risk_factor.chapters.command import CommandFacts
    from zareba_rulesets.risk_factor.chapters.melee import MeleeFacts
    from zareba_rulesets.risk_factor.chapters.shooting import shoot_out_of_turn, targets_out_of_turn
    from zareba_rulesets.risk_factor.companion import RskCompanion
    from zareba_rulesets.risk_factor.game import RskGame
    from zareba_rulesets.risk_factor.odds import PROCEDURES
    from zareba_rulesets.risk_factor.odds.stage import set_pieces
    from zareba_rulesets.risk_factor.translation import Overrides

    return Ruleset(
        id="risk_factor",
        folder=Path(__file__).parent,
        file=RskFile,
        game=RskGame,
        procedures=PROCEDURES,
        facts={
            "movement": PrintedValue,
            "range": PrintedValue,
            "command_distance": PrintedValue,
            "to_hit": PrintedValue,
            "command_dice": CommandFacts,
            "risk_factor": RiskFacts,
            "action_die": ActionDieFacts,
            "damage_die": DamageFacts,
            "melee_score": MeleeFacts,
        },
        actions=(ORDERS,),
        solo=True,
        overrides=Overrides,
        companion=RskCompanion,
        set_pieces=set_pieces,
        out_of_turn=OutOfTurn(targets_out_of_turn, shoot_out_of_turn),
    )
