"""Fixed Bay'net an' Uncovered 'elmet by John Bell: single figures on an open table, with alternating unit
activations.
"""

from __future__ import annotations

from pathlib import Path

import zareba
from zareba.plugins.ruleset import OutOfTurn, Ruleset
from zareba.rules import PrintedValue


@zareba.hookimpl
def zareba_ruleset() -> Ruleset:
    """Return the ruleset. Its modules are imported here, so that nothing is loaded before it is needed."""
    from zareba_rulesets.fixed_baynet.actions.activation import MAN_ACTIONS, UNIT_ACTIONS
    from zareba_rulesets.fixed_baynet.book.tables import FbnFile
    from zareba_rulesets.fixed_baynet.chapters.artillery import BlastFacts
    from zareba_rulesets.fixed_baynet.chapters.fire import ShotFacts, shoot_out_of_turn, targets_out_of_turn
    from zareba_rulesets.fixed_baynet.chapters.melee import FightFacts
    from zareba_rulesets.fixed_baynet.companion import FbnCompanion
    from zareba_rulesets.fixed_baynet.game import FbnGame
    from zareba_rulesets.fixed_baynet.odds import PROCEDURES
    from zareba_rulesets.fixed_baynet.odds.stage import set_pieces
    from zareba_rulesets.fixed_baynet.translation import Overrides

    return Ruleset(
        id="fixed_baynet",
        folder=Path(__file__).parent,
        file=FbnFile,
        game=FbnGame,
        procedures=PROCEDURES,
        facts={
            "movement": PrintedValue,
            "range": PrintedValue,
            "counters": PrintedValue,
            "glory": PrintedValue,
            "fire": ShotFacts,
            "blast": BlastFacts,
            "close_combat": FightFacts,
        },
        overrides=Overrides,
        set_pieces=set_pieces,
        out_of_turn=OutOfTurn(targets_out_of_turn, shoot_out_of_turn),
        actions=(UNIT_ACTIONS, MAN_ACTIONS),
        companion=FbnCompanion,
    )
