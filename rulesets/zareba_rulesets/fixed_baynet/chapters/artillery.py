"""Artillery: direct and indirect fire, and where shells burst."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from zareba.base.exact import dist, hypot
from zareba.base.state import facts
from zareba.chance import counts, random_draw
from zareba.rules import procedure
from zareba.space.bearings import bearing, clock_offset
from zareba.space.geometry import Point, box_between, box_gap, joint_box
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.numbers import CRITICAL, HIT, d3, d12_result, roll_gun_die
from zareba_rulesets.fixed_baynet.chapters.buildings import buildings_at, damage_building
from zareba_rulesets.fixed_baynet.chapters.crews import best_cs, is_in_gun_arc, is_manned, is_touching, serve
from zareba_rulesets.fixed_baynet.chapters.fire import Formation, ShotFacts, record_shot_at, target_facts
from zareba_rulesets.fixed_baynet.chapters.hits import resolve_hit
from zareba_rulesets.fixed_baynet.chapters.sight import (
    band_within,
    cover_between,
    is_lit,
    sees,
    sees_point,
    stand_point,
)
from zareba_rulesets.fixed_baynet.chapters.targets import target_figures
from zareba_rulesets.fixed_baynet.forces.battle import Battle, gun_limits
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Placed, Unit

# --- Where a round lands and whom it hits: deviation, shell bursts over men and guns, and solid shot ------------------
#
# Rules: FBN-213, FBN-216 to FBN-221.


_HOUR = counts("o'clock; 12 is straight on from the gun")
_INCHES = counts("inches of deviation, before the extra of a critical miss")
_STRUCK = random_draw("the one struck, of several equally near")

SHOT, SHELL = "shot", "shell"
Landed = Callable[["Impact"], None]
"""Called with the point where a round lands, before its burst is resolved."""


@facts
class BlastFacts:
    """A man under a burst or near a stray shot (FBN-217). Range and skill do not count."""

    ds: int
    formation: Formation = "open"
    cv: int = 0
    charging: bool = False
    crew: bool = False
    chest: bool = False


@dataclass(frozen=True, slots=True)
class Impact(Placed):
    """The point where a round lands, and how it hit its target: 0 not at all, 1 hit, 2 critical.

    `wild` is True if the die of a direct shot was a critical miss (FBN-220).
    """

    x: float
    y: float
    direct: int = 0
    wild: bool = False


def emit_round(table: Table, rule: str, unit: Unit, target: str, ammunition: str, impact: Impact) -> None:
    """Emit the event of a round: its target and where it landed."""
    table.emit(
        "gun fires", rule, unit=unit.spec.id, target=target, ammunition=ammunition, hit=bool(impact.direct),
        x=round(impact.x, 1), y=round(impact.y, 1),
    )  # fmt: skip


def gun_damage(battle: Battle, gun: Gun, ammunition: str) -> int:
    """Return the damage of a round (FBN-213): the multiple times 1 for shot or 2 for shell; by setting, one roll's."""
    ammo = battle.book.file.ammunition[ammunition].damage  # type: ignore[index]  # the two keys of the model
    multiple = battle.book.guns[gun.kind].multiple
    return ammo if battle.book.settings.artillery_damage == "dice" else ammo * multiple


def rolls_per_man(battle: Battle, gun: Gun) -> int:
    """Return the to-hit rolls on each man under a burst: one, or the multiple by setting (FBN-213)."""
    return battle.book.guns[gun.kind].multiple if battle.book.settings.artillery_damage == "dice" else 1


def roll_deviated_point(table: Table, at: Point, goal: Point, ammunition: str, critical: bool, actor: str) -> Point:
    """Roll the distance and clock direction of a deviation; 12 is straight on (FBN-219 to FBN-221)."""
    inches = roll_deviation(table, ammunition, critical, actor)
    hour = table.roll(1, 12, why="direction", rule="FBN-221", actor=actor, means=_HOUR)
    onward = bearing(at, goal) if at != goal else 0.0
    x, y = clock_offset(goal, onward, hour, float(inches))
    return round(x, 9), round(y, 9)


@procedure("artillery.deviation")
def roll_deviation(table: Table, ammunition: str, critical: bool, actor: str) -> int:
    """Roll the deviation in inches: shot D6, shell D3; on a critical miss D6+3 and D6 instead (FBN-219, FBN-220)."""
    numbers = table.rules.book.deviation[ammunition]
    faces = numbers.critical_die if critical else numbers.die
    plus = numbers.critical_plus if critical else 0
    if faces == 3:
        return plus + d3(table, why="deviation", rule="FBN-219", actor=actor)
    return plus + table.roll(1, faces, why="deviation", rule="FBN-219", actor=actor, means=_INCHES)


def roll_full_damage(table: Table, battle: Battle, gun: Gun, ammunition: str, need: int, actor: str) -> int:
    """Return the damage of a direct hit on a gun or building.

    With `artillery_damage` dice the extra rolls are made (FBN-213).
    """
    more = sum(
        d12_result(table, need, why="gun again", rule="FBN-213", actor=actor) > 0
        for _ in range(rolls_per_man(battle, gun) - 1)
    )
    return gun_damage(battle, gun, ammunition) * (1 + more)


def men_under_burst(
    battle: Battle, gun: Gun, ammunition: str, impact: Impact, spared: Figure | None
) -> list[tuple[Unit, Figure, BlastFacts]]:
    """Return the men attacked where a round lands: under a shell's marker, or nearest to a shot (FBN-216, FBN-218).

    Positions are those at the moment of impact. For a shot, several men are returned if they are equally near.
    """
    reach = battle.book.burst_radius(gun.kind) if ammunition == SHELL else float(battle.book.file.ball.inches)
    impact_box = (*impact.at, *impact.at)
    hit_men = []
    for unit in battle.on_table():
        if box_gap(impact_box, unit.box) > reach + 2:
            continue
        for man in unit.figures.values():
            if man is spared or battle.field.is_sectioned(man.place):
                continue
            away = dist(man.at, impact.at)
            if away <= reach + 1e-6:
                hit_men.append((away, unit, man))
    if ammunition != SHELL and hit_men:
        least = min(away for away, _, _ in hit_men)
        hit_men = [(away, unit, man) for away, unit, man in hit_men if away <= least + 1e-6]
    return [(unit, man, blast_facts(battle, unit, man)) for _, unit, man in hit_men]


def blast_facts(battle: Battle, unit: Unit, man: Figure) -> BlastFacts:
    """Return the facts of a man under a burst.

    The terrain he is in shelters him; cover between him and the gun does not (FBN-217).
    """
    here = man.at
    cover = cover_between(battle, here, None, man, battle.field.scene((*here, *here)))
    return BlastFacts(cv=cover, **target_facts(unit, man))


@procedure("artillery.blast")
def roll_blast(table: Table, situation: BlastFacts, actor: str, rule: str = "FBN-217") -> int:
    """Roll for a man under a burst and return 0 miss, 1 hit or 2 critical (FBN-217).

    With `blast_hits` auto it is always a hit (FBN-217). `rule` is FBN-204 for a gun.
    """
    if table.rules.settings["blast_hits"] == "auto":
        return HIT
    return d12_result(table, table.tally("blast", situation, actor).total, why="burst", rule=rule, actor=actor)


@procedure("artillery.burst")
def resolve_burst(
    table: Table,
    battle: Battle,
    unit: Unit,
    gun: Gun,
    ammunition: str,
    impact: Impact,
    aimed_at: tuple[Unit, Figure] | None,
    spared: Gun | None = None,
) -> None:
    """Resolve a burst: the man aimed at takes the hit; all others under the marker roll, friend or foe (FBN-217).

    `spared` is the gun that was aimed at and has taken its hit already. A shot strikes only the man it hit, or the
    nearest to where it strayed (FBN-218).
    """
    target, man_aimed_at = aimed_at or (None, None)
    attacked = men_under_burst(battle, gun, ammunition, impact, man_aimed_at)
    if target is not None and man_aimed_at is not None:
        is_critical, damage = impact.direct == CRITICAL, gun_damage(battle, gun, ammunition)
        resolve_hit(table, battle, target, man_aimed_at, is_critical, damage, "fire", unit)
        if ammunition == SHOT:
            return
    if ammunition == SHOT:
        _strike_nearest(table, battle, unit, gun, impact, attacked)
        return
    for target_unit, man, situation in attacked:
        resolve_blast(table, battle, unit, gun, ammunition, target_unit, man, situation)
    for target_unit, number, other in _guns_near(battle, impact, battle.book.burst_radius(gun.kind)):
        if other is not spared:
            _strike_gun(table, battle, gun, ammunition, target_unit, number)
    for building_id in buildings_at(battle, impact.at):
        damage = gun_damage(battle, gun, SHELL) * rolls_per_man(battle, gun)
        damage_building(table, battle, building_id, damage, critical=False, shell=True, by=unit)


def _strike_nearest(
    table: Table, battle: Battle, unit: Unit, gun: Gun, impact: Impact, attacked: list[tuple[Unit, Figure, BlastFacts]]
) -> None:
    """Strike the man or gun whose centre is nearest to a stray shot, within an inch.

    Ties are drawn at random (FBN-005, FBN-218).
    """
    guns = _guns_near(battle, impact, float(battle.book.file.ball.inches))
    to_gun = [dist(other.at, impact.at) for _, _, other in guns]
    to_man = [dist(man.at, impact.at) for _, man, _ in attacked]
    least = min([*to_gun, *to_man], default=0.0) + 1e-6
    men = {item[1].spec.id: item for item, away in zip(attacked, to_man, strict=True) if away <= least}
    pieces = {
        f"{item[0].spec.id} gun {item[1] + 1}": item for item, away in zip(guns, to_gun, strict=True) if away <= least
    }
    names = [*men, *pieces]
    if len(names) > 1:
        lots = dict.fromkeys(names, 1)
        names = [table.draw(lots, why="nearest of equals", rule="FBN-218", actor=unit.spec.id, means=_STRUCK)]
    for name in names:
        if name in men:
            resolve_blast(table, battle, unit, gun, SHOT, *men[name])
        else:
            _strike_gun(table, battle, gun, SHOT, *pieces[name][:2])


def resolve_blast(
    table: Table,
    battle: Battle,
    unit: Unit,
    gun: Gun,
    ammunition: str,
    target_unit: Unit,
    man: Figure,
    situation: BlastFacts,
) -> None:
    """Resolve a burst against one man. His unit has been shot at, friend or foe (FBN-094)."""
    target_unit = battle.change(target_unit)
    record_shot_at(table, battle, target_unit)
    key = man.spec.id
    for _ in range(rolls_per_man(battle, gun)):
        if key not in target_unit.figures:
            return
        result = roll_blast(table, situation, key)
        if result:
            man = target_unit.figures[key]
            resolve_hit(
                table, battle, target_unit, man, result == CRITICAL, gun_damage(battle, gun, ammunition), "fire", unit
            )


def _guns_near(battle: Battle, impact: Impact, reach: float) -> list[tuple[Unit, int, Gun]]:
    """Return the guns whose centres are within `reach` inches of an impact, with their units and numbers (FBN-217).

    The gun that fired is included.
    """
    return [
        (target_unit, number, other)
        for target_unit in battle.units.values()
        if "away" not in target_unit.marks
        for number, other in enumerate(target_unit.guns)
        if other.wounds > 0 and dist(other.at, impact.at) <= reach + 1e-6
    ]


def _strike_gun(table: Table, battle: Battle, gun: Gun, ammunition: str, target_unit: Unit, number: int) -> None:
    """Resolve a burst against a gun. It rolls like a man, and a critical counts as an ordinary hit (FBN-204,
    FBN-217).
    """
    target_unit = battle.change(target_unit)
    if target_unit.figures:
        record_shot_at(table, battle, target_unit)
    other = target_unit.guns[number]
    situation = BlastFacts(battle.book.guns[other.kind].ds, cv=gun_cover(battle, other.at, None, other))
    for _ in range(rolls_per_man(battle, gun)):
        if other.wounds > 0 and roll_blast(table, situation, f"{target_unit.spec.id} gun", "FBN-204"):
            damage_gun(table, target_unit, other, gun_damage(battle, gun, ammunition))


def gun_cover(battle: Battle, origin: Point, firer: Figure | None, gun: Gun, own: float | None = None) -> int:
    """Return the CV of a gun against a shot from a point.

    A burst has no firer, so only the terrain the gun is in counts (FBN-204). `own` is the radius of the firer, if it
    is not a man.
    """
    mark = Figure(gun.x, gun.y, gun.z, gun.bearing, 0, "none")
    scene = battle.field.scene(box_between(origin, gun.at))
    return cover_between(battle, origin, firer, mark, scene, battle.book.radius["gun"], own)


def damage_gun(table: Table, target_unit: Unit, gun: Gun, damage: int) -> None:
    """Take wounds from a gun; at 0 it is removed (FBN-204). The unit must be ready to be modified (`Battle.change`)."""
    gun.wounds = max(0, gun.wounds - damage)
    number = target_unit.guns.index(gun) + 1
    if gun.wounds == 0:
        target_unit.measure()
        table.emit("gun lost", "FBN-204", unit=target_unit.spec.id, gun=number)
    else:
        table.emit("gun hit", "FBN-204", unit=target_unit.spec.id, gun=number, left=gun.wounds)


# --- Direct artillery fire (FBN-209, FBN-210, FBN-214, FBN-215, FBN-247): ammunition, targets and the shot ------------


def fire_modes(battle: Battle, gun: Gun) -> set[str]:
    """Return the ways a gun can fire: guns direct, mortars indirect, howitzers by setting (FBN-210)."""
    kind = battle.book.guns[gun.kind]
    if kind.fire != "either":
        return {kind.fire}
    rule = battle.book.settings.howitzer_fire
    return {"direct", "indirect"} if rule == "both" else {rule}


def ammunition_of(gun: Gun) -> list[str]:
    """Return the ammunition a gun may fire (FBN-214). A mortar fires only shells (FBN-228)."""
    kinds = ([SHELL] if gun.shells else []) + ([SHOT] if gun.solid else [])
    return kinds or [SHELL]


def always_deviates(battle: Battle, gun: Gun) -> bool:
    """Return True if a gun deviates even on a hit: rockets do, and by setting all guns (FBN-219)."""
    return gun.odd or battle.book.settings.deviation_on == "always"


def may_fire_gun(battle: Battle, unit: Unit, gun: Gun) -> bool:
    """Return True if a gun has the crew and AC to fire (FBN-205, FBN-206). Machine guns fire salvos instead."""
    return gun.kind != "machine_gun" and gun.ac >= battle.book.file.gun_costs.fire and is_manned(battle, unit, gun)


def gun_observer(unit: Unit, gun: Gun) -> Figure:
    """Return an observer at the gun's position, based on its first crewman (FBN-215)."""
    man = next(iter(unit.figures.values()))
    return Figure(gun.x, gun.y, gun.z, gun.bearing, man.gl, "none", spec=man.spec)


def direct_targets(battle: Battle, unit: Unit, gun: Gun) -> Iterator[tuple[Unit, Figure]]:
    """Yield the enemy units a gun can fire at, each with the first man who can be picked (FBN-215)."""
    if "direct" not in fire_modes(battle, gun):
        return
    for target in battle.enemies(unit.spec.side):
        man = next(men_gun_can_hit(battle, unit, gun, target), None)
        if man is not None:
            yield target, man


def men_gun_can_hit(battle: Battle, unit: Unit, gun: Gun, target: Unit) -> Iterator[Figure]:
    """Yield the men of a unit a gun can aim at, those nearest to the unit's middle first (FBN-093, FBN-215).

    With `leaders_targetable` nearest, only the man nearest to the gun.
    """
    most = gun_limits(battle, unit, gun).long
    if box_gap((*gun.at, *gun.at), target.box) > most + battle.book.gun_and_man + battle.book.at_openings:
        return
    nearest = battle.book.settings.leaders_targetable == "nearest"
    x, y = gun.at if nearest else target.middle
    men = sorted(target_figures(battle, unit.spec.side, target), key=lambda man: hypot(man.x - x, man.y - y))
    eye, scene = gun_observer(unit, gun), battle.field.scene(joint_box((*gun.at, *gun.at), target.box))
    for man in men:
        at = stand_point(battle, man)
        away = gun_range_to(battle, gun, man, at)
        if away <= most and is_in_gun_arc(battle, gun, at) and sees(battle, eye, man, scene):
            yield man
            if nearest:
                return


def gun_range_to(battle: Battle, gun: Gun, man: Figure, at: Point) -> float:
    """Return the range from a gun to a man, edge to edge.

    `at` is his position for ranges: at a window, its middle (FBN-005, FBN-275).
    """
    return max(0.0, hypot(gun.x - at[0], gun.y - at[1]) - battle.book.radius["gun"] - battle.radius(man))


def gun_facts(battle: Battle, unit: Unit, gun: Gun, target: Unit, man: Figure, at: Point | None = None) -> ShotFacts:
    """Return the facts of a gun's direct shot, resolved like a firearm with the crew's CS (FBN-215).

    `at` is the man's position, if the caller has it.
    """
    eye, scene = gun_observer(unit, gun), battle.field.scene(joint_box((*gun.at, *gun.at), target.box))
    cover, at = (
        cover_between(battle, gun.at, eye, man, scene, own=battle.book.radius["gun"]),
        at or stand_point(battle, man),
    )
    return ShotFacts(
        cv=cover, **target_facts(target, man), **piece_facts(battle, unit, gun, gun_range_to(battle, gun, man, at), at)
    )


def piece_facts(battle: Battle, unit: Unit, gun: Gun, inches: float, at: Point) -> dict[str, Any]:
    """Return the facts about the gun and its crew that apply to any direct shot at a point (FBN-215)."""
    return {
        "band": band_within(gun_limits(battle, unit, gun), inches) or "long",
        "cs": best_cs(battle, unit, gun),
        "dark": battle.night and not is_lit(battle, at),
    }


def roll_aim(table: Table, situation: ShotFacts, actor: str, rule: str = "FBN-215") -> int:
    """Roll a D12 against the number needed: 0 critical miss, 1 miss, 2 hit, 3 critical (FBN-215, FBN-220).

    `rule` is the rule for the target: a man, a gun (FBN-204), a building (FBN-247), or a shot that always deviates
    (FBN-219).
    """
    need = table.tally("fire", situation, actor).total
    return roll_gun_die(table, need, why="gun", rule=rule, actor=actor)


@procedure("artillery.aim")
def aim_gun(
    table: Table,
    situation: ShotFacts,
    at: Point,
    goal: Point,
    ammunition: str,
    strays: bool,
    actor: str,
    rule: str = "FBN-215",
) -> Impact:
    """Roll the D12 of a direct shot and return where it lands (FBN-215, FBN-219, FBN-220).

    `strays` is True if this gun deviates even on a hit (FBN-219). `rule` is the rule for the target.
    """
    score = roll_aim(table, situation, actor, "FBN-219" if strays else rule)
    if score >= 2 and not strays:
        return Impact(*goal, direct=HIT if score == 2 else CRITICAL)
    return Impact(*roll_deviated_point(table, at, goal, ammunition, score == 0, actor), wild=score == 0)


@procedure("artillery.direct")
def fire_direct(
    table: Table,
    battle: Battle,
    unit: Unit,
    gun: Gun,
    target: Unit,
    man: Figure,
    ammunition: str,
    landed: Landed | None = None,
) -> Impact:
    """Fire a gun at a man and resolve the burst (FBN-215)."""
    situation = gun_facts(battle, unit, gun, target, man)
    serve(battle, unit, gun, battle.book.file.gun_costs.fire, fires=True)
    record_shot_at(table, battle, target)
    actor = f"{unit.spec.id} {unit.guns.index(gun) + 1}"
    impact = aim_gun(table, situation, gun.at, man.at, ammunition, always_deviates(battle, gun), actor)
    emit_round(table, "FBN-215", unit, target.spec.id, ammunition, impact)
    if landed is not None:
        landed(impact)
    resolve_burst(table, battle, unit, gun, ammunition, impact, (target, man) if impact.direct else None)
    return impact


@procedure("artillery.at_building")
def fire_gun_at_building(
    table: Table,
    battle: Battle,
    unit: Unit,
    gun: Gun,
    building_id: str,
    ammunition: str,
    landed: Landed | None = None,
) -> Impact:
    """Fire a gun at a building, whose CV replaces DS. A shell that hits lays no marker outside (FBN-247).

    `landed` learns where a round that misses lands, before it bursts.
    """
    goal = battle.field.buildings[building_id].middle
    situation = building_facts(battle, unit, gun, building_id)
    serve(battle, unit, gun, battle.book.file.gun_costs.fire, fires=True)
    actor = f"{unit.spec.id} {unit.guns.index(gun) + 1}"
    impact = aim_gun(table, situation, gun.at, goal, ammunition, always_deviates(battle, gun), actor, "FBN-247")
    emit_round(table, "FBN-247", unit, building_id, ammunition, impact)
    if impact.direct:
        need = battle.book.rules.tally("fire", situation, battle, unit).total
        damage = roll_full_damage(table, battle, gun, ammunition, need, actor)
        damage_building(
            table, battle, building_id, damage, impact.direct == CRITICAL, ammunition == SHELL, unit, gun.at
        )
    else:
        if landed is not None:
            landed(impact)
        resolve_burst(table, battle, unit, gun, ammunition, impact, None)
    return impact


def building_facts(battle: Battle, unit: Unit, gun: Gun, building_id: str) -> ShotFacts:
    """Return the facts of a shot at a building.

    Its CV replaces DS; range, night and the crew's CS count as usual (FBN-247).
    """
    building = battle.field.buildings[building_id]
    away = _range_to_wall(battle, gun, building_id)
    return ShotFacts(building.row.cv, **piece_facts(battle, unit, gun, away, building.middle))


def building_targets_of_gun(battle: Battle, unit: Unit, gun: Gun) -> list[str]:
    """Return the standing buildings in range, arc and sight of a gun that hold no friends."""
    if "direct" not in fire_modes(battle, gun):
        return []
    longest = gun_limits(battle, unit, gun).long
    names = []
    for name, building in battle.field.buildings.items():
        goal = building.middle
        if battle.houses[name].points <= 0 or _range_to_wall(battle, gun, name) > longest:
            continue
        holds_friends = any(
            man.place.startswith(f"{name}:")
            for friend in battle.on_table(unit.spec.side)
            for man in friend.figures.values()
        )
        if not holds_friends and is_in_gun_arc(battle, gun, goal) and sees_point(battle, gun_observer(unit, gun), goal):
            names.append(name)
    return names


def _range_to_wall(battle: Battle, gun: Gun, building_id: str) -> float:
    """Return the distance in inches from the edge of a gun to a building's wall (FBN-005)."""
    return max(0.0, battle.field.by_name[building_id].distance(gun.at) - battle.book.radius["gun"])


# --- Indirect fire (FBN-222 to FBN-228): guessed ranges, observers and plots ------------------------------------------
#
# Nothing here reveals the distance to the player who guesses.


def guess_limits(battle: Battle, unit: Unit, gun: Gun) -> tuple[int, int]:
    """Return the lowest and highest guess allowed for a gun (FBN-226)."""
    return battle.book.guns[gun.kind].least, int(gun_limits(battle, unit, gun).long)


def observers(battle: Battle, unit: Unit, gun: Gun) -> list[Figure]:
    """Return the figures that may observe for an indirect shot: crewmen and callers (FBN-037, FBN-224)."""
    figures = [figure for figure in unit.figures.values() if figure.able and is_touching(battle, figure, gun)]
    for side, battery, caller in battle.calls:
        if side == unit.spec.side and battery == unit.spec.id:
            target_unit = battle.unit_of(caller)
            if target_unit is not None:
                figures.append(target_unit.figures[caller])
    return figures


def may_aim_indirect(battle: Battle, unit: Unit, gun: Gun, point: Point) -> bool:
    """Return True if an observer sees the point and it is in the arc of the gun."""
    return is_in_gun_arc(battle, gun, point) and any(
        sees_point(battle, man, point) for man in observers(battle, unit, gun)
    )


@procedure("artillery.indirect")
def land_indirect(table: Table, at: Point, goal: Point, guess: float, ammunition: str, actor: str) -> Impact:
    """Return where a round lands, from the guess and the deviation (FBN-219, FBN-222, FBN-223)."""
    away = dist(goal, at)
    point = (at[0] + (goal[0] - at[0]) / away * guess, at[1] + (goal[1] - at[1]) / away * guess)
    critical = False
    if table.rules.settings["indirect_lay_die"]:
        critical = roll_gun_die(table, 0, why="lay", rule="FBN-223", actor=actor) == 0
    return Impact(*roll_deviated_point(table, at, point, ammunition, critical, actor))


def fire_indirect(
    table: Table,
    battle: Battle,
    unit: Unit,
    gun: Gun,
    goal: Point,
    guess: float,
    ammunition: str,
    landed: Landed | None = None,
) -> None:
    """Fire at a point with the guessed range (FBN-222). A mortar's plot is used up (FBN-227)."""
    serve(battle, unit, gun, battle.book.file.gun_costs.fire, fires=True)
    actor = f"{unit.spec.id} {unit.guns.index(gun) + 1}"
    impact = land_indirect(table, gun.at, goal, guess, ammunition, actor)
    gun.plot = ()
    emit_round(table, "FBN-222", unit, "", ammunition, impact)
    if landed is not None:
        landed(impact)
    resolve_burst(table, battle, unit, gun, ammunition, impact, None)
