"""Fire, and fire out of turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from zareba.base.exact import dist
from zareba.base.named_tuples import new_tuple
from zareba.rules import procedure
from zareba.space import Point
from zareba.space.geometry import bounds, middle_of
from zareba.table import Table
from zareba_rulesets.paychest.chapters.sight import (
    FiringLine,
    Muzzle,
    box_of,
    covers_of,
    eligible,
    enemies_near_box,
    enemies_touched,
    exposures,
    figures_in_contact,
    firing_line,
    foes_near,
    groups_among,
    obstacles_between,
)
from zareba_rulesets.paychest.chapters.to_hit import (
    Shot,
    TargetRanges,
    assign_hits,
    facts_of,
    muzzle_of,
    ranges_to,
    ready_weapon,
    shoot,
    shot_at,
    shots_left,
    target_of,
)
from zareba_rulesets.paychest.forces.battle import Battle, is_burdened
from zareba_rulesets.paychest.forces.units import Figure, Unit

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
