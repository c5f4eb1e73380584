"""Rolls to hit: the facts that change a shot, the dice, and who is hit (PAY-105, PAY-107 to PAY-114)."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Literal, NamedTuple, TypeAlias, cast

from zareba.base.exact import distances
from zareba.base.named_tuples import new_tuple
from zareba.base.state import facts as facts_class
from zareba.chance import counts, numbered
from zareba.rules import procedure
from zareba.space import Point
from zareba.table import Table
from zareba_rulesets.paychest.book.numbers import PaychestBook, at_most
from zareba_rulesets.paychest.book.tables import Band, Cover, Gait, PaychestFile
from zareba_rulesets.paychest.chapters.casualties import strike
from zareba_rulesets.paychest.chapters.leaders import leaders_lost
from zareba_rulesets.paychest.chapters.sight import Muzzle, Obstacles, cover_class, height_of, sees
from zareba_rulesets.paychest.forces.battle import Battle, band_of, bands_of, longest_range
from zareba_rulesets.paychest.forces.units import Figure
from zareba_rulesets.paychest.ground import Shelter

HITS = counts("hits")
_TRIES = counts("second throws")

Shot: TypeAlias = tuple[int, Band, Gait, Cover, int, int, int]
"""All that affects the chance of one shot: skill, band, gait, cover, arm wounds, body wounds, recovered (0 or 1)."""
_ALWAYS_HITS = 6
"""The modified skill from which every shot hits."""


@facts_class
class FireFacts:
    """The facts of one shot.

    `skill` is the roster's Firearms Skill; `bonus` is for machine guns and shells (PAY-173).
    """

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
    """Return the longest-ranged weapon that the figure can still use, or "" (PAY-103, PAY-121)."""
    smashed = figure.wounds.count("smashed_arm") if figure.wounds else 0
    return "" if smashed > 1 else book.best_firearm[figure.weapons, smashed]


def shots_left(book: PaychestBook, figure: Figure, weapon: str) -> int:
    """Return the shots a figure has left in this activation (PAY-024, PAY-026). Ammunition never runs out (PAY-028)."""
    max_shots = book.most_shots[weapon]
    return (figure.spec.shots if max_shots is None else min(max_shots, figure.spec.shots)) - figure.shots


def muzzle_of(battle: Battle, figure: Figure, weapon: str) -> Muzzle:
    """Return the point a figure fires from, with the weapon's reach and the height of a flyer."""
    assert figure.at is not None, "firers are on the table"
    height = height_of(battle, figure) if figure.aboard else 0.0
    return new_tuple(Muzzle, (figure.at, longest_range(battle, figure, weapon), height))


class Target(NamedTuple):
    """Figures fired at together, and their cover.

    `shelters` holds the shelters of each figure, from which its cover against a firer follows; None if there is no
    cover. `cover` is the group's cover class if it is the same from everywhere (PAY-114), else "".
    """

    figures: Sequence[Figure]
    shelters: Sequence[Sequence[Shelter]] | None
    cover: Cover | Literal[""]


def target_of(battle: Battle, figures: Sequence[Figure], shelters: Sequence[Sequence[Shelter]] | None) -> Target:
    """Return a group of figures as a target."""
    cover: Cover | Literal[""] = "none"
    if shelters is not None:
        is_across_line = any(shelter.line for shelters_of_figure in shelters for shelter in shelters_of_figure)
        at = next(figure.at for figure in figures if figure.at is not None)
        cover = "" if is_across_line else cover_class(at, figures, shelters, battle.book.mixed_cover)
    return Target(figures, shelters, cover)


class TargetRanges(NamedTuple):
    """A group of figures as firers see it: inches from each muzzle to the nearest figure in sight, or infinity."""

    muzzles: Sequence[Muzzle]
    ranges: list[float]


def ranges_to(
    battle: Battle, obstacles: Obstacles, muzzles: Sequence[Muzzle], figures: Sequence[Figure]
) -> TargetRanges:
    """Return the range from each muzzle to the nearest figure in its sight and reach (PAY-113).

    Nearer figures are checked first.
    """
    spots = [
        (figure.at, height_of(battle, figure) if figure.aboard else 0.0) for figure in figures if figure.at is not None
    ]
    return TargetRanges(muzzles, [_nearest_in_sight(battle, muzzle, obstacles, spots) for muzzle in muzzles])


def aimed_shot(
    battle: Battle,
    obstacles: Obstacles,
    firer: Figure,
    weapon: str,
    targets: Sequence[Figure],
    covers: Sequence[Sequence[Shelter]] | None,
) -> FireFacts | None:
    """Return the facts of one figure's shot at a group, or None if no target is in sight and range."""
    muzzle = muzzle_of(battle, firer, weapon)
    (distance,) = ranges_to(battle, obstacles, [muzzle], targets).ranges
    shot = shot_at(battle, muzzle, firer, weapon, target_of(battle, targets, covers), distance)
    return None if shot is None else facts_of(shot)


def shot_at(battle: Battle, muzzle: Muzzle, firer: Figure, weapon: str, target: Target, distance: float) -> Shot | None:
    """Return one figure's shot at a group, or None if the target is out of range.

    `distance` is the distance in inches to the nearest target it sees (PAY-113). Cover is judged from the firer's own
    position (PAY-114).
    """
    band = band_of(bands_of(battle, firer, weapon), distance)
    if band is None:
        return None
    wounds = firer.wounds
    arm_wounds, body_wounds = (wounds.count("arm_wound"), wounds.count("body_wound")) if wounds else (0, 0)
    cover = target.cover or cover_class(muzzle.at, target.figures, target.shelters, battle.book.mixed_cover)
    return firer.spec.firearms, band, firer.gait, cover, arm_wounds, body_wounds, int("recovered" in firer.marks)


def facts_of(shot: Shot) -> FireFacts:
    """Return a shot as facts."""
    skill, band, gait, cover, arm_wounds, body_wounds, recovered = shot
    return FireFacts(
        skill=skill,
        band=band,
        gait=gait,
        cover=cover,
        arm_wounds=arm_wounds,
        body_wounds=body_wounds,
        recovered=recovered,
    )


def _nearest_in_sight(
    battle: Battle, muzzle: Muzzle, obstacles: Obstacles, spots: Sequence[tuple[Point, float]]
) -> float:
    """Return the inches from a muzzle to the nearest figure that it sees and reaches, or infinity."""
    at, reach, height = muzzle
    places = [spot for spot, _ in spots]
    ranges = [inches + above for inches, (_, above) in zip(distances(at, places), spots, strict=True)]
    nearest = min(ranges) + height
    if nearest > reach or not (obstacles.pieces or obstacles.friends or obstacles.blocked):
        return nearest
    for inches, spot in sorted(zip(ranges, places, strict=True)):
        if inches + height > reach:
            break
        if sees(battle, obstacles, at, spot):
            return inches + height
    return inf


@procedure("shooting.shots")
def shoot(table: Table, facts: FireFacts, count: int, actor: str, target: str = "") -> int:
    """Roll `count` identical shots and return the number that hit (PAY-111, PAY-112).

    `target` is the id of the unit, if any. A die of the modified skill or less hits. At 6 or more every shot hits,
    unless `six_misses` is set. At zero or less a 1 is needed, then a second die of the unmodified skill or less.
    """
    skill = table.tally("firearms", facts, actor, target or None).total
    settings = table.rules.settings
    if skill >= 1:
        best = min(skill, _ALWAYS_HITS - 1 if settings["six_misses"] else _ALWAYS_HITS)
        (hits,) = table.roll(count, 6, at_most(best), why="fire", rule="PAY-111", actor=actor, means=HITS)
        return hits
    (tries,) = table.roll(
        count, 6, at_most(first_die_needed(table)), why="fire", rule="PAY-112", actor=actor, means=_TRIES
    )
    if not tries:
        return 0
    (hits,) = table.roll(tries, 6, at_most(facts.skill), why="fire again", rule="PAY-112", actor=actor, means=HITS)
    return hits


def first_die_needed(table: Table) -> int:
    """Return the highest first die that succeeds when the modified skill is zero or less (PAY-112)."""
    return file_of(table).double_roll.first


def file_of(table: Table) -> PaychestFile:
    """Return the numbers of the ruleset that a table plays by."""
    return cast(PaychestFile, table.rules.book)


def assign_hits(
    table: Table,
    battle: Battle,
    targets: Sequence[Figure],
    hits: int,
    exposed: Sequence[frozenset[str]] | None,
    *,
    spread: str,
    actor: str,
) -> int:
    """Assign each hit to a target figure and draw its card (PAY-105, PAY-115); then handle lost leaders (PAY-063).

    With `spread` random every hit falls on any target with equal chance; with even, no figure is hit twice before all
    have been hit once. Return the number of hits that count (PAY-187).
    """
    if not hits:
        return 0
    casualties: list[str] = []
    counted = {"hits": 0}

    def strike_figure(index: int) -> None:
        parts_shown = None if exposed is None else exposed[index]
        counted["hits"] += strike(table, battle, targets[index], parts_shown, "fire", casualties)

    count = len(targets)
    if spread == "random" and count > 1:
        means = numbered("man struck", [figure.spec.name for figure in targets])
        for face in table.faces_of(
            hits, count, casualties, counted, why="who is hit", rule="PAY-105", actor=actor, means=means
        ):
            strike_figure(face - 1)
    else:
        for index in table.each(_spread_evenly(table, targets, hits, actor), casualties, counted):
            strike_figure(index)
    leaders_lost(table, battle, casualties)
    return counted["hits"]


def _spread_evenly(table: Table, targets: Sequence[Figure], hits: int, actor: str) -> Sequence[int]:
    """Return the index of the figure for each hit. No figure is drawn again before all have been drawn."""
    count = len(targets)
    if count == 1:
        return [0] * hits
    struck: list[int] = []
    unhit: list[int] = []
    for _ in range(hits):
        if not unhit:
            unhit = list(range(count))
        position = 0
        if len(unhit) > 1:
            means = numbered("man struck", [targets[index].spec.name for index in unhit])
            position = table.roll(1, len(unhit), why="who is hit", rule="PAY-105", actor=actor, means=means) - 1
        struck.append(unhit.pop(position))
    return struck
