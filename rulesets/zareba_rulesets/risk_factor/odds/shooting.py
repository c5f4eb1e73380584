"""Odds of shooting: volleys of a group, and single shots (RSK-083 to RSK-105)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from zareba.chance import AtLeast
from zareba.odds import Leg, Procedure, Slate, slate_leg
from zareba.rules import Rules
from zareba.table import Table
from zareba_rulesets.risk_factor.book import Band, Cover, RskBook
from zareba_rulesets.risk_factor.hits import KILL, WOUND, damage, draw_victim
from zareba_rulesets.risk_factor.odds.limits import Class, Group, Men
from zareba_rulesets.risk_factor.odds.spread import draws, in_any_order, in_turn, spread_of, together
from zareba_rulesets.risk_factor.shooting import number_of_shots, to_hit

__all__ = ["SHOOTING", "ShotFacts", "VolleyFacts"]

Weapon = Literal[
    "rifle", "rifled_carbine", "musket", "carbine", "pistol", "bow", "sling", "spear", "hatchet", "rocks", "machine_gun"
]
Arm = tuple[Weapon, Class, Band]


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


SHOOTING = (
    Procedure(
        "volley", "RSK-086", "A group's fire: killed and wounded", VolleyFacts, VolleyOutcome, _volley_legs, lambda r: r
    ),
    Procedure(
        "single_shot", "RSK-087", "One shot at one man", ShotFacts, ShotOutcome, _shot_legs, lambda r: ShotOutcome(*r)
    ),
)
