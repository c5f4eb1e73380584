"""Odds of melee: matches, and whole melees match by match (RSK-164 to RSK-180)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations_with_replacement, product
from math import factorial, prod
from typing import Annotated, Literal

from pydantic import Field

from zareba.errors import ZarebaError
from zareba.odds import Leg, Procedure, Slate
from zareba.rules import Rules
from zareba.table import Table, enumerate_paths
from zareba.tally import Tally
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.hits import KILL, WOUND
from zareba_rulesets.risk_factor.match import Blow, Fighter, MeleeFacts, blows, melee_facts, score, spread
from zareba_rulesets.risk_factor.odds.limits import Factor, Group, Men
from zareba_rulesets.risk_factor.odds.spread import Spread, draws, mixed, together, twice_struck

__all__ = ["MELEES", "Kind", "MeleeFightFacts", "Pairing"]

Opponents = Annotated[int, Field(ge=1, le=8)]
Fate = Literal["unhurt", "wounded", "killed"]
SINGLE = "single"
Kind = tuple[bool, bool, Factor, bool, bool]
"""A man in a match: raw, Hero or superior, his melee factor, crossing an obstacle, routing."""
Pairing = tuple[Kind, Annotated[tuple[Kind, ...], Field(min_length=1, max_length=8)]]
"""A man and his opponents."""


@dataclass(frozen=True)
class MatchFacts:
    """One man against `opponents` men all alike, nobody wounded before.

    `..._factor` melee factors; `..._crossing`: fights over an obstacle; `..._routing`: throws no die (RSK-176).
    """

    opponents: Opponents = 1
    raw: bool = False
    superior: bool = False
    factor: Factor = 4
    crossing: bool = False
    enemy_raw: bool = False
    enemy_superior: bool = False
    enemy_factor: Factor = 3
    enemy_crossing: bool = False
    routing: bool = False
    enemy_routing: bool = False

    @property
    def pairing(self) -> Pairing:
        own = (self.raw, self.superior, self.factor, self.crossing, self.routing)
        other = (self.enemy_raw, self.enemy_superior, self.enemy_factor, self.enemy_crossing, self.enemy_routing)
        return own, (other,) * self.opponents


@dataclass(frozen=True)
class MatchOutcome:
    """What becomes of the single man, and how many of the others are wounded and killed."""

    single: Fate
    wounded: int
    killed: int


def _situation(man: Kind, opponents: Sequence[Kind]) -> MeleeFacts:
    raw, superior, factor, crossing, _ = man
    better = all(factor > other for _, _, other, _, _ in opponents)
    return melee_facts(raw, len(opponents), crossing, superior, better)


def _throws(table: Table, who: object, man: Kind, opponents: Sequence[Kind]) -> list[Fighter]:
    """A man with each face that his die can show; routers throw none."""
    situation, routing = _situation(man, opponents), man[-1]
    dice = [0 if routing else face for face in range(1, 7)]
    return [Fighter(who, die, score(table, die, situation)) for die in dice]


def _casualties(struck: Sequence[Blow]) -> tuple[int, int, int, int]:
    """Whether the single man of a match is wounded or killed by some blows, how many others are wounded and killed."""
    own = [blow.effect for blow in struck if blow.by == SINGLE]
    other = [blow.effect for blow in struck if blow.by != SINGLE]
    return int(other == [WOUND]), int(bool(other) and other != [WOUND]), int(own == [WOUND]), int(own == [KILL])


def _match_legs(rules: Rules, facts: MatchFacts) -> list[Leg]:
    def result(slate: Slate) -> MatchOutcome:
        hurt, dead, wounded, killed = slate.values
        return MatchOutcome("killed" if dead else "wounded" if hurt else "unhurt", wounded, killed)

    stages = draws(_match_spread(rules, RskBook(rules), facts.pairing), why="melee", rule="RSK-166", actor="match")
    return [Leg(Slate, stages, lambda slate: slate.values, result)]


def _match_tallies(rules: Rules, facts: MatchFacts) -> list[Tally]:
    man, others = facts.pairing
    throwing = [] if facts.routing else [_situation(man, others)]
    throwing += [] if facts.enemy_routing else [_situation(others[0], (man,))]
    return [rules.tally("melee_score", found) for found in throwing]


@dataclass(frozen=True)
class MeleeFightFacts:
    """A round between `attackers`, who charged, and `defenders`, alike on each side but for those wounded before.

    `..._wounded`: so many of them are; chance brings them into the fight and has them struck like the others.
    `defenders_routing`: they throw no dice (RSK-176). `mixed` names every match where men of several kinds fight: a man
    of the side with fewer, or of the attackers, and his opponents, each as raw, superior, factor, crossing, routing; of
    the rest only the numbers of men and wounded are read then.
    """

    attackers: Group = 20
    defenders: Group = 10
    attackers_raw: bool = False
    attackers_superior: bool = False
    attackers_factor: Factor = 3
    attackers_crossing: bool = False
    defenders_raw: bool = False
    defenders_superior: bool = False
    defenders_factor: Factor = 4
    attackers_wounded: Men = 0
    defenders_wounded: Men = 0
    defenders_routing: bool = False
    mixed: tuple[Pairing, ...] = ()


@dataclass(frozen=True)
class MeleeOutcome:
    """Who goes back, and the casualties of both sides: those who are wounded now, and those who are killed."""

    back: str
    attackers_wounded: int
    attackers_killed: int
    defenders_wounded: int
    defenders_killed: int


def _match_of(facts: MeleeFightFacts, opponents: int, single_attacks: bool) -> MatchFacts:
    attackers = (facts.attackers_raw, facts.attackers_superior, facts.attackers_factor, facts.attackers_crossing)
    defenders = (facts.defenders_raw, facts.defenders_superior, facts.defenders_factor, False)
    single, others = (attackers, defenders) if single_attacks else (defenders, attackers)
    routing = (False, facts.defenders_routing) if single_attacks else (facts.defenders_routing, False)
    return MatchFacts(opponents, *single, *others, *routing)


def _melee_legs(rules: Rules, facts: MeleeFightFacts) -> list[Leg]:
    book = RskBook(rules)
    single_attacks = facts.attackers <= facts.defenders
    smaller, larger = sorted((facts.attackers, facts.defenders))
    shares = spread(smaller, larger, book.settings.melee_max_contact)
    weighted = book.settings.melee_result_measure == "weighted"
    matches = facts.mixed or [_match_of(facts, share, single_attacks).pairing for share in shares if share]
    if len(matches) > smaller or sum(len(others) for _, others in matches) > larger:
        raise ZarebaError("no more men can be matched than take part: mixed (RSK-164)")
    spreads = {pairing: _match_spread(rules, book, pairing) for pairing in set(matches)}
    attackers, defenders = (facts.attackers, facts.attackers_wounded), (facts.defenders, facts.defenders_wounded)
    if any(hurt > men for men, hurt in (attackers, defenders)):
        raise ZarebaError("no more men can be wounded than take part: attackers_wounded, defenders_wounded (RSK-110)")
    fallen = together([spreads[pairing] for pairing in matches], 4)
    for place, (men, hurt) in zip((0, 2) if single_attacks else (2, 0), (attackers, defenders), strict=True):
        fallen = twice_struck(fallen, place, men, hurt) if hurt else fallen

    def result(slate: Slate) -> MeleeOutcome:
        aw, ak, dw, dk = slate.values if single_attacks else (*slate.values[2:], *slate.values[:2])
        worth = book.counts["kill_weight"] if weighted else 1
        ours, theirs = aw + worth * ak, dw + worth * dk
        back = "both" if ours == theirs else "attackers" if ours > theirs else "defenders"
        return MeleeOutcome(back, aw, ak, dw, dk)

    stages = draws(fallen, why="melee", rule="RSK-166", actor="melee")
    return [Leg(Slate, stages, lambda slate: slate.values, result)]


def _match_spread(rules: Rules, book: RskBook, pairing: Pairing) -> Spread:
    """The casualties of a match: whether the single man is wounded or killed, how many others are wounded and killed.

    Of opponents who are alike only how many of their dice show each face is told apart.
    """
    man, others = pairing
    kinds = Counter(others)
    dice = [list(combinations_with_replacement(range(6), number)) for number in kinds.values()]

    def run(table: Table) -> Spread:
        single = _throws(table, SINGLE, man, others)
        several = [_throws(table, number, other, (man,)) for number, other in enumerate(kinds.elements())]
        found: dict[tuple[int, ...], int] = {}
        for throws in product(*dice):
            orders = prod(
                factorial(len(throw)) // prod(factorial(throw.count(face)) for face in set(throw)) for throw in throws
            )
            shown = [fighter[face] for fighter, face in zip(several, chain(*throws), strict=True)]
            for fighter in single:
                state = _casualties(blows(fighter, shown, book))
                found[state] = found.get(state, 0) + orders
        return found

    return mixed(enumerate_paths(rules, run))


MELEES = (
    Procedure(
        "match",
        "RSK-166",
        "One man against one or several in melee",
        MatchFacts,
        MatchOutcome,
        _match_legs,
        lambda r: r,
        _match_tallies,
    ),
    Procedure(
        "melee",
        "RSK-177",
        "A round of melee between two groups",
        MeleeFightFacts,
        MeleeOutcome,
        _melee_legs,
        lambda r: r,
    ),
)
