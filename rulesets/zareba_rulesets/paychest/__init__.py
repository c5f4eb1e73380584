"""Paychest by Patrick Bailey and Michael Pennock: single figures, a roster, a card for every unit."""

from __future__ import annotations

from pathlib import Path

import zareba
from zareba.plugins.ruleset import OutOfTurn, Ruleset
from zareba.rules import Printed


@zareba.hookimpl
def zareba_ruleset() -> Ruleset:
    """Give the ruleset; its modules are loaded here, when somebody asks for it."""
    from zareba_rulesets.paychest.book.tables import PaychestFile
    from zareba_rulesets.paychest.chapters.fire.out_of_turn import shoot_out_of_turn, targets_out_of_turn
    from zareba_rulesets.paychest.chapters.melee import MeleeFacts
    from zareba_rulesets.paychest.chapters.to_hit import FireFacts
    from zareba_rulesets.paychest.game import PaychestGame
    from zareba_rulesets.paychest.odds import PROCEDURES
    from zareba_rulesets.paychest.odds.set_pieces import set_pieces
    from zareba_rulesets.paychest.translation.overrides import Overrides
    from zareba_rulesets.paychest.translation.templates import force_of

    folder = Path(__file__).parent
    return Ruleset(
        "paychest",
        folder=folder,
        file=PaychestFile,
        game=PaychestGame,
        procedures=PROCEDURES,
        facts={"movement": Printed, "range": Printed, "morale": Printed, "firearms": FireFacts, "melee": MeleeFacts},
        force=force_of,
        overrides=Overrides,
        set_pieces=set_pieces,
        out_of_turn=OutOfTurn(targets_out_of_turn, shoot_out_of_turn),
    )
