"""The set pieces of all systems under these rules: man for man, riflemen under command."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zareba.odds.set_pieces import LOST, MEN, SetPieceAnswer, SetPieceQuestion, Staged, back
from zareba.rules import Rules
from zareba_rulesets.risk_factor.book.numbers import RskBook

__all__ = ["set_pieces"]

GAP = 28.0
"""Centimetres over which a charge goes in."""
BACK = frozenset({"retreat", "rout"})


def set_pieces(rules: Rules) -> Staged:
    """How each of them is settled under these rules."""
    book = RskBook(rules)
    bayonet, spear = book.factor("rifle", True), book.factor("spear", False)

    def killed(outcome: Any) -> SetPieceAnswer:
        return SetPieceAnswer(Fraction(outcome.killed, MEN))

    def fire(band: str, told: str, **more: Any) -> list[SetPieceQuestion]:
        return [SetPieceQuestion("volley", {"shooters": MEN, "band": band, "unhurt": MEN, **more}, killed, told)]

    def charge(told: str, **more: Any) -> list[SetPieceQuestion]:
        facts = {"attackers": MEN, "defenders": MEN, "attackers_factor": spear, "defenders_factor": bayonet, **more}

        def round_(outcome: Any) -> SetPieceAnswer:
            lost, paid = Fraction(outcome.defenders_killed, MEN), Fraction(outcome.attackers_killed, MEN)
            return SetPieceAnswer(lost, paid, outcome.back in ("defenders", "both"))

        def reaches(outcome: Any) -> SetPieceAnswer:
            return SetPieceAnswer(home=outcome.contact)

        goes = {"in_range": True, "advancing": True, "distance": GAP, "allowance": book.moves["foot"]}
        return [
            SetPieceQuestion("melee", facts, round_, told),
            SetPieceQuestion(
                "charge_contact",
                goes,
                reaches,
                f"natives who advance, {GAP:g} cm away and within range, without orders",
            ),
        ]

    def morale(tenths: int) -> list[SetPieceQuestion]:
        facts = {"casualties": tenths, "in_range": True, "table": "melee"}
        return [SetPieceQuestion("action", facts, back(BACK), f"{tenths} tenths lost, within range of the enemy")]

    support = rules.settings["extensions.support_weapons"] == "on"
    return {
        "rifles_near": fire(
            "short", "a commanded volley at short range; the wounded stand, and morale is thrown for next turn"
        ),
        "rifles_middle": fire("medium", "the same at medium range"),
        "rifles_far": fire("long", "the same at long range"),
        "rifles_cover": fire("medium", "hard cover", cover="hard"),
        "rifles_charging": "who attacks is shot at like anybody else (RSK-086)",
        "rifles_skirmishing": "groups have no order by which they would be harder to hit (RSK-086)",
        "charge_formed": charge("a round of melee, the killed alone counted"),
        "charge_shaken": charge("against men who rout, who throw no dice", defenders_routing=True),
        "machine_gun": fire("medium", "by the setting extensions.support_weapons", weapon="machine_gun")
        if support
        else "machine guns are not in these rules but by the setting extensions.support_weapons (RSK-008)",
        "gun": "guns are not in these rules but by the setting extensions.support_weapons (RSK-008)"
        if not support
        else "the blast of a gun has no odds by facts (RSK-008)",
        **{piece: morale(int(10 * share)) for piece, share in LOST.items()},
    }
