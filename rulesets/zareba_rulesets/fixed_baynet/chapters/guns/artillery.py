"""Direct artillery fire (FBN-209, FBN-210, FBN-214, FBN-215, FBN-247): ammunition, targets and the shot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zareba.base.exact import hypot
from zareba.rules import procedure
from zareba.space.geometry import Point, box_gap, joint_box
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.dice import CRITICAL, HIT, aimed
from zareba_rulesets.fixed_baynet.chapters.buildings.building_damage import damage_building
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import target_figures
from zareba_rulesets.fixed_baynet.chapters.fire.fire import ShotFacts, record_shot_at, target_facts
from zareba_rulesets.fixed_baynet.chapters.guns.bursts import (
    SHELL,
    SHOT,
    Impact,
    emit_round,
    resolve_burst,
    roll_deviated_point,
    roll_full_damage,
)
from zareba_rulesets.fixed_baynet.chapters.guns.crews import best_cs, gun_targets_arc, is_manned, serve
from zareba_rulesets.fixed_baynet.chapters.sight.ranges import band_within
from zareba_rulesets.fixed_baynet.chapters.sight.sight import (
    cover_between,
    is_lit,
    sees,
    sees_point,
    stand_point,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.ranges import gun_limits
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit

__all__ = [
    "aim_gun",
    "aims_of_gun",
    "always_deviates",
    "ammunition_of",
    "building_facts",
    "building_targets",
    "direct_targets",
    "fire_direct",
    "fire_gun_at_building",
    "fire_modes",
    "gun_facts",
    "gun_gap",
    "gun_observer",
    "may_fire_gun",
    "roll_aim",
]


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
        man = next(aims_of_gun(battle, unit, gun, target), None)
        if man is not None:
            yield target, man


def aims_of_gun(battle: Battle, unit: Unit, gun: Gun, target: Unit) -> Iterator[Figure]:
    """Yield the men of a unit a gun can aim at, those nearest to the unit's middle first (FBN-093, FBN-215).

    With `leaders_targetable` nearest, only the man nearest to the gun.
    """
    most = gun_limits(battle, unit, gun)[2]
    if box_gap((*gun.at, *gun.at), target.box) > most + battle.book.gun_and_man + battle.book.at_openings:
        return
    nearest = battle.book.settings.leaders_targetable == "nearest"
    x, y = gun.at if nearest else target.middle
    men = sorted(target_figures(battle, unit.spec.side, target), key=lambda man: hypot(man.x - x, man.y - y))
    eye, scene = gun_observer(unit, gun), battle.field.scene(joint_box((*gun.at, *gun.at), target.box))
    for man in men:
        at = stand_point(battle, man)
        away = gun_gap(battle, gun, man, at)
        if away <= most and gun_targets_arc(battle, gun, at) and sees(battle, eye, man, scene):
            yield man
            if nearest:
                return


def gun_gap(battle: Battle, gun: Gun, man: Figure, at: Point) -> float:
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
        cv=cover, **target_facts(target, man), **piece_facts(battle, unit, gun, gun_gap(battle, gun, man, at), at)
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
    return aimed(table, need, why="gun", rule=rule, actor=actor)


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
    table: Table, battle: Battle, unit: Unit, gun: Gun, target: Unit, man: Figure, ammunition: str
) -> Impact:
    """Fire a gun at a man and resolve the burst (FBN-215)."""
    situation = gun_facts(battle, unit, gun, target, man)
    serve(battle, unit, gun, battle.book.file.gun_costs.fire, fires=True)
    record_shot_at(table, battle, target)
    actor = f"{unit.spec.id} {unit.guns.index(gun) + 1}"
    impact = aim_gun(table, situation, gun.at, man.at, ammunition, always_deviates(battle, gun), actor)
    emit_round(table, "FBN-215", unit, target.spec.id, ammunition, impact)
    resolve_burst(table, battle, unit, gun, ammunition, impact, (target, man) if impact.direct else None)
    return impact


@procedure("artillery.at_building")
def fire_gun_at_building(table: Table, battle: Battle, unit: Unit, gun: Gun, house: str, ammunition: str) -> Impact:
    """Fire a gun at a building, whose CV replaces DS. A shell that hits lays no marker outside (FBN-247)."""
    goal = battle.field.buildings[house].middle
    situation = building_facts(battle, unit, gun, house)
    serve(battle, unit, gun, battle.book.file.gun_costs.fire, fires=True)
    actor = f"{unit.spec.id} {unit.guns.index(gun) + 1}"
    impact = aim_gun(table, situation, gun.at, goal, ammunition, always_deviates(battle, gun), actor, "FBN-247")
    emit_round(table, "FBN-247", unit, house, ammunition, impact)
    if impact.direct:
        need = battle.book.rules.tally("fire", situation, battle, unit).total
        damage = roll_full_damage(table, battle, gun, ammunition, need, actor)
        damage_building(table, battle, house, damage, impact.direct == CRITICAL, ammunition == SHELL, unit, gun.at)
    else:
        resolve_burst(table, battle, unit, gun, ammunition, impact, None)
    return impact


def building_facts(battle: Battle, unit: Unit, gun: Gun, house: str) -> ShotFacts:
    """Return the facts of a shot at a building.

    Its CV replaces DS; range, night and the crew's CS count as usual (FBN-247).
    """
    building = battle.field.buildings[house]
    away = _wall_gap(battle, gun, house)
    return ShotFacts(building.row.cv, **piece_facts(battle, unit, gun, away, building.middle))


def building_targets(battle: Battle, unit: Unit, gun: Gun) -> list[str]:
    """Return the standing buildings in range, arc and sight of a gun that hold no friends."""
    if "direct" not in fire_modes(battle, gun):
        return []
    most = gun_limits(battle, unit, gun)[2]
    found = []
    for name, building in battle.field.buildings.items():
        goal = building.middle
        if battle.houses[name].points <= 0 or _wall_gap(battle, gun, name) > most:
            continue
        own = any(
            man.place.startswith(f"{name}:") for one in battle.on_table(unit.spec.side) for man in one.figures.values()
        )
        if not own and gun_targets_arc(battle, gun, goal) and sees_point(battle, gun_observer(unit, gun), goal):
            found.append(name)
    return found


def _wall_gap(battle: Battle, gun: Gun, house: str) -> float:
    """Return the distance in inches from the edge of a gun to a building's wall (FBN-005)."""
    return max(0.0, battle.field.by_name[house].distance(gun.at) - battle.book.radius["gun"])
