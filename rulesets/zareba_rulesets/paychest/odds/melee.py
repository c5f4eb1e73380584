"""Odds of melee: one man against one or two (PAY-136 to PAY-147)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from zareba.odds import Leg, Procedure
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.casualties import strike
from zareba_rulesets.paychest.melee import Fight, clash, victims
from zareba_rulesets.paychest.odds.legs import DeckFacts, Fate, Skill, Wounds, fate_of, merged_deck
from zareba_rulesets.paychest.trial import bare_battle, bare_unit, state_key

__all__ = ["PROCEDURES", "MeleeFactsOfTwo"]


@dataclass(frozen=True)
class MeleeFactsOfTwo:
    """Man `a` against man `b`, and `b2` beside him when his skill is not None. Skills as on the roster."""

    a_skill: Skill
    b_skill: Skill
    b2_skill: Skill | None = None
    a_body_wounds: Wounds = 0
    b_body_wounds: Wounds = 0
    a_back_turned: bool = False
    b_back_turned: bool = False
    a_lame: bool = False
    b_lame: bool = False
    b2_body_wounds: Wounds = 0
    b2_back_turned: bool = False
    b2_lame: bool = False


@dataclass(frozen=True)
class MeleeExcessOutcome:
    """Hits left on each side after they cancel (PAY-140)."""

    on_a: int
    on_b: int


@dataclass(frozen=True)
class MeleeCasualtiesOutcome:
    """What has become of each man; b2 is "unhurt" when he was not there."""

    a: Fate
    b: Fate
    b2: Fate


def melee_battle(rules: Rules, facts: MeleeFactsOfTwo) -> tuple[Battle, Fight]:
    a = bare_unit("a", "red", [(10.0, 10.0)], melee=facts.a_skill)
    spots = [(11.0, 10.0)] if facts.b2_skill is None else [(11.0, 10.0), (9.0, 10.0)]
    b = bare_unit("b", "blue", spots, melee=facts.b_skill)
    if facts.b2_skill is not None:
        second = bare_unit("b", "blue", spots, melee=facts.b2_skill).figures["b.2"]
        b.figures["b.2"] = second
    for letter, figure in zip(("a", "b", "b2"), (a.figures["a.1"], *b.figures.values()), strict=False):
        lame = ("crippled_leg",) if getattr(facts, f"{letter}_lame") else ()
        figure.wounds = (*lame, *("body_wound",) * getattr(facts, f"{letter}_body_wounds"))
        turned = ("back turned",) if getattr(facts, f"{letter}_back_turned") else ()
        figure.mark(*turned, *(("lame",) if lame else ()))
    return bare_battle(rules, [a, b]), Fight(("a.1",), tuple(b.figures))


def melee_excess_legs(rules: Rules, facts: MeleeFactsOfTwo) -> list[Leg]:
    def start() -> Battle:
        return melee_battle(rules, facts)[0]

    one = melee_battle(rules, facts)[1]

    def stage(table: Table, battle: Battle) -> None:
        ours, theirs = clash(table, battle, one)
        battle.order = [str(max(0, theirs - ours)), str(max(0, ours - theirs))]

    return [Leg(start, [stage], lambda b: tuple(b.order), lambda b: (int(b.order[0]), int(b.order[1])))]


def melee_casualty_legs(rules: Rules, facts: MeleeFactsOfTwo) -> list[Leg]:
    """The dice first, then the cards of the excess one by one, so that equal states merge in between."""
    one = melee_battle(rules, facts)[1]
    deck = merged_deck(rules, DeckFacts())
    most = facts.a_skill + facts.b_skill + (facts.b2_skill or 0)

    def roll(table: Table, battle: Battle) -> None:
        ours, theirs = clash(table, battle, one)
        battle.casualties = deck.copy()
        battle.order = [str(theirs - ours)]

    def card(table: Table, battle: Battle) -> None:
        excess = int(battle.order[0])
        if excess:
            losers, winners = (one.ours, one.theirs) if excess > 0 else (one.theirs, one.ours)
            (victim,) = victims(table, battle, losers, winners, 1)
            strike(table, battle, battle.figure(victim), None, "melee", [])
            over = all(battle.figure(name).fate == "dead" for name in losers)
            battle.order = ["0" if over else str(excess - 1 if excess > 0 else excess + 1)]
            battle.change(victim.rpartition(".")[0]).hits = 0

    def fates(battle: Battle) -> tuple[str, ...]:
        return tuple([fate_of(battle.figure(name)) for name in (*one.ours, *one.theirs)])

    def key(battle: Battle) -> Hashable:
        """Once no card is to come, the deck no longer matters, nor how a man came by his fate."""
        return fates(battle) if battle.order == ["0"] else state_key(battle)

    def result(battle: Battle) -> tuple[str, str, str]:
        a, b, *b2 = fates(battle)
        return a, b, b2[0] if b2 else "unhurt"

    return [Leg(lambda: melee_battle(rules, facts)[0], [roll, *[card] * most], key, result)]


PROCEDURES = (
    Procedure(
        "melee",
        "PAY-139",
        "Excess hits of one man against one or two",
        MeleeFactsOfTwo,
        MeleeExcessOutcome,
        melee_excess_legs,
        lambda r: MeleeExcessOutcome(*r),
    ),
    Procedure(
        "melee_casualties",
        "PAY-141",
        "A melee with its casualty cards",
        MeleeFactsOfTwo,
        MeleeCasualtiesOutcome,
        melee_casualty_legs,
        lambda r: MeleeCasualtiesOutcome(*r),
    ),
)
