"""Odds of melee: matches, and whole melees match by match (RSK-164 to RSK-180)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
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
from zareba_rulesets.risk_factor.match import Fighter, MeleeFacts, blows, melee_facts, score, spread
from zareba_rulesets.risk_factor.odds.limits import Factor, Group, Men
from zareba_rulesets.risk_factor.odds.spread import Spread, draws, mixed, together, twice_struck

__all__ = ["MELEES", "MeleeFightFacts"]

Opponents = Annotated[int, Field(ge=1, le=8)]
Fate = Literal["unhurt", "wounded", "killed"]


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

    def own(self) -> MeleeFacts:
        return melee_facts(self.raw, self.opponents, self.crossing, self.superior, self.factor > self.enemy_factor)

    def enemy(self) -> MeleeFacts:
        return melee_facts(self.enemy_raw, 1, self.enemy_crossing, self.enemy_superior, self.enemy_factor > self.factor)


@dataclass(frozen=True)
class MatchOutcome:
    """What becomes of the single man, and how many of the others are wounded and killed."""

    single: Fate
    wounded: int
    killed: int


def _match_with(table: Table, book: RskBook, facts: MatchFacts, faces: Sequence[int]) -> tuple[Fate, int, int]:
    """What comes of a match when the dice show some faces, that of the single man first."""
    die, *dice = faces
    die, dice = 0 if facts.routing else die, [0] * len(dice) if facts.enemy_routing else dice
    single = Fighter("single", die, score(table, die, facts.own()))
    several = [Fighter(number, face, score(table, face, facts.enemy())) for number, face in enumerate(dice)]
    struck: list[int] = []
    wounded = killed = 0
    for blow in blows(single, several, book.settings):
        if blow.by == "single":
            wounded, killed = int(blow.effect == WOUND), int(blow.effect == KILL)
        else:
            struck.append(blow.effect)
    fate: Fate = "unhurt" if not struck else "wounded" if struck == [WOUND] else "killed"
    return fate, wounded, killed


def _match_legs(rules: Rules, facts: MatchFacts) -> list[Leg]:
    def result(slate: Slate) -> MatchOutcome:
        hurt, dead, wounded, killed = slate.values
        return MatchOutcome("killed" if dead else "wounded" if hurt else "unhurt", wounded, killed)

    stages = draws(_match_spread(rules, RskBook(rules), facts), why="melee", rule="RSK-166", actor="match")
    return [Leg(Slate, stages, lambda slate: slate.values, result)]


def _match_tallies(rules: Rules, facts: MatchFacts) -> list[Tally]:
    throwing = [] if facts.routing else [facts.own()]
    return [rules.tally("melee_score", found) for found in throwing + ([] if facts.enemy_routing else [facts.enemy()])]


@dataclass(frozen=True)
class MeleeFightFacts:
    """A round between `attackers`, who charged, and `defenders`, alike on each side but for those wounded before.

    `..._wounded`: so many of them are; chance brings them into the fight and has them struck like the others.
    `defenders_routing`: they throw no dice (RSK-176).
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
    matches = {
        share: _match_spread(rules, book, _match_of(facts, share, single_attacks)) for share in set(shares) if share
    }
    attackers, defenders = (facts.attackers, facts.attackers_wounded), (facts.defenders, facts.defenders_wounded)
    if any(hurt > men for men, hurt in (attackers, defenders)):
        raise ZarebaError("no more men can be wounded than take part: attackers_wounded, defenders_wounded (RSK-110)")
    fallen = together([matches[share] for share in shares if share], 4)
    for place, (men, hurt) in zip((0, 2) if single_attacks else (2, 0), (attackers, defenders), strict=True):
        fallen = twice_struck(fallen, place, men, hurt) if hurt else fallen

    def result(slate: Slate) -> MeleeOutcome:
        aw, ak, dw, dk = slate.values if single_attacks else (*slate.values[2:], *slate.values[:2])
        worth = 2 if weighted else 1
        ours, theirs = aw + worth * ak, dw + worth * dk
        back = "both" if ours == theirs else "attackers" if ours > theirs else "defenders"
        return MeleeOutcome(back, aw, ak, dw, dk)

    stages = draws(fallen, why="melee", rule="RSK-166", actor="melee")
    return [Leg(Slate, stages, lambda slate: slate.values, result)]


def _match_spread(rules: Rules, book: RskBook, facts: MatchFacts) -> Spread:
    """The casualties of a match: whether the single man is wounded or killed, how many others are wounded and killed.

    The men on one side of a match are alike, so only how many of their dice show each face is told apart.
    """

    def run(table: Table) -> Spread:
        found: dict[tuple[int, ...], int] = {}
        for others in combinations_with_replacement(range(1, 7), facts.opponents):
            orders = factorial(len(others)) // prod(factorial(others.count(face)) for face in set(others))
            for face in range(1, 7):
                fate, wounded, killed = _match_with(table, book, facts, (face, *others))
                state = (int(fate == "wounded"), int(fate == "killed"), wounded, killed)
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
