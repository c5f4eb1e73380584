"""Odds of shooting and melee: volleys, single shots, matches, and whole melees match by match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Annotated, Literal

from pydantic import Field

from zareba.chance import AtLeast
from zareba.odds import Leg, Procedure, Slate, slate_leg
from zareba.rules import Rules
from zareba.table import Table, enumerate_paths
from zareba.tally import Tally
from zareba_rulesets.risk_factor.book import Band, Cover, RskBook
from zareba_rulesets.risk_factor.hits import KILL, WOUND, damage, draw_victim
from zareba_rulesets.risk_factor.match import Fighter, MeleeFacts, blows, melee_facts, score, spread
from zareba_rulesets.risk_factor.odds.limits import Class, Factor, Group, Men
from zareba_rulesets.risk_factor.odds.spread import Piles, Spread, in_turn, mixed, together
from zareba_rulesets.risk_factor.shooting import number_of_shots, to_hit

__all__ = ["FIGHTS", "MeleeFightFacts", "ShotFacts", "VolleyFacts"]

Weapon = Literal["rifle", "rifled_carbine", "musket", "carbine", "pistol", "bow", "sling", "spear", "hatchet", "rocks"]
Opponents = Annotated[int, Field(ge=1, le=8)]
Fate = Literal["unhurt", "wounded", "killed"]


# --- shooting -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class VolleyFacts:
    """`shooters` figures able to shoot at one band at a group of `unhurt` and `wounded` men that they all see.

    `commanded`: all shoot, as commanded troops with volleys do; else 1 in 2, or 1 in 3 with `moved`. `bands` names the
    band of each shot where they differ; then `shooters`, `band` and the rate are not read.
    """

    shooters: Group = 10
    weapon: Weapon = "rifle"
    troop_class: Class = "veteran"
    band: Band = "medium"
    cover: Cover = "open"
    commanded: bool = True
    moved: bool = False
    unhurt: Men = 12
    wounded: Men = 0
    bands: tuple[Band, ...] = ()


@dataclass(frozen=True)
class VolleyOutcome:
    """Men killed, and men standing with a wound, those wounded before among them."""

    killed: int
    wounded: int


def _volley_legs(rules: Rules, facts: VolleyFacts) -> list[Leg]:
    book = RskBook(rules)
    hurled = book.weapons[facts.weapon].hurled
    shots = number_of_shots(book, facts.shooters, hurled, facts.commanded, facts.moved)
    bands = facts.bands or (facts.band,) * shots
    kind = book.weapons[facts.weapon].damage
    fixed = book.settings.shooting_allocation == "fixed_pool"

    def shot(table: Table, slate: Slate, need: int) -> None:
        unhurt, wounded, dead = slate.values
        if not table.roll(1, 8, AtLeast(need), why="shooting", rule="RSK-098", actor="unit"):
            return
        wound, kill = damage(table, 1, kind, facts.troop_class, "unit")
        standing = {"unhurt": unhurt, "wounded": wounded, "dead": dead if fixed else 0}
        standing = {name: count for name, count in standing.items() if count}
        if not wound + kill or not standing:
            return
        victim = draw_victim(table, standing, "unit")
        if victim == "wounded":
            slate.values = (unhurt, wounded - 1, dead + 1)
        elif victim == "unhurt":
            slate.values = (unhurt - 1, wounded + wound, dead + kill)

    def result(slate: Slate) -> VolleyOutcome:
        return VolleyOutcome(slate.values[2], slate.values[1])

    needs = {band: partial(shot, need=to_hit(book, facts.weapon, band, facts.cover)) for band in set(bands)}
    piles = Piles(in_turn(rules, (facts.unhurt, facts.wounded, 0), [needs[band] for band in bands]), 2)

    def fall(table: Table, slate: Slate) -> None:
        slate.values = piles.draw(table, why="volley", rule="RSK-098", actor="unit")

    return [Leg(Slate, [fall], lambda slate: slate.values, result)]


@dataclass(frozen=True)
class ShotFacts:
    """One shot at one man, as of a Player Character who picks him (RSK-087)."""

    weapon: Weapon = "rifle"
    troop_class: Class = "veteran"
    band: Band = "short"
    cover: Cover = "open"
    wounded: bool = False


@dataclass(frozen=True)
class ShotOutcome:
    """What the shot does; a wound on a wounded man is a kill."""

    effect: str


def _shot_legs(rules: Rules, facts: ShotFacts) -> list[Leg]:
    book = RskBook(rules)
    need = to_hit(book, facts.weapon, facts.band, facts.cover)

    def shoot(table: Table, slate: Slate) -> None:
        slate.values = ("miss",)
        if table.roll(1, 8, AtLeast(need), why="shooting", rule="RSK-098", actor="leader"):
            wound, kill = damage(table, 1, book.weapons[facts.weapon].damage, facts.troop_class, "leader")
            kills = kill or (wound and facts.wounded)
            slate.values = ("kill" if kills else "wound" if wound else "graze",)

    return [slate_leg(shoot)]


# --- melee -----------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MatchFacts:
    """One man against `opponents` men all alike. `..._factor` melee factors; `..._crossing`: fights over an obstacle."""

    opponents: Opponents = 1
    raw: bool = False
    superior: bool = False
    factor: Factor = 4
    crossing: bool = False
    enemy_raw: bool = False
    enemy_superior: bool = False
    enemy_factor: Factor = 3
    enemy_crossing: bool = False

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
    single = Fighter("single", faces[0], score(table, faces[0], facts.own()))
    several = [Fighter(number, face, score(table, face, facts.enemy())) for number, face in enumerate(faces[1:])]
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
    piles = Piles(_match_spread(rules, RskBook(rules), facts), 2)

    def fight(table: Table, slate: Slate) -> None:
        hurt, dead, *others = piles.draw(table, why="melee", rule="RSK-166", actor="match")
        slate.values = ("killed" if dead else "wounded" if hurt else "unhurt", *others)

    return [slate_leg(fight)]


def _match_tallies(rules: Rules, facts: MatchFacts) -> list[Tally]:
    return [rules.tally("melee_score", facts.own()), rules.tally("melee_score", facts.enemy())]


@dataclass(frozen=True)
class MeleeFightFacts:
    """A round between `attackers`, who charged, and `defenders`, all unhurt and alike on each side."""

    attackers: Group = 20
    defenders: Group = 10
    attackers_raw: bool = False
    attackers_superior: bool = False
    attackers_factor: Factor = 3
    attackers_crossing: bool = False
    defenders_raw: bool = False
    defenders_superior: bool = False
    defenders_factor: Factor = 4


@dataclass(frozen=True)
class MeleeOutcome:
    """Who goes back, and the casualties of both sides."""

    back: str
    attackers_wounded: int
    attackers_killed: int
    defenders_wounded: int
    defenders_killed: int


def _match_of(facts: MeleeFightFacts, opponents: int, single_attacks: bool) -> MatchFacts:
    attackers = (facts.attackers_raw, facts.attackers_superior, facts.attackers_factor, facts.attackers_crossing)
    defenders = (facts.defenders_raw, facts.defenders_superior, facts.defenders_factor, False)
    single, others = (attackers, defenders) if single_attacks else (defenders, attackers)
    return MatchFacts(opponents, *single, *others)


def _melee_legs(rules: Rules, facts: MeleeFightFacts) -> list[Leg]:
    book = RskBook(rules)
    single_attacks = facts.attackers <= facts.defenders
    smaller, larger = sorted((facts.attackers, facts.defenders))
    shares = spread(smaller, larger, book.settings.melee_max_contact)
    weighted = book.settings.melee_result_measure == "weighted"
    matches = {
        share: _match_spread(rules, book, _match_of(facts, share, single_attacks)) for share in set(shares) if share
    }
    piles = Piles(together([matches[share] for share in shares if share], 4), 2)

    def fall(table: Table, slate: Slate) -> None:
        fallen = piles.draw(table, why="melee", rule="RSK-166", actor="melee")
        slate.values = fallen if single_attacks else (*fallen[2:], *fallen[:2])

    def result(slate: Slate) -> MeleeOutcome:
        aw, ak, dw, dk = slate.values
        worth = 2 if weighted else 1
        ours, theirs = aw + worth * ak, dw + worth * dk
        back = "both" if ours == theirs else "attackers" if ours > theirs else "defenders"
        return MeleeOutcome(back, *slate.values)

    return [Leg(Slate, [fall], lambda slate: slate.values, result)]


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


FIGHTS = (
    Procedure(
        "volley", "RSK-086", "A group's fire: killed and wounded", VolleyFacts, VolleyOutcome, _volley_legs, lambda r: r
    ),
    Procedure(
        "single_shot", "RSK-087", "One shot at one man", ShotFacts, ShotOutcome, _shot_legs, lambda r: ShotOutcome(*r)
    ),
    Procedure(
        "match",
        "RSK-166",
        "One man against one or several in melee",
        MatchFacts,
        MatchOutcome,
        _match_legs,
        lambda r: MatchOutcome(*r),
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
