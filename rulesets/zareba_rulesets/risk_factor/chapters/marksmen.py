"""The figures of a unit that are able to shoot, and the figures they can hit (RSK-094, RSK-095, RSK-104 to RSK-110)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zareba.base.exact import dist, distances
from zareba.base.named_tuples import new_tuple
from zareba_rulesets.risk_factor.chapters.casualties import Figure
from zareba_rulesets.risk_factor.chapters.movement import guarded_by
from zareba_rulesets.risk_factor.chapters.sight import LinesOfFire, lines_of_fire
from zareba_rulesets.risk_factor.chapters.targets import may_hurl_at, may_pick_figures, may_shoot, may_use
from zareba_rulesets.risk_factor.forces import (
    Battle,
    Unit,
    band_of,
    figures_carrying,
    figures_with_other_arms,
    longest_reach,
    missile_arms_of_figure,
    missile_weapons,
    reach_of,
)


@dataclass(slots=True)
class Shot:
    """A figure able to shoot: its distance from the nearest figure it can aim at, and its weapon."""

    distance: float
    unit: Unit
    index: int
    weapon: str


def able_figures(
    battle: Battle, unit: Unit, target: Unit, weapon: str, pool: list[Figure], lines: LinesOfFire
) -> list[Shot]:
    """Return the figures of a unit that can shoot at a target (RSK-094) with their ranges (RSK-095), nearest first.

    Not included are figures in contact with an enemy, guards and killers of prisoners, horse-holders (RSK-080), and
    wounded figures beyond short range (RSK-110). Leaders shoot with their group, each with a weapon they carry
    (RSK-087). Figures without `weapon` shoot or throw what they have (RSK-035, RSK-047).
    """
    engaged = battle.figures_in_contact(unit)
    if may_hurl_at(battle, unit, target, weapon):
        engaged = frozenset()
    near = battle.gap(unit, target).gap
    shooters = [(unit, index, weapon) for index in figures_carrying(battle, unit, weapon) if index not in engaged]
    for index in figures_with_other_arms(battle, unit, weapon):
        arm = next((arm for arm in missile_arms_of_figure(battle, unit, index) if may_use(battle, unit, arm)), None)
        if arm is not None and index not in engaged:
            shooters.append((unit, index, arm))
    if not unit.spec.leader and not unit.spec.support:
        for leader in battle.leaders_with(unit):
            carried_arm = _arm_of(battle, leader, weapon)
            if carried_arm is not None:
                shooters.append((leader, 0, carried_arm))
    by_group = battle.book.settings.shooting_range_by == "group"
    victims = PossibleVictims(battle, pool)
    shots = []
    for shooter, index, arm in shooters:
        distance_seen = _nearest_seen(battle, shooter, index, victims, lines, reach_of(battle, shooter, arm))
        if distance_seen is None:
            continue
        distance = near if by_group else distance_seen
        band = band_of(battle, shooter, arm, distance)
        if band is None or (shooter.hurt[index] and band != "short"):
            continue
        shots.append(Shot(distance, shooter, index, arm))
    shots.sort(key=nearest_first)
    if battle.captives or unit.killers or "dismounted" in unit.marks:
        busy_figures = _busy_figures(battle, unit, [shot.index for shot in shots if shot.unit is unit])
        shots = [shot for shot in shots if shot.unit is not unit or shot.index not in busy_figures]
    return shots


def nearest_first(shot: Shot) -> tuple[float, int]:
    """Sort key: the nearest figures shoot first (RSK-083)."""
    return shot.distance, shot.index


def _arm_of(battle: Battle, leader: Unit, weapon: str) -> str | None:
    """Return the weapon a leader uses when shooting with a group: the group's weapon, or the leader's own weapon with
    the longest range. None if the leader does not shoot.
    """
    if may_pick_figures(battle, leader) or not may_shoot(battle, leader) or battle.enemies_in_contact(leader):
        return None
    usable = [arm for arm in missile_weapons(battle, leader) if may_use(battle, leader, arm)]
    return weapon if weapon in usable else max(usable, key=lambda arm: reach_of(battle, leader, arm), default=None)


def _nearest_seen(
    battle: Battle, shooter: Unit, index: int, men: PossibleVictims, lines: LinesOfFire, reach: int
) -> float | None:
    """Return the distance from a shooter to the nearest figure whose whole base it sees, or None if there is none
    within reach.
    """
    body, bases = shooter.body, men.bases
    shooter_at, shooter_radius = body.at[index], body.radius
    lengths = distances(shooter_at, men.points)
    if not lengths:
        return None
    edges = (
        lengths
        if men.same_size
        else [length - target_radius for length, (_, target_radius) in zip(lengths, bases, strict=True)]
    )
    in_the_open = men.none_concealed and not any(battle.field.depths[body])
    for number in _nearest_numbers(edges):
        target_at, target_radius = bases[number]
        gap = lengths[number] - shooter_radius - target_radius
        if gap > reach:
            return None
        name, j = men.figures[number]
        target = battle.units[name]
        may_aim = in_the_open or _may_aim(battle, shooter, index, target, j)
        if may_aim and lines.is_clear(body, target.body, shooter_at, target_at):
            return max(0.0, gap)
    return None


def _nearest_numbers(lengths: list[float]) -> Iterator[int]:
    """Yield the indices of some lengths, the shortest first. In most cases no one asks for the second."""
    first = lengths.index(min(lengths))
    yield first
    yield from sorted(range(len(lengths)), key=lengths.__getitem__)[1:]


class PossibleVictims:
    """The figures that may be hit, by unit and index, and their positions.

    `none_concealed`: none of them is concealed. `same_size`: all bases have the same size.
    """

    __slots__ = ("bases", "figures", "none_concealed", "points", "same_size")

    def __init__(self, battle: Battle, pool: list[Figure]) -> None:
        self.figures = sorted(pool)
        bodies = {name: battle.units[name].body for name in dict.fromkeys(name for name, _ in pool)}
        self.bases = [(bodies[name].at[j], bodies[name].radius) for name, j in self.figures]
        self.points = [point for point, _ in self.bases]
        self.same_size = len({body.radius for body in bodies.values()}) < 2
        self.none_concealed = not any(any(battle.field.depths[body]) for body in bodies.values())


def _may_aim(battle: Battle, shooter: Unit, index: int, target: Unit, j: int) -> bool:
    """Return True if the rules for woods let one shooter aim at one figure (RSK-152). From beyond the fire depth a
    figure cannot shoot out of a wood.
    """
    shooter_depth, target_depth = battle.field.depths[shooter.body][index], battle.field.depths[target.body][j]
    if shooter_depth is not None and target_depth is not None and shooter_depth.piece == target_depth.piece:
        distance = dist(shooter.body.at[index], target.body.at[j]) - shooter.body.radius - target.body.radius
        return distance <= battle.book.lengths["wood_sight"]
    if shooter_depth is None or not battle.field.pieces[shooter_depth.piece].ground.wood:
        return True
    settings = battle.book.settings
    return bool(shooter_depth.cm <= max(settings.woods_look_depth, settings.woods_fire_depth))


def _busy_figures(battle: Battle, unit: Unit, able: list[int]) -> set[int]:
    """Return the figures that guard or kill prisoners (RSK-094, RSK-157) or hold horses (RSK-080).

    Figures unable to shoot are taken first, then the farthest of `able`, which is sorted nearest first.
    """
    counts, engaged = battle.book.counts, battle.figures_in_contact(unit)
    idle = [index for index in range(unit.count) if index not in able]
    likely = [index for index in (*idle, *reversed(able)) if index not in engaged]
    guarded_prisoners, fit_to_guard = guarded_by(battle, unit)
    guards_needed = -(-sum(captives.count for captives in guarded_prisoners) // counts["guarded"])
    horse_holders = -(-unit.count // counts["horse_holders"]) if "dismounted" in unit.marks else 0
    busy: set[int] = set()
    for number, candidates in ((guards_needed, fit_to_guard), (unit.killers + horse_holders, likely)):
        busy.update([index for index in likely if index in candidates and index not in busy][:number])
    return busy


def figures_to_hit(
    battle: Battle, unit: Unit, target: Unit, weapon: str | None = None, with_leaders: bool = True
) -> list[Figure]:
    """Return the figures of a target that may be hit. Leaders within 5 cm are included (RSK-105), figures in contact
    with an enemy are not (RSK-097).

    If chargers hurl a `weapon` at the group they charged, figures in contact may be hit too (RSK-094). In a wood, only
    figures within the depth limit for shooting may be hit (RSK-108, RSK-154).
    """
    deepest = max(battle.book.settings.woods_fire_depth, battle.book.settings.woods_look_depth)
    forbid = battle.book.settings.shooting_at_engaged == "forbid"
    if weapon is not None and may_hurl_at(battle, unit, target, weapon):
        forbid = False
    shared = {depth.piece for depth in battle.field.depths[unit.body] if depth is not None}
    figures = []
    for member in (target, *(battle.leaders_with(target) if with_leaders and not target.spec.leader else ())):
        engaged = battle.figures_in_contact(member) if forbid else frozenset()
        depths = battle.field.depths[member.body]
        for index in range(member.count):
            depth = depths[index]
            if index not in engaged and (depth is None or depth.cm <= deepest or depth.piece in shared):
                figures.append(new_tuple(Figure, (member.spec.id, index)))
    return figures


def visible_pool(battle: Battle, shots: list[Shot], pool: list[Figure], lines: LinesOfFire) -> list[Figure]:
    """Return the figures of the target that any of the shooters can shoot at (RSK-099, RSK-104)."""
    shooters = list({(shot.unit.spec.id, shot.index): (shot.unit, shot.index) for shot in shots}.values())
    visible = []
    for figure in pool:
        target = battle.units[figure.unit_id]
        place_of_target = target.body.at[figure.number]
        for shooter, index in shooters:
            body = shooter.body
            if _may_aim(battle, shooter, index, target, figure.number) and lines.is_clear(
                body, target.body, body.at[index], place_of_target
            ):
                visible.append(figure)
                break
    return visible


def share_with_a_clear_shot(battle: Battle, unit: Unit, target: Unit) -> float:
    """Estimate the share of a unit that has a clear shot at a target from a few of its figures. Used by AI players, not
    by the rules.
    """
    lines = lines_of_fire(battle, unit, target)
    pool = figures_to_hit(battle, unit, target, with_leaders=False)
    engaged = battle.figures_in_contact(unit)
    some = sorted({0, unit.count // 3, 2 * unit.count // 3, unit.count - 1})
    reach = longest_reach(battle, unit)
    men = PossibleVictims(battle, pool)
    clear = [i for i in some if i not in engaged and _nearest_seen(battle, unit, i, men, lines, reach) is not None]
    return len(clear) / len(some)
