"""The set pieces common to all systems, under these rules: one unit at full strength against another."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zareba.base.grammar import amount
from zareba.odds.set_pieces import LOST, SetPieceAnswer, SetPieceQuestion, Staged
from zareba.rules import Rules
from zareba_rulesets.afriboria.book import AfrBook

_NO_MORALE = "there are no morale checks; flags on the battle dice drive units back at once (AFR-170)"


def set_pieces(rules: Rules) -> Staged:
    """Return each set piece as a question to these rules."""
    book = AfrBook(rules)
    regular, warrior = book.profiles["inf_a"].figures, book.profiles["inf_c"].figures

    def read_losses(men: int) -> Any:
        def read_answer(outcome: Any) -> SetPieceAnswer:
            loss = min(men, outcome.kills + outcome.lost_to_flags)
            return SetPieceAnswer(Fraction(loss, men), gives_way=bool(outcome.retreat) or outcome.destroyed)

        return read_answer

    def fire(attacker: str, figures: int, hexes: int, description: str, *terrain: str) -> list[SetPieceQuestion]:
        twice = book.profiles[attacker].double_fire and hexes > 1 and book.settings.double_fire_targets != "different"
        facts = {
            "attacker": attacker, "attacker_figures": figures, "range": hexes, "terrain": terrain,
            "defender": "inf_c", "defender_figures": warrior, "defender_missile": False,
        }  # fmt: skip
        return [SetPieceQuestion("double_fire" if twice else "battle", facts, read_losses(warrior), description)]

    charge = {
        "attacker": "inf_c", "attacker_figures": warrior, "attacker_missile": False, "range": 1,
        "defender": "inf_a", "defender_figures": regular,
    }  # fmt: skip

    def assault(outcome: Any) -> SetPieceAnswer:
        read = read_losses(regular)(outcome)
        return SetPieceAnswer(read.lost, Fraction(outcome.attackers_lost, warrior), read.gives_way, home=True)

    return {
        "rifles_near": fire(
            "inf_a", regular, 1, f"{amount(regular, 'figure')} of A class at {warrior} of C class, 1 hex away"
        ),
        "rifles_middle": fire("inf_a", regular, 2, "2 hexes away: units that do not move fire twice"),
        "rifles_far": fire("inf_a", regular, 4, "4 hexes away: units that do not move fire twice"),
        "rifles_cover": fire(
            "inf_a", regular, 2, "2 hexes away, behind a wall", *book.file.mapping.linear_terrain["low_wall"]
        ),
        "rifles_charging": "charging units take fire like any other target (AFR-170)",
        "rifles_skirmishing": "units have no formation that is harder to hit (AFR-170)",
        "charge_formed": [
            SetPieceQuestion(
                "battle",
                charge,
                assault,
                "an attack from the next hex, and the defence; an adjacent unit always makes contact",
            )
        ],
        "charge_shaken": "units are never shaken or broken (AFR-170)",
        "machine_gun": fire("mg_foot", book.profiles["mg_foot"].figures, 3, "3 hexes away"),
        "gun": fire("art_field", book.profiles["art_field"].figures, 3, "3 hexes away"),
        **dict.fromkeys(LOST, _NO_MORALE),
    }
