"""Small-arms fire (FBN-081 to FBN-095): the number needed to hit, single shots, volleys, and fire out of turn."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.base.exact import atan2d
from zareba.base.state import facts
from zareba.rules import procedure
from zareba.space.geometry import Point, box_gap, joint_box
from zareba.table import LazyOptions, Table
from zareba_rulesets.fixed_baynet.book.numbers import CRITICAL, d12_result
from zareba_rulesets.fixed_baynet.book.tables import BANDS
from zareba_rulesets.fixed_baynet.chapters.hits import resolve_hit
from zareba_rulesets.fixed_baynet.chapters.morale import PINNED, glory_event, rise_to_attack
from zareba_rulesets.fixed_baynet.chapters.sight import (
    band_of,
    chest_sign,
    cover_value,
    is_lit,
    opening_to,
    range_between,
    stand_point,
    use_opening,
)
from zareba_rulesets.fixed_baynet.chapters.targets import (
    Answers,
    FireTarget,
    can_fire,
    find_targets,
    fire_targets,
    firers,
    keeps_facing,
    longest_shot,
    lose_thrown_spear,
    may_aim,
    may_reach,
    men_in_range,
    resolve_counter_attack,
    shot_cost,
    target_figures,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle, limits_of
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit
from zareba_rulesets.fixed_baynet.ground import Scene

Formation = Literal["open", "closed", "mass", "square"]
Band = Literal["short", "medium", "long"]
Defence = Annotated[int, Field(ge=-9, le=20)]
Cover = Annotated[int, Field(ge=0, le=9)]
Skill = Annotated[int, Field(ge=-9, le=9)]
HOLD = "hold fire"


@facts
class ShotFacts:
    """A shot at a man: his printed DS (FBN-019), formation and cover; the range band and the firer's CS.

    `charging`: the target's unit charged in its last activation (FBN-059). `crew`: the target is a gun crewman.
    `chest`: he has a light chest wound. `saddle`: the firer is mounted and his weapon is not a Winchester. `dark`: it
    is night and the target is not lit.
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
def roll_to_hit(table: Table, situation: ShotFacts, actor: str, target: Unit | None = None) -> int:
    """Roll a D12 against the number needed and return 0 miss, 1 hit or 2 critical (FBN-082, FBN-087).

    There is no other saving roll (FBN-095).
    """
    need = table.tally("fire", situation, actor, target).total
    return d12_result(table, need, why="shot", rule="FBN-082", actor=actor)


def shot_facts(
    battle: Battle, figure: Figure, target: Unit, man: Figure, scene: Scene, band: str, at: Point | None = None
) -> ShotFacts:
    """Return the facts of a shot that set the number needed (FBN-082)."""
    cover, at = cover_value(battle, figure, man, scene), at or stand_point(battle, man)
    return ShotFacts(cv=cover, **target_facts(target, man), **firer_facts(battle, figure, band, at))


def target_facts(target: Unit, man: Figure) -> dict[str, Any]:
    """Return the facts about the target that apply to any fire at it (FBN-058, FBN-201)."""
    return {
        "ds": man.spec.ds,
        "formation": target.shape_of(man),
        "charging": "cluster" in target.marks,
        "crew": man.spec.crew,
        "chest": "chest_light" in man.locations,
    }


def firer_facts(battle: Battle, figure: Figure, band: str, at: Point) -> dict[str, Any]:
    """Return the facts about the firer for any shot at a point (FBN-082, FBN-184)."""
    return {
        "band": band,
        "cs": figure.spec.cs + chest_sign(battle, figure),
        "saddle": figure.mounted and not battle.book.weapons[figure.weapon].from_saddle,
        "dark": battle.night and not is_lit(battle, at),
        "sniper": figure.spec.sniper,
    }


def spend_shot(battle: Battle, figure: Figure, target: str, at: Point, opening: str, turns_at: Point | None) -> None:
    """Pay for a man's shot: AC, getting up, the opening used and the turn (FBN-049, FBN-054, FBN-245).

    `turns_at` is his position for the turn, or None if he does not turn.
    """
    figure.ac -= shot_cost(battle, figure, target)
    rise_to_attack(figure)
    figure.attacks += 1
    figure.mark("fired", f"at {target}")
    use_opening(battle, figure, opening)
    if turns_at is not None:
        turn_to(figure, at, turns_at)


@procedure("fire.shot")
def fire_shot(
    table: Table,
    battle: Battle,
    unit: Unit,
    figure: Figure,
    target: Unit,
    man: Figure,
    scene: Scene,
    answers: Answers,
    single_shot: bool = False,
    aim: FireTarget | None = None,
) -> None:
    """Resolve one shot: cost, number needed, die, hit, and the counter-attack of the man hit (FBN-082, FBN-096).

    `aim` describes the target, if the caller has it already.
    """
    weapon, aim_point = battle.book.weapons[figure.weapon], stand_point(battle, man)
    band = band_of(battle, figure, range_between(battle, figure, man) if aim is None else aim.inches)
    assert band is not None, "only men within reach are aimed at"
    opening = opening_to(battle, figure, aim_point, man.place) if aim is None else aim.opening
    turns_at = None if keeps_facing(battle.book, unit, figure) else stand_point(battle, figure)
    spend_shot(battle, figure, target.spec.id, aim_point, opening, turns_at)
    situation = shot_facts(battle, figure, target, man, scene, band, aim_point)
    limits = tuple(zip(BANDS, battle.book.bands[figure.weapon], strict=True))  # only for the breakdown ("why?")
    battle.book.rules.show_range(table, limits, figure, figure.weapon, band)
    record_shot_at(table, battle, target)
    result = roll_to_hit(table, situation, figure.spec.id, target)
    lose_thrown_spear(battle, figure)
    if single_shot:
        table.emit("shot", "FBN-092", unit=unit.spec.id, figure=figure.spec.id, target=man.spec.id, result=result)
    if not result:
        return

    def answer() -> None:  # a man who falls still answers: `resolve_hit` calls this before it removes him (FBN-096)
        resolve_counter_attack(table, battle, target, man, unit, figure, answers, single_shot)

    resolve_hit(table, battle, target, man, result == CRITICAL, weapon.damage, "fire", unit, answer)


def turn_to(figure: Figure, point: tuple[float, float], start: tuple[float, float] | None = None) -> None:
    """Turn a figure to face a point, seen from its position or from `start` (FBN-049)."""
    x, y = start or figure.at
    if point != (x, y):
        figure.facing = atan2d(point[0] - x, point[1] - y) % 360


def record_shot_at(table: Table, battle: Battle, target: Unit) -> None:
    """Record that the unit was shot at this turn (FBN-094).

    After `pinned.turns` such turns in a row it is pinned (FBN-144, FBN-231).
    """
    if target.shot_turn == battle.turn:
        return
    target.shot_run = target.shot_run + 1 if target.shot_turn == battle.turn - 1 else 1
    target.shot_turn = battle.turn
    if target.shot_run >= battle.book.file.pinned.turns:
        pin_unit(table, battle, target)


def pin_unit(table: Table, battle: Battle, target: Unit) -> None:
    """Pin a unit: a marker (FBN-231) and a glory event (FBN-144)."""
    target.mark("pinned")
    glory_event(table, battle, target, PINNED)


@procedure("fire.volley")
def fire_volley(table: Table, battle: Battle, unit: Unit, target: Unit) -> int:
    """Let every man of the unit who can fire shoot once at the target unit, shot by shot, each at the nearest man he
    sees. Return the number of shots (FBN-092).

    If a man's target has just fallen or gone prone (FBN-052), he aims at another man of the target unit.
    """
    target = battle.change(target)
    scene = battle.field.scene(joint_box(unit.box, target.box))
    answers, ids_at_start = Answers(), frozenset(target.figures)
    for figure in table.each(firers(battle, unit, target.spec.id), answers):
        if figure.spec.id not in unit.figures or figure.reaction:
            continue  # he fell to a counter-attack, or panicked when other men fell
        # a prisoner freed by the fall of his guard during this volley is no target
        men = [man for man in target_figures(battle, unit.spec.side, target) if man.spec.id in ids_at_start]
        if men and can_fire(battle, figure, target.spec.id):
            for aim in find_targets(battle, unit, figure, men, scene):
                if not answers.shots:
                    table.emit("opens fire", "FBN-092", unit=unit.spec.id, target=target.spec.id)
                fire_shot(table, battle, unit, figure, target, aim.man, scene, answers, aim=aim)
                answers.shots += 1
    table.emit("volley", "FBN-092", unit=unit.spec.id, target=target.spec.id, shots=answers.shots, opened=True)
    return answers.shots


@procedure("fire.split")
def split_fire(table: Table, battle: Battle, unit: Unit) -> None:
    """Let the owner choose a target for each firer, or hold fire (FBN-092, FBN-093)."""
    for figure in firers(battle, unit):
        if figure.spec.id in unit.figures and not figure.reaction and can_fire(battle, figure):
            fire_with_man(table, battle, unit, figure)


def fire_with_man(table: Table, battle: Battle, unit: Unit, figure: Figure) -> None:
    """Let one man fire at a target of his owner's choice, or hold fire (FBN-093)."""
    aims = FireTargets(battle, unit, figure)
    if not aims.any_man():
        return
    aim = table.choose(unit.spec.side, aims, why="aim at", rule="FBN-093", actor=figure.spec.id)
    if aim != HOLD:
        target = battle.change(next(home for home, man in aims.men if man.spec.id == aim))
        scene = battle.field.scene(joint_box(aims.here, target.box))
        fire_shot(table, battle, unit, figure, target, target.figures[aim], scene, Answers(), single_shot=True)


class FireTargets(LazyOptions[str]):
    """The men one man may pick as target, plus the option to hold fire (FBN-093).

    Within each unit the nearest comes first. `men` are those in his reach, each with his unit. Each option checks the
    line of sight when it is first read.
    """

    __slots__ = ("here", "men")

    def __init__(self, battle: Battle, unit: Unit, figure: Figure) -> None:
        x, y = figure.at if not figure.post else stand_point(battle, figure)
        self.here = here = (x, y, x, y)
        self.men: list[tuple[Unit, Figure]] = []
        views: dict[str, Scene] = {}
        men, reach = self.men, limits_of(battle, figure).long
        settings = battle.book.settings
        names_targets, any_leader = settings.target_order_ac, settings.leaders_targetable is True
        for away, target in battle.foes(unit):
            if not may_reach(battle, away, reach, (figure,), target) or box_gap(here, target.box) > longest_shot(
                battle, figure
            ):
                continue
            if names_targets and not can_fire(battle, figure, target.spec.id):
                continue
            upright = target_figures(battle, unit.spec.side, target)
            near = men_in_range(battle, figure, upright) if upright else []
            if near:
                view = views[target.spec.id] = battle.field.view(joint_box(here, target.box))
                men_by_range = [upright[place] for _, place in sorted(near)]
                men += [
                    (target, man)
                    for man in (men_by_range if any_leader else _nearest_men(battle, unit, figure, men_by_range, view))
                ]

        def find(place: int) -> str | None:
            if place == len(men):
                return HOLD
            home, man = men[place]
            return man.spec.id if may_aim(battle, unit, figure, man, views[home.spec.id]) else None

        super().__init__(len(men) + 1, find)

    def any_man(self) -> bool:
        """Return True if there is a man to aim at."""
        return any(self.at(index) is not None for index in range(len(self.men)))

    def has_several(self) -> bool:
        """Return True if there is a choice. Holding fire is always possible, so one target is enough."""
        return self.any_man()


def _nearest_men(battle: Battle, unit: Unit, figure: Figure, men: list[Figure], view: Scene) -> list[Figure]:
    """Return only the nearest visible men of the unit, for `leaders_targetable` nearest (FBN-093)."""
    seen = [man for man in men if may_aim(battle, unit, figure, man, view)]
    least = range_between(battle, figure, seen[0]) if seen else 0.0
    return [man for man in seen if range_between(battle, figure, man) <= least + 1e-6]


# --- Fire out of turn, for house rules (FBN-098) ----------------------------------------------------------------------

# A volley out of turn is paid with AC of each man's next activation, like a counter-attack. A unit that has already
# acted this turn has its next activation in the next turn.


def targets_out_of_turn(battle: Battle, unit: Unit) -> list[Unit]:
    """Return the enemy units a man of the unit could fire at now with the AC left of his next activation (FBN-081).

    If the unit is active, its men fire with the AC they have left now.
    """
    if battle.active == unit.spec.id:
        return list(fire_targets(battle, unit))
    look_ahead = battle.copy_for_look_ahead(unit.spec.id)
    ready = look_ahead.units[unit.spec.id]
    _grant_next_ac(look_ahead, ready)
    return [battle.units[target.spec.id] for target in fire_targets(look_ahead, ready)]


def shoot_out_of_turn(table: Table, battle: Battle, unit: Unit, target: Unit) -> bool:
    """Fire a volley (FBN-092) and take its AC from each man's next activation. Return True if a shot was fired.

    If the unit is active, its men pay with the AC they have left now.
    """
    if battle.active == unit.spec.id:
        return fire_volley(table, battle, unit, target) > 0
    has_acted = "activated" in unit.marks
    saved = {key: (man.ac, man.attacks, man.marks) for key, man in unit.figures.items()}
    _grant_next_ac(battle, unit)
    next_ac = {key: man.ac for key, man in unit.figures.items()}
    shots = fire_volley(table, battle, unit, target)
    unit = battle.change(unit)
    for key, man in unit.figures.items():
        if key in saved:
            paid = next_ac[key] - man.ac
            man.spent, man.owed = (man.spent, man.owed + paid) if has_acted else (man.spent + paid, man.owed)
            man.ac, man.attacks, old_marks = saved[key]
            man.marks -= {"fired", f"at {target.spec.id}"} - old_marks
    return shots > 0


def _grant_next_ac(battle: Battle, unit: Unit) -> None:
    """Give each man the AC with which his next activation would begin."""
    has_acted = "activated" in unit.marks
    for man in unit.figures.values():
        spent = man.spent
        if has_acted:
            man.spent = man.owed
        man.ac, man.attacks, man.spent = battle.counters_left(man), 0, spent
