"""The odds of a battle of two units, of a double fire, and of an attack on a commander (chapters 11 to 15)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zareba.odds import SmallBattle, refuse
from zareba.rules import Rules
from zareba_rulesets.afriboria.book.numbers import AfrBook
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, CommanderSpec
from zareba_rulesets.afriboria.odds.facts import BattleFacts, CommanderFacts
from zareba_rulesets.afriboria.odds.stage import DEFENDER, PROCEDURES, attack, small_table

__all__ = ["BattleOutcome"]


@dataclass(frozen=True)
class BattleOutcome:
    """The outcome of a battle.

    `hits` of the attack; `kills` among them after saves and limits; `attackers_lost` to defence dice; `retreat` hexes
    forced by unsaved flags; `lost_to_flags` figures where the retreat is blocked; `destroyed`: no defender is left on
    the field; `jammed`: the machine gun jammed.
    """

    hits: int
    kills: int
    attackers_lost: int
    retreat: int
    lost_to_flags: int
    destroyed: bool
    jammed: bool


@PROCEDURES.of("AFR-170", BattleOutcome)
def battle(rules: Rules, facts: BattleFacts) -> SmallBattle:
    """One battle roll of a unit at a unit, with saves, defence and retreat."""
    return attack(small_table(rules, facts), facts, "battle")


TWICE: dict[str, Any] = {"kills": int, "retreat": int, "lost_to_flags": int, "attackers_lost": int, "shots": int}


@PROCEDURES.of("AFR-165", **TWICE, destroyed=bool)
def double_fire(rules: Rules, facts: BattleFacts) -> SmallBattle:
    """Both shots of A-class foot that has not moved, on a plain.

    Both shots at one unit: `kills` in all, hexes of `retreat`, `lost_to_flags` where the way back is barred,
    `attackers_lost`, `shots` fired, `destroyed`: no defender is left on the field.

    Dice by cards are for the first shot; behind the target the ground is open.
    """
    book = AfrBook(rules)
    refuse(
        not book.profiles[facts.attacker].double_fire or facts.range < 2,
        "only A-class foot fires twice, at targets 2 or more hexes away (AFR-165)",
    )
    refuse(
        book.settings.double_fire_targets == "different",
        "under these settings the two shots need different targets; ask for two battles (AFR-166)",
    )
    return attack(small_table(rules, facts), facts, "double_fire", ("loss", "retreat"), shots=2)


@PROCEDURES.of("AFR-222", hit=bool, retreat=int, eliminated=bool)
def attack_on_commander(rules: Rules, facts: CommanderFacts) -> SmallBattle:
    """An attack on a commander without a unit.

    `hit` if he is killed, or a character wounded; hexes of `retreat`; `eliminated` if he is killed, or lost because he
    cannot retreat.
    """
    refuse(
        not AfrBook(rules).profiles[facts.attacker].storms, "only foot and mounted units attack a commander (AFR-220)"
    )
    spec = CommanderSpec(DEFENDER, DEFENDER, "blue", officer=True, character=facts.character)
    return attack(small_table(rules, facts, target=Commander(OFF, spec=spec)), facts, "attack_on_commander")
