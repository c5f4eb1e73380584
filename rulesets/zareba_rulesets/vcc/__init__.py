"""Victorian Colonial Combat by Tod Kershner: a grid of boxes, eight fixed steps a turn, dice pools whose pips are
hits.
"""

from __future__ import annotations

from pathlib import Path

import zareba
from zareba.plugins.ruleset import OutOfTurn, Ruleset
from zareba.rules import PrintedValue


@zareba.hookimpl
def zareba_ruleset() -> Ruleset:
    """Return the ruleset. Its modules are imported here, so that they load only when the ruleset is used."""
    from zareba_rulesets.vcc.book import VccFile
    from zareba_rulesets.vcc.chapters.casualties import LeaderHitFacts
    from zareba_rulesets.vcc.chapters.fire import FireFacts, targets_out_of_turn
    from zareba_rulesets.vcc.chapters.melee import MeleeFacts
    from zareba_rulesets.vcc.chapters.morale import MoraleFacts, RallyFacts, shoot_out_of_turn
    from zareba_rulesets.vcc.companion import VccCompanion
    from zareba_rulesets.vcc.game import VccGame
    from zareba_rulesets.vcc.odds import PROCEDURES, set_pieces
    from zareba_rulesets.vcc.translation import Overrides

    return Ruleset(
        id="vcc",
        folder=Path(__file__).parent,
        file=VccFile,
        game=VccGame,
        procedures=PROCEDURES,
        facts={
            "movement": PrintedValue,
            "range": PrintedValue,
            "fire_dice": FireFacts,
            "melee_dice": MeleeFacts,
            "morale": MoraleFacts,
            "rally": RallyFacts,
            "leader_hit": LeaderHitFacts,
        },
        overrides=Overrides,
        set_pieces=set_pieces,
        companion=VccCompanion,
        out_of_turn=OutOfTurn(targets_out_of_turn, shoot_out_of_turn),
    )
