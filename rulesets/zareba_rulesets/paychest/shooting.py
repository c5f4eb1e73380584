"""To hit: the modified skill, the die, and the double roll at zero or less (P6; PAY-107 to PAY-114)."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, inf
from typing import Literal, cast

from zareba.rules import procedure
from zareba.state import facts
from zareba.table import Table
from zareba_rulesets.paychest.battle import Battle
from zareba_rulesets.paychest.book import PaychestBook, up_to
from zareba_rulesets.paychest.cover import cover_class
from zareba_rulesets.paychest.field import Shelter
from zareba_rulesets.paychest.sighting import Muzzle, View, height_of, sees
from zareba_rulesets.paychest.tables import PaychestFile
from zareba_rulesets.paychest.units import Figure

__all__ = [
    "Band",
    "Cover",
    "FireFacts",
    "Gait",
    "aim",
    "double_roll",
    "muzzle_of",
    "ready_weapon",
    "shoot",
    "shots_left",
]

Band = Literal["short", "medium", "long"]
Gait = Literal["halt", "advance", "run"]
Cover = Literal["none", "soft", "hard"]
SIX = 6


@facts
class FireFacts:
    """The facts of one shot. `skill`: the roster's Firearms Skill; `bonus` of a machine gun or shell (PAY-173)."""

    skill: int
    band: Band = "short"
    gait: Gait = "halt"
    cover: Cover = "none"
    weapon: Literal["small_arm", "machine_gun", "shell"] = "small_arm"
    arm_wounds: int = 0
    body_wounds: int = 0
    recovered: int = 0
    bonus: int = 0


def ready_weapon(book: PaychestBook, figure: Figure) -> str:
    """The furthest-reaching weapon that a man can still use; "" without one (PAY-103, PAY-121)."""
    smashed = figure.wounds.count("smashed_arm") if figure.wounds else 0
    return "" if smashed > 1 else book.best_firearm[figure.weapons, smashed]


def shots_left(book: PaychestBook, figure: Figure, weapon: str) -> int:
    """Shots that a man still has in this activation (PAY-024, PAY-026); ammunition never runs out (PAY-028)."""
    most = book.most_shots[weapon]
    return (figure.spec.shots if most is None else min(most, figure.spec.shots)) - figure.shots


def muzzle_of(battle: Battle, figure: Figure, weapon: str) -> Muzzle:
    """Where a figure fires from."""
    assert figure.at is not None, "firers are on the table"
    return Muzzle(figure.at, battle.book.ranges[weapon], height_of(battle, figure))


def aim(
    battle: Battle,
    view: View,
    firer: Figure,
    weapon: str,
    targets: Sequence[Figure],
    covers: Sequence[Sequence[Shelter]] | None,
) -> FireFacts | None:
    """The facts of one man's shot at a group: range to the nearest target that he sees (PAY-113), cover by his own
    lines (PAY-114). None if no target is in his sight and range."""
    muzzle = muzzle_of(battle, firer, weapon)
    inches = _nearest_in_sight(battle, view, muzzle, targets)
    band = battle.book.band(weapon, inches)
    if band is None:
        return None
    wounds = firer.wounds
    return FireFacts(
        skill=firer.spec.firearms,
        band=band,  # type: ignore[arg-type]  # one of the three
        gait=firer.gait,  # type: ignore[arg-type]  # one of the three
        cover=cover_class(muzzle.at, targets, covers),  # type: ignore[arg-type]  # one of the three
        arm_wounds=wounds.count("arm_wound"),
        body_wounds=wounds.count("body_wound"),
        recovered=int("recovered" in firer.marks),
    )


def _nearest_in_sight(battle: Battle, view: View, muzzle: Muzzle, targets: Sequence[Figure]) -> float:
    """Inches to the nearest target that is seen from a muzzle; more than it reaches where none is."""
    (x, y), reach, height = muzzle
    ways = []
    for target in targets:
        assert target.at is not None, "targets are on the table"
        to_x, to_y = target.at
        square = (to_x - x) * (to_x - x) + (to_y - y) * (to_y - y)
        if target.aboard:
            square = (dist(muzzle.at, target.at) + height_of(battle, target)) ** 2
        ways.append((square, target.at))
    clear = not view.pieces and not view.friends and not view.blocked
    for square, at in [min(ways)] if clear else sorted(ways):
        inches: float = square**0.5 + height
        if inches > reach or clear or sees(battle, view, muzzle.at, at):
            return inches
    return inf


@procedure("shooting.shots")
def shoot(table: Table, facts: FireFacts, count: int, actor: str) -> int:
    """P6 for `count` equal shots: how many hit (PAY-111, PAY-112).

    A die of the modified skill or less hits, 6 or more always unless `six_misses`; at zero or less a 1 is needed and
    then a second die of the unmodified skill or less.
    """
    skill = table.tally("firearms", facts).total
    settings = table.rules.settings
    if skill >= 1:
        best = min(skill, SIX - 1 if settings["six_misses"] else SIX)
        (hits,) = table.roll(count, 6, up_to(best), why="fire", rule="PAY-111", actor=actor)
        return hits
    (tries,) = table.roll(count, 6, up_to(double_roll(table)), why="fire", rule="PAY-112", actor=actor)
    if not tries:
        return 0
    (hits,) = table.roll(tries, 6, up_to(facts.skill), why="fire again", rule="PAY-112", actor=actor)
    return hits


def double_roll(table: Table) -> int:
    """The first die of a shot at zero or less: this or less is needed (PAY-112)."""
    return cast(PaychestFile, table.rules.book).double_roll.first
