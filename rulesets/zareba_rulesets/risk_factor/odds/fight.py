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
from zareba.errors import ZarebaError
from zareba.odds import Leg, Procedure, Slate, slate_leg
from zareba.rules import Rules
from zareba.table import Table, enumerate_paths
from zareba.tally import Tally
from zareba_rulesets.risk_factor.book import Band, Cover, RskBook
from zareba_rulesets.risk_factor.hits import KILL, WOUND, damage, draw_victim
from zareba_rulesets.risk_factor.match import Fighter, MeleeFacts, blows, melee_facts, score, spread
from zareba_rulesets.risk_factor.odds.limits import Class, Factor, Group, Men
from zareba_rulesets.risk_factor.odds.spread import (
    Spread,
    draws,
    in_any_order,
    in_turn,
    mixed,
    spread_of,
    together,
    twice_struck,
)
from zareba_rulesets.risk_factor.shooting import number_of_shots, to_hit

__all__ = ["FIGHTS", "MeleeFightFacts", "ShotFacts", "VolleyFacts"]

Weapon = Literal[
    "rifle", "rifled_carbine", "musket", "carbine", "pistol", "bow", "sling", "spear", "hatchet", "rocks", "machine_gun"
]
Opponents = Annotated[int, Field(ge=1, le=8)]
Fate = Literal["unhurt", "wounded", "killed"]
Arm = tuple[Weapon, Class, Band]


# --- shooting -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class VolleyFacts:
    """`shooters` figures able to shoot at one band at a group of `unhurt` and `wounded` men that they all see.

    `commanded`: all shoot, as commanded troops with volleys do; else 1 in 2, or 1 in 3 with `moved`. `bands` names the
    band of each shot where they differ; then `shooters`, `band` and the rate are not read. `mixed` names weapon, class
    and band of each where men of several arms or classes shoot together; then only `cover` and the target are read.
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
    mixed: tuple[Arm, ...] = ()


@dataclass(frozen=True)
class VolleyOutcome:
    """Men killed, and men standing with a wound, those wounded before among them."""

    killed: int
    wounded: int


def _shots(book: RskBook, facts: VolleyFacts) -> Sequence[Arm]:
    """Each shot of a volley."""
    if facts.mixed:
        return facts.mixed
    entry = book.weapons[facts.weapon]
    shots = number_of_shots(book, facts.shooters, entry.hurled, facts.commanded, facts.moved)
    if entry.shots:
        shots = entry.shots if facts.commanded else entry.uncommanded_shots
    return [(facts.weapon, facts.troop_class, band) for band in facts.bands or (facts.band,) * shots]


def _volley_legs(rules: Rules, facts: VolleyFacts) -> list[Leg]:
    book = RskBook(rules)
    fixed = book.settings.shooting_allocation == "fixed_pool"

    def shoot(table: Table, arm: Arm) -> tuple[int, int]:
        """Whether one shot wounds, and whether it kills."""
        weapon, troop_class, band = arm
        need = to_hit(book, weapon, band, facts.cover)
        hits = table.roll(1, 8, AtLeast(need), why="shooting", rule="RSK-098", actor="unit")
        return damage(table, 1, book.weapons[weapon].damage, troop_class, "unit") if hits else (0, 0)

    def strike(table: Table, slate: Slate, effect: int) -> None:
        unhurt, wounded, dead = slate.values
        standing = {"unhurt": unhurt, "wounded": wounded, "dead": dead if fixed else 0}
        standing = {name: count for name, count in standing.items() if count}
        victim = draw_victim(table, standing, "unit") if standing else ""
        if victim == "wounded":
            slate.values = (unhurt, wounded - 1, dead + 1)
        elif victim == "unhurt":
            slate.values = (unhurt - 1, wounded + (effect == WOUND), dead + (effect == KILL))

    def shoot_and_strike(table: Table, slate: Slate, arm: Arm) -> None:
        wound, kill = shoot(table, arm)
        if wound + kill:
            strike(table, slate, KILL if kill else WOUND)

    def result(slate: Slate) -> VolleyOutcome:
        return VolleyOutcome(slate.values[2], slate.values[1])

    shots, start = _shots(book, facts), (facts.unhurt, facts.wounded, 0)
    if len({(book.weapons[weapon].damage, troop_class) for weapon, troop_class, _ in shots}) == 1:
        trials = {arm: partial(shoot_and_strike, arm=arm) for arm in set(shots)}
        spread = in_turn(rules, start, [trials[arm] for arm in shots])
    else:  # wounds and kills come in an order that is drawn, whoever shot first (RSK-104)
        effects = {arm: spread_of(rules, partial(shoot, arm=arm)) for arm in set(shots)}
        blows = partial(strike, effect=WOUND), partial(strike, effect=KILL)
        spread = in_any_order(rules, start, blows, together([effects[arm] for arm in shots], 2))
    stages = draws(spread, why="volley", rule="RSK-098", actor="unit")
    return [Leg(Slate, stages, lambda slate: slate.values, result)]


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
