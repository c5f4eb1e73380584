"""The set pieces that compare all systems, under these rules: man for man, with warriors in mass."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zareba.odds.set_pieces import LOST, MEN, SetPieceAnswer, SetPieceQuestion, Staged
from zareba.rules import Rules
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook

__all__ = ["set_pieces"]

BLOCK = 9
"""Men in the block under a shell: three ranks of three."""
NO_LOSS = "losses cause no glory test before half of a unit is lost (FBN-148)"


def set_pieces(rules: Rules) -> Staged:
    """Return how each set piece is resolved under these rules."""
    book = FbnBook(rules)
    regular, warrior = book.file.stat_lines["european"]["regular"], book.file.stat_lines["native"]["regular"]
    wall = book.terrain[book.file.mapping.linear_terrain["low_wall"]]

    def down(men: int) -> Any:
        return lambda outcome: SetPieceAnswer(Fraction(outcome.down, men))

    def rifles(band: str, text: str, **more: Any) -> list[SetPieceQuestion]:
        facts = {
            "ds": warrior.ds,
            "cs": regular.cs,
            "formation": "mass",
            "band": band,
            "shots": MEN,
            "men": MEN,
            **more,
        }
        return [SetPieceQuestion("volley", facts, down(MEN), text)]

    def blow(outcome: Any) -> SetPieceAnswer:
        return SetPieceAnswer(Fraction(outcome.loser == "defender"), Fraction(outcome.loser == "attacker"))

    blows = {
        "attacker_cs": warrior.cs, "defender_cs": regular.cs, "attacker_weapon": True, "defender_weapon": True,
    }  # fmt: skip
    crew = {"ds": warrior.ds, "cs": regular.cs, "formation": "mass"}

    return {
        "rifles_near": rifles("short", "one shot each at short range at men in mass; no immediate test"),
        "rifles_middle": rifles("medium", "the same at medium range"),
        "rifles_far": rifles("long", "the same at long range"),
        "rifles_cover": rifles("medium", "cover of a stone wall", cv=wall.cv),
        "rifles_charging": rifles("short", "at men charging in closed order", formation="closed", charging=True),
        "rifles_skirmishing": rifles("medium", "at men in open order", formation="open"),
        "charge_formed": [
            SetPieceQuestion("close_combat", blows, blow, "one blow, man against man; men in reach make contact")
        ],
        "charge_shaken": "panic makes men run, freeze or lie down; it does not change how they fight (FBN-163)",
        "machine_gun": [
            SetPieceQuestion(
                "machine_gun", {**crew, "band": "medium", "men": MEN}, down(MEN), "three salvos at medium range"
            )
        ],
        "gun": [
            SetPieceQuestion(
                "artillery_direct",
                {**crew, "gun": "light_gun", "distance": 30.0},
                down(BLOCK),
                f"a shell at {BLOCK} men in three ranks, 30 inches away",
            )
        ],
        **dict.fromkeys(LOST, NO_LOSS),
        "morale_half": [
            SetPieceQuestion(
                "glory",
                {"printed": warrior.gl, "gl": warrior.gl},
                _panics,
                "one glory event, and the glory test at the end of the turn",
            )
        ],
    }


def _panics(outcome: Any) -> SetPieceAnswer:
    return SetPieceAnswer(gives_way=outcome.panicked)
