"""The set pieces that all rulesets share, under these rules: with figures as men, and riflemen under command."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zareba.odds.set_pieces import LOST, MEN, SetPieceAnswer, SetPieceQuestion, Staged, drives_back
from zareba.rules import Rules
from zareba_rulesets.risk_factor.book import RskBook

GAP = 28.0
"""The distance of a charge in cm."""
BACK = frozenset({"retreat", "rout"})


def set_pieces(rules: Rules) -> Staged:
    """Return the questions that answer each set piece under these rules."""
    book = RskBook(rules)
    bayonet, spear = book.factor("rifle", True), book.factor("spear", False)

    def loss_share(outcome: Any) -> SetPieceAnswer:
        return SetPieceAnswer(Fraction(outcome.killed, MEN))

    def fire(band: str, description: str, **more: Any) -> list[SetPieceQuestion]:
        return [
            SetPieceQuestion("volley", {"shooters": MEN, "band": band, "unhurt": MEN, **more}, loss_share, description)
        ]

    def charge(description: str, **more: Any) -> list[SetPieceQuestion]:
        facts = {"attackers": MEN, "defenders": MEN, "attackers_factor": spear, "defenders_factor": bayonet, **more}

        def round_(outcome: Any) -> SetPieceAnswer:
            loss, own_loss = Fraction(outcome.defenders_killed, MEN), Fraction(outcome.attackers_killed, MEN)
            return SetPieceAnswer(loss, own_loss, outcome.back in ("defenders", "both"))

        def reaches(outcome: Any) -> SetPieceAnswer:
            return SetPieceAnswer(home=outcome.contact)

        contact_facts = {"in_range": True, "advancing": True, "distance": GAP, "allowance": book.moves["foot"]}
        return [
            SetPieceQuestion("melee", facts, round_, description),
            SetPieceQuestion(
                "charge_contact",
                contact_facts,
                reaches,
                f"advancing natives {GAP:g} cm away, within range and without orders",
            ),
        ]

    def morale(tenths: int) -> list[SetPieceQuestion]:
        facts = {"casualties": tenths, "in_range": True, "table": "melee"}
        return [
            SetPieceQuestion("action", facts, drives_back(BACK), f"{tenths} tenths lost, within range of the enemy")
        ]

    support = rules.settings["extensions.support_weapons"] == "on"
    return {
        "rifles_near": fire(
            "short", "a commanded volley at short range; the wounded stay, and morale is tested next turn"
        ),
        "rifles_middle": fire("medium", "the same at medium range"),
        "rifles_far": fire("long", "the same at long range"),
        "rifles_cover": fire("medium", "hard cover", cover="hard"),
        "rifles_charging": "attackers are shot at like any other target (RSK-086)",
        "rifles_skirmishing": "no formation makes a group harder to hit (RSK-086)",
        "charge_formed": charge("a round of melee; only the killed are counted"),
        "charge_shaken": charge("against routers, who throw no dice", defenders_routing=True),
        "machine_gun": fire("medium", "with the setting extensions.support_weapons", weapon="machine_gun")
        if support
        else "machine guns are in these rules only with the setting extensions.support_weapons (RSK-008)",
        "gun": "guns are in these rules only with the setting extensions.support_weapons (RSK-008)"
        if not support
        else "no odds are available for the blast of a gun (RSK-008)",
        **{piece: morale(int(10 * share)) for piece, share in LOST.items()},
    }
