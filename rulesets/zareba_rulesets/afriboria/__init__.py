"""Afriboria by Rudi Geudens: hexes, command cards by colour, special battle dice, with aircraft and sieges."""

from __future__ import annotations

from pathlib import Path

import zareba
from zareba.plugins.ruleset import Ruleset
from zareba.rules import PrintedValue


@zareba.hookimpl
def zareba_ruleset() -> Ruleset:
    """Return the ruleset (AFR-001). Its modules are imported here, so that they load only when the ruleset is used."""
    from zareba_rulesets.afriboria.book import AfrFile
    from zareba_rulesets.afriboria.chapters.exchange import DiceFacts
    from zareba_rulesets.afriboria.companion import AfrCompanion
    from zareba_rulesets.afriboria.game import AfrGame
    from zareba_rulesets.afriboria.odds import PROCEDURES
    from zareba_rulesets.afriboria.odds.battles import set_pieces
    from zareba_rulesets.afriboria.translation import Overrides

    return Ruleset(
        id="afriboria",
        folder=Path(__file__).parent,
        file=AfrFile,
        game=AfrGame,
        procedures=PROCEDURES,
        facts={"movement": PrintedValue, "range": PrintedValue, "battle_dice": DiceFacts, "defence_dice": DiceFacts},
        instead_of_solo=(
            "its solo method is the setting solo_cards=two_and_die (--set in a command, a line under Settings on the"
            " page), by which you pick two cards of the hand and a die chooses one"
        ),
        overrides=Overrides,
        set_pieces=set_pieces,
        companion=AfrCompanion,
    )
