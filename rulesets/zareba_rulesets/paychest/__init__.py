"""Paychest by Patrick Bailey and Michael Pennock: a skirmish game of single figures with a card per unit."""

from __future__ import annotations

from pathlib import Path

import zareba
from zareba.plugins.ruleset import OutOfTurn, Ruleset
from zareba.rules import PrintedValue


@zareba.hookimpl
def zareba_ruleset() -> Ruleset:
    """Return the ruleset. Its modules are imported here, so that they load only on first use."""
    from zareba_rulesets.paychest.actions.tables import ACTION_TABLES
    from zareba_rulesets.paychest.book.tables import PaychestFile
    from zareba_rulesets.paychest.chapters.fire import FireFacts, shoot_out_of_turn, targets_out_of_turn
    from zareba_rulesets.paychest.chapters.melee import MeleeFacts
    from zareba_rulesets.paychest.companion import PaychestCompanion
    from zareba_rulesets.paychest.game import PaychestGame
    from zareba_rulesets.paychest.odds import PROCEDURES
    from zareba_rulesets.paychest.odds.stage import set_pieces
    from zareba_rulesets.paychest.translation import Overrides, make_force

    folder = Path(__file__).parent
    return Ruleset(
        "paychest",
        folder=folder,
        file=PaychestFile,
        game=PaychestGame,
        procedures=PROCEDURES,
        facts={
            "movement": PrintedValue,
            "range": PrintedValue,
            "morale": PrintedValue,
            "firearms": FireFacts,
            "melee": MeleeFacts,
        },
        force=make_force,
        overrides=Overrides,
        set_pieces=set_pieces,
        out_of_turn=OutOfTurn(targets_out_of_turn, shoot_out_of_turn),
        actions=ACTION_TABLES,
        companion=PaychestCompanion,
    )
