"""Group moves: several men make the same straight move (FBN-039, FBN-050, FBN-270)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import copy
from math import inf
from typing import Self

from zareba.base.exact import atan2d, hypot
from zareba.space.field.bodies import Base, overlaps_any
from zareba.space.geometry import EPSILON, Point, bounds, box_gap, widen
from zareba.space.ground.buildings import BuildingOpening
from zareba.space.ground.terrain_window import OPEN_WINDOW
from zareba.space.moves import relevant_bases
from zareba.table import MoveCost
from zareba_rulesets.fixed_baynet.book.numbers import BUMPY, FLAT, JAGGED
from zareba_rulesets.fixed_baynet.chapters.contact import men_held
from zareba_rulesets.fixed_baynet.chapters.movement import (
    allowance,
    can_move,
    crowd_refusal,
    nearest_enemy,
    price_and_allowance,
    walk_cost,
)
from zareba_rulesets.fixed_baynet.chapters.sight import sees
from zareba_rulesets.fixed_baynet.forces.battle import Battle, bases_near, open_ground, ruins
from zareba_rulesets.fixed_baynet.forces.units import Box, Figure, Gun, Unit
from zareba_rulesets.fixed_baynet.ground import Scene


def is_mover(battle: Battle, figure: Figure, charging: bool = False) -> bool:
    """Return True if a man can take part in a move of his unit: steady, able, out of doors and on foot."""
    return not figure.reaction and not figure.place and not figure.mounted and can_move(battle, figure, charging)


def movers(battle: Battle, unit: Unit, charging: bool = False) -> list[Figure]:
    """Return the men who take part in a move of the whole unit. Men slower than the median stay behind."""
    men = [figure for figure in unit.figures.values() if is_mover(battle, figure, charging)]
    if battle.book.settings.leave_contact == "refused" and men:
        stay = men_held(battle, unit)
        men = [figure for figure in men if figure.spec.id not in stay]
    if len(men) > 1:
        speeds = [allowance(battle, figure, charging) for figure in men]
        usual = sorted(speeds)[(len(speeds) - 1) // 2]
        if speeds[0] < usual or min(speeds) < usual:
            men = [figure for figure, speed in zip(men, speeds, strict=True) if speed >= usual]
    return men


def can_march(battle: Battle, unit: Unit, men: Sequence[Figure]) -> bool:
    """Return True if some of these men can take part in a move of their unit."""
    if battle.book.settings.leave_contact == "refused":
        return bool(movers(battle, unit))
    return any(is_mover(battle, man) for man in men)


class Manoeuvre(ABC):
    """A straight move of several men of a unit, at most `reach` inches long.

    It looks up the terrain and bases in reach once.
    """

    def __init__(self, battle: Battle, unit: Unit, men: Sequence[Figure], reach: float) -> None:
        self.battle, self.unit, self.men = battle, unit, men
        self.starts = [man.at for man in men]
        self.box = bounds(self.starts)
        self.radius = max([battle.radius(man) for man in men])
        self.field = battle.field
        self.mounted = any(man.mounted for man in men)
        self.down = ruins(battle)
        self._look_up(reach)

    def _look_up(self, reach: float) -> None:
        """Look up the terrain and the bases within reach."""
        self.reach, wide = reach, widen(self.box, reach)
        self.ground = self.field.scene(wide)
        self.bars = self.field.common_move_check(self.starts, self.ground, self.mounted, self.down)
        own_ids = {man.spec.id for man in self.men}
        self.crowd = bases_near(self.battle, wide, self.radius + 1.0, own_ids, self.unit.spec.side)

    def longer(self, inches: float) -> Self:
        """Return the same manoeuvre with a longer reach."""
        farther = copy(self)
        farther._look_up(inches)
        return farther

    def reason_against(self, dx: float, dy: float) -> str | None:
        """Return why the men may not all make this move, or None: edge, ground, figures (FBN-050, FBN-048)."""
        if hypot(dx, dy) > self.reach + 1e-9:
            return self.longer(hypot(dx, dy)).reason_against(dx, dy)
        west, south, east, north = self.box
        field = self.field
        w, s, e, n = west + dx, south + dy, east + dx, north + dy
        if w < -EPSILON or s < -EPSILON or e > field.width + EPSILON or n > field.depth + EPSILON:
            return "that is off the table"
        sweep = (west if dx > 0 else w, south if dy > 0 else s, e if dx > 0 else east, n if dy > 0 else north)
        ground = OPEN_WINDOW if self.ground is OPEN_WINDOW or field.scenes.rough.is_open(*sweep) else self.ground
        if refused := self.reason_against_ground(ground, sweep, dx, dy):
            return refused
        is_open = field.impassable.is_open
        if (
            ground is not OPEN_WINDOW
            and not is_open(w, s, e, n)
            and not all(
                is_open(x := at_x + dx, y := at_y + dy, x, y) or open_ground(self.battle, x, y)
                for at_x, at_y in self.starts
            )
        ):
            return "no figure can stand there (FBN-065)"
        if not self.crowd:
            return None
        near = self.radius + self.battle.book.contact
        bases = relevant_bases(self.crowd, sweep, (w, s, e, n), near, self.unit.spec.side)
        return self.reason_against_crowd(dx, dy, bases) if bases else None

    @abstractmethod
    def reason_against_ground(self, ground: Scene, sweep: Box, dx: float, dy: float) -> str | None:
        """Return why ground or speed forbids the move to one of the men, or None.

        `sweep` is the rectangle they sweep over.
        """

    def cost(self, dx: float, dy: float) -> MoveCost:
        """Return the cost of the move for the man who has the least allowance left after it."""
        costs = [self.cost_of(man, (x + dx, y + dy)) for man, (x, y) in zip(self.men, self.starts, strict=True)]
        return min(costs, key=lambda cost: -inf if cost.spent is None else cost.allowance - cost.spent)

    @abstractmethod
    def cost_of(self, man: Figure, goal: Point) -> MoveCost:
        """Return the cost of a straight move to a point for one of the men."""

    def reason_against_crowd(self, dx: float, dy: float, bases: list[Base]) -> str | None:
        """Return why other figures forbid the move, or None."""
        return crowd_refusal(self.battle, self.unit.spec.side, self.starts, (dx, dy), self.radius, bases)


class March(Manoeuvre):
    """A group move on foot."""

    def __init__(self, battle: Battle, unit: Unit, men: Sequence[Figure], reach: float) -> None:
        super().__init__(battle, unit, men, reach)
        speeds = [allowance(battle, man) for man in men]
        self.slowest = min(speeds)
        bumpy, jagged = [battle.book.allowance_on_ground(self.slowest, difficulty) for difficulty in (BUMPY, JAGGED)]
        self.lengths = (self.slowest, bumpy, jagged)  # longest moves on flat, bumpy and jagged ground
        groin = any("groin" in man.locations for man in men)  # ground has no effect on them (FBN-129)
        self.alike = self.slowest == max(speeds) and not groin and battle.field.whole_actions

    def cost_of(self, man: Figure, goal: Point) -> MoveCost:
        return walk_cost(self.battle, man, goal)

    def reason_against_ground(self, ground: Scene, sweep: Box, dx: float, dy: float) -> str | None:
        """Return why ground or speed forbids the move, or None.

        The slowest ground each man touches limits his move (FBN-048).
        """
        battle, length = self.battle, hypot(dx, dy)
        if length > self.slowest + 1e-6:
            return f'too far: {length:.1f}" of {self.slowest}" (FBN-039)'
        if ground is OPEN_WINDOW:
            return None
        if self.alike:
            _, bumpy, jagged = self.lengths
            most = JAGGED if length <= jagged + 1e-6 else BUMPY if length <= bumpy + 1e-6 else FLAT
            return self.bars(dx, dy, sweep, most)
        for man, (x, y) in zip(self.men, self.starts, strict=True):
            if battle.field.scenes.rough.is_open(*bounds([(x, y), (x + dx, y + dy)])):
                continue
            move = battle.field.straight_move((x, y), (x + dx, y + dy), man.mounted, self.down, ground)
            if move.closed:
                return f"{move.closed} blocks the way (FBN-065)"
            if move.difficulty == FLAT:
                continue
            spent, most = price_and_allowance(battle, man, move, length)
            if spent > most + 1e-6:
                return f'too far: {spent:.1f}" of {most}" (FBN-039)'
        return None


def moves_away(battle: Battle, side: str, men: Sequence[Figure], dx: float, dy: float) -> bool:
    """Return True if every man ends farther from the nearest enemy he sees (FBN-160)."""
    foes = battle.enemies(side)
    view = battle.field.view((0.0, 0.0, battle.field.width, battle.field.depth))
    for man in men:
        before = _distance_to_nearest(battle, man, man.x, man.y, foes, view)
        if before < inf and _distance_to_nearest(battle, man, man.x + dx, man.y + dy, foes, view, before) <= before:
            return False
    return True


def may_cross(battle: Battle, unit: Unit, man: Figure, opening: BuildingOpening) -> bool:
    """Return True if contact (FBN-051) and falling back (FBN-160) allow a man to go through an opening."""
    if man.spec.id in men_held(battle, unit):
        return False
    return not unit.back or moves_away(battle, unit.spec.side, [man], opening.at[0] - man.x, opening.at[1] - man.y)


def _distance_to_nearest(
    battle: Battle, man: Figure, x: float, y: float, foes: Sequence[Unit], view: Scene, most: float = inf
) -> float:
    """Return the distance from a point to the nearest enemy the man sees now; infinity if beyond `most`."""
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
    """Return the move of some men, and of a gun they pull, shortened so that it stops before hidden enemies.

    The owner cannot know of them when he chooses the move.
    """
    if not any("hidden" in other.marks and other.spec.side != unit.spec.side for other in battle.units.values()):
        return dx, dy
    bodies = [(man.x, man.y, battle.radius(man)) for man in men]
    if gun is not None:
        bodies.append((gun.x, gun.y, battle.book.radius["gun"]))
    widest = max(radius for _, _, radius in bodies)
    own_ids = {man.spec.id for man in men}
    for share in (1.0, 0.8, 0.6, 0.4, 0.2):
        ends = [(x + dx * share, y + dy * share, radius) for x, y, radius in bodies]
        bases = bases_near(battle, bounds([end[:2] for end in ends]), widest + 1.0, own_ids)
        if gun is not None:
            bases = [base for base in bases if base.key or base[:2] != gun.at]
        if not any(overlaps_any((x, y), radius, bases) for x, y, radius in ends):
            return dx * share, dy * share
    return 0.0, 0.0


def shift_men(battle: Battle, unit: Unit, men: Sequence[Figure], dx: float, dy: float) -> None:
    """Make the same straight move with all the men and pay the AC (FBN-039)."""
    for man in men:
        battle.put(man, man.x + dx, man.y + dy)
        man.ac -= 1
        man.moves += 1
        man.mark("moved")
    unit.measure()
    move_carried_objects(battle, unit)


def move_carried_objects(battle: Battle, unit: Unit) -> None:
    """Move the objects a unit carries along with it."""
    for name, carried_object in battle.carried_objects.items():
        if carried_object.carrier == unit.spec.id and unit.figures:
            carried = battle.carried_objects.change(name)
            carried.x, carried.y = unit.middle


def face_enemy(battle: Battle, unit: Unit, men: Sequence[Figure], dx: float, dy: float) -> None:
    """Turn the men towards the nearest enemy after a move, all the same way. Turning on foot is free (FBN-049).

    A square keeps facing outwards (FBN-061).
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
