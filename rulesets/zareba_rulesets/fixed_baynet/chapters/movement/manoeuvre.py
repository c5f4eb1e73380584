"""Moves of several men by the same way (FBN-039, FBN-050, FBN-270, P4): who goes, where they may go, going."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import copy
from math import inf
from typing import Self

from zareba.base.exact import atan2d, hypot
from zareba.space.field.bases import Base, stands_on
from zareba.space.geometry import EPSILON, Point, bounds, box_gap, widened
from zareba.space.ground.buildings import BuildingOpening
from zareba.space.ground.terrain_window import OPEN_SCENE
from zareba.space.moves.march import that_matter
from zareba.table import MoveCost
from zareba_rulesets.fixed_baynet.book.numbers import BUMPY, FLAT, JAGGED
from zareba_rulesets.fixed_baynet.chapters.movement.after_move import nearest_enemy
from zareba_rulesets.fixed_baynet.chapters.movement.movement import (
    allowance,
    can_move,
    crowd_refusal,
    spent_on,
    walk_cost,
)
from zareba_rulesets.fixed_baynet.chapters.sight.contact import held
from zareba_rulesets.fixed_baynet.chapters.sight.sight import sees
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.places import bases_near, open_ground, ruins
from zareba_rulesets.fixed_baynet.forces.units import Box, Figure, Gun, Unit
from zareba_rulesets.fixed_baynet.ground.field import Scene

__all__ = [
    "Manoeuvre",
    "March",
    "bring_along",
    "can_march",
    "face_enemy",
    "goes_away",
    "is_mover",
    "may_cross",
    "movers",
    "shift",
    "short_of_hidden",
]


def is_mover(battle: Battle, figure: Figure, charging: bool = False) -> bool:
    """Whether a man can take part in a move of his unit: steady, able, out of doors, on foot."""
    return not figure.reaction and not figure.place and not figure.mounted and can_move(battle, figure, charging)


def movers(battle: Battle, unit: Unit, charging: bool = False) -> list[Figure]:
    """The men who take part in a move of the whole unit: those who can, as fast as most of them."""
    men = [figure for figure in unit.figures.values() if is_mover(battle, figure, charging)]
    if battle.book.settings.leave_contact == "refused" and men:
        stay = held(battle, unit)
        men = [figure for figure in men if figure.spec.id not in stay]
    if len(men) > 1:
        speeds = [allowance(battle, figure, charging) for figure in men]
        usual = sorted(speeds)[(len(speeds) - 1) // 2]
        if speeds[0] < usual or min(speeds) < usual:
            men = [figure for figure, speed in zip(men, speeds, strict=True) if speed >= usual]
    return men


def can_march(battle: Battle, unit: Unit, men: Sequence[Figure]) -> bool:
    """Whether some of these men of a unit can take part in a move of it."""
    if battle.book.settings.leave_contact == "refused":
        return bool(movers(battle, unit))
    return any(is_mover(battle, man) for man in men)


class Manoeuvre(ABC):
    """Men of a unit who may all go by the same way, at most `reach` inches far: what lies about them is looked up once."""

    def __init__(self, battle: Battle, unit: Unit, men: Sequence[Figure], reach: float) -> None:
        self.battle, self.unit, self.men = battle, unit, men
        self.starts = [man.at for man in men]
        self.box = bounds(self.starts)
        self.radius = max([battle.radius(man) for man in men])
        self.field = battle.field
        self.mounted = any(man.mounted for man in men)
        self.down = ruins(battle)
        self._look(reach)

    def _look(self, reach: float) -> None:
        """What lies about them, so far as they may come."""
        self.reach, wide = reach, widened(self.box, reach)
        self.ground = self.field.scene(wide)
        self.bars = self.field.same_way(self.starts, self.ground, self.mounted, self.down)
        going = {man.spec.id for man in self.men}
        self.crowd = bases_near(self.battle, wide, self.radius + 1.0, going, self.unit.spec.side)

    def longer(self, inches: float) -> Self:
        """The same for a longer way."""
        farther = copy(self)
        farther._look(inches)
        return farther

    def refused(self, dx: float, dy: float) -> str | None:
        """Why they may not all go by this way, or None: table, ground, room, enemies in the way (FBN-050, P4 step 5)."""
        if hypot(dx, dy) > self.reach + 1e-9:
            return self.longer(hypot(dx, dy)).refused(dx, dy)
        west, south, east, north = self.box
        field = self.field
        w, s, e, n = west + dx, south + dy, east + dx, north + dy
        if w < -EPSILON or s < -EPSILON or e > field.width + EPSILON or n > field.depth + EPSILON:
            return "that is off the table"
        sweep = (west if dx > 0 else w, south if dy > 0 else s, e if dx > 0 else east, n if dy > 0 else north)
        ground = OPEN_SCENE if self.ground is OPEN_SCENE or field.scenes.rough.is_open(*sweep) else self.ground
        if refused := self.ground_refused(ground, sweep, dx, dy):
            return refused
        is_open = field.impassable.is_open
        if (
            ground is not OPEN_SCENE
            and not is_open(w, s, e, n)
            and not all(
                is_open(x := at_x + dx, y := at_y + dy, x, y) or open_ground(self.battle, x, y)
                for at_x, at_y in self.starts
            )
        ):
            return "nobody can stand there (FBN-065)"
        if not self.crowd:
            return None
        near = self.radius + self.battle.book.contact
        bases = that_matter(self.crowd, sweep, (w, s, e, n), near, self.unit.spec.side)
        return self.crowd_refused(dx, dy, bases) if bases else None

    @abstractmethod
    def ground_refused(self, ground: Scene, sweep: Box, dx: float, dy: float) -> str | None:
        """Why ground or speed forbid it to somebody, or None; `sweep`: the rectangle that they go over."""

    def cost(self, dx: float, dy: float) -> MoveCost:
        """What this way costs the man who has least left after it."""
        found = [self.cost_of(man, (x + dx, y + dy)) for man, (x, y) in zip(self.men, self.starts, strict=True)]
        return min(found, key=lambda one: -inf if one.spent is None else one.allowance - one.spent)

    @abstractmethod
    def cost_of(self, man: Figure, goal: Point) -> MoveCost:
        """What going straight to a point costs one of them."""

    def crowd_refused(self, dx: float, dy: float, bases: list[Base]) -> str | None:
        """Why those about them forbid it, or None."""
        return crowd_refusal(self.battle, self.unit.spec.side, self.starts, (dx, dy), self.radius, bases)


class March(Manoeuvre):
    """A move on foot."""

    def __init__(self, battle: Battle, unit: Unit, men: Sequence[Figure], reach: float) -> None:
        super().__init__(battle, unit, men, reach)
        speeds = [allowance(battle, man) for man in men]
        self.slowest = min(speeds)
        bumpy, jagged = [battle.book.slowed(self.slowest, going) for going in (BUMPY, JAGGED)]
        self.lengths = (self.slowest, bumpy, jagged)  # of whole steps on flat and on slower ground
        groin = any("groin" in man.locations for man in men)  # they know no ground (FBN-129)
        self.alike = self.slowest == max(speeds) and not groin and battle.field.whole_actions

    def cost_of(self, man: Figure, goal: Point) -> MoveCost:
        return walk_cost(self.battle, man, goal)

    def ground_refused(self, ground: Scene, sweep: Box, dx: float, dy: float) -> str | None:
        """The slowest ground that each man touches decides how far he comes (FBN-048)."""
        battle, length = self.battle, hypot(dx, dy)
        if length > self.slowest + 1e-6:
            return f'that is {length:.1f}" of {self.slowest}" (FBN-039)'
        if ground is OPEN_SCENE:
            return None
        if self.alike:
            _, bumpy, jagged = self.lengths
            most = JAGGED if length <= jagged + 1e-6 else BUMPY if length <= bumpy + 1e-6 else FLAT
            return self.bars(dx, dy, sweep, most)
        for man, (x, y) in zip(self.men, self.starts, strict=True):
            if battle.field.scenes.rough.is_open(*bounds([(x, y), (x + dx, y + dy)])):
                continue
            leg = battle.field.leg((x, y), (x + dx, y + dy), man.mounted, self.down, ground)
            if leg.closed:
                return f"{leg.closed} bars the way (FBN-065)"
            if leg.going == FLAT:
                continue
            spent, most = spent_on(battle, man, leg, length)
            if spent > most + 1e-6:
                return f'that is {spent:.1f}" of {most}" (FBN-039)'
        return None


def goes_away(battle: Battle, side: str, men: Sequence[Figure], dx: float, dy: float) -> bool:
    """Whether everybody ends farther from the enemy who is nearest to him of those whom he sees (FBN-160)."""
    foes = battle.enemies(side)
    view = battle.field.view((0.0, 0.0, battle.field.width, battle.field.depth))
    for man in men:
        before = _to_nearest(battle, man, man.x, man.y, foes, view)
        if before < inf and _to_nearest(battle, man, man.x + dx, man.y + dy, foes, view, before) <= before:
            return False
    return True


def may_cross(battle: Battle, unit: Unit, man: Figure, way: BuildingOpening) -> bool:
    """Whether a man may go through an opening: not out of contact (FBN-051), nor nearer to the enemy in a fall back (FBN-160)."""
    if man.spec.id in held(battle, unit):
        return False
    return not unit.back or goes_away(battle, unit.spec.side, [man], way.at[0] - man.x, way.at[1] - man.y)


def _to_nearest(
    battle: Battle, man: Figure, x: float, y: float, foes: Sequence[Unit], view: Scene, most: float = inf
) -> float:
    """Inches from a point to the nearest enemy of those whom a man sees from where he stands; endless beyond `most`."""
    nearest = inf
    for foe in foes:
        if box_gap((x, y, x, y), foe.box) > most:
            continue
        for other in foe.figures.values():
            away = hypot(x - other.x, y - other.y)
            if away <= most and away < nearest and sees(battle, man, other, view):
                nearest = most = away
    return nearest


def short_of_hidden(
    battle: Battle, unit: Unit, men: Sequence[Figure], dx: float, dy: float, gun: Gun | None = None
) -> tuple[float, float]:
    """A way of men, and of a piece they pull, cut short of hidden enemies, of whom its owner could not know."""
    if not any("hidden" in other.marks and other.spec.side != unit.spec.side for other in battle.units.values()):
        return dx, dy
    own = [(man.x, man.y, battle.radius(man)) for man in men]
    if gun is not None:
        own.append((gun.x, gun.y, battle.book.radius["gun"]))
    widest = max(radius for _, _, radius in own)
    going = {man.spec.id for man in men}
    for share in (1.0, 0.8, 0.6, 0.4, 0.2):
        ends = [(x + dx * share, y + dy * share, radius) for x, y, radius in own]
        bases = bases_near(battle, bounds([end[:2] for end in ends]), widest + 1.0, going)
        if gun is not None:
            bases = [base for base in bases if base.key or base[:2] != gun.at]
        if not any(stands_on((x, y), radius, bases) for x, y, radius in ends):
            return dx * share, dy * share
    return 0.0, 0.0


def shift(battle: Battle, unit: Unit, men: Sequence[Figure], dx: float, dy: float) -> None:
    """Move men by the same way and take the AC (P4 step 6)."""
    for man in men:
        battle.put(man, man.x + dx, man.y + dy)
        man.ac -= 1
        man.moves += 1
        man.mark("moved")
    unit.measure()
    bring_along(battle, unit)


def bring_along(battle: Battle, unit: Unit) -> None:
    """What a unit carries goes with it."""
    for name, prize in battle.prizes.items():
        if prize.carrier == unit.spec.id and unit.figures:
            carried = battle.prizes.change(name)
            carried.x, carried.y = unit.middle


def face_enemy(battle: Battle, unit: Unit, men: Sequence[Figure], dx: float, dy: float) -> None:
    """After a move men look towards the nearest enemy, all the same way; turning is free on foot (FBN-049).

    A square moves like others and keeps facing outwards (FBN-061).
    """
    if unit.shape == "square" or not men:
        return
    _, foe = nearest_enemy(battle, unit)
    x, y = unit.middle
    if foe is not None:
        ex, ey = (foe.box[0] + foe.box[2]) / 2, (foe.box[1] + foe.box[3]) / 2
        dx, dy = ex - x, ey - y
    if dx or dy:
        facing = atan2d(dx, dy) % 360
        for man in men:
            man.facing = facing
