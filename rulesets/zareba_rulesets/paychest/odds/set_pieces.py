"""The set pieces that compare rulesets, under these rules: one figure for one man."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zareba.base.grammar import amount
from zareba.odds.set_pieces import LOST, MEN, SetPieceAnswer, SetPieceQuestion, Staged
from zareba.rules import Rules
from zareba_rulesets.paychest.book.numbers import PaychestBook

__all__ = ["set_pieces"]

DOWN = frozenset({"killed", "unconscious"})
GAP = 12.0
"""The distance in inches that a charge covers."""


def set_pieces(rules: Rules) -> Staged:
    """Return how these rules resolve each set piece."""
    book = PaychestBook(rules)
    regular, warrior = book.file.profiles["legionnaire"], book.file.profiles["arab_swordsman"]
    rifle, gun = book.file.weapons["rifle"], book.file.profiles["gunner"]

    def group(outcome: Any) -> SetPieceAnswer:
        return SetPieceAnswer(Fraction(outcome.killed + outcome.unconscious, MEN))

    def rifles(inches: float | None, description: str, **more: Any) -> list[SetPieceQuestion]:
        facts = {"firers": MEN, "group": MEN, "skill": regular.firearms, "inches": inches, **more}
        return [SetPieceQuestion("volley_losses", facts, group, description)]

    def charge(description: str, **more: Any) -> list[SetPieceQuestion]:
        def man(outcome: Any) -> SetPieceAnswer:
            return SetPieceAnswer(Fraction(outcome.b in DOWN), Fraction(outcome.a in DOWN))

        def reaches(outcome: Any) -> SetPieceAnswer:
            return SetPieceAnswer(home=outcome.run_reaches)

        return [
            SetPieceQuestion(
                "melee_casualties", {"a_skill": warrior.melee, "b_skill": regular.melee, **more}, man, description
            ),
            SetPieceQuestion("move", {"mover": "foot", "run_inches": GAP}, reaches, f"a man's run over {GAP:g} inches"),
        ]

    def morale(hits: int) -> list[SetPieceQuestion]:
        facts = {"kind": warrior.kind, "hits": hits}
        return [
            SetPieceQuestion(
                "morale",
                facts,
                _answer_of_morale,
                f"{amount(hits, 'hit')} in a turn, with the second roll after a failure",
            )
        ]

    return {
        "rifles_near": rifles(rifle.short, "one volley at short range; morale is tested by the hits of a turn"),
        "rifles_middle": rifles(rifle.medium, "one volley at medium range"),
        "rifles_far": rifles(rifle.long, "one volley at long range"),
        "rifles_cover": rifles(rifle.medium, "hard cover", cover="hard", exposure="low_wall"),
        "rifles_charging": "charging figures are targets like any others (PAY-111)",
        "rifles_skirmishing": "no formations: figures stand singly (PAY-111)",
        "charge_formed": charge("a round of one man against one"),
        "charge_shaken": charge("against a man who has turned his back", b_back_turned=True),
        "machine_gun": [
            SetPieceQuestion(
                "machine_gun_losses",
                {"skill": gun.firearms, "inches": 20.0, "group": MEN},
                group,
                "one burst at 20 inches",
            )
        ],
        "gun": [
            SetPieceQuestion(
                "shell", {"skill": gun.firearms, "inches": 30.0, "group": MEN}, group, "one shell at 30 inches"
            )
        ],
        **{piece: morale(int(share * MEN)) for piece, share in LOST.items()},
    }


def _answer_of_morale(outcome: Any) -> SetPieceAnswer:
    return SetPieceAnswer(gives_way=outcome.result.startswith(("rout", "fall_back")))
