"""Odds of melee: one figure against one or two (PAY-136 to PAY-147)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from zareba.odds import Formula, SmallBattle, after_step
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.paychest.chapters.melee import Fight, fight, hits_of, melee_facts
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.odds import stage
from zareba_rulesets.paychest.odds.closed import (
    ACTS,
    PROCEDURES,
    after_cards,
    body_of,
    skip_consequences,
    ways_to_hit,
    word_of,
)
from zareba_rulesets.paychest.odds.fates import Body
from zareba_rulesets.paychest.odds.stage import Fate, Skill, Wounds, man_as

__all__ = ["MEN", "MeleeFactsOfTwo"]

MEN = ("a", "b", "b2")
Fates = tuple[str, str, str]


@dataclass(frozen=True)
class MeleeFactsOfTwo:
    """Figure `a` against figure `b`, and also `b2` unless its skill is None. Skills are those of the roster."""

    a_skill: Skill
    b_skill: Skill
    b2_skill: Skill | None = None
    a_body_wounds: Wounds = 0
    b_body_wounds: Wounds = 0
    b2_body_wounds: Wounds = 0
    a_back_turned: bool = False
    b_back_turned: bool = False
    b2_back_turned: bool = False
    a_lame: bool = False
    b_lame: bool = False
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


@PROCEDURES.of("PAY-139", closed=skip_consequences(), on_a=int, on_b=int)
def melee(rules: Rules, facts: MeleeFactsOfTwo) -> SmallBattle:
    """Excess hits of one figure against one or two.

    Hits left on each side after they cancel (PAY-140).
    """
    spots = {"a": (10.0, 10.0), "b": (11.0, 10.0), "b2": (9.0, 10.0)}
    enemies = MEN if facts.b2_skill is not None else MEN[:2]
    units = [
        stage.bare_unit(man, "red" if man == "a" else "blue", [spots[man]], melee=getattr(facts, f"{man}_skill"))
        for man in enemies
    ]
    battle = stage.bare_battle(rules, units)
    most_hits, fewest = [0, 0], [0, 0]
    for man, unit in zip(enemies, units, strict=True):
        (figure,) = unit.figures.values()
        man_as(battle.book, figure, facts, f"{man}_")
        stage.refuse_who_is_down(battle.book, figure, f"{man}_body_wounds, {man}_smashed_arms, {man}_lame")
        skill = rules.tallies["melee"].total(melee_facts(battle, figure))
        most_hits[man != "a"] += hits_of(skill, 1)
        fewest[man != "a"] += hits_of(skill, 6)
    one = Fight(("a.1",), tuple(f"{man}.1" for man in enemies[1:]))

    def act(table: Table, battle: Battle, _: None) -> tuple[int, int]:
        ours, theirs = fight(table, battle, one)
        return max(0, theirs - ours), max(0, ours - theirs)

    paths = len(battle.book.cards) ** max(0, most_hits[0] - fewest[1], most_hits[1] - fewest[0])
    return SmallBattle(battle, [act], paths=paths)


def fates_of(men: Sequence[Body]) -> Fates:
    return word_of(men[0]), word_of(men[1]), word_of(men[2]) if len(men) > 2 else "unhurt"


def casualty_chances(rules: Rules, facts: MeleeFactsOfTwo) -> dict[Fates, Fraction]:
    """Return the chances of each combination of fates, by formula.

    Hits on two figures fall on either with equal chance, or all on the first if the winner chooses (PAY-144).
    """
    situation = melee(rules, facts)
    excess, battle = ways_to_hit(rules, situation), situation.start
    a, *others = (body_of(figure) for unit in battle.units.values() for figure in unit.figures.values())
    hits = 1 if rules.settings["melee_excess_spread"] == "winner" else 2
    on_a = after_cards(rules, stage.DeckFacts(), (a,), max(ours for ours, _ in excess))
    on_b = after_cards(rules, stage.DeckFacts(), tuple(others[:hits]), max(theirs for _, theirs in excess))

    def fates_of_fallen(left: tuple[int, int]) -> Iterator[tuple[Fates, Fraction]]:
        for (mine, p), (his, q) in product(on_a[left[0]].items(), on_b[left[1]].items()):
            yield fates_of((*mine, *his, *others[hits:])), p * q

    return after_step(excess, fates_of_fallen)


@PROCEDURES.of("PAY-141", closed=Formula(casualty_chances, ACTS), a=Fate, b=Fate, b2=Fate)
def melee_casualties(rules: Rules, facts: MeleeFactsOfTwo) -> SmallBattle:
    """A melee with its casualty cards.

    The fate of each figure; b2 is "unhurt" if it took no part.
    """

    def outcome(battle: Battle, _: object) -> Fates:
        return fates_of([body_of(battle.figure(f"{man}.1")) for man in MEN if man in battle.units])

    return replace(melee(rules, facts), outcome=outcome)
