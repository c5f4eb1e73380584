"""Which men may fire small arms now, and at whom each of them can aim.

Rules: FBN-052, FBN-063, FBN-079, FBN-081, FBN-093, FBN-100, FBN-245.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from zareba.base.exact import hypot
from zareba.space.geometry import Point, box_gap, joint_box
from zareba_rulesets.fixed_baynet.book.numbers import WALK, FbnBook
from zareba_rulesets.fixed_baynet.chapters.sight.contact import men_not_fighting
from zareba_rulesets.fixed_baynet.chapters.sight.openings import may_use_opening
from zareba_rulesets.fixed_baynet.chapters.sight.sight import (
    Scene,
    in_arc,
    is_in_fire_arc,
    range_between,
    shot_line,
    stand_point,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.ranges import limits_of, longest
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = [
    "FireTarget",
    "Marksman",
    "can_afford_shot",
    "can_fire",
    "exposed_men",
    "find_targets",
    "fire_targets",
    "firers",
    "keeps_facing",
    "known_target",
    "longest_shot",
    "marksmen",
    "may_aim",
    "may_reach",
    "men_in_range",
    "shot_cost",
    "target_figures",
]

OUT_OF_SIGHT = frozenset({"away", "hidden"})
NO_FIRE = frozenset({"stunned", "crossed", "healed", "served"})


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
    if figure.ac < book.shot_ac[figure.weapon] or (figure.marks and not figure.marks.isdisjoint(NO_FIRE)):
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
        return (figure.gait or book.open_gaits[figure.last_gait][-1]) > WALK
    return unit.shape_of(figure) == "square"


def firers(battle: Battle, unit: Unit, target: str = "") -> list[Figure]:
    """Return the steady men of a unit who may fire now, at this target if one is named."""
    return [figure for figure in unit.figures.values() if not figure.reaction and can_fire(battle, figure, target)]


class Marksman(NamedTuple):
    """A man who may fire at a fixed target, and his position; `bound` if he must fire where he faces (FBN-063)."""

    figure: Figure
    at: Point
    bound: bool

    @property
    def turns_at(self) -> Point | None:
        """The position from which he turns towards his target, or None if he keeps his facing (FBN-049)."""
        return None if self.bound else self.at

    def can_fire_towards(self, battle: Battle, point: Point) -> bool:
        """Return True if he may fire towards a point with his current facing."""
        return not self.bound or in_arc(self.figure, point, battle.book.fire_half_arc)


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
    way: str


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
    bound = keeps_facing(battle.book, unit, figure)
    found: list[FireTarget] = []
    for inches, place in near:
        man = men[place]
        if bound and not is_in_fire_arc(battle, figure, man):
            continue
        way = shot_line(battle, figure, man, scene)
        if way is not None:
            found.append(FireTarget(man, max(0.0, inches), way))
            if only_nearest:
                break
    return found


def may_aim(battle: Battle, unit: Unit, figure: Figure, man: Figure, scene: Scene) -> bool:
    """Return True if a firer may aim at a man within his reach: visible and in arc (FBN-093)."""
    if keeps_facing(battle.book, unit, figure) and not is_in_fire_arc(battle, figure, man):
        return False
    return shot_line(battle, figure, man, scene) is not None


def men_in_range(battle: Battle, figure: Figure, men: Sequence[Figure]) -> list[tuple[float, int]]:
    """Return the men within reach of a man's weapon, as pairs of range and index in `men` (FBN-081, FBN-192)."""
    book = battle.book
    weapon = book.weapons[figure.weapon]
    most = limits_of(battle, figure)[2]
    if weapon.long_arm and "arm_light" in figure.locations:
        most *= book.wounded_arm
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
    battle: Battle,
    unit: Unit,
    ready: list[Figure] | None = None,
    foes: list[tuple[float, Unit]] | None = None,
    surely: str = "",
) -> Iterator[Unit]:
    """Yield the enemy units that a man of this unit can fire at now.

    `foes` are the known enemies, if the caller has them. `surely` is the id of a unit already known to be a target.
    """
    ready = firers(battle, unit) if ready is None else ready
    if not ready:
        return
    reach = longest(battle, ready)
    orders, men = battle.book.settings.target_order_ac, ready
    for away, target in battle.foes(unit) if foes is None else foes:
        if orders:
            men = [figure for figure in ready if can_afford_shot(battle, figure, target.spec.id)]
        if target.spec.id == surely or (
            may_reach(battle, away, reach, men, target) and has_target(battle, unit, target, men)
        ):
            yield target


def may_reach(battle: Battle, away: float, reach: float, men: Sequence[Figure], target: Unit) -> bool:
    """Return True if men with a weapon reach of `reach` inches may reach a unit whose bounding box is `away` inches
    from theirs.

    Boxes go around the centres of bases, and a man at a window counts as nearer than his position.
    """
    if away <= reach + 2 * max(battle.book.radii):
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
    scene = battle.field.view(joint_box(unit.box, target.box))
    slack = battle.book.at_openings if any(man.post for man in men) else 2 * max(battle.book.radii)
    square, box = unit.shape == "square", target.box
    for figure in ready:
        x, y = figure.x, figure.y
        if not figure.place and box_gap((x, y, x, y), box) > limits_of(battle, figure)[2] + slack:
            continue
        bound = keeps_facing(battle.book, unit, figure) if figure.mounted else square
        for _, place in men_in_range(battle, figure, men):
            man = men[place]
            if bound and not is_in_fire_arc(battle, figure, man):
                continue
            if shot_line(battle, figure, man, scene) is not None:
                battle.field.sights[unit.spec.id] = figure.spec.id, target.spec.id, man.spec.id
                return True
    return False


def known_target(battle: Battle, unit: Unit, ready: Sequence[Figure]) -> str:
    """Return the enemy unit at which this unit last found a target, if a man can still fire at it; otherwise "".

    Other enemies are not considered. The stored result is only a hint where to look first and is checked again.
    """
    hint = battle.field.sights.get(unit.spec.id)
    if hint is None:
        return ""
    who, home, whom = hint
    target = battle.units.get(home)
    if target is None or not target.marks.isdisjoint(OUT_OF_SIGHT):
        return ""
    man, figure = target.figures.get(whom), unit.figures.get(who)
    both = man is not None and figure is not None and not figure.reaction and can_fire(battle, figure)
    if both and has_target(battle, unit, target, [figure], [man]):  # type: ignore[list-item]  # neither is None
        return home
    return home if has_target(battle, unit, target, ready) else ""


def longest_shot(battle: Battle, figure: Figure) -> float:
    """Return the distance in inches beyond which a man cannot shoot another, at windows or not."""
    return limits_of(battle, figure)[2] + battle.book.at_openings
