"""Victorian Colonial Combat by Tod Kershner: boxes, fixed phases, volleys whose pips are hits."""

from __future__ import annotations

from pathlib import Path

import zareba
from zareba.plugins.ruleset import OutOfTurn, Ruleset
from zareba.rules import Printed


@zareba.hookimpl
def zareba_ruleset() -> Ruleset:
    """Give the ruleset; its modules are loaded here, when somebody asks for it."""
    from zareba_rulesets.vcc.book.tables import VccFile
    from zareba_rulesets.vcc.chapters.casualties.leaders import LeaderHitFacts
    from zareba_rulesets.vcc.chapters.fire.fire import FireFacts, targets_out_of_turn
    from zareba_rulesets.vcc.chapters.melee import MeleeFacts
    from zareba_rulesets.vcc.chapters.morale.morale import MoraleFacts
    from zareba_rulesets.vcc.chapters.morale.out_of_turn import shoot_out_of_turn
    from zareba_rulesets.vcc.chapters.morale.rally import RallyFacts
    from zareba_rulesets.vcc.game import VccGame
    from zareba_rulesets.vcc.odds import PROCEDURES
    from zareba_rulesets.vcc.odds.set_pieces import set_pieces
    from zareba_rulesets.vcc.translation.overrides import Overrides

    return Ruleset(
        id="vcc",
        folder=Path(__file__).parent,
        file=VccFile,
        game=VccGame,
        procedures=PROCEDURES,
        facts={
            "movement": Printed,
            "range": Printed,
            "fire_dice": FireFacts,
            "melee_dice": MeleeFacts,
            "morale": MoraleFacts,
            "rally": RallyFacts,
            "leader_hit": LeaderHitFacts,
        },
        overrides=Overrides,
        set_pieces=set_pieces,
        out_of_turn=OutOfTurn(targets_out_of_turn, shoot_out_of_turn),
    )
