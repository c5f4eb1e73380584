"""Odds of melee: one man against one or two (PAY-136 to PAY-147)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from zareba.odds import Leg, Procedure, odds
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.book import PaychestBook
from zareba_rulesets.paychest.fates import Body, fates
from zareba_rulesets.paychest.melee import Fight, clash
from zareba_rulesets.paychest.odds.legs import UNHURT, DeckFacts, Fate, Skill, Wounds, counted_leg, kinds_of, word_of
from zareba_rulesets.paychest.odds.stage import bare_battle, bare_unit

__all__ = ["PROCEDURES", "MeleeFactsOfTwo"]


TROUBLES = ("body_wounds", "back_turned", "lame", "smashed_arms", "recovered", "unarmed")
"""What the facts tell of each man."""


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
    a_smashed_arms: Wounds = 0
    b_smashed_arms: Wounds = 0
    b2_smashed_arms: Wounds = 0
    a_recovered: bool = False
    b_recovered: bool = False
    b2_recovered: bool = False
    a_unarmed: bool = False
    b_unarmed: bool = False
    b2_unarmed: bool = False


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
        has = {name: getattr(facts, f"{letter}_{name}") for name in TROUBLES}
        wounds = {"crippled_leg": has["lame"], "body_wound": has["body_wounds"], "smashed_arm": has["smashed_arms"]}
        figure.wounds = tuple(wound for wound, times in wounds.items() for _ in range(times))
        marks = {"lame": has["lame"], "back turned": has["back_turned"], "recovered": has["recovered"]}
        figure.mark(*(mark for mark, there in marks.items() if there))
        figure.weapons = () if has["unarmed"] else figure.weapons
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
    """The excess as `melee` has it; its cards counted, those on two men with either as likely to be hit (PAY-144)."""
    bodies = [
        Body("able", wounds=lame + wounds, lame=lame)
        for lame, wounds in (
            (facts.a_lame, facts.a_body_wounds + facts.a_smashed_arms),
            (facts.b_lame, facts.b_body_wounds + facts.b_smashed_arms),
            (facts.b2_lame, facts.b2_body_wounds + facts.b2_smashed_arms),
        )
    ]
    a, b, b2 = ((bodies[0],), (bodies[1],), () if facts.b2_skill is None else (bodies[2],))
    spare: tuple[Body, ...] = ()
    if rules.settings["melee_excess_spread"] == "winner":  # one of the two, the first
        b2, spare = (), b2
    excess = odds(rules, MELEE, facts).outcomes
    deck, book = kinds_of(rules, DeckFacts()), PaychestBook(rules)
    collapse, laming = book.settings.collapse_at_wounds, book.file.leg_wounds_that_lame.wounds
    on_a = fates(deck, a, max(one.on_a for one in excess), collapse, laming)
    on_b = fates(deck, b + b2, max(one.on_b for one in excess), collapse, laming)
    found: dict[MeleeCasualtiesOutcome, Fraction] = {}
    for one, p in excess.items():
        for ours, q in on_a[one.on_a].items():
            for theirs, r in on_b[one.on_b].items():
                told = [word_of(body) for body in (*ours, *theirs, *spare)]
                outcome = MeleeCasualtiesOutcome(*told, *[UNHURT] * (3 - len(told)))
                found[outcome] = found.get(outcome, Fraction(0)) + p * q * r
    return [counted_leg(found)]


MELEE = Procedure(
    "melee",
    "PAY-139",
    "Excess hits of one man against one or two",
    MeleeFactsOfTwo,
    MeleeExcessOutcome,
    melee_excess_legs,
)

PROCEDURES = (
    MELEE,
    Procedure(
        "melee_casualties",
        "PAY-141",
        "A melee with its casualty cards",
        MeleeFactsOfTwo,
        MeleeCasualtiesOutcome,
        melee_casualty_legs,
    ),
)
