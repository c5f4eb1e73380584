"""Artillery (FBN-209 to FBN-228): direct and indirect fire, deviation by the clock, bursts and balls, mortar plots."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

from zareba.rules import procedure
from zareba.space.bearings import bearing, clock_offset
from zareba.space.geometry import Point
from zareba.state import facts
from zareba.table import Table
from zareba_rulesets.fixed_baynet.battle import Battle, Figure, Gun, Unit, box_gap
from zareba_rulesets.fixed_baynet.buildings import buildings_at, damage_building, hit_building
from zareba_rulesets.fixed_baynet.crews import best_cs, gun_targets_arc, is_manned, serve
from zareba_rulesets.fixed_baynet.dice import CRITICAL, HIT, aimed, d3, d12_result
from zareba_rulesets.fixed_baynet.fire import Formation, ShotFacts, shot_at, target_figures
from zareba_rulesets.fixed_baynet.hits import strike
from zareba_rulesets.fixed_baynet.ranges import band_within
from zareba_rulesets.fixed_baynet.sight import (
    cover_between,
    is_lit,
    scene_of,
    sees,
    sees_point,
)

__all__ = [
    "BlastFacts",
    "Impact",
    "aim_gun",
    "blast_roll",
    "burst",
    "deviation",
    "direct_targets",
    "fire_direct",
    "fire_indirect",
    "guess_limits",
    "gun_damage",
    "land_indirect",
    "observers",
    "struck_by",
]

SHOT, SHELL = "shot", "shell"


@facts
class BlastFacts:
    """A man under a burst or near a ball (FBN-217): no range, no skill."""

    ds: int
    formation: Formation = "open"
    cv: int = 0
    charging: bool = False
    crew: bool = False
    chest: bool = False


@dataclass(frozen=True, slots=True)
class Impact:
    """Where a round came down, and how it hit what it was aimed at: 0 not at all, 1 hit, 2 critical."""

    x: float
    y: float
    direct: int = 0


def gun_damage(battle: Battle, gun: Gun, ammunition: str) -> int:
    """FBN-213: the multiple of the piece times 1 for shot, 2 for shell; as rolls of that damage by setting."""
    ammo = battle.book.file.ammunition[ammunition].damage  # type: ignore[index]  # the two keys of the model
    multiple = battle.book.guns[gun.kind].multiple
    return ammo if battle.book.settings.artillery_damage == "dice" else ammo * multiple


def rolls_of(battle: Battle, gun: Gun) -> int:
    """To-hit rolls on each man under a burst: one, or the multiple with `artillery_damage` dice (FBN-213)."""
    return battle.book.guns[gun.kind].multiple if battle.book.settings.artillery_damage == "dice" else 1


def fires_how(battle: Battle, gun: Gun) -> set[str]:
    """Ways in which a piece fires: guns direct, mortars indirect, howitzers as set (FBN-210)."""
    kind = battle.book.guns[gun.kind]
    if kind.fire != "either":
        return {kind.fire}
    rule = battle.book.settings.howitzer_fire
    return {"direct", "indirect"} if rule == "both" else {rule}


def ammunition_of(gun: Gun) -> list[str]:
    """What a piece may fire (FBN-214); a mortar fires shell only (FBN-228)."""
    kinds = ([SHELL] if gun.shells else []) + ([SHOT] if gun.solid else [])
    return kinds or [SHELL]


def may_fire_gun(battle: Battle, unit: Unit, gun: Gun) -> bool:
    return (
        gun.kind != "machine_gun" and gun.ac >= int(battle.book.file.gun_costs["fire"]) and is_manned(battle, unit, gun)
    )


def gunner(battle: Battle, unit: Unit, gun: Gun) -> Figure:
    """The eye of a piece: its first crewman, standing where the piece stands (FBN-215)."""
    man = next(iter(unit.figures.values()))
    return Figure(gun.x, gun.y, gun.z, gun.bearing, man.gl, "none", spec=man.spec)


def direct_targets(battle: Battle, unit: Unit, gun: Gun) -> list[tuple[Unit, Figure]]:
    """For each enemy unit the man a piece can be aimed at: in arc, in range, seen, the nearest to the unit's middle (FBN-215)."""
    if "direct" not in fires_how(battle, gun):
        return []
    most = battle.book.gun_range[gun.kind]
    eye = gunner(battle, unit, gun)
    found = []
    for target in battle.enemies(unit.spec.side):
        if box_gap((*gun.at, *gun.at), target.box) > most:
            continue
        x, y = target.middle
        men = sorted(target_figures(battle, unit.spec.side, target), key=lambda man: hypot(man.x - x, man.y - y))
        scene = scene_of(battle, _between(gun.at, target))
        for man in men:
            away = _gun_range(battle, gun, man)
            if away <= most and gun_targets_arc(battle, gun, man.at) and sees(battle, eye, man, scene):
                found.append((target, man))
                break
    return found


def _between(at: Point, target: Unit) -> tuple[float, float, float, float]:
    box = target.box
    return min(at[0], box[0]), min(at[1], box[1]), max(at[0], box[2]), max(at[1], box[3])


def _gun_range(battle: Battle, gun: Gun, man: Figure) -> float:
    return max(0.0, hypot(gun.x - man.x, gun.y - man.y) - battle.book.radius["gun"] - battle.radius(man))


def gun_facts(battle: Battle, unit: Unit, gun: Gun, target: Unit, man: Figure) -> ShotFacts:
    """A direct shot of a piece, as of a firearm with the crew's CS (FBN-215)."""
    band = band_within(battle.book.gun_bands[gun.kind], _gun_range(battle, gun, man)) or "long"
    eye = gunner(battle, unit, gun)
    return ShotFacts(
        ds=man.spec.ds,
        formation=target.shape,  # type: ignore[arg-type]  # one of the four
        cv=cover_between(battle, gun.at, eye, man, scene_of(battle, _between(gun.at, target))),
        band=band,  # type: ignore[arg-type]  # one of the three
        cs=best_cs(battle, unit, gun),
        charging="cluster" in target.marks,
        crew=man.spec.role == "crew",
        chest="chest_light" in man.locations,
        dark=battle.night and not is_lit(battle, man.at),
    )


@procedure("artillery.aim")
def aim_gun(
    table: Table, situation: ShotFacts, at: Point, goal: Point, ammunition: str, strays: bool, actor: str
) -> Impact:
    """P11 steps 2 and 3: the D12 of a direct shot, and where it comes down (FBN-215, FBN-219, FBN-220).

    `strays`: this piece deviates even when it hits (FBN-219).
    """
    need = table.tally("fire", situation).total
    reading = aimed(need, table.rules.settings["natural_12_hits"])
    score = table.roll(1, 12, reading, why="gun", rule="FBN-215", actor=actor)
    if score >= 2 and not strays:
        return Impact(*goal, direct=HIT if score == 2 else CRITICAL)
    return Impact(*stray(table, at, goal, ammunition, score == 0, actor))


def stray(table: Table, at: Point, goal: Point, ammunition: str, critical: bool, actor: str) -> Point:
    """P12: distance, then an hour of the clock with 12 onwards from the gun (FBN-219 to FBN-221)."""
    inches = deviation(table, ammunition, critical, actor)
    hour = table.roll(1, 12, why="direction", rule="FBN-221", actor=actor)
    onward = bearing(at, goal) if at != goal else 0.0
    x, y = clock_offset(goal, onward, hour, float(inches))
    return round(x, 9), round(y, 9)


@procedure("artillery.deviation")
def deviation(table: Table, ammunition: str, critical: bool, actor: str) -> int:
    """Inches: shot D6, shell D3; on a critical miss D6+3 and D6 instead (FBN-219, FBN-220)."""
    numbers = table.rules.book.deviation[ammunition]  # type: ignore[attr-defined]  # the file model of these rules
    faces = numbers.critical_die if critical else numbers.die
    plus = numbers.critical_plus if critical else 0
    if faces == 3:
        return plus + d3(table, why="deviation", rule="FBN-219", actor=actor)
    return plus + table.roll(1, faces, why="deviation", rule="FBN-219", actor=actor)


@procedure("artillery.direct")
def fire_direct(table: Table, battle: Battle, unit: Unit, gun: Gun, target: Unit, man: Figure, ammunition: str) -> None:
    """P11 against a man."""
    situation = gun_facts(battle, unit, gun, target, man)
    serve(battle, unit, gun, int(battle.book.file.gun_costs["fire"]))
    strays = gun.odd or battle.book.settings.deviation_on == "always"
    shot_at(table, battle, target)
    actor = f"{unit.spec.id} {unit.guns.index(gun) + 1}"
    impact = aim_gun(table, situation, gun.at, man.at, ammunition, strays, actor)
    table.tell(
        "gun fires", "FBN-215", unit=unit.spec.id, target=target.spec.id, ammunition=ammunition, hit=bool(impact.direct)
    )
    burst(table, battle, unit, gun, ammunition, impact, (target, man) if impact.direct else None)


def struck_by(
    battle: Battle, gun: Gun, ammunition: str, impact: Impact, spared: Figure | None
) -> list[tuple[Unit, Figure, BlastFacts]]:
    """Who is attacked where a round comes down: all under a shell's marker, or the nearest man to a ball (FBN-216, FBN-218).

    All are attacked as they stood when it came down. For a ball several are given when they are equally near.
    """
    reach = battle.book.burst_radius(gun.kind) if ammunition == SHELL else float(battle.book.file.ball["inches"])
    here = (impact.x, impact.y, impact.x, impact.y)
    found = []
    for unit in battle.on_table():
        if box_gap(here, unit.box) > reach + 2:
            continue
        for man in unit.figures.values():
            if man is spared or _indoors(battle, man):
                continue
            away = hypot(man.x - impact.x, man.y - impact.y)
            if ammunition != SHELL:
                away -= battle.radius(man)
            if away <= reach + 1e-6:
                found.append((away, unit, man))
    if ammunition != SHELL and found:
        least = min(away for away, _, _ in found)
        found = [item for item in found if item[0] <= least + 1e-6]
    return [(unit, man, blast_facts(battle, unit, man)) for _, unit, man in found]


def _indoors(battle: Battle, man: Figure) -> bool:
    return bool(man.place) and battle.field.buildings[man.place.partition(":")[0]].kind != "openable"


def blast_facts(battle: Battle, unit: Unit, man: Figure) -> BlastFacts:
    """The facts of a man under a burst: what he is in shelters him, what lies between does not (FBN-217)."""
    here = (man.x, man.y)
    return BlastFacts(
        ds=man.spec.ds,
        formation=unit.shape,  # type: ignore[arg-type]  # one of the four
        cv=cover_between(battle, here, None, man, scene_of(battle, (*here, *here))),
        charging="cluster" in unit.marks,
        crew=man.spec.role == "crew",
        chest="chest_light" in man.locations,
    )


@procedure("artillery.blast")
def blast_roll(table: Table, situation: BlastFacts, actor: str) -> int:
    """P13: 0 miss, 1 hit, 2 critical; with `blast_hits` auto always a hit (FBN-217)."""
    if table.rules.settings["blast_hits"] == "auto":
        return HIT
    return d12_result(table, table.tally("blast", situation).total, why="burst", rule="FBN-217", actor=actor)


@procedure("artillery.burst")
def burst(
    table: Table,
    battle: Battle,
    unit: Unit,
    gun: Gun,
    ammunition: str,
    impact: Impact,
    aimed_at: tuple[Unit, Figure] | None,
) -> None:
    """P13: the man aimed at and hit takes the hit; every other one under the marker rolls, friend or foe (FBN-217).

    A ball strikes only whom it hit, or the nearest man to where it strayed (FBN-218).
    """
    caught = struck_by(battle, gun, ammunition, impact, aimed_at[1] if aimed_at else None)
    if aimed_at is not None:
        target, man = aimed_at
        strike(table, battle, target, man, impact.direct == CRITICAL, gun_damage(battle, gun, ammunition), "fire", unit)
        if ammunition == SHOT:
            return
    if ammunition == SHOT and len(caught) > 1:
        names = {man.spec.id: 1 for _, man, _ in caught}
        one = table.draw(names, why="nearest of equals", rule="FBN-218", actor=unit.spec.id)
        caught = [item for item in caught if item[1].spec.id == one]
    for home, man, situation in caught:
        blast_one(table, battle, unit, gun, ammunition, home, man, situation)
    if aimed_at is None or ammunition == SHELL:
        strike_guns(table, battle, unit, gun, ammunition, impact)
        for house in buildings_at(battle, (impact.x, impact.y)):
            hit_building(table, battle, house, gun_damage(battle, gun, ammunition), ammunition == SHELL, False, unit)


def blast_one(
    table: Table, battle: Battle, unit: Unit, gun: Gun, ammunition: str, home: Unit, man: Figure, situation: BlastFacts
) -> None:
    """One man under a burst: his roll, or rolls, and what comes of it; his unit has been shot at (FBN-094)."""
    if home.spec.side != unit.spec.side:
        shot_at(table, battle, home)
    for _ in range(rolls_of(battle, gun)):
        if man.spec.id not in home.figures:
            return
        result = blast_roll(table, situation, man.spec.id)
        if result:
            strike(table, battle, home, man, result == CRITICAL, gun_damage(battle, gun, ammunition), "fire", unit)


def strike_guns(table: Table, battle: Battle, unit: Unit, gun: Gun, ammunition: str, impact: Impact) -> None:
    """Pieces under the burst roll like men; a critical against a gun is an ordinary hit (FBN-204)."""
    reach = battle.book.burst_radius(gun.kind) if ammunition == SHELL else 0.0
    for home in battle.units.values():
        for other in home.guns:
            if other is gun or other.wounds <= 0 or hypot(other.x - impact.x, other.y - impact.y) > reach + 1e-6:
                continue
            if blast_roll(table, BlastFacts(battle.book.guns[other.kind].ds), f"{home.spec.id} gun"):
                wreck(table, battle, home, other, gun_damage(battle, gun, ammunition))


def wreck(table: Table, battle: Battle, home: Unit, gun: Gun, damage: int) -> None:
    """Wounds off a gun; at 0 it is removed (FBN-204)."""
    gun.wounds = max(0, gun.wounds - damage)
    if gun.wounds == 0:
        home.measure()
        table.tell("gun lost", "FBN-204", unit=home.spec.id)


@procedure("artillery.at_gun")
def fire_at_gun(
    table: Table, battle: Battle, home: Unit, gun: Gun, cs: int, band: str, cv: int, damage: int, actor: str
) -> bool:
    """A shot of any weapon at a piece, DS 3 (FBN-204); a critical is an ordinary hit."""
    situation = ShotFacts(battle.book.guns[gun.kind].ds, cv=cv, band=band, cs=cs)  # type: ignore[arg-type]  # a band
    hit = d12_result(table, table.tally("fire", situation).total, why="shot", rule="FBN-204", actor=actor) > 0
    if hit:
        wreck(table, battle, home, gun, damage)
    return hit


@procedure("artillery.at_building")
def fire_gun_at_building(table: Table, battle: Battle, unit: Unit, gun: Gun, house: str, ammunition: str) -> None:
    """P11 against a building: its CV is what is needed; a shell that hits lays no marker outside (FBN-247)."""
    building = battle.field.buildings[house]
    goal = _middle(building.box)
    away = max(0.0, hypot(gun.x - goal[0], gun.y - goal[1]) - battle.book.radius["gun"])
    band = band_within(battle.book.gun_bands[gun.kind], away) or "long"
    situation = ShotFacts(building.row.cv, band=band, cs=best_cs(battle, unit, gun))  # type: ignore[arg-type]  # a band
    serve(battle, unit, gun, int(battle.book.file.gun_costs["fire"]))
    actor = f"{unit.spec.id} {unit.guns.index(gun) + 1}"
    impact = aim_gun(
        table, situation, gun.at, goal, ammunition, gun.odd or battle.book.settings.deviation_on == "always", actor
    )
    if impact.direct:
        damage_building(
            table,
            battle,
            house,
            gun_damage(battle, gun, ammunition),
            impact.direct == CRITICAL,
            ammunition == SHELL,
            unit,
        )
    else:
        burst(table, battle, unit, gun, ammunition, impact, None)


def building_targets(battle: Battle, unit: Unit, gun: Gun) -> list[str]:
    """Standing buildings in range and arc of a piece that an enemy holds or that nobody holds."""
    if "direct" not in fires_how(battle, gun):
        return []
    most = battle.book.gun_range[gun.kind]
    found = []
    for name, building in battle.field.buildings.items():
        goal = _middle(building.box)
        if battle.houses[name].points <= 0 or hypot(gun.x - goal[0], gun.y - goal[1]) > most:
            continue
        own = any(
            man.place.startswith(f"{name}:") for one in battle.on_table(unit.spec.side) for man in one.figures.values()
        )
        if not own and gun_targets_arc(battle, gun, goal) and sees_point(battle, gunner(battle, unit, gun), goal):
            found.append(name)
    return found


def _middle(box: tuple[float, float, float, float]) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


# --- indirect fire ----------------------------------------------------------------------------------------------------


def guess_limits(battle: Battle, gun: Gun) -> tuple[int, int]:
    """The least and greatest guess of a piece (FBN-226)."""
    return battle.book.guns[gun.kind].least, battle.book.gun_range[gun.kind]


def observers(battle: Battle, unit: Unit, gun: Gun) -> list[Figure]:
    """Who may see the target for an indirect shot: crewmen, and those who called this battery this turn (FBN-037, FBN-224)."""
    found = [figure for figure in unit.figures.values() if figure.able]
    for side, battery, caller in battle.calls:
        if side == unit.spec.side and battery == unit.spec.id:
            home = battle.home(caller)
            if home is not None:
                found.append(home.figures[caller])
    return found


def may_aim_indirect(battle: Battle, unit: Unit, gun: Gun, point: Point) -> bool:
    """Somebody who may observe sees the point, and it lies in the arc of the piece."""
    return gun_targets_arc(battle, gun, point) and any(
        sees_point(battle, man, point) for man in observers(battle, unit, gun)
    )


@procedure("artillery.indirect")
def land_indirect(table: Table, at: Point, goal: Point, guess: float, ammunition: str, actor: str) -> Impact:
    """P14 step 3: the guessed distance along the line, a die for laying, deviation always (FBN-219, FBN-222, FBN-223)."""
    away = hypot(goal[0] - at[0], goal[1] - at[1])
    point = (at[0] + (goal[0] - at[0]) / away * guess, at[1] + (goal[1] - at[1]) / away * guess)
    critical = False
    if table.rules.settings["indirect_lay_die"]:
        critical = table.roll(1, 12, aimed(2), why="lay", rule="FBN-223", actor=actor) == 0
    return Impact(*stray(table, at, point, ammunition, critical, actor))


def fire_indirect(
    table: Table, battle: Battle, unit: Unit, gun: Gun, goal: Point, guess: float, ammunition: str
) -> None:
    """P14: the range was guessed before anybody measured (FBN-222); the mortar's plot is used up (FBN-227)."""
    serve(battle, unit, gun, int(battle.book.file.gun_costs["fire"]))
    actor = f"{unit.spec.id} {unit.guns.index(gun) + 1}"
    impact = land_indirect(table, gun.at, goal, guess, ammunition, actor)
    gun.plot = ()
    table.tell("gun fires", "FBN-222", unit=unit.spec.id, target="", ammunition=ammunition, hit=False)
    burst(table, battle, unit, gun, ammunition, impact, None)
