"""Fire of figures: who may fire and at what, volleys, and rolls to hit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf
from typing import Literal, NamedTuple, TypeAlias, cast

from zareba.base.exact import dist, distances
from zareba.base.speedups import new_tuple
from zareba.base.state import facts as facts_class
from zareba.chance import counts, numbered
from zareba.rules import procedure
from zareba.space import Point
from zareba.space.geometry import bounds, middle_of
from zareba.table import LazyOptions, Table
from zareba_rulesets.paychest.book.numbers import PaychestBook, at_most
from zareba_rulesets.paychest.book.tables import Band, Cover, Gait, PaychestFile
from zareba_rulesets.paychest.chapters.casualties import strike
from zareba_rulesets.paychest.chapters.command import leaders_lost
from zareba_rulesets.paychest.chapters.sight import (
    FiringLine,
    Muzzle,
    Obstacles,
    box_of,
    cover_class,
    covers_of,
    eligible,
    enemies_near_box,
    enemies_touched,
    exposures,
    figures_in_contact,
    firing_line,
    foes_near,
    groups_among,
    height_of,
    obstacles_between,
    sees,
)
from zareba_rulesets.paychest.forces.battle import Battle, band_of, bands_of, is_burdened, longest_range
from zareba_rulesets.paychest.forces.units import Figure, Unit
from zareba_rulesets.paychest.ground import Shelter

# --- Fire of figures: who may fire, which enemies they reach, and the volley (PAY-092 to PAY-106) ---------------------


PISTOL = "pistol"


class Firer(NamedTuple):
    """A figure that may fire, and its weapon."""

    figure: Figure
    weapon: str


def may_fire(battle: Battle, unit: Unit) -> list[Firer]:
    """Return the figures of a unit that may fire now and have a shot left (PAY-103).

    Excluded are figures in contact, under a heavy load, down, running with backs turned, with badly wounded arms,
    serving a gun, or without a firearm.
    """
    book = battle.book
    best, most_shots = book.best_firearm, book.most_shots
    foes = foes_near(battle, unit)
    touching = figures_in_contact(battle, unit, foes) if foes else ()
    firers = []
    for figure in unit.able:
        if figure.marks and not figure.marks.isdisjoint(("down", "ran", "back turned", "served")):
            continue
        weapon = ready_weapon(book, figure) if figure.wounds else best[figure.weapons, 0]
        if not weapon or figure.shots >= figure.spec.shots:
            continue
        max_shots = most_shots[weapon]
        if max_shots is not None and figure.shots >= max_shots:
            continue
        if figure.loads and is_burdened(battle, figure):
            continue
        if touching and figure.spec.id in touching:
            if not _fires_in_contact(battle, figure):
                continue
            weapon = PISTOL
        firers.append(new_tuple(Firer, (figure, weapon)))
    return firers


def _fires_in_contact(battle: Battle, figure: Figure) -> bool:
    """Return True if the figure is a leader that may fire a pistol in contact, by `fire_in_contact` (PAY-103)."""
    if battle.book.settings.fire_in_contact != "leaders_only" or PISTOL not in figure.weapons:
        return False
    return battle.is_leader(figure) and shots_left(battle.book, figure, PISTOL) > 0


def muzzles_of(battle: Battle, firers: Sequence[Firer]) -> list[Muzzle]:
    """Return the muzzles of some firers."""
    return [muzzle_of(battle, figure, weapon) for figure, weapon in firers]


def line_of(battle: Battle, firers: Sequence[Firer]) -> FiringLine:
    """Return the firing line of some figures."""
    return firing_line(muzzles_of(battle, firers))


def in_reach(battle: Battle, unit: Unit, firers: Sequence[Firer]) -> dict[str, list[Figure]]:
    """Return the figures of each enemy unit that at least one of the firers may aim at (PAY-101)."""
    return dict(targets_in_reach(battle, unit, line_of(battle, firers))) if firers else {}


def targets_in_reach(battle: Battle, unit: Unit, line: FiringLine) -> Iterator[tuple[str, list[Figure]]]:
    """Yield the entries of `in_reach` one at a time."""
    side = unit.spec.side
    for enemy in enemies_near_box(battle, side, line.box, line.range):
        figures = eligible(battle, side, line, enemy)
        if figures:
            yield enemy.spec.id, figures


def groups_of(battle: Battle, reach: dict[str, list[Figure]]) -> dict[tuple[str, str], list[Figure]]:
    """Return the groups among figures: (unit, first figure) -> a chain of two or more (PAY-094, PAY-095, PAY-097)."""
    return {
        (unit_id, chain[0].spec.id): chain
        for unit_id, figures in reach.items()
        for chain in groups_among(battle, battle.units[unit_id], figures)
    }


def single_targets(battle: Battle, unit: Unit, firer: Firer) -> dict[str, list[Figure]]:
    """Return the figures a leader may fire at, by unit (PAY-092).

    In contact these are only the figures it touches (PAY-103).
    """
    foes = foes_near(battle, unit)
    targets_by_unit: dict[str, list[Figure]] = {}
    for figure in enemies_touched(battle, firer.figure, foes) if foes else ():
        targets_by_unit.setdefault(figure.spec.unit, []).append(figure)
    return targets_by_unit or in_reach(battle, unit, [firer])


def has_single_target(battle: Battle, unit: Unit, firer: Firer) -> bool:
    """Return True if a leader figure has a target."""
    foes = foes_near(battle, unit)
    if foes and firer.figure.spec.id in figures_in_contact(battle, unit, foes):
        return True
    return any(True for _ in targets_in_reach(battle, unit, line_of(battle, [firer])))


def ranges_along(battle: Battle, side: str, muzzles: Sequence[Muzzle], targets: Sequence[Figure]) -> TargetRanges:
    """Return the ranges from the muzzles of a side to the nearest of some figures in sight (PAY-089, PAY-113)."""
    box = bounds([figure.at for figure in targets if figure.at is not None])
    return ranges_to(battle, obstacles_between(battle, side, box_of(muzzles), box), muzzles, targets)


def front_of(battle: Battle, firers: Sequence[Firer], towards: Point) -> float:
    """Return the frontage of firers across their line of fire: the spread of their centres plus an inch (PAY-099)."""
    spots = [firer.figure.at for firer in firers if firer.figure.at is not None]
    (x, y), base_width = middle_of(spots), 2 * battle.book.bases["foot"]
    dx, dy, length = towards[0] - x, towards[1] - y, dist((x, y), towards)
    if length == 0:
        return base_width  # the firers are at their target
    across = [((px - x) * dy - (py - y) * dx) / length for px, py in spots]
    return max(across) - min(across) + base_width


def widest_front(battle: Battle, firers: Sequence[Firer]) -> float:
    """Return the largest frontage of some figures in any direction (PAY-099)."""
    spots = [firer.figure.at for firer in firers if firer.figure.at is not None]
    return max(dist(a, b) for a in spots for b in spots) + 2 * battle.book.bases["foot"]


@procedure("fire.volley")
def volley(
    table: Table,
    battle: Battle,
    unit: Unit,
    firers: Sequence[Firer],
    targets: Sequence[Figure],
    aimed: str,
    target_ranges: TargetRanges | None = None,
) -> int:
    """Fire one shot of each firer at the target figures, mark the hits at once, and return their number.

    The target figures are fixed now (PAY-106). A firer with none of them in sight and range does not fire (PAY-113).
    `target_ranges` holds the ranges if the choice has already computed them.
    """
    target_ranges = target_ranges or ranges_along(battle, unit.spec.side, muzzles_of(battle, firers), targets)
    covers = covers_of(battle, targets)
    target = target_of(battle, targets, covers)
    shots: dict[Shot, int] = {}
    spots: list[Point] = []
    for firer, muzzle, distance in zip(firers, *target_ranges, strict=True):
        shot = shot_at(battle, muzzle, firer.figure, firer.weapon, target, distance)
        if shot is not None:
            if shot not in shots:
                bands = battle.book.bands[firer.weapon]
                battle.book.rules.show_range(table, bands, firer.figure, firer.weapon, shot[1])
            shots[shot] = shots.get(shot, 0) + 1
            spots.append(muzzle.at)
            firer.figure.shots += 1
    actor = firers[0].figure.spec.id if len(firers) == 1 else unit.spec.id
    hits = sum([shoot(table, facts_of(shot), count, actor, aimed) for shot, count in shots.items()])
    fired = sum(shots.values())
    table.emit("fire", "PAY-054", unit=unit.spec.id, by=actor, target=aimed, shots=fired, hits=hits)
    exposed: list[frozenset[str]] | None = None
    if hits and battle.book.settings.exposure_check == "all_fire":
        exposed = exposures(battle, middle_of(spots), targets, covers)
    spread = battle.book.settings.hit_spread
    assign_hits(table, battle, targets, hits, exposed, spread=spread, actor=actor)
    return hits


# --- Fire out of turn for house rules: one volley by all figures with a shot left -------------------------------------


def targets_out_of_turn(battle: Battle, unit: Unit) -> list[Unit]:
    """Return the enemy units that at least one figure of a unit may aim at (PAY-101, PAY-103)."""
    return [battle.units[name] for name in in_reach(battle, unit, may_fire(battle, unit))]


def shoot_out_of_turn(table: Table, battle: Battle, unit: Unit, target: Unit) -> bool:
    """Fire one volley at all eligible figures of the target (PAY-106). Return True if a shot was fired."""
    firers, name = may_fire(battle, unit), target.spec.id
    aimed = in_reach(battle, unit, firers)[name]
    before = sum(firer.figure.shots for firer in firers)
    volley(table, battle, unit, firers, aimed, name)
    return sum(firer.figure.shots for firer in firers) > before


# --- Rolls to hit (PAY-105, PAY-107 to PAY-114): the facts that change a shot, the dice, and who is hit ---------------


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


# --- A stretch of ground as a target (PAY-095, PAY-098, PAY-099): a straight line whose two ends the owner names ------


Stretch = tuple[Point, Point]


def lay_stretch(
    table: Table,
    side: str,
    actor: str,
    start: Point,
    aim_points: Sequence[Point],
    front: Callable[[Point], float],
    refuse_start: Callable[[Point], str | None],
    reason_to_refuse: Callable[[Point, Point], str | None],
) -> Stretch:
    """Let the owner name both ends of a stretch, of any length and direction that `reason_to_refuse` allows.

    `start` is the firers' centre. `aim_points` holds the positions to aim at, of targets other than a single leader.
    `front` returns the firers' frontage towards a midpoint. `refuse_start` returns why no stretch from a point can
    reach a target, or None. The suggestions cross the line of fire at those targets, at full and half frontage, plus
    the target's own position. The frontage is known only once both ends are: an owner who finds no second end names the
    first again and starts over.
    """
    stretches = [_across(start, middle, front(middle) * share) for middle in aim_points for share in (1.0, 0.5, 0.0)]
    ends = [*(a for a, _ in stretches), *(b for _, b in stretches)]

    def is_allowed(a: Point, b: Point) -> bool:
        return reason_to_refuse(a, b) is None

    def find(index: int) -> Point | None:
        a, b = stretches[index]
        return a if a == b or is_allowed(a, b) else None

    def ends_for(a: Point) -> list[Point]:
        second_ends = [b for begin, b in stretches if begin == a and is_allowed(a, b)]
        return second_ends or [b for b in dict.fromkeys([a, *ends]) if is_allowed(a, b)] or [a]

    while True:
        a = table.place(
            side, LazyOptions(len(stretches), find), refuse_start, why="stretch from", rule="PAY-098", actor=actor
        )
        refused_end = partial(_refuse_end, a, reason_to_refuse)
        b = table.place(side, ends_for(a), refused_end, why="stretch to", rule="PAY-098", actor=actor)
        if is_allowed(a, b):
            return a, b


def _refuse_end(a: Point, reason_to_refuse: Callable[[Point, Point], str | None], b: Point) -> str | None:
    """Return why a stretch may not end at a point, or None.

    The starting point is always accepted and cancels the choice.
    """
    return None if b == a else reason_to_refuse(a, b)


def why_no_target(battle: Battle, figures: Sequence[Figure], widest: float, a: Point) -> str | None:
    """Return why no stretch up to `widest` inches long from point `a` may be fired at, or None (PAY-096, PAY-098).

    `figures` are all figures that may be fired at along a stretch.
    """
    reach = widest + battle.book.file.target_stretch.inches + 1e-6
    near = [figure for figure in figures if figure.at is not None and dist(figure.at, a) <= reach]
    if not near:
        return "no stretch that begins there reaches a legal target"
    if len(near) == 1 and battle.is_leader(near[0]):
        return "a stretch that begins there reaches only a single leader (PAY-096)"
    return None


def _across(start: Point, middle: Point, length: float) -> Stretch:
    """Return the stretch centred on a point, at right angles to the line from the firers."""
    far = dist(start, middle) or 1.0
    half = length / 2
    x, y = (middle[1] - start[1]) / far * half, -(middle[0] - start[0]) / far * half
    return (middle[0] + x, middle[1] + y), (middle[0] - x, middle[1] - y)
