"""Targets of fire: the men who may fire, the enemies they may fire at, and counter-attacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import NamedTuple

from zareba.base.state import Record, facts, record
from zareba.rules import procedure
from zareba.space.geometry import Point, box_between, box_gap, joint_box
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook, d12_result
from zareba_rulesets.fixed_baynet.book.tables import WALK
from zareba_rulesets.fixed_baynet.chapters.contact import men_not_fighting
from zareba_rulesets.fixed_baynet.chapters.hits import resolve_hit
from zareba_rulesets.fixed_baynet.chapters.morale import rise_to_attack
from zareba_rulesets.fixed_baynet.chapters.sight import (
    band_of,
    chest_sign,
    in_arc,
    is_in_fire_arc,
    may_use_opening,
    opening_to,
    range_between,
    sees,
    shot_line,
    stand_point,
    use_opening,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle, limits_of, longest_range
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit
from zareba_rulesets.fixed_baynet.ground import Scene

# --- Which men may fire small arms now, and at whom each of them can aim ----------------------------------------------
#
# Rules: FBN-052, FBN-063, FBN-079, FBN-081, FBN-093, FBN-100, FBN-245.


_OUT_OF_SIGHT = frozenset({"away", "hidden"})
_NO_FIRE = frozenset({"stunned", "crossed", "healed", "served"})


def shot_cost(battle: Battle, figure: Figure, target: str) -> int:
    """Return the AC cost of a shot: the weapon's cost, plus the order that names a new target (FBN-038, FBN-194).

    If `target` is "", return the cost of the cheapest shot, at a target already named if there is one.
    """
    cost = battle.book.weapons[figure.weapon].ac
    if battle.book.settings.target_order_ac:
        named = f"at {target}" in figure.marks if target else any(mark.startswith("at ") for mark in figure.marks)
        cost += not named
    return cost


def can_afford_shot(battle: Battle, figure: Figure, target: str) -> bool:
    """Return True if a man who may fire has the AC for a shot at this target (FBN-194)."""
    return not battle.book.settings.target_order_ac or figure.ac >= shot_cost(battle, figure, target)


def can_fire(battle: Battle, figure: Figure, target: str = "") -> bool:
    """Return True if a man may fire now (FBN-100, FBN-132, FBN-137, FBN-244, FBN-268)."""
    book = battle.book
    if figure.ac < book.shot_ac[figure.weapon] or (figure.marks and not figure.marks.isdisjoint(_NO_FIRE)):
        return False
    if figure.reaction in ("freeze", "flee") or "arm_heavy" in figure.locations:
        return False
    if figure.attacks and book.settings.attacks_per_activation == 1:
        return False
    if not can_afford_shot(battle, figure, target):
        return False
    return not figure.post or may_use_opening(battle, figure, figure.post)


def keeps_facing(book: FbnBook, unit: Unit, figure: Figure) -> bool:
    """Return True if a man may fire only where he faces: in square, or on a fast horse (FBN-049, FBN-063).

    A fast horse pays for its turns. They are free at a walk, and a horse that was at a halt can go no faster than that
    (FBN-175, FBN-176).
    """
    if figure.mounted:
        return (figure.gait or book.gaits_after[figure.last_gait][-1]) > WALK
    return unit.formation == "square" and unit.shape_of(figure) == "square"


def firers(battle: Battle, unit: Unit, target: str = "") -> list[Figure]:
    """Return the steady men of a unit who may fire now, at this target if one is named."""
    return [figure for figure in unit.figures.values() if not figure.reaction and can_fire(battle, figure, target)]


class Marksman(NamedTuple):
    """A man who may fire at a fixed target, and his position; `fixed_facing` if he must fire where he faces
    (FBN-063).
    """

    figure: Figure
    at: Point
    fixed_facing: bool

    @property
    def turns_at(self) -> Point | None:
        """The position from which he turns towards his target, or None if he keeps his facing (FBN-049)."""
        return None if self.fixed_facing else self.at

    def can_fire_towards(self, battle: Battle, point: Point) -> bool:
        """Return True if he may fire towards a point with his current facing."""
        return not self.fixed_facing or in_arc(self.figure, point, battle.book.fire_half_arc)


def marksmen(battle: Battle, unit: Unit, men: Iterable[Figure]) -> list[Marksman]:
    """Return some men of a unit as marksmen."""
    return [Marksman(man, stand_point(battle, man), keeps_facing(battle.book, unit, man)) for man in men]


def exposed_men(battle: Battle, men: Iterable[Figure]) -> list[Figure]:
    """Return the men who are not protected from aimed fire by lying prone (FBN-052)."""
    if not battle.book.settings.prone_untargetable:
        return list(men)
    return [man for man in men if not man.marks or "prone" not in man.marks or "shown" in man.marks]


def target_figures(battle: Battle, side: str, target: Unit, among: Sequence[Figure] | None = None) -> Sequence[Figure]:
    """Return the men of a unit who can be targets: not prone (FBN-052), no contact with the firer's side (FBN-079).

    If `among` is given, only these men are considered.
    """
    men = exposed_men(battle, target.figures.values() if among is None else among)
    return men if battle.book.settings.fire_into_melee or not men else men_not_fighting(battle, target, men, side)


class FireTarget(NamedTuple):
    """A man who can be shot at: the range in inches, and the window or door for the shot, or "" if it needs none."""

    man: Figure
    inches: float
    opening: str


def find_targets(
    battle: Battle, unit: Unit, figure: Figure, men: Sequence[Figure], scene: Scene, only_nearest: bool = True
) -> list[FireTarget]:
    """Return the men a firer may pick, nearest first: in range, visible and in arc (FBN-093).

    With `only_nearest`, stop at the first.
    """
    near = men_in_range(battle, figure, men)
    if not near:
        return []
    near.sort()
    fixed_facing = keeps_facing(battle.book, unit, figure)
    targets: list[FireTarget] = []
    for inches, index in near:
        man = men[index]
        if fixed_facing and not is_in_fire_arc(battle, figure, man):
            continue
        opening = shot_line(battle, figure, man, scene)
        if opening is not None:
            targets.append(FireTarget(man, max(0.0, inches), opening))
            if only_nearest:
                break
    return targets


def may_aim(battle: Battle, unit: Unit, figure: Figure, man: Figure, scene: Scene) -> bool:
    """Return True if a firer may aim at a man within his reach: visible and in arc (FBN-093)."""
    if keeps_facing(battle.book, unit, figure) and not is_in_fire_arc(battle, figure, man):
        return False
    return shot_line(battle, figure, man, scene) is not None


def men_in_range(battle: Battle, figure: Figure, men: Sequence[Figure]) -> list[tuple[float, int]]:
    """Return the men within reach of a man's weapon, as pairs of range and index in `men` (FBN-081, FBN-192)."""
    book = battle.book
    weapon = book.weapons[figure.weapon]
    longest = limits_of(battle, figure).long
    if weapon.long_arm and "arm_light" in figure.locations:
        longest *= book.wounded_arm
    longest += 1e-9
    if figure.place:
        ranges = _ranges_from_building(battle, figure, men)
    else:
        x, y, (foot, mounted) = figure.x, figure.y, book.radii
        own_radius = mounted if figure.mounted else foot
        ranges = [
            (
                range_between(battle, figure, man)
                if man.place
                else sqrt((across := man.x - x) * across + (along := man.y - y) * along)
                - own_radius
                - (mounted if man.mounted else foot),
                index,
            )
            for index, man in enumerate(men)
        ]
    if weapon.close:
        return [(inches, index) for inches, index in ranges if book.close_reach < inches <= longest]
    return [(inches, index) for inches, index in ranges if inches <= longest]


def _ranges_from_building(battle: Battle, figure: Figure, men: Sequence[Figure]) -> list[tuple[float, int]]:
    """Return `range_between` of a man in a building and each of some men, with the index of the man."""
    x, y = stand_point(battle, figure)
    same_room = figure.place if battle.field.is_sectioned(figure.place) else ""
    (foot, mounted), openings = battle.book.radii, battle.field.openings
    own_radius = mounted if figure.mounted else foot
    ranges: list[tuple[float, int]] = []
    for index, man in enumerate(men):
        if same_room and man.place == same_room:
            ranges.append((0.0, index))
            continue
        at_x, at_y = openings[man.post].at if man.post else (man.x, man.y)
        across, along = x - at_x, y - at_y
        away = sqrt(across * across + along * along) - own_radius - (mounted if man.mounted else foot)
        ranges.append((away if away > 0 else 0.0, index))
    return ranges


def fire_targets(
    battle: Battle,
    unit: Unit,
    ready: list[Figure] | None = None,
    foes: list[tuple[float, Unit]] | None = None,
    known_target_id: str = "",
) -> Iterator[Unit]:
    """Yield the enemy units that a man of this unit can fire at now.

    `foes` are the known enemies, if the caller has them. `known_target_id` is the id of a unit already known to be a
    target.
    """
    ready = firers(battle, unit) if ready is None else ready
    if not ready:
        return
    reach = longest_range(battle, ready)
    orders, men = battle.book.settings.target_order_ac, ready
    for away, target in battle.foes(unit) if foes is None else foes:
        if orders:
            men = [figure for figure in ready if can_afford_shot(battle, figure, target.spec.id)]
        if target.spec.id == known_target_id or (
            may_reach(battle, away, reach, men, target) and has_target(battle, unit, target, men)
        ):
            yield target


def may_reach(battle: Battle, away: float, reach: float, men: Sequence[Figure], target: Unit) -> bool:
    """Return True if men with a weapon reach of `reach` inches may reach a unit whose bounding box is `away` inches
    from theirs.

    Boxes go around the centres of bases, and a man at a window counts as nearer than his position.
    """
    if away <= reach + battle.book.between_men:
        return True
    return away <= reach + battle.book.at_openings and (
        any(m.post for m in men) or any(f.post for f in target.figures.values())
    )


def has_target(
    battle: Battle, unit: Unit, target: Unit, ready: Sequence[Figure], among: Sequence[Figure] | None = None
) -> bool:
    """Return True if one of these men has a target in the enemy unit.

    If `among` is given, only these enemies are considered.
    """
    men = target_figures(battle, unit.spec.side, target, among)
    if not men:
        return False
    scene = battle.field.view(joint_box(unit.box, target.box))
    slack = battle.book.at_openings if any(man.post for man in men) else battle.book.between_men
    square, box = unit.shape == "square", target.box
    for figure in ready:
        x, y = figure.x, figure.y
        if not figure.place and box_gap((x, y, x, y), box) > limits_of(battle, figure).long + slack:
            continue
        fixed_facing = keeps_facing(battle.book, unit, figure) if figure.mounted else square
        for _, place in men_in_range(battle, figure, men):
            man = men[place]
            if fixed_facing and not is_in_fire_arc(battle, figure, man):
                continue
            if shot_line(battle, figure, man, scene) is not None:
                battle.field.last_targets[unit.spec.id] = figure.spec.id, target.spec.id, man.spec.id
                return True
    return False


def known_target(battle: Battle, unit: Unit, ready: Sequence[Figure]) -> str:
    """Return the enemy unit at which this unit last found a target, if a man can still fire at it; otherwise "".

    Other enemies are not considered. The stored result is only a hint where to look first and is checked again.
    """
    hint = battle.field.last_targets.get(unit.spec.id)
    if hint is None:
        return ""
    firer_id, target_id, man_id = hint
    target = battle.units.get(target_id)
    if target is None or not target.marks.isdisjoint(_OUT_OF_SIGHT):
        return ""
    man, figure = target.figures.get(man_id), unit.figures.get(firer_id)
    same_pair = man is not None and figure is not None and not figure.reaction and can_fire(battle, figure)
    if same_pair and has_target(battle, unit, target, [figure], [man]):  # type: ignore[list-item]  # neither is None
        return target_id
    return target_id if has_target(battle, unit, target, ready) else ""


def longest_shot(battle: Battle, figure: Figure) -> float:
    """Return the distance in inches beyond which a man cannot shoot another, at windows or not."""
    return limits_of(battle, figure).long + battle.book.at_openings


# --- Counter-attacks: a man who has been hit shoots back in the enemy's activation (FBN-096 to FBN-102) ---------------


ANSWER_ALL, ANSWER_NONE, _ASK_EACH = "answer every hit", "answer none", "ask at each hit"


@facts
class CounterFacts:
    """The CS of the man who answers, and the printed DS of the man who shot him (FBN-097)."""

    cs: int
    ds: int


@record
class Answers(Record):
    """The target owner's decision about counter-attacks against a volley. The owner decides at the first hit.

    One object is passed along with all shots of a volley and counts them.
    """

    word: str = ""
    shots: int = 0

    def is_wanted(self, table: Table, unit: Unit, figure: Figure, foe: Figure, single_shot: bool) -> bool:
        """Return True if the owner wants this counter-attack (FBN-102).

        He decides for the whole volley or at each hit.
        """
        side = unit.spec.side
        if not single_shot and not self.word:
            self.word = table.choose(
                side,
                (ANSWER_ALL, ANSWER_NONE, _ASK_EACH),
                why="counter-attack",
                rule="FBN-102",
                actor=unit.spec.id,
                about=(figure.spec.id, foe.spec.id),
            )
        if self.word in (ANSWER_ALL, ANSWER_NONE):
            return self.word == ANSWER_ALL
        return table.confirm(side, why="answer", rule="FBN-102", actor=figure.spec.id, about=(foe.spec.id,))


def may_answer(battle: Battle, unit: Unit, figure: Figure, foe: Figure) -> bool:
    """Return True if a man may answer a small-arms shot (FBN-079, FBN-096, FBN-098, FBN-099, FBN-100).

    A comrade's shot is never answered.
    """
    rule = battle.book.settings.counter_attack
    if rule == "off" or "activated" in unit.marks or unit.spec.side == foe.spec.side:
        return False
    if battle.counters_left(figure) < 1 or figure.reaction in ("freeze", "flee") or "stunned" in figure.marks:
        return False
    if figure.weapon == "none" or "arm_heavy" in figure.locations:
        return False
    dying = figure.wounds <= 0 or not figure.locations.isdisjoint(("chest_heavy", "head_heavy"))
    if dying and rule == "survivors":
        return False
    away = range_between(battle, figure, foe)
    if band_of(battle, figure, away) is None:
        return False
    if not in_arc(figure, stand_point(battle, foe), battle.book.fire_half_arc, stand_point(battle, figure)):
        return False
    if figure.place and not may_use_opening(battle, figure, _opening_towards(battle, figure, foe)):
        return False
    foe_unit = battle.unit_of(foe.spec.id)
    if foe_unit is None or not target_figures(battle, unit.spec.side, foe_unit, (foe,)):
        return False
    return sees(battle, figure, foe, battle.field.scene(box_between(figure.at, foe.at)))


def _opening_towards(battle: Battle, figure: Figure, foe: Figure) -> str:
    """Return the window or door through which a man shoots at an enemy, or "" (see `opening_to`)."""
    return opening_to(battle, figure, stand_point(battle, foe), foe.place)


@procedure("counter_attack.answer")
def resolve_counter_attack(
    table: Table,
    battle: Battle,
    unit: Unit,
    figure: Figure,
    foe_unit: Unit,
    foe: Figure,
    answers: Answers,
    single_shot: bool,
) -> None:
    """Roll a counter-attack: D12 + CS against the firer's printed DS.

    A counter-attack is never answered (FBN-097, FBN-101).
    """
    if foe.spec.id not in foe_unit.figures or not may_answer(battle, unit, figure, foe):
        return
    if not answers.is_wanted(table, unit, figure, foe, single_shot):
        return
    figure.spent += 1
    rise_to_attack(figure)
    weapon = battle.book.weapons[figure.weapon]
    if figure.place:
        use_opening(battle, figure, _opening_towards(battle, figure, foe))
    situation = CounterFacts(figure.spec.cs + chest_sign(battle, figure), foe.spec.ds)
    result = _roll_answer(table, situation, figure.spec.id)
    lose_thrown_spear(battle, figure)
    table.emit("answer", "FBN-097", unit=unit.spec.id, figure=figure.spec.id, target=foe.spec.id, result=result)
    if result:
        resolve_hit(table, battle, foe_unit, foe, result == 2, weapon.damage, "fire", unit)


def lose_thrown_spear(battle: Battle, figure: Figure) -> None:
    """Remove a spear that was thrown, if the setting says it is lost (FBN-192)."""
    if battle.book.settings.thrown_spear_lost and battle.book.weapons[figure.weapon].close:
        figure.weapon = "none"
        figure.mark("disarmed")


def _roll_answer(table: Table, situation: CounterFacts, actor: str) -> int:
    """Roll D12 + CS against DS: 0 miss, 1 hit, 2 critical. A 1 misses and a 12 is critical (FBN-097)."""
    need, by = situation.ds - situation.cs, f"DS {situation.ds} less CS {situation.cs}"
    return d12_result(table, need, why="counter-attack", rule="FBN-097", actor=actor, by=by)
