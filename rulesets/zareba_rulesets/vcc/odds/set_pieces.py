"""The set pieces common to all systems, under these rules: twenty men are five bases, one of them the leader base
(VCC-011).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zareba.base.grammar import amount
from zareba.odds.set_pieces import LOST, MEN, SetPieceAnswer, SetPieceQuestion, Staged, back
from zareba.rules import Rules
from zareba_rulesets.vcc.book.numbers import VccBook

__all__ = ["set_pieces"]

BACK = frozenset({"falls_back", "breaks", "routs", "destroyed"})
"""Morale results that drive a unit from its place (VCC-153, VCC-154, VCC-156)."""
CREW = 4


def set_pieces(rules: Rules) -> Staged:
    """Return each set piece as a question to these rules."""
    book = VccBook(rules)
    profiles, to_base = book.file.profiles, rules.settings["figures_per_base.infantry"]
    regular, warrior = profiles["regular_infantry"], profiles["irregular_shock"]
    bases = -(-MEN // to_base)
    target = {"target_bases": bases - 1, "target_leader": True, "target_regular": warrior.regular}

    def fire(band: str, die: int, firers: dict[str, Any], description: str, **more: Any) -> list[SetPieceQuestion]:
        def came(outcome: Any) -> SetPieceAnswer:
            return SetPieceAnswer(Fraction(bases - outcome.bases_after_fire, bases), gives_way=outcome.result in BACK)

        return [
            SetPieceQuestion(
                "fire_step", {"band": band, "fire_die": die, **firers, **target, **more}, came, description
            )
        ]

    def rifles(band: str, description: str, **more: Any) -> list[SetPieceQuestion]:
        return fire(band, regular.fire_die, {"bases": bases - 1, "leader": True}, description, **more)

    def crew(name: str) -> list[SetPieceQuestion]:
        return fire("medium", profiles[name].fire_die, {"bases": CREW}, f"{CREW} gunners at medium range")

    def charge(description: str, **more: Any) -> list[SetPieceQuestion]:
        facts = {
            "a_bases": bases - 1, "a_melee_die": warrior.melee_die, "b_bases": bases - 1, "b_melee_die": regular.melee_die,
            "b_regular": regular.regular, **more,
        }  # fmt: skip

        def came(outcome: Any) -> SetPieceAnswer:
            loss, own_loss = (Fraction(bases - bases_left, bases) for bases_left in (outcome.b_bases, outcome.a_bases))
            return SetPieceAnswer(loss, own_loss, outcome.b_result in BACK, home=True)

        return [SetPieceQuestion("melee", facts, came, description)]

    def morale(lost: Fraction) -> list[SetPieceQuestion]:
        hits = book.settings.hits_per_base
        hits_taken = int(lost * bases * hits)
        facts = {"bases": bases - 1 - hits_taken // hits, "leader": True, "hits": hits_taken % hits}
        description = (
            f"{hits_taken // hits} of {amount(bases, 'base')} gone, {amount(hits_taken % hits, 'hit')} on the next"
        )
        return [SetPieceQuestion("morale", facts, back(BACK), description)]

    return {
        "rifles_near": rifles("close", "five bases at close range, and the morale check that follows"),
        "rifles_middle": rifles("medium", "the same at medium range"),
        "rifles_far": rifles("long", "the same at long range"),
        "rifles_cover": rifles("medium", "hard cover", cover="hard"),
        "rifles_charging": "charging units take fire like any other target (VCC-074)",
        "rifles_skirmishing": "foot has no formation that is harder to hit (VCC-083 to VCC-092)",
        "charge_formed": charge("a round of melee and the checks that follow; a charge in reach always makes contact"),
        "charge_shaken": charge("against a broken unit", b_broken=True),
        "machine_gun": crew("machine_gun"),
        "gun": crew("field_gun"),
        **{piece: morale(share) for piece, share in LOST.items()},
    }
