"""The odds of a battle of two units, of a double fire, and of an attack on a commander (chapters 11 to 15)."""

from __future__ import annotations

from dataclasses import dataclass

from zareba.base.errors import ZarebaError
from zareba.odds import Situation
from zareba.rules import Rules
from zareba_rulesets.afriboria.book.numbers import AfrBook
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, CommanderSpec
from zareba_rulesets.afriboria.odds.facts import BattleFacts, CommanderFacts
from zareba_rulesets.afriboria.odds.stage import DEFENDER, PROCEDURES, attack, small_table

__all__ = ["BattleOutcome"]


@dataclass(frozen=True)
class BattleOutcome:
    """`hits` of the attack and `kills` of those after saves and limits, `attackers_lost` to defence dice, `retreat` hexes
    forced by flags that were not saved, `lost_to_flags` figures where the retreat is blocked, `destroyed`: no defender is
    left on the field, `jammed`: the machine gun stopped."""

    hits: int
    kills: int
    attackers_lost: int
    retreat: int
    lost_to_flags: int
    destroyed: bool
    jammed: bool


@PROCEDURES.of("AFR-170", BattleOutcome)
def battle(rules: Rules, facts: BattleFacts) -> Situation:
    """One battle roll of a unit at a unit with everything that answers it."""
    return attack(small_table(rules, facts), facts, BattleOutcome)


@dataclass(frozen=True)
class DoubleFireOutcome:
    """Both shots of a double fire at one unit: `kills` in all, hexes of `retreat`, `lost_to_flags` where the way back is
    barred, `attackers_lost`, `shots` fired, `destroyed`: nobody is left on the field.

    Dice by cards are for the first shot; behind the target the ground is open.
    """

    kills: int
    retreat: int
    lost_to_flags: int
    attackers_lost: int
    shots: int
    destroyed: bool


@PROCEDURES.of("AFR-165", DoubleFireOutcome)
def double_fire(rules: Rules, facts: BattleFacts) -> Situation:
    """Both shots of A-class foot that has not moved, on a plain."""
    book = AfrBook(rules)
    if not book.profiles[facts.attacker].double_fire or facts.range < 2:
        raise ZarebaError("only A-class foot fires twice, at targets 2 or more hexes away (AFR-165)")
    if book.settings.double_fire_targets == "different":
        raise ZarebaError("under these settings the two shots never go at one unit; ask for two battles (AFR-166)")
    return attack(small_table(rules, facts), facts, DoubleFireOutcome, ("loss", "retreat"), shots=2)


@dataclass(frozen=True)
class CommanderOutcome:
    """Whether he is `hit` for good (killed, or a character wounded), hexes of `retreat`, and whether he is `eliminated`:
    killed, or lost because he cannot go back."""

    hit: bool
    retreat: int
    eliminated: bool


@PROCEDURES.of("AFR-222", CommanderOutcome)
def attack_on_commander(rules: Rules, facts: CommanderFacts) -> Situation:
    """An attack on a commander without a unit."""
    if not AfrBook(rules).profiles[facts.attacker].storms:
        raise ZarebaError("only foot and mounted units attack a commander (AFR-220)")
    spec = CommanderSpec(DEFENDER, DEFENDER, "blue", officer=True, character=facts.character)
    return attack(small_table(rules, facts, target=Commander(OFF, spec=spec)), facts, CommanderOutcome)
