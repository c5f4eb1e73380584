"""Fire of small arms (FBN-081 to FBN-095): who may shoot at whom, the number needed, volleys shot by shot."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, degrees, hypot
from typing import Literal

from zareba.rules import procedure
from zareba.state import facts
from zareba.table import Table
from zareba_rulesets.fixed_baynet.battle import Battle, Figure, Unit, box_gap, boxes_near
from zareba_rulesets.fixed_baynet.contact import in_contact
from zareba_rulesets.fixed_baynet.counter_attack import Answers, counter_attack
from zareba_rulesets.fixed_baynet.dice import CRITICAL, d12_result
from zareba_rulesets.fixed_baynet.glory import PINNED, glory_event, rise_to_attack
from zareba_rulesets.fixed_baynet.hits import strike
from zareba_rulesets.fixed_baynet.ranges import band_of, chest_sign
from zareba_rulesets.fixed_baynet.sight import (
    Scene,
    cover_value,
    in_arc,
    is_lit,
    joint_box,
    range_between,
    scene_of,
    sees,
    stand_point,
)

__all__ = [
    "ShotFacts",
    "can_fire",
    "fire_targets",
    "firers",
    "shoot",
    "shot_at",
    "shot_facts",
    "split_fire",
    "target_figures",
    "to_hit",
    "turn_to",
    "use_opening",
    "volley",
]

Formation = Literal["open", "closed", "mass", "square"]
Band = Literal["short", "medium", "long"]
HOLD = "hold fire"
AT_WINDOWS = 12.0  # inches: more than two bases and the way of a man to the opening at which he is posted
NO_FIRE = frozenset({"stunned", "crossed", "healed", "served"})


@facts
class ShotFacts:
    """A shot at a man: his printed DS (FBN-019), his unit's formation, the cover he has; the band, the firer's CS.

    `charging`: the target's unit charged in its last activation (FBN-059); `crew`: he serves a gun; `chest`: he has a
    light chest wound; `saddle`: the firer sits on a horse with another weapon than a Winchester; `dark`: night and the
    target is not lit.
    """

    ds: int
    formation: Formation = "open"
    cv: int = 0
    band: Band = "medium"
    cs: int = 0
    charging: bool = False
    crew: bool = False
    chest: bool = False
    saddle: bool = False
    dark: bool = False
    sniper: bool = False


@procedure("fire.to_hit")
def to_hit(table: Table, situation: ShotFacts, actor: str) -> int:
    """P5 step 8: a D12 against the number needed: 0 miss, 1 hit, 2 critical; it is the only save
    there is (FBN-082, FBN-087, FBN-095).
    """
    need = table.tally("fire", situation).total
    return d12_result(table, need, why="shot", rule="FBN-082", actor=actor)


def shot_cost(battle: Battle, figure: Figure, target: str) -> int:
    """AC of a shot: that of the weapon, and of the order that names a new target (FBN-038, FBN-194)."""
    cost = battle.book.weapons[figure.weapon].ac
    if battle.book.settings.target_order_ac and f"at {target}" not in figure.marks:
        cost += 1
    return cost


def can_fire(battle: Battle, figure: Figure, target: str = "") -> bool:
    """P5 step 1: whether a man may fire at all now (FBN-100, FBN-132, FBN-137, FBN-244, FBN-268)."""
    book = battle.book
    if figure.ac < book.shot_ac[figure.weapon] or (figure.marks and not figure.marks.isdisjoint(NO_FIRE)):
        return False
    if figure.reaction in ("freeze", "flee") or "arm_heavy" in figure.locations:
        return False
    if figure.attacks and book.settings.attacks_per_activation == 1:
        return False
    if book.settings.target_order_ac and figure.ac < shot_cost(battle, figure, target):
        return False
    return not figure.place or _may_use_opening(battle, figure)


def _may_use_opening(battle: Battle, figure: Figure) -> bool:
    """Two men through each window or door in a turn; a rail has no limit (FBN-245, FBN-275)."""
    section = battle.field.sections[figure.place]
    house = battle.field.buildings[section.building]
    if not figure.post:
        return True  # within his section, or from a room of an openable building
    way = house.openings[figure.post]
    if way.kind == "rail" or f"used {way.id}" in figure.marks:
        return True
    used = battle.houses[house.id].used.get(way.id, 0)
    return used < battle.book.users


def use_opening(battle: Battle, figure: Figure) -> None:
    if figure.post and f"used {figure.post}" not in figure.marks:
        house = battle.houses[figure.place.partition(":")[0]]
        house.used[figure.post] = house.used.get(figure.post, 0) + 1
        figure.mark(f"used {figure.post}")


def firers(battle: Battle, unit: Unit, target: str = "") -> list[Figure]:
    """The steady men of a unit who may fire now, at this target if it is named."""
    return [figure for figure in unit.figures.values() if not figure.reaction and can_fire(battle, figure, target)]


def target_figures(battle: Battle, side: str, target: Unit) -> list[Figure]:
    """The men of a unit who can be aimed at: not lying down (FBN-052), not in contact with friends of the firer (FBN-079)."""
    settings = battle.book.settings
    men = [man for man in target.figures.values() if not man.marks or "prone" not in man.marks or "shown" in man.marks]
    if not settings.prone_untargetable:
        men = list(target.figures.values())
    if not settings.fire_into_melee and men:
        box = target.box
        near = [
            friend
            for unit in battle.units.values()
            if unit.spec.side == side and boxes_near(unit.box, box, 2.0) and box_gap(unit.box, box) <= 2.0
            for friend in unit.figures.values()
        ]
        if near:
            reach = battle.book.contact
            men = [man for man in men if not any(in_contact(battle, man, friend, reach) for friend in near)]
    return men


def aim_at(
    battle: Battle, unit: Unit, figure: Figure, men: list[Figure], scene: Scene, only_nearest: bool = True
) -> list[Figure]:
    """The men whom a firer may pick, nearest first: in range, seen, in arc (FBN-093). `only_nearest` stops at the first."""
    square = unit.shape == "square"
    found: list[Figure] = []
    for _, place in sorted(_in_reach(battle, figure, men)):
        man = men[place]
        if square and not in_arc(figure, stand_point(battle, man), battle.book.fire_half_arc):
            continue
        if sees(battle, figure, man, scene):
            found.append(man)
            if only_nearest:
                break
    return found


def _in_reach(battle: Battle, figure: Figure, men: Sequence[Figure]) -> list[tuple[float, int]]:
    """The places in a list of those within reach of a man's weapon, each with the inches between (FBN-081, FBN-192)."""
    book = battle.book
    weapon = book.weapons[figure.weapon]
    most = book.bands[figure.weapon][2]
    if weapon.long_arm and "arm_light" in figure.locations:
        most /= 2
    most += 1e-9
    if figure.place:
        found = [(range_between(battle, figure, man), place) for place, man in enumerate(men)]
    else:
        x, y, (foot, mounted) = figure.x, figure.y, book.radii
        own = mounted if figure.mounted else foot
        found = [
            (
                range_between(battle, figure, man)
                if man.place
                else hypot(man.x - x, man.y - y) - own - (mounted if man.mounted else foot),
                place,
            )
            for place, man in enumerate(men)
        ]
    if weapon.close:
        return [item for item in found if book.close_reach < item[0] <= most]
    return [item for item in found if item[0] <= most]


def fire_targets(
    battle: Battle, unit: Unit, ready: list[Figure] | None = None, foes: list[tuple[float, Unit]] | None = None
) -> list[Unit]:
    """The enemy units at which somebody of this unit can fire now; `foes` are those of the battle, if they are known."""
    ready = firers(battle, unit) if ready is None else ready
    if not ready:
        return []
    bands = battle.book.bands
    longest = max([bands[figure.weapon][2] for figure in ready])
    return [
        target
        for away, target in (battle.foes(unit) if foes is None else foes)
        if away <= longest and any_aim(battle, unit, target, ready)
    ]


def any_aim(battle: Battle, unit: Unit, target: Unit, ready: list[Figure]) -> bool:
    """Whether one of these men finds one of the target's to aim at."""
    men = target_figures(battle, unit.spec.side, target)
    if not men:
        return False
    scene = scene_of(battle, joint_box(unit.box, target.box))
    square, half = unit.shape == "square", battle.book.fire_half_arc
    for figure in ready:
        if not figure.place and box_gap((figure.x, figure.y, figure.x, figure.y), target.box) > _farthest(
            battle, figure
        ):
            continue
        for _, place in _in_reach(battle, figure, men):
            man = men[place]
            if (not square or in_arc(figure, stand_point(battle, man), half)) and sees(battle, figure, man, scene):
                return True
    return False


def _farthest(battle: Battle, figure: Figure) -> float:
    """Inches between where two men stand beyond which one surely cannot shoot the other, posted at windows or not."""
    return battle.book.bands[figure.weapon][2] + AT_WINDOWS


def shot_facts(battle: Battle, figure: Figure, target: Unit, man: Figure, scene: Scene, band: str) -> ShotFacts:
    """The facts of this shot (P5 steps 3 to 7), with the saddle of FBN-184."""
    spec = man.spec
    return ShotFacts(
        ds=spec.ds,
        formation=target.shape,  # type: ignore[arg-type]  # one of the four
        cv=cover_value(battle, figure, man, scene),
        band=band,  # type: ignore[arg-type]  # one of the three
        cs=figure.spec.cs + chest_sign(battle, figure),
        charging="cluster" in target.marks,
        crew=spec.role == "crew",
        chest="chest_light" in man.locations,
        saddle=figure.mounted and not battle.book.weapons[figure.weapon].from_saddle,
        dark=battle.night and not is_lit(battle, man.at),
        sniper=figure.spec.sniper,
    )


@procedure("fire.shot")
def shoot(
    table: Table,
    battle: Battle,
    unit: Unit,
    figure: Figure,
    target: Unit,
    man: Figure,
    scene: Scene,
    answers: Answers,
    single: bool = False,
) -> None:
    """P5 for one shot: the cost, the number needed, the die, the hit, and the answer of the man who was hit."""
    weapon = battle.book.weapons[figure.weapon]
    away = range_between(battle, figure, man)
    band = band_of(battle.book, figure.weapon, away, "arm_light" in figure.locations)
    assert band is not None, "only men within reach are aimed at"
    figure.ac -= shot_cost(battle, figure, target.spec.id)
    rise_to_attack(figure)
    figure.attacks += 1
    figure.mark("fired", f"at {target.spec.id}")
    if figure.place:
        use_opening(battle, figure)
    elif unit.shape != "square":
        turn_to(figure, stand_point(battle, man))  # FBN-049
    situation = shot_facts(battle, figure, target, man, scene, band)
    shot_at(table, battle, target)
    result = to_hit(table, situation, figure.spec.id)
    if weapon.close and battle.book.settings.thrown_spear_lost:
        figure.weapon = "none"  # FBN-192
        figure.mark("disarmed")
    if not result:
        return

    def answer() -> None:
        counter_attack(table, battle, target, man, unit, figure, answers, single)

    strike(table, battle, target, man, result == CRITICAL, weapon.damage, "fire", unit, answer)


def turn_to(figure: Figure, point: tuple[float, float]) -> None:
    if point != (figure.x, figure.y):
        figure.facing = degrees(atan2(point[0] - figure.x, point[1] - figure.y)) % 360


def shot_at(table: Table, battle: Battle, target: Unit) -> None:
    """A shot was aimed at the unit this turn (FBN-094); in the second turn running it is pinned (FBN-144, FBN-231)."""
    if target.shot_turn == battle.turn:
        return
    target.shot_run = target.shot_run + 1 if target.shot_turn == battle.turn - 1 else 1
    target.shot_turn = battle.turn
    if target.shot_run >= 2:
        pin(table, battle, target)


def pin(table: Table, battle: Battle, target: Unit) -> None:
    """FBN-231: a marker, and an event of glory (FBN-144)."""
    target.mark("pinned")
    glory_event(table, battle, target, PINNED)


@procedure("fire.volley")
def volley(table: Table, battle: Battle, unit: Unit, target: Unit) -> int:
    """Every man of the unit who can fires once at the target unit, shot by shot, each at the nearest man he sees (FBN-092).

    Whoever would have shot at a man who has just fallen aims anew inside the target unit. The shots made are counted.
    """
    scene = scene_of(battle, joint_box(unit.box, target.box))
    answers = Answers()
    men = target_figures(battle, unit.spec.side, target)
    strength, left = len(unit.figures), len(target.figures)
    made = 0
    for figure in firers(battle, unit, target.spec.id):
        if figure.spec.id not in unit.figures:
            continue
        if len(unit.figures) != strength:
            strength = len(unit.figures)
            men = target_figures(battle, unit.spec.side, target)
        elif len(target.figures) != left:
            men = [man for man in men if man.spec.id in target.figures]
        left = len(target.figures)
        if not men:
            break
        if not can_fire(battle, figure, target.spec.id):
            continue
        for man in aim_at(battle, unit, figure, men, scene):
            shoot(table, battle, unit, figure, target, man, scene, answers)
            made += 1
    table.tell("volley", "FBN-092", unit=unit.spec.id, target=target.spec.id, shots=made)
    return made


@procedure("fire.split")
def split_fire(table: Table, battle: Battle, unit: Unit) -> None:
    """The owner names firer by firer whom he aims at, or holds his fire (FBN-092, FBN-093)."""
    for figure in firers(battle, unit):
        if figure.spec.id in unit.figures and can_fire(battle, figure):
            fire_single(table, battle, unit, figure)


def fire_single(table: Table, battle: Battle, unit: Unit, figure: Figure) -> None:
    """One man fires at a man of his owner's choice, or holds his fire."""
    options: dict[str, tuple[Unit, Figure, Scene]] = {}
    x, y = (figure.x, figure.y) if not figure.post else stand_point(battle, figure)
    here, longest = (x, y, x, y), battle.book.bands[figure.weapon][2]
    orders = battle.book.settings.target_order_ac
    for away, target in battle.foes(unit):
        if away > longest or box_gap(here, target.box) > _farthest(battle, figure):
            continue
        if orders and not can_fire(battle, figure, target.spec.id):
            continue
        men = target_figures(battle, unit.spec.side, target)
        if not men:
            continue
        scene = scene_of(battle, joint_box(here, target.box))
        for place, man in enumerate(aim_at(battle, unit, figure, men, scene, only_nearest=False)):
            if _pickable(battle, man, place):
                options[man.spec.id] = (target, man, scene)
    if not options:
        return
    aim = table.choose(unit.spec.side, [*options, HOLD], why="aim at", rule="FBN-093", actor=figure.spec.id)
    if aim != HOLD:
        target, man, scene = options[aim]
        shoot(table, battle, unit, figure, target, man, scene, Answers(), single=True)


def _pickable(battle: Battle, man: Figure, place: int) -> bool:
    """With `leaders_targetable` nearest, a leader may be picked only if no squad-mate is nearer (FBN-093)."""
    return battle.book.settings.leaders_targetable is True or not man.spec.leads or place == 0
