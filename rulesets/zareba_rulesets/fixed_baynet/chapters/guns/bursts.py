"""Where a round lands and whom it hits: deviation, shell bursts over men and guns, and solid shot.

Rules: FBN-213, FBN-216 to FBN-221.
"""

from __future__ import annotations

from dataclasses import dataclass

from zareba.base.exact import dist
from zareba.base.state import facts
from zareba.chance import counts, lot
from zareba.rules import procedure
from zareba.space.bearings import bearing, clock_offset
from zareba.space.geometry import Point, box_between, box_gap
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.dice import CRITICAL, HIT, d3, d12_result
from zareba_rulesets.fixed_baynet.chapters.buildings.building_damage import buildings_at, damage_building
from zareba_rulesets.fixed_baynet.chapters.fire.fire import Formation, record_shot_at, target_facts
from zareba_rulesets.fixed_baynet.chapters.fire.hits import resolve_hit
from zareba_rulesets.fixed_baynet.chapters.sight.sight import cover_between
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Placed, Unit

__all__ = [
    "SHELL",
    "SHOT",
    "BlastFacts",
    "Impact",
    "damage_gun",
    "emit_round",
    "gun_cover",
    "gun_damage",
    "men_under_burst",
    "resolve_blast",
    "resolve_burst",
    "roll_blast",
    "roll_deviated_point",
    "roll_deviation",
    "roll_full_damage",
]

HOUR = counts("o'clock; 12 is straight on from the gun")
INCHES = counts("inches of deviation, before the extra of a critical miss")
STRUCK = lot("the one struck, of several equally near")

SHOT, SHELL = "shot", "shell"


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
    hour = table.roll(1, 12, why="direction", rule="FBN-221", actor=actor, means=HOUR)
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
    return plus + table.roll(1, faces, why="deviation", rule="FBN-219", actor=actor, means=INCHES)


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
    here = (*impact.at, *impact.at)
    found = []
    for unit in battle.on_table():
        if box_gap(here, unit.box) > reach + 2:
            continue
        for man in unit.figures.values():
            if man is spared or battle.field.is_sectioned(man.place):
                continue
            away = dist(man.at, impact.at)
            if away <= reach + 1e-6:
                found.append((away, unit, man))
    if ammunition != SHELL and found:
        least = min(away for away, _, _ in found)
        found = [item for item in found if item[0] <= least + 1e-6]
    return [(unit, man, blast_facts(battle, unit, man)) for _, unit, man in found]


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
    attacked = men_under_burst(battle, gun, ammunition, impact, aimed_at[1] if aimed_at else None)
    if aimed_at is not None:
        target, man = aimed_at
        resolve_hit(
            table, battle, target, man, impact.direct == CRITICAL, gun_damage(battle, gun, ammunition), "fire", unit
        )
        if ammunition == SHOT:
            return
    if ammunition == SHOT:
        _strike_nearest(table, battle, unit, gun, impact, attacked)
        return
    for home, man, situation in attacked:
        resolve_blast(table, battle, unit, gun, ammunition, home, man, situation)
    for home, number, other in guns_near(battle, impact, battle.book.burst_radius(gun.kind)):
        if other is not spared:
            _strike_gun(table, battle, gun, ammunition, home, number)
    for house in buildings_at(battle, impact.at):
        damage = gun_damage(battle, gun, SHELL) * rolls_per_man(battle, gun)
        damage_building(table, battle, house, damage, critical=False, shell=True, by=unit)


def _strike_nearest(
    table: Table, battle: Battle, unit: Unit, gun: Gun, impact: Impact, attacked: list[tuple[Unit, Figure, BlastFacts]]
) -> None:
    """Strike the man or gun whose centre is nearest to a stray shot, within an inch.

    Ties are drawn at random (FBN-005, FBN-218).
    """
    guns = guns_near(battle, impact, float(battle.book.file.ball.inches))
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
        names = [table.draw(lots, why="nearest of equals", rule="FBN-218", actor=unit.spec.id, means=STRUCK)]
    for name in names:
        if name in men:
            resolve_blast(table, battle, unit, gun, SHOT, *men[name])
        else:
            _strike_gun(table, battle, gun, SHOT, *pieces[name][:2])


def resolve_blast(
    table: Table, battle: Battle, unit: Unit, gun: Gun, ammunition: str, home: Unit, man: Figure, situation: BlastFacts
) -> None:
    """Resolve a burst against one man. His unit has been shot at, friend or foe (FBN-094)."""
    home = battle.change(home)
    record_shot_at(table, battle, home)
    key = man.spec.id
    for _ in range(rolls_per_man(battle, gun)):
        if key not in home.figures:
            return
        result = roll_blast(table, situation, key)
        if result:
            man = home.figures[key]
            resolve_hit(table, battle, home, man, result == CRITICAL, gun_damage(battle, gun, ammunition), "fire", unit)


def guns_near(battle: Battle, impact: Impact, reach: float) -> list[tuple[Unit, int, Gun]]:
    """Return the guns whose centres are within `reach` inches of an impact, with their units and numbers (FBN-217).

    The gun that fired is included.
    """
    return [
        (home, number, other)
        for home in battle.units.values()
        if "away" not in home.marks
        for number, other in enumerate(home.guns)
        if other.wounds > 0 and dist(other.at, impact.at) <= reach + 1e-6
    ]


def _strike_gun(table: Table, battle: Battle, gun: Gun, ammunition: str, home: Unit, number: int) -> None:
    """Resolve a burst against a gun. It rolls like a man, and a critical counts as an ordinary hit (FBN-204, FBN-217)."""
    home = battle.change(home)
    if home.figures:
        record_shot_at(table, battle, home)
    other = home.guns[number]
    situation = BlastFacts(battle.book.guns[other.kind].ds, cv=gun_cover(battle, other.at, None, other))
    for _ in range(rolls_per_man(battle, gun)):
        if other.wounds > 0 and roll_blast(table, situation, f"{home.spec.id} gun", "FBN-204"):
            damage_gun(table, home, other, gun_damage(battle, gun, ammunition))


def gun_cover(battle: Battle, origin: Point, firer: Figure | None, gun: Gun, own: float | None = None) -> int:
    """Return the CV of a gun against a shot from a point.

    A burst has no firer, so only the terrain the gun is in counts (FBN-204). `own` is the radius of the firer, if it
    is not a man.
    """
    mark = Figure(gun.x, gun.y, gun.z, gun.bearing, 0, "none")
    scene = battle.field.scene(box_between(origin, gun.at))
    return cover_between(battle, origin, firer, mark, scene, battle.book.radius["gun"], own)


def damage_gun(table: Table, home: Unit, gun: Gun, damage: int) -> None:
    """Take wounds from a gun; at 0 it is removed (FBN-204). The unit must be ready to be modified (`Battle.change`)."""
    gun.wounds = max(0, gun.wounds - damage)
    number = home.guns.index(gun) + 1
    if gun.wounds == 0:
        home.measure()
        table.emit("gun lost", "FBN-204", unit=home.spec.id, gun=number)
    else:
        table.emit("gun hit", "FBN-204", unit=home.spec.id, gun=number, left=gun.wounds)
