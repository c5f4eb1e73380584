"""Targets: which units may shoot, at what rate, at which enemies, and which figures they can hit (RSK-081 to
RSK-110).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zareba.base.exact import dist, distances
from zareba.base.speedups import new_tuple
from zareba_rulesets.risk_factor.chapters.casualties import Figure
from zareba_rulesets.risk_factor.chapters.movement import guarded_by
from zareba_rulesets.risk_factor.chapters.sight import LinesOfFire, lines_of_fire, sees, sees_any_other
from zareba_rulesets.risk_factor.forces import (
    Battle,
    Unit,
    band_of,
    figures_carrying,
    figures_with_other_arms,
    loading_of,
    longest_reach,
    missile_arms_of_figure,
    missile_weapons,
    reach_of,
)


def may_pick_figures(battle: Battle, unit: Unit) -> bool:
    """Return True for Player Characters, who shoot at the full rate and may pick any figure (RSK-087). Solo sides have
    none (RSK-044).
    """
    return battle.is_commander(unit) and not battle.is_solo(unit.spec.side)


def shoots_at_full_rate(unit: Unit) -> bool:
    """Return True if a unit shoots at the full rate: a commanded unit with volleys (RSK-067, RSK-068), or a linked
    leader.
    """
    if unit.spec.leader:
        return "linked" in unit.marks
    return "commanded" in unit.marks and (unit.spec.volley or bool(unit.spec.support))


def may_name_target(battle: Battle, unit: Unit) -> bool:
    """Return True if the owner names the target (RSK-086). Commanded troops without volleys do so only with
    `shooting.no_volley_scope` set to rate_only (RSK-067).
    """
    if battle.is_solo(unit.spec.side):
        return False
    if may_pick_figures(battle, unit) or shoots_at_full_rate(unit):
        return True
    return "commanded" in unit.marks and battle.book.settings.shooting_no_volley_scope == "rate_only"


def may_use(battle: Battle, unit: Unit, weapon: str) -> bool:
    """Return True if loading and movement allow a unit to use a weapon (RSK-088, RSK-089, RSK-090, RSK-091, RSK-092).

    The limits bind commanded troops and Player Characters, and all other troops with `shooting.uncommanded_loading`
    set to tracked (RSK-084). A muzzle-loader must be loaded and have moved at half speed at most. A breech-loader, bow
    or sling must have moved at half speed at most. Magazine and hurled weapons have no limit.
    """
    if unit.spec.support and "moved" in unit.marks:
        return False
    bound = may_pick_figures(battle, unit) or shoots_at_full_rate(unit)
    if not bound and battle.book.settings.shooting_uncommanded_loading == "free":
        return True
    loading = loading_of(battle, unit, weapon)
    if loading == "muzzle":
        return "loaded" in unit.marks and "far" not in unit.marks
    return loading != "breech" or "far" not in unit.marks


def may_shoot(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit may shoot. Routers may not (RSK-096), nor leaders who threw for command without declaring
    it (RSK-053).
    """
    if not unit.is_on_table or unit.status == "routing" or "fired_now" in unit.marks or _threw_undeclared(unit):
        return False
    return any(may_use(battle, unit, weapon) for weapon in missile_weapons(battle, unit))


def has_loaded(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit that did not fire spent its whole turn loading: without moving and out of contact
    (RSK-088).

    Units that killed prisoners do not load (RSK-159), nor do leaders who threw for command without declaring it
    (RSK-053).
    """
    if unit.marks & {"moved", "footing"} or unit.killers or battle.enemies_in_contact(unit) or _threw_undeclared(unit):
        return False
    return not any(unit.spec.id in names for names in battle.fights)


def _threw_undeclared(unit: Unit) -> bool:
    """Return True for a leader who threw with a group and is not busy."""
    return bool(unit.spec.leader) and "linked" in unit.marks and "busy" not in unit.marks


def ready_to_shoot(battle: Battle) -> list[str]:
    """Return the units of the active side that have an enemy within range: groups, and leaders with no group (RSK-039,
    RSK-087).

    Leaders in contact with an enemy do not shoot (RSK-094).
    """
    names = []
    enemies = battle.standing(battle.enemy(battle.side))
    for unit in battle.of(battle.side):
        if not may_shoot(battle, unit):
            continue
        if unit.spec.leader and not may_pick_figures(battle, unit) and battle.host(unit) is not None:
            continue
        if unit.spec.leader and battle.enemies_in_contact(unit) and not battle.book.settings.shooting_charge_throw:
            continue
        reach = max(reach_of(battle, unit, w) for w in missile_weapons(battle, unit) if may_use(battle, unit, w))
        if min(enemies.least_gaps(unit.body), default=reach + 1) <= reach:
            names.append(unit.spec.id)
    return names


def is_open_target(battle: Battle, unit: Unit, target: Unit) -> bool:
    """Return True if a target shows a unit any figure that may be aimed at because it is not in contact with an enemy
    (RSK-097).
    """
    if battle.book.settings.shooting_at_engaged == "allow":
        return True
    if any(may_hurl_at(battle, unit, target, weapon) for weapon in missile_weapons(battle, unit)):
        return True
    engaged = battle.figures_in_contact(target)
    return not engaged or (len(engaged) < target.count and sees_any_other(battle, unit, target, engaged))


def may_hurl_at(battle: Battle, unit: Unit, target: Unit, weapon: str) -> bool:
    """Return True if chargers may hurl a weapon at the unit they charged, whether or not it is in contact (RSK-094)."""
    if not battle.book.settings.shooting_charge_throw or loading_of(battle, unit, weapon) != "hurled":
        return False
    return any(
        enemy.spec.id == unit.spec.id and "charged" in enemy.marks for enemy in battle.enemies_in_contact(target)
    )


def nearest_target(battle: Battle, unit: Unit) -> Unit | None:
    """Return the nearest enemy unit in sight that may be shot at, measured from the unit's closest figure (RSK-085,
    RSK-148).

    A leader with a group is not a separate target, but one of the figures of the group that may be hit (RSK-105).
    """
    units, enemies = battle.units, battle.standing(battle.enemy(unit.spec.side))

    def is_target(k: int) -> bool:
        enemy = units[enemies.names[k]]
        return battle.is_a_unit(enemy) and is_open_target(battle, unit, enemy) and sees(battle, unit, enemy)

    nearest = enemies.nearest_that(unit.body, is_target)
    if nearest is None:
        return None
    index, _ = nearest
    return units[enemies.names[index]]


def possible_targets(battle: Battle, unit: Unit) -> list[Unit]:
    """Return the enemy units in sight within range of a usable weapon.

    Only a Player Character can single out a leader who is with a group (RSK-087, RSK-104).
    """
    reach = max(
        [reach_of(battle, unit, w) for w in missile_weapons(battle, unit) if may_use(battle, unit, w)], default=0
    )
    near = battle.enemies_within(unit, reach)
    if not may_pick_figures(battle, unit):
        near = [enemy for enemy in near if battle.is_a_unit(enemy)]
    return [enemy for enemy in near if is_open_target(battle, unit, enemy) and sees(battle, unit, enemy)]


# --- The figures of a unit that are able to shoot, and the figures they can hit (RSK-094, RSK-095, RSK-104 to RSK-110)


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
