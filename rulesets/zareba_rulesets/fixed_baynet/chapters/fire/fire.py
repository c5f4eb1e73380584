"""Fire of small arms (FBN-081 to FBN-095): the number needed, shots, volleys shot by shot."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.base.exact import atan2d
from zareba.base.state import facts
from zareba.rules import procedure
from zareba.space.geometry import Point, box_gap, joint_box
from zareba.table import LazyOptions, Table
from zareba_rulesets.fixed_baynet.book.dice import CRITICAL, d12_result
from zareba_rulesets.fixed_baynet.book.numbers import BANDS
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import (
    FireTarget,
    aim_at,
    can_fire,
    farthest,
    firers,
    in_reach,
    keeps_facing,
    may_aim,
    may_reach,
    shot_cost,
    target_figures,
)
from zareba_rulesets.fixed_baynet.chapters.fire.counter_attack import Answers, counter_attack, throw_away
from zareba_rulesets.fixed_baynet.chapters.fire.hits import strike
from zareba_rulesets.fixed_baynet.chapters.morale.glory import PINNED, glory_event, rise_to_attack
from zareba_rulesets.fixed_baynet.chapters.sight.openings import opening_to, use_opening
from zareba_rulesets.fixed_baynet.chapters.sight.ranges import band_of, chest_sign
from zareba_rulesets.fixed_baynet.chapters.sight.sight import (
    Scene,
    cover_value,
    is_lit,
    range_between,
    stand_point,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.ranges import limits_of
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = [
    "HOLD",
    "ShotFacts",
    "fire_single",
    "shoot",
    "shot_at",
    "shot_facts",
    "split_fire",
    "to_hit",
    "turn_to",
    "volley",
]

Formation = Literal["open", "closed", "mass", "square"]
Band = Literal["short", "medium", "long"]
Defence = Annotated[int, Field(ge=-9, le=20)]
Cover = Annotated[int, Field(ge=0, le=9)]
Skill = Annotated[int, Field(ge=-9, le=9)]
HOLD = "hold fire"


@facts
class ShotFacts:
    """A shot at a man: his printed DS (FBN-019), his unit's formation, the cover he has; the band, the firer's CS.

    `charging`: the target's unit charged in its last activation (FBN-059); `crew`: he serves a gun; `chest`: he has a
    light chest wound; `saddle`: the firer sits on a horse with another weapon than a Winchester; `dark`: night and the
    target is not lit.
    """

    ds: Defence
    formation: Formation = "open"
    cv: Cover = 0
    band: Band = "medium"
    cs: Skill = 0
    charging: bool = False
    crew: bool = False
    chest: bool = False
    saddle: bool = False
    dark: bool = False
    sniper: bool = False


@procedure("fire.to_hit")
def to_hit(table: Table, situation: ShotFacts, actor: str, target: Unit | None = None) -> int:
    """P5 step 8: a D12 against the number needed: 0 miss, 1 hit, 2 critical; it is the only save
    there is (FBN-082, FBN-087, FBN-095).
    """
    need = table.tally("fire", situation, actor, target).total
    return d12_result(table, need, why="shot", rule="FBN-082", actor=actor)


def shot_facts(
    battle: Battle, figure: Figure, target: Unit, man: Figure, scene: Scene, band: str, at: Point | None = None
) -> ShotFacts:
    """The facts of this shot (P5 steps 3 to 7)."""
    cover, at = cover_value(battle, figure, man, scene), at or stand_point(battle, man)
    return ShotFacts(cv=cover, **of_target(target, man), **of_firer(battle, figure, band, at))


def of_target(target: Unit, man: Figure) -> dict[str, Any]:
    """What makes a man harder or easier to hit for whatever is fired at him (P5 steps 3 to 5)."""
    return {
        "ds": man.spec.ds,
        "formation": target.shape_of(man),
        "charging": "cluster" in target.marks,
        "crew": man.spec.crew,
        "chest": "chest_light" in man.locations,
    }


def of_firer(battle: Battle, figure: Figure, band: str, at: Point) -> dict[str, Any]:
    """What a man's shot at a point has from him, whatever stands there (P5 steps 6 and 7), with the saddle of FBN-184."""
    return {
        "band": band,
        "cs": figure.spec.cs + chest_sign(battle, figure),
        "saddle": figure.mounted and not battle.book.weapons[figure.weapon].from_saddle,
        "dark": battle.night and not is_lit(battle, at),
        "sniper": figure.spec.sniper,
    }


def spend_shot(battle: Battle, figure: Figure, target: str, at: Point, way: str, turns_at: Point | None) -> None:
    """A man's shot at a point, for a target that is named: its AC, and that he rises for it, through which opening he fires
    and that he turns there, from where he stands for ranges, if he turns (P5 step 2, FBN-049, FBN-054, FBN-245).
    """
    figure.ac -= shot_cost(battle, figure, target)
    rise_to_attack(figure)
    figure.attacks += 1
    figure.mark("fired", f"at {target}")
    use_opening(battle, figure, way)
    if turns_at is not None:
        turn_to(figure, at, turns_at)


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
    aim: FireTarget | None = None,
) -> None:
    """P5 for one shot: the cost, the number needed, the die, the hit, and the answer of the man who was hit.

    `aim`: how he was aimed at, where that is known.
    """
    weapon, there = battle.book.weapons[figure.weapon], stand_point(battle, man)
    band = band_of(battle, figure, range_between(battle, figure, man) if aim is None else aim.inches)
    assert band is not None, "only men within reach are aimed at"
    way = opening_to(battle, figure, there, man.place) if aim is None else aim.way
    turns_at = None if keeps_facing(battle.book, unit, figure) else stand_point(battle, figure)
    spend_shot(battle, figure, target.spec.id, there, way, turns_at)
    situation = shot_facts(battle, figure, target, man, scene, band, there)
    limits = tuple(zip(BANDS, battle.book.bands[figure.weapon], strict=True))
    battle.book.rules.show_range(table, limits, figure, figure.weapon, band)
    shot_at(table, battle, target)
    result = to_hit(table, situation, figure.spec.id, target)
    throw_away(battle, figure)
    if single:
        table.tell("shot", "FBN-092", unit=unit.spec.id, figure=figure.spec.id, target=man.spec.id, result=result)
    if not result:
        return

    def answer() -> None:
        counter_attack(table, battle, target, man, unit, figure, answers, single)

    strike(table, battle, target, man, result == CRITICAL, weapon.damage, "fire", unit, answer)


def turn_to(figure: Figure, point: tuple[float, float], start: tuple[float, float] | None = None) -> None:
    """He faces a point, from where he stands or from `start`."""
    x, y = start or figure.at
    if point != (x, y):
        figure.facing = atan2d(point[0] - x, point[1] - y) % 360


def shot_at(table: Table, battle: Battle, target: Unit) -> None:
    """A shot was aimed at the unit this turn (FBN-094); in the second turn running (`pinned`) it is pinned (FBN-144, FBN-231)."""
    if target.shot_turn == battle.turn:
        return
    target.shot_run = target.shot_run + 1 if target.shot_turn == battle.turn - 1 else 1
    target.shot_turn = battle.turn
    if target.shot_run >= battle.book.file.pinned.turns:
        pin(table, battle, target)


def pin(table: Table, battle: Battle, target: Unit) -> None:
    """FBN-231: a marker, and an event of glory (FBN-144)."""
    target.mark("pinned")
    glory_event(table, battle, target, PINNED)


@procedure("fire.volley")
def volley(table: Table, battle: Battle, unit: Unit, target: Unit) -> int:
    """Every man of the unit who can fires once at the target unit, shot by shot, each at the nearest man he sees (FBN-092).

    Whoever would have shot at a man who has just fallen, or lain down (FBN-052), aims anew inside the target unit. The
    shots made are counted.
    """
    target = battle.change(target)
    scene = battle.field.scene(joint_box(unit.box, target.box))
    answers, here = Answers(), frozenset(target.figures)
    for figure in table.each(firers(battle, unit, target.spec.id), answers):
        if figure.spec.id not in unit.figures or figure.reaction:
            continue  # fallen to an answer, or in panic because others have
        # a captive whom the fall of his guard has set free was nobody's target
        men = [man for man in target_figures(battle, unit.spec.side, target) if man.spec.id in here]
        if men and can_fire(battle, figure, target.spec.id):
            for aim in aim_at(battle, unit, figure, men, scene):
                shoot(table, battle, unit, figure, target, aim.man, scene, answers, aim=aim)
                answers.shots += 1
    table.tell("volley", "FBN-092", unit=unit.spec.id, target=target.spec.id, shots=answers.shots)
    return answers.shots


@procedure("fire.split")
def split_fire(table: Table, battle: Battle, unit: Unit) -> None:
    """The owner names firer by firer whom he aims at, or holds his fire (FBN-092, FBN-093)."""
    for figure in firers(battle, unit):
        if figure.spec.id in unit.figures and not figure.reaction and can_fire(battle, figure):
            fire_single(table, battle, unit, figure)


def fire_single(table: Table, battle: Battle, unit: Unit, figure: Figure) -> None:
    """One man fires at a man of his owner's choice, or holds his fire."""
    aims = FireTargets(battle, unit, figure)
    if not aims.any_man():
        return
    aim = table.choose(unit.spec.side, aims, why="aim at", rule="FBN-093", actor=figure.spec.id)
    if aim != HOLD:
        target = battle.change(next(home for home, man in aims.men if man.spec.id == aim))
        scene = battle.field.scene(joint_box(aims.here, target.box))
        shoot(table, battle, unit, figure, target, target.figures[aim], scene, Answers(), single=True)


class FireTargets(LazyOptions[str]):
    """The men whom one man may pick, unit by unit, in each the nearest first, and to hold fire (FBN-093).

    `men` are those in his reach, each with his unit; whether he sees one is found out when somebody asks.
    """

    __slots__ = ("here", "men")

    def __init__(self, battle: Battle, unit: Unit, figure: Figure) -> None:
        x, y = figure.at if not figure.post else stand_point(battle, figure)
        self.here = here = (x, y, x, y)
        self.men: list[tuple[Unit, Figure]] = []
        views: dict[str, Scene] = {}
        men, reach = self.men, limits_of(battle, figure)[2]
        orders, anybody = battle.book.settings.target_order_ac, battle.book.settings.leaders_targetable is True
        for away, target in battle.foes(unit):
            if not may_reach(battle, away, reach, (figure,), target) or box_gap(here, target.box) > farthest(
                battle, figure
            ):
                continue
            if orders and not can_fire(battle, figure, target.spec.id):
                continue
            upright = target_figures(battle, unit.spec.side, target)
            near = in_reach(battle, figure, upright) if upright else []
            if near:
                view = views[target.spec.id] = battle.field.view(joint_box(here, target.box))
                found = [upright[place] for _, place in sorted(near)]
                men += [(target, man) for man in (found if anybody else _nearest(battle, unit, figure, found, view))]

        def find(place: int) -> str | None:
            if place == len(men):
                return HOLD
            home, man = men[place]
            return man.spec.id if may_aim(battle, unit, figure, man, views[home.spec.id]) else None

        super().__init__(len(men) + 1, find)

    def any_man(self) -> bool:
        """Whether there is a man to aim at."""
        return any(self.at(place) is not None for place in range(len(self.men)))

    def are_several(self) -> bool:
        """Whether there is a choice: to hold fire is always open."""
        return self.any_man()


def _nearest(battle: Battle, unit: Unit, figure: Figure, men: list[Figure], view: Scene) -> list[Figure]:
    """With `leaders_targetable` nearest, of men of one unit, nearest first, only the nearest may be picked (FBN-093)."""
    seen = [man for man in men if may_aim(battle, unit, figure, man, view)]
    least = range_between(battle, figure, seen[0]) if seen else 0.0
    return [man for man in seen if range_between(battle, figure, man) <= least + 1e-6]
